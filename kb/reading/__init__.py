"""Reads a situation out of a player's question into a procedure's input."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from kb.reading import described
from kb.reading.situation import Reader, Situation


def readers(game: str) -> Sequence[Reader]:
    """The readers of a game, the most particular first; games without readers of their own are read by field words."""
    try:
        module = importlib.import_module(f"kb.reading.{game}")
    except ModuleNotFoundError as error:
        if error.name != f"kb.reading.{game}":
            raise
        return described.readers(game)
    found: Sequence[Reader] = module.READERS
    return found


def read(text: str, game: str) -> Situation | None:
    """The situation that a question tells, or None where it tells none that can be computed."""
    for reader in readers(game):
        situation = reader(text)
        if situation is not None:
            return situation
    return None
