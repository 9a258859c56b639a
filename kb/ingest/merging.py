"""Several sources imported at once become one draft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.ingest.draft import Draft, DraftPage


def merge_drafts(drafts: Sequence[Draft]) -> Draft:
    """Several sources as one draft. Their glossaries become one, and so do their FAQs and rulings."""
    if len(drafts) == 1:
        return drafts[0]
    sources: dict[str, Mapping[str, str]] = {}
    pages: list[DraftPage] = []
    for draft in drafts:
        keys = fresh_keys(sources, draft.sources)
        sources |= {keys[key]: value for key, value in draft.sources.items()}
        pages += [with_sources(page, keys) for page in draft.pages]
    return Draft(
        pages=tuple(_joined(pages)),
        sources=sources,
        findings=tuple(finding for draft in drafts for finding in draft.findings),
        title=next((draft.title for draft in drafts if draft.title), ""),
        missing_pages=tuple(dict.fromkeys(name for draft in drafts for name in draft.missing_pages)),
        words_in=sum(draft.words_in for draft in drafts) if all(draft.words_in for draft in drafts) else 0,
    )


def fresh_keys(taken: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """key -> the same key, or with a number behind it where another source has it already."""
    keys: dict[str, str] = {}
    for key, value in new.items():
        name, n = key, 1
        while name in taken and taken[name] != value:
            n += 1
            name = f"{key}-{n}"
        keys[key] = name
    return keys


def with_sources(page: DraftPage, keys: Mapping[str, str]) -> DraftPage:
    """The page with its source keys renamed."""
    blocks = tuple(
        replace(block, source=keys.get(block.source, block.source)) if block.source else block for block in page.blocks
    )
    return replace(page, source=keys.get(page.source, page.source), blocks=blocks)


def _joined(pages: Iterable[DraftPage]) -> list[DraftPage]:
    """Pages in order; glossary, faq and rulings of all sources on one page each, every block with its source."""
    joined: dict[str, DraftPage] = {}
    others: list[DraftPage] = []
    for page in pages:
        if page.name not in ("glossary", "faq", "rulings"):
            others.append(page)
            continue
        blocks = tuple(block if block.source else replace(block, source=page.source) for block in page.blocks)
        first = joined.get(page.name, replace(page, blocks=(), origin=""))
        origin = "|".join(sorted({*first.origin.split("|"), page.origin} - {""}))
        joined[page.name] = replace(first, blocks=(*first.blocks, *blocks), origin=origin)
    return [*others, *joined.values()]
