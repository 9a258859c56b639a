"""One error family. Every message says where, what was found and what to do next.

KBError
├── CorpusError      a corpus file can't be read as one
├── ExampleError     a worked example or a procedure's input is not well formed
├── StoreError       the search index can't be built, opened or written
├── IngestError      a document can't be imported
└── UsageError       the caller asked for something that does not exist
"""

from __future__ import annotations

from pathlib import Path


class KBError(Exception):
    """Base of all errors that a user can mend.

    `where` is a file, optionally with a line (1-based); `found` says what is wrong, `mend` the next step.
    The three are joined into one sentence a line can print: ``corpus/x/y.md:12: found. mend.``
    """

    def __init__(self, found: str, mend: str = "", *, where: Path | str | None = None, line: int | None = None) -> None:
        self.found = found
        self.mend = mend
        self.where = str(where) if where is not None else None
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        place = ""
        if self.where is not None:
            place = f"{self.where}:{self.line}: " if self.line is not None else f"{self.where}: "
        tail = f" {self.mend.rstrip('.')}." if self.mend else ""
        return f"{place}{self.found.rstrip('.')}.{tail}"


class CorpusError(KBError):
    """A corpus file can't be read as one."""


class ExampleError(KBError):
    """A worked example, a house-rules file or a procedure's input is not well formed."""


class StoreError(KBError):
    """The search index can't be built, opened or written."""


class IngestError(KBError):
    """A document can't be imported."""


class UsageError(KBError):
    """The caller asked for something that does not exist: a game, a term, a procedure, a file."""
