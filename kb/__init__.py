"""Rules KB: cited answers to tabletop rules questions, proved by worked examples.

>>> import kb
>>> kb.ask("can I shoot while engaged?", game="eldfall").verdict
'no'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.answer import Answer

__version__ = "0.1.0"
__all__ = ["__version__", "ask"]


def ask(question: str, game: str | None = None, **options: Any) -> Answer:
    """Answers a question from the corpus at hand (KB_CORPUS, else the bundled one), as `kb ask` does.

    Options are those of `kb.knowledge.Knowledge.ask`: `k`, `as_printed`, `explain`. Raises `kb.errors.KBError` with
    place, finding and next step for an unknown game, a broken corpus or an index that can't be made.
    """
    from kb.knowledge import open_knowledge

    return open_knowledge().ask(question, game, **options)
