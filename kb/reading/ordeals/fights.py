"""Book of Ordeals: exchanges told by rolls, by totals or by what they did, and numbers that bring something about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kb.engine.ordeals.sides import DIE, ENDURANCE
from kb.reading.numbers import LOSER, SOUGHT, Fact
from kb.reading.ordeals.allies import Help
from kb.reading.ordeals.asked import Asked, Unknown
from kb.reading.ordeals.blows import beside_the_point, blows
from kb.reading.ordeals.bonus import bonus
from kb.reading.ordeals.exchange import exchange
from kb.reading.ordeals.seeking import OF_SOMEBODY
from kb.reading.ordeals.told import SCORES, Told, take_in
from kb.reading.persons import ME
from kb.reading.situation import Situation
from kb.reading.trying import agreed, outcome, picked


def fight(text: str) -> Situation | None:
    """An exchange, told by rolls, by totals or by what it did."""
    return agreed(readings(take_in(text), situation))


def readings(tolds: Sequence[Told], solve: Callable[[Told], Situation | None]) -> list[Situation | None]:
    """What each way to understand a question comes to, of those that tell the least for nothing."""
    fewest = min(map(beside_the_point, tolds), default=0)
    return [solve(told) for told in tolds if beside_the_point(told) == fewest]


def situation(told: Told) -> Situation | None:
    """What one way to understand a question comes to."""
    if told.has("damage_modifier") and COUNTED_IN.search(told.text):
        return None
    told = _worn(told)
    return bonus(told) or exchange(told) or blows(told)


EARLIER = re.compile(
    r"\b(?:earlier|already|last (?:turn|act|round|exchange)|before(?:hand)?|previously|so far|first)\b"
)


def _worn(told: Told) -> Told:
    """With Harm of an earlier exchange off the Endurance, where the exchange at hand is told by its scores."""
    harms = [fact for fact in told.facts if fact.what == "harm"]
    asked = {ask.what for ask in told.asks}
    party = harms[0].party if harms else ""
    if not told.has(*SCORES) or not asked <= {"endurance", "out"} or party not in told.scene.sides:
        return told
    if len({fact.party for fact in harms}) > 1 or told.has("damage", "difference") or not EARLIER.search(told.text):
        return told
    endurance = int(told.of("endurance", party) or ENDURANCE) - sum(int(fact.value) for fact in harms)
    rest = [fact for fact in told.facts if fact.what != "harm" and (fact.what, fact.party) != ("endurance", party)]
    return replace(told, facts=(*rest, Fact("endurance", endurance, party)))


COUNTED_IN = re.compile(r"\b(?:includ\w*|already|counted|for (?:each|every)|per)\b")
"Whether a Damage modifier is in the numbers already, and how often it counts, is not for sure then."
RANGES = dict.fromkeys(("roll", "count"), range(1, DIE + 1)) | dict.fromkeys(
    ("endurance", "difference", "damage", "harm"), range(1, 31)
)
"What is tried of each kind of number; of the others from 0 on."
UNITS = {"roll": "on the D12", "difference": "apart", "count": "blows", "allies": "allies", "more might": "Might more"}


def needed(text: str) -> Situation | None:
    """The lowest, the highest or the only number with which something comes about, or how many such rolls a D12 has."""
    return agreed(readings(take_in(text, seeks=True), solve))


def solve(told: Told) -> Situation | None:
    """The situation with the number that is looked for put in."""
    (ask,) = told.asks
    unknown = ask.by
    tried = _wished(told, ask, unknown) if unknown else None
    if tried is None or unknown is None:
        return None
    told, unknown, goal, wanted = tried
    found: dict[int, tuple[Situation, bool]] = {}
    for value in RANGES.get(unknown.what, range(31)):
        each = situation(_with(told, unknown, value, goal))
        came = outcome(each) if each and not each.missing else None
        if each is None or came is None:
            return None
        found[value] = each, wanted in (came.verdict, came.value if isinstance(wanted, int) else None)
    decides = "ordeals/close-combat#" + ("exchange-2" if goal.what in ("won", "tie") else "exchange-3")
    return picked(found, unknown.pick, UNITS.get(unknown.what, unknown.what.title()), decides)


def _wished(told: Told, ask: Asked, unknown: Unknown) -> tuple[Told, Unknown, Asked, str | int] | None:
    """The question with whoever acts settled, what is asked of each try, and the answer that is wished for."""
    scene, scored = told.scene, unknown.what in OF_SOMEBODY
    party = next((fact.party for fact in told.facts if fact.value == SOUGHT), None) or unknown.party
    if scored:
        party = party or (ME if ME in scene.sides else scene.sides[0])
    elsewhere = [clause for at, clause in enumerate(scene.clauses) if at not in scene.asking and "K" in clause.tags]
    if scored and (party not in scene.sides or (ask.what in ("out", "harm") and ask.party == party)):
        return None
    if party in scene.sides and unknown.party not in (None, party):
        return None
    if unknown.what == "allies" and any("n" not in clause.tags for clause in elsewhere):
        # Whether those who are told of count among the ones that are asked for is not told.
        return None
    mine = party or ""
    if scored and told.story.actor is None and (told.story.help.counting or unknown.what == "allies"):
        told = replace(told, story=replace(told.story, actor=mine))
    sufferer = next((fact.party for fact in told.facts if fact.value == SOUGHT and fact.party != LOSER), None)
    foe = scene.other(mine) if scored else ask.party or sufferer
    unknown = replace(unknown, party=party)
    if ask.what == "told" or (ask.what == "harm" and told.has("harm")):
        harms = [fact for fact in told.facts if fact.what == "harm"]
        measured = told.has("damage", "difference")
        if (
            len(harms) != 1
            or harms[0].value < 1
            or told.has("count")
            or SEVERAL.search(told.text)
            or measured == scored
        ):
            return None
        taker = harms[0].party if harms[0].party in scene.sides or not scored else scene.other(mine)
        # A blow that is looked for hits whoever the Harm is told of.
        facts = [replace(f, party=taker) if f.value == SOUGHT and f.party == LOSER else f for f in told.facts]
        told = replace(told, facts=tuple(fact for fact in facts if fact is not harms[0]))
        return told, unknown, Asked("harm", taker), int(harms[0].value)
    goals = {
        "win": ("won", mine, "yes"),
        "level": ("won", foe, "no"),
        "tie": ("tie", None, "yes"),
        "survive": ("out", ask.party or (mine if unknown.pick == "least" else None if scored else foe), "no"),
        "unhurt": ("harmed", ask.party or (mine if scored else foe), "no"),
        "out": ("out", foe, "yes"),
        "harm": ("harmed", foe, "yes"),
    }
    what, whose, wanted = goals[ask.what]
    if scored and what == "out" and whose is None:
        return None
    armed = {fact.party for fact in told.facts if fact.what in ("ward", "endurance")}
    if scored and ask.what in ("harm", "out") and armed == {mine}:
        # What protects the one who wants to win is told for nothing: the numbers are misread.
        return None
    return told, unknown, Asked(what, whose, True), wanted


SEVERAL = re.compile(r"\b(?:twice|thrice|times|each|every)\b")


def _with(told: Told, unknown: Unknown, value: int, goal: Asked) -> Told:
    """The question as if the number were told."""
    facts, story = told.facts, told.story
    if unknown.what == "allies" and unknown.party not in told.rolls("total"):
        story = replace(story, help=Help(owner=unknown.party, counting=value))
    elif unknown.what in ("allies", "more might"):
        facts = _raised(told, unknown.party or "", value)
    elif unknown.what == "count":
        facts = (*facts, Fact("count", value))
    else:
        facts = tuple(replace(fact, value=value) if fact.value == SOUGHT else fact for fact in facts)
    return replace(told, facts=facts, story=story, asks=(goal,))


def _raised(told: Told, party: str, more: int) -> tuple[Fact, ...]:
    """The facts with so much more Might, on the total where that is what is told."""
    kind = "total" if party in told.rolls("total") else "might"
    old = int(told.of(kind, party) or 0)
    return (*(f for f in told.facts if (f.what, f.party) != (kind, party)), Fact(kind, old + more, party))
