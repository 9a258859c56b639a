"""The stem of an English word."""

from __future__ import annotations

import threading

_local = threading.local()


def stem(word: str) -> str:
    """A lower-case word's stem (Snowball English). Safe to call from several threads."""
    if not hasattr(_local, "stemmer"):
        import Stemmer  # one per thread: a stemmer keeps state while it works

        _local.stemmer = Stemmer.Stemmer("english")
    return str(_local.stemmer.stemWord(word))
