"""Questions to begin with, so that an empty page shows what can be asked."""

from __future__ import annotations

from collections.abc import Sequence

from kb.knowledge import Knowledge

OF_GAME: dict[str, tuple[str, ...]] = {
    "ordeals": (
        "Can I fire my bow with an enemy right next to me?",
        "I rolled 9 with Might 2, he rolled 5 and has Ward 1. How much Harm?",
        "How do I break away from a fight?",
    ),
    "betrayal": (
        "What does my third engage action of the turn cost on Expert?",
        "Can I move both before and after I engage?",
        "Where does a drained die go?",
    ),
    "eldfall": (
        "Does my mage engage anyone without a melee weapon?",
        "Which actions are left to an engaged model?",
        "May an engaged Artificer enchant itself?",
    ),
}
"Of the bundled games, in words of our own."
EACH = 3


def starters(knowledge: Knowledge, game: str = "") -> list[tuple[str, Sequence[str]]]:
    """(game, questions to begin with), of one game or of all."""
    names = [game] if game else list(knowledge.games)
    found = [(name, OF_GAME.get(name) or _from_corpus(knowledge, name)) for name in names]
    return [(name, questions) for name, questions in found if questions][:6]


def _from_corpus(knowledge: Knowledge, game: str) -> Sequence[str]:
    """Of any other game: what its FAQ asks, then what its terms mean."""
    passages = knowledge.passages(game)
    asked = [p.title for p in passages if p.kind in ("faq", "ruling") and p.title.endswith("?")]
    terms = [f"What does {p.term} mean?" for p in passages if p.kind == "term" and p.term]
    return tuple((asked[:2] + terms)[:EACH])
