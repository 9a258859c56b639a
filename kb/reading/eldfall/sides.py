"""Eldfall Chronicles: two sides in one heap, and who of them is Engaged: how many, how many per side, or whether."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kb.engine.kernel import Verdict
from kb.reading.eldfall import asked as ask
from kb.reading.eldfall import words as w
from kb.reading.eldfall.asked import TRUTH_WORDS, Asked, asked, per_side, truth_of
from kb.reading.eldfall.counts import settled
from kb.reading.eldfall.models import Models, given, readings
from kb.reading.eldfall.part import clauses_of, is_known
from kb.reading.eldfall.told import told
from kb.reading.marks import Mark
from kb.reading.situation import Found, Situation

_ZONE = "eldfall/glossary#engagement-zone"
PER_SIDE, ALL, ANY, THEY = "per side", "all", "any", "they"
_QUANTIFIERS: dict[str, str] = {
    word: kind for kind, listed in w.TABLES["quantifiers"].items() for word in listed.split()
}


def sides(text: str) -> Situation | None:
    """Who of two sides is Engaged, where all stand in reach of each other."""
    question = asked(text)
    question = question if question is not None and question.kind == ask.ENGAGED else _asked(clauses_of(text))
    if question is None:
        return None
    teller = told(replace(question, own=frozenset(), sides=True))
    question = replace(question, total=question.total or teller.total)
    found = [_situation(reading.models, question, teller.near_all) for reading in readings(teller.events)]
    return settled([each for each in found if each is not None])


def _asked(clauses: Sequence[list[Mark]]) -> Asked | None:
    """A question for both sides' numbers, or whether models are Engaged."""
    if not clauses:
        return None
    if per_side(clauses):
        last = [clause for clause in clauses if clause[0].sentence == clauses[-1][0].sentence]
        plain = not any(mark.concept == w.NOT for clause in last for mark in clause)
        return _question(PER_SIDE, clauses[: -len(last)], False) if plain else None
    if any(mark.concept == w.ASK for clause in clauses for mark in clause):
        return None
    wrong = truth_of(clauses[-1]) == "wrong"
    clauses = clauses[:-1] if truth_of(clauses[-1]) else clauses
    # `They say that they are engaged. Do they?`
    echo = len(clauses) > 1 and all(mark.text in TRUTH_WORDS or _is_idle(mark) for mark in clauses[-1])
    for number in range(len(clauses) - 1, max(-1, len(clauses) - 2 - echo), -1):
        clause = clauses[number]
        said = [at for at, mark in enumerate(clause) if mark.text in w.SAYS]
        # `she says that they`, `so they`; without these, `are they` within a clause.
        starts = [at + 1 for at, mark in enumerate(clause) if mark.text in (*w.SAYS, "so", "that")]
        starts += [at for at, mark in enumerate(clause) if mark.concept in (w.BE, w.DOES)] if not said else []
        for start in sorted({0, *starts}, reverse=True):
            found = _quantified(clause[start:])
            if found is not None and not (found[1] and number < len(clauses) - 1):
                cut = max((at for at in range(said[0]) if clause[at].concept == w.AND), default=0) if said else start
                return _question(found[0], [*clauses[:number], clause[:cut]], found[1] != wrong)
    return None


def _question(kind: str, telling: Sequence[Sequence[Mark]], denied: bool) -> Asked:
    return Asked(kind, denied, None, frozenset(), tuple(tuple(each) for each in telling if each), frozenset())


def _quantified(region: Sequence[Mark]) -> tuple[str, bool] | None:
    """`are they engaged`, `is either of them engaged`, `do they engage each other`: (of whom, denied)."""
    kinds: list[str] = []
    seen: set[str] = set()
    denied = False
    for mark in region:
        if set(mark.text.split()) & set(_QUANTIFIERS):
            kinds += [_QUANTIFIERS[word] for word in mark.text.split() if _QUANTIFIERS.get(word)]
        elif mark.concept == w.NOT:
            denied = not denied
        elif mark.concept in (w.PASSIVE, w.ACTIVE, w.BE, w.DOES):
            seen.add(mark.concept)
        elif mark.text != "one" and mark.concept not in (w.OF, w.THE, w.FILLER) and not _is_idle(mark):
            return None
    each_other = any(mark.text in ("each other", "one another") for mark in region)
    if not kinds or (w.PASSIVE not in seen and not (w.ACTIVE in seen and each_other)):
        return None
    return next((kind for kind in kinds if kind != THEY), THEY), denied


def _is_idle(mark: Mark) -> bool:
    return not mark.concept and mark.value is None and (is_known(mark) or mark.text == "yeah")


def _all_touch(models: Models) -> bool:
    """Whether those of one side are told to touch the other side, and it makes no difference which ones."""
    groups = [[model for model in models if model.mine == mine] for mine in (True, False)]
    reached = any(group and all(model.near for model in group) for group in groups)
    alike = all(len({(model.in_hand, model.accessory, model.state) for model in group}) <= 1 for group in groups)
    return reached and (alike or any(len(group) < 2 for group in groups))


def _situation(models: Models, question: Asked, near_all: bool) -> Situation | None:
    """The engine's input, all in reach of all; None where it is not told that they are."""
    if any(model.near is False for model in models) or not (near_all or _all_touch(models)):
        return None
    told_ = given(models, True, False)
    if len(told_) < 2 or {each["state"] for each in told_} - {None, "incapacitated"}:
        return None
    names = {side: [each["name"] for each in told_ if each["side"] == side] for side in ("mine", "theirs")}
    known, kind = bool(names["mine"]), question.kind
    if question.total not in (None, len(told_)) and not question.side:
        return None
    if not known and not (kind != PER_SIDE and all(each["in_hand"] not in (None, "melee") for each in told_)):
        return None
    if not known:
        # Whose they are is not told: where nobody can engage, it makes no difference.
        told_ = [{**each, "side": each["name"]} for each in told_]
    paired = any(mark.text.startswith(("pair", "partner")) for clause in question.rest for mark in clause)
    if paired and len(names["mine"]) != len(names["theirs"]):
        return None
    partners = dict(zip(names["mine"], names["theirs"], strict=True)) if paired else {}
    partners |= {his: mine for mine, his in partners.items()}
    there = []
    for each in told_:
        others = [other["name"] for other in told_ if other["side"] != each["side"]]
        there.append({**each, "in_reach_of": [partners[each["name"]]] if paired else others})
        there[-1].pop("near")

    def find(verdict: Verdict) -> Found:
        by: dict[str, Any] = verdict.result.get("engaged_by", {})
        if len(by) != len(there):
            return Found()
        if kind == PER_SIDE:
            mine, his = (sum(bool(by[name]) for name in names[side]) for side in ("mine", "theirs"))
            return Found(f"mine {mine}, his {his}", deciding=_ZONE)
        if kind == ask.ENGAGED:
            counted = [bool(by[each["name"]]) for each in told_ if question.side in ("", each["side"])]
            return Found(counted.count(not question.denied), "models", deciding=_ZONE)
        engaged = {bool(each) for each in by.values()}
        if len(engaged) > 1 and (kind == THEY or question.denied):
            return Found()
        true = engaged == {True} or (kind == ANY and True in engaged)
        return Found(verdict="yes" if true != question.denied else "no")

    said = "; ".join(f"{each['name']}: {each['state'] or each['in_hand']}" for each in there)
    return Situation("eldfall.engagement", {"models": there}, said, find)
