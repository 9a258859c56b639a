"""Book of Ordeals: one exchange or several, read from rolls or totals of both sides."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.engine.kernel import Rules, Verdict, run
from kb.engine.ordeals.sides import DIE, SIDES
from kb.engine.plugins import procedure
from kb.reading.numbers import BOTH, LOSER
from kb.reading.ordeals.outcome import Ended, found
from kb.reading.ordeals.told import MEASURED, SCORES, Told
from kb.reading.situation import Found, Situation

STATS = ("might", "ward", "endurance")
NAMES_DAMAGE = re.compile(r"\b(?:deals?|dealt|dealing|before (?:\w+ )?(?:ward|armou?r)|raw damage)\b")
NAMES_HARM = re.compile(r"\bharm|\bward|\barmou?r|\bsoak")


def exchange(told: Told) -> Situation | None:
    """One exchange or several, told by both rolls, by both totals, or by the roll of one and the total of the other."""
    rolls, sums = told.rolls() or _extreme(told), told.rolls("total")
    story, sides = told.story, told.scene.sides
    if not (rolls or sums) or not told.only(*SCORES, *STATS, "damage_modifier", "count"):
        return None
    if story.blocked or untold_numbers(told) or (rolls and sums and not _adds_up(told, rolls)):
        return None
    scores = rolls or sums
    many = max(map(len, scores.values()))
    if any(fact.what == "count" and fact.value != many for fact in told.facts):
        # `two exchanges: …` and one score
        return None
    if (many > 1 or not rolls) and (set(scores) != set(sides) or told.gains):
        # Of totals it is not told whether the bonuses are in them, of several exchanges not how long these last.
        return None
    if many > 1:
        return None if told.has("damage_modifier") else _by_scores(told, scores[sides[0]], scores[sides[1]])
    actor = (story.actor if rolls else None) or sides[0]
    parties = {"attacker": actor, "defender": told.scene.other(actor)}
    given: dict[str, Any] = {side: told.stats(party, *STATS[not rolls :]) for side, party in parties.items()}
    for side, party in parties.items():
        if party in rolls:
            given[side]["roll"] = rolls[party][0]
        if party in sums:
            given[side] |= {"might": sums[party][0] - rolls[party][0]} if rolls else {"total": sums[party][0]}
    if told.has("roll") and len(rolls) < 2 and not re.search(r"[rR]", told.tags):
        return None
    missing = tuple(f"the D12 of {told.name(party)}" for party in parties.values() if party not in scores)
    missing = missing or (_help(told, given) if rolls else ())
    name = "ordeals.assault" if rolls else "ordeals.totals"
    given |= story.charge_of(story.charged) if rolls else {}
    if told.has("damage_modifier") and not missing:
        winner = run(procedure(name), given, Rules()).result["winner"]
        given["damage_modifier"] = modifier_of(told, parties.get(winner or ""))
    return Situation(name, given, says(told, given, parties), lambda v: _found(told, parties, v), missing, parties)


def modifier_of(told: Told, winner: str | None) -> int:
    """The Damage modifier of whoever wins; that of the other one changes nothing. Of one who is not known it is any."""
    modifiers = [fact for fact in told.facts if fact.what == "damage_modifier"]
    return sum(int(fact.value) for fact in modifiers if not winner or fact.party in (winner, BOTH, LOSER, ""))


EXTREME = re.compile(
    r"\b(?:most|max\w*|highest|best|biggest|worst|hardest|heaviest|largest|greatest)(?: possible| amount of| \w+)? "
    r"(?:harm|damage|hits?|blow|strike|endurance)\b"
)
"Asks for what two dice can come to at most."


def _extreme(told: Told) -> dict[str, list[int]]:
    """The rolls by which somebody is hurt most in one exchange, where that is asked."""
    ask = told.asks[0]
    if len(told.asks) > 1 or ask.what not in ("harm", "damage") or not EXTREME.search(told.text):
        return {}
    if not ask.sure or told.has(*SCORES, *MEASURED):
        return {}
    first, second = told.scene.sides
    # Where nobody is named, of whoever can be hurt most.
    taker = max((second, first), key=lambda side: _gap(told, told.scene.other(side), side, ask.what == "harm"))
    if ask.party:
        taker = ask.party if ask.what == "harm" else told.scene.other(ask.party)
    return {taker: [1], told.scene.other(taker): [DIE]}


def _gap(told: Told, doer: str, taker: str, warded: bool) -> float:
    ward = told.of("ward", taker) or 0
    return (told.of("might", doer) or 0) - (told.of("might", taker) or 0) - ward * warded


def _adds_up(told: Told, rolls: dict[str, list[int]]) -> bool:
    """Puts the total of the one whose roll is not told among the rolls: its Might is in it, as the engine has it."""
    scores = told.rolls("total")
    (party, total), *more = scores.items()
    if more or party in rolls or len(total) > 1 or len(rolls) != 1 or total[0] < 1:
        return False
    if total[0] > DIE and not told.names_total:
        return False
    if told.of("might", party) or told.story.charged == party:
        return False
    rolls[party] = [min(DIE, total[0])]
    return True


def _help(told: Told, given: dict[str, Any]) -> tuple[str, ...]:
    """Puts the allies in; returns what is not told of them."""
    help = told.story.help
    if help.unclear:
        return (help.unclear,)
    if not help.counting and not help.busy:
        return ()
    if told.story.actor is None:
        return ("whose Act it is: only the acting Character gains from its allies",)
    if (help.owner or told.story.actor) == told.story.actor:
        given |= help.engaged
    return ()


def untold_numbers(told: Told) -> bool:
    """Whether somebody has a Ward or a Might of which no number is told, and it matters."""
    wants_ward = told.wants("harm", "harmed", "endurance", "both", "out", "dealt")
    clauses = told.scene.clauses
    if told.wants("endurance", "both", "out") and not told.has("endurance"):
        open_ = [
            c
            for at, c in enumerate(clauses)
            if at not in told.scene.asking and re.search(r"u[=a]*E|[hj][^N]*E", c.tags)
        ]
        if any(not set("Nndb") & set(c.tags.partition("E")[0]) for c in open_):
            # `a lone point of Endurance`: some number, and not the default.
            return True
    for letters, what in (("M", "might"), ("W" if wants_ward else "M", "ward" if wants_ward else "might")):
        # `I rolled 7 with Might`
        bare = re.compile(rf"[+j]a*P?a*{letters}(?![=a]*N)")
        bare_ones = [c for c in clauses if bare.search(c.tags) and not _SAME.search(c.text)]
        if bare_ones and not told.has(what) and not _COUNTED.search(told.text):
            return True
    for before, clause in zip([None, *clauses], clauses, strict=False):
        explains = before is not None and before.mark == "(" and len(clause.items) == 1
        if re.search(r"[Nndbq]", clause.tags) or "?" in clause.mark or explains:
            continue
        whose = {item.party for item in clause.items if item.tag == "P"} & set(told.scene.sides) or set(
            told.scene.sides
        )
        for letter, what in (("M", "might"), ("W", "ward")):
            known = all(told.of(what, party or "") is not None for party in whose)
            if letter == "M" and _SAME.search(clause.text) and not told.wants("total", "bonus"):
                continue
            if letter in clause.tags and not known and (what == "might" or wants_ward):
                return True
    return False


_COUNTED = re.compile(r"\b(?:count\w*|added|includ\w*|and all|already|all in)\b")
"So the totals have the Might in them."
_SAME = re.compile(r"\b(?:same|equal|identical)\b")
"Might that both have alike changes nothing."


def says(told: Told, given: dict[str, Any], sides: dict[str, str]) -> str:
    """The reading in a line: ``you: 9 + Might 2 (charge); ogre: 5, Ward 1``."""
    parts = []
    for side, party in sides.items():
        stats = given[side]
        score = stats.get("roll", stats.get("total", "?"))
        text = f"{told.name(party)}: {score}"
        text += f" + Might {stats['might']}" if stats.get("might") else ""
        text += "".join(f", {kind.title()} {stats[kind]}" for kind in ("ward", "endurance") if kind in stats)
        if side == "attacker":
            text += circumstances(given)
        parts.append(text)
    if given.get("damage_modifier"):
        parts.append(f"damage modifier {given['damage_modifier']:+d}")
    return "; ".join(parts)


def circumstances(given: dict[str, Any]) -> str:
    """Charge and allies, in parentheses; nothing where there are none."""
    notes = []
    if given.get("charged"):
        notes.append("charge, but Engaged when its Act started" if given["engaged_at_act_start"] else "charge")
    if given.get("allies"):
        alone = sum(ally["engaged_with"] == ["defender"] for ally in given["allies"])
        notes.append(f"its Act, {alone} of {len(given['allies'])} allies on the Foe alone")
    return f" ({'; '.join(notes)})" if notes else ""


def _found(told: Told, sides: dict[str, str], verdict: Verdict) -> Found:
    """What was asked, after one exchange."""
    result = verdict.result
    if verdict.status != "resolved" or "winner" not in result or (told.wants("push") and told.tells_of_the_fallen):
        return Found()
    loser = None if result["winner"] is None else "defender" if result["winner"] == "attacker" else "attacker"
    armed = {fact.party for fact in told.facts if fact.what in ("ward", "endurance")}
    if {"first", "second"} & set(told.scene.sides) and armed == {sides.get(result["winner"] or "")}:
        # Of two that nobody names the scores tell nothing for sure, and a Ward is told of whoever is hurt.
        return Found()
    endurance = {party: verdict.given[side]["endurance"] for side, party in sides.items()}
    if loser:
        endurance[sides[loser]] = result["loser_endurance"]
    ended = Ended(
        sides=told.scene.sides,
        winner=sides.get(result["winner"] or ""),
        totals={party: result[f"{side}_total"] for side, party in sides.items()},
        damage=result["damage"],
        harms={sides[loser]: result["harm"]} if loser else {},
        endurance=endurance,
        wards={party: verdict.given[side]["ward"] for side, party in sides.items()},
        out=sides.get(result["out_of_action"] or ""),
        may_push=sides.get(result["may_push"] or ""),
        engaged=result["engaged_after"],
        names=told.scene.names,
        names_damage=bool(NAMES_DAMAGE.search(told.text)),
        names_harm=NAMES_HARM.search(told.text) is not None,
    )
    return found(told.asks, ended, verdict)


def _by_scores(told: Told, ones: Sequence[int], others: Sequence[int]) -> Situation | None:
    """Several exchanges by both sides' rolls, or by their totals, of which only the differences count."""
    if len(ones) != len(others):
        return None
    pairs = list(zip(ones, others, strict=True))
    if told.has("total"):
        # One that ends in a tie does nothing.
        exchanges = [
            {"winner": SIDES[one < other], "difference": abs(one - other)} for one, other in pairs if one != other
        ]
    else:
        exchanges = [{"attacker_roll": one, "defender_roll": other} for one, other in pairs]
    first, second = map(told.name, told.scene.sides)
    return fought(told, exchanges, f"{first} : {second} " + ", then ".join(f"{one} : {other}" for one, other in pairs))


