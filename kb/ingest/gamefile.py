"""game.yaml of an imported game; what stands in one already is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from kb.errors import IngestError
from kb.ingest.draft import Draft, Options
from kb.yamlfile import read_yaml


def merged_game(
    path: Path,
    draft: Draft,
    options: Options,
    missing_pages: Sequence[str],
    before: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """The game's mapping: the file's, with the import's sources and missing pages added.

    `before` are the sources' fields as an earlier import wrote them: one that was changed by hand since stays.
    """
    game: dict[str, Any] = {"game": options.game, "title": options.title or draft.title or _title(options.game)}
    if options.owner:
        game["owner"] = options.owner
    if path.is_file():
        there = read_yaml(path, IngestError)
        if not isinstance(there, dict):
            raise IngestError("this file is no mapping", "Mend it or move it away", where=path)
        game |= there
        if options.title:
            game["title"] = options.title
    sources = dict(game.get("sources") or {})
    for key, fields in draft.sources.items():
        there, old = sources.get(key) or {}, before.get(key, {})
        sources[key] = {**there, **{k: v for k, v in fields.items() if k not in there or there[k] == old.get(k)}}
    game["sources"] = sources
    game.setdefault("default_source", next(iter(sources), "source"))
    missing = list(dict.fromkeys([*(game.get("missing_pages") or []), *missing_pages]))
    if missing:
        game["missing_pages"] = missing
    return game


def _title(game: str) -> str:
    return game.replace("-", " ").replace("_", " ").title()


def game_yaml(game: dict[str, Any]) -> str:
    """The mapping as YAML."""
    return yaml.safe_dump(game, sort_keys=False, allow_unicode=True, width=110)
