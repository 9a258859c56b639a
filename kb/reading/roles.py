"""What part a mention plays in its clause: who does it, to whom it is done, whose it is."""

from __future__ import annotations

from kb.reading.persons import FIRST, SECOND, THIRD
from kb.reading.scene import Clause, Item

REFLEXIVE = frozenset("myself himself herself itself themselves yourself".split())


def give_roles(clauses: list[Clause]) -> None:
    """Sets the role of every mention."""
    for clause in clauses:
        for at, item in enumerate(clause.items):
            if item.tag == "P":
                item.role = _role(clause, at)
        _not_oneself(clause)
    _one_throughout(clauses)


def _not_oneself(clause: Clause) -> None:
    """Nobody is the object of its own doing: in `my guy was charged by him` the two are not one."""
    doer: Item | None = None
    for at, item in enumerate(clause.items):
        done_to = clause.tags[:at].rstrip("a")[-1:] in tuple("AwltCy") and item.text not in REFLEXIVE
        if item.tag == "P" and item.role == "subject":
            doer = item
        elif item.tag == "P" and item.role == "object" and doer is not None and done_to:
            for one, other in ((doer, item), (item, doer)):
                if len(one.parties) == 1 and len(other.parties) > 1:
                    other.parties = tuple(each for each in other.parties if each[0] != one.party) or other.parties


def _one_throughout(clauses: list[Clause]) -> None:
    """A pronoun that means one person throughout means whom it can only mean somewhere."""
    items = [item for clause in clauses for item in clause.items if item.bound >= 0]
    known = {item.bound: item.parties for item in items if len(item.parties) == 1}
    for item in items:
        item.parties = known.get(item.bound, item.parties)


def _is_label(clause: Clause, at: int, role: str) -> bool:
    """`me: 9`, `him 5`, `8 for me`: whoever stands by a score is what the words after it are about."""
    tags = clause.tags
    before, after = tags[:at].rstrip("a"), tags[at + 1 :].lstrip("a")[:1]
    alone = len(clause.items) == 1
    if role != "owner" and before[-1:] in ("", "&", "q") and (alone or (after and after in "=NMWERT")):
        return True
    words = [item for item in clause.items[:at] if item.tag != "a"]
    return role != "owner" and before.endswith(("Nf", "Nuf")) and words[-1].text == "for"


def _on(clause: Clause, at: int) -> bool:
    """Whether `on`, `at` or `of` stands before it."""
    before = [item for item in clause.items[:at] if item.tag != "a"]
    return bool(before) and before[-1].text in ("on", "at", "of", "from", "near", "by")


def _role(clause: Clause, at: int) -> str:
    """Subject, object or owner, by the word itself and its neighbours."""
    item = clause.items[at]
    before = clause.tags[:at].rstrip("a")[-1:]
    after = clause.tags[at + 1 :].lstrip("a")[:1]
    own = {**FIRST, **SECOND, **THIRD}.get(item.text)
    if item.text == "her":
        own = (
            "object"
            if before in tuple("AwltfvC=")
            and (after not in tuple("MWERTDHN") or (after == "N" and before in tuple("Awl")))
            and before
            else "owner"
        )
    if own == "subject" and item.text in ("it", "you") and before in tuple("AwltfvC") and before:
        own = "object"
    if _is_label(clause, at, own or "object"):
        return "subject"
    if own:
        return own
    if after == "'":
        return "owner"
    if after == "=" and at + 1 < len(clause.items) and clause.items[at + 1].text == ":":
        # `I charged the ogre: …`: a colon is no verb of his.
        after = ""
    relative = at + 1 < len(clause.items) and clause.items[at + 1].text in ("who", "that", "which")
    if (before in tuple("AwltfvyCj") or _on(clause, at)) and not relative and after not in tuple("rhACwlt="):
        return "object"
    return "subject"