def fought(told: Told, exchanges: Sequence[Mapping[str, Any]], said: str) -> Situation:
    """Several exchanges, the Endurance of both carried on."""
    sides = dict(zip(SIDES, told.scene.sides, strict=True))
    given: dict[str, Any] = {side: told.stats(party, *STATS) for side, party in sides.items()}
    for side, party in sides.items():
        stats = ", ".join(f"{kind.title()} {value}" for kind, value in given[side].items())
        said += f"; {told.name(party)}: {stats}" if stats else ""
    given["exchanges"] = list(exchanges)
    return Situation("ordeals.fight", given, said, lambda v: _after_fight(told, sides, v), (), sides)


def _after_fight(told: Told, sides: dict[str, str], verdict: Verdict) -> Found:
    """What was asked, after several exchanges: Harm is all that was taken."""
    result = verdict.result
    if verdict.status != "resolved" or told.wants("damage", "difference", "winner", "won", "total", "push", "engaged"):
        return Found()
    ended = Ended(
        sides=told.scene.sides,
        harms={party: result[f"{side}_harm"] for side, party in sides.items()},
        endurance={party: result[f"{side}_endurance"] for side, party in sides.items()},
        out=sides.get(result["out_of_action"] or ""),
        names=told.scene.names,
    )
    alone = {fact.party for fact in told.facts if fact.what in ("ward", "endurance")} & set(told.scene.sides)
    # `how much is left` is asked of the one whose Endurance or Ward is told.
    asks = [replace(ask, party=ask.party or (min(alone) if len(alone) == 1 else None)) for ask in told.asks]
    known = all(ask.party or ask.what == "both" or (ask.what == "out" and not ended.out) for ask in asks)
    return found(asks, ended, verdict) if known else Found()
