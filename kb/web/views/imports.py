"""What an import found, as HTML."""

from __future__ import annotations

from markupsafe import Markup

from kb.web.imports import Looked
from kb.web.template import fill

SHOWN = 40
"Findings that are listed at most."
PLURALS = {"rule": "rules", "term": "terms", "ruling": "rulings", "clarification": "clarifications", "faq": "questions"}


def found_html(looked: Looked) -> Markup:
    """Pages, passages, words, and what a person should look at."""
    findings = [(_place(f.where, f.line), f.what, f.mend) for f in looked.report.findings]
    # The trial corpus is gone: its own name in the files' paths would only confuse.
    faults = [(_place(f.file.removeprefix("trial/"), f.line), f.what, f.mend) for f in looked.faults]
    return fill(
        "found",
        report=looked.report,
        kinds=[(PLURALS.get(kind, kind), count) for kind, count in looked.report.passages.items() if count],
        pages=[(page.title, len(page.blocks)) for page in looked.draft.pages],
        groups=[("Findings of the import", findings), ("What lint says", faults)],
        shown=SHOWN,
    )


def _place(file: str, line: int | None) -> str:
    return f"{file}:{line}" if line else file


def library_html(title: str, ask: str, read: str) -> Markup:
    """One game of the own library, with the addresses where it is asked and read."""
    return fill("library", title=title, ask=ask, read=read)
