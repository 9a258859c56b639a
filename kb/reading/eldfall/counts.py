"""Eldfall Chronicles: how many models engage, are seen or have a zone, by all that is told of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kb.engine.kernel import LEGAL, Rules, Verdict, run
from kb.engine.plugins import procedure
from kb.reading.eldfall import asked as ask
from kb.reading.eldfall.asked import Asked, asked, asked_state
from kb.reading.eldfall.models import Model, Models, given, readings
from kb.reading.eldfall.part import Unclear
from kb.reading.eldfall.told import Teller, told
from kb.reading.situation import Found, Situation

_ME = "the model"
_ZONE, _SIGHT = "eldfall/glossary#engagement-zone", "eldfall/engaged#line-of-sight"
_UNITS = {ask.ZONES: "Engagement zones", ask.CHOSEN: "enemy"}


def counted(text: str) -> Situation | None:
    """The number of models that is asked for, if every reading of what is told comes to the same."""
    question = asked(text)
    return None if question is None else _read(question)


def state(text: str) -> Situation | None:
    """Whether the model is Engaged, where it is told who stands around it."""
    question = None if _TWISTED.search(text.casefold().replace("’", "'")) else asked_state(text)
    return None if question is None else _read(question)


_TWISTED = re.compile(
    r"\b(?:doesn'?t|does not|don'?t|do not|can'?t|cannot) engage\b|"
    r"\bthe only (?:\w+ )?(?:enem\w+|one|foe|model|guy)\b(?: \w+)? (?:who|that|which|engag)"
)
"Who does not engage whom, and who was the only one, is told of somebody already told of."


def _read(question: Asked) -> Situation | None:
    try:
        teller = told(question.rest, question.own, question.flipped, question.person, question.speaks)
        question = replace(question, state=teller.state)
        found = [reading.models for reading in readings(teller.events)]
        if question.kind == ask.OUTGOING:
            mine = Model(nouns=question.own).with_told(teller.hands, False)
            found = [(mine, *models) for models in found if len(models) == 1]
        if question.kind == ask.OWN_ZONE:
            found = [(Model().with_told(teller.hands, False),)] if teller.hands and not teller.events else []
    except Unclear:
        return None
    situations = [
        situation
        for models in found
        if _fits(models, question) and (situation := settled(_situations(models, teller, question)))
    ]
    return settled(situations)


def settled(found: list[Situation]) -> Situation | None:
    """The first of several readings, if all come to the same."""
    values = {_value(each) for each in found}
    return found[0] if len(values) == 1 and None not in values else None


def _fits(models: Models, question: Asked) -> bool:
    asked_of = [m for m in models if not question.side or m.mine == (question.side == "mine")]
    return bool(models) and question.total in (None, len(asked_of), len(models))


def _value(situation: Situation) -> Any:
    found = situation.find(run(procedure(situation.procedure), situation.given, Rules()))
    return found.verdict or found.value


def _situations(models: Models, teller: Teller, question: Asked) -> list[Situation]:
    """The engine's input, once for each place where models whose place is not told may stand."""
    if question.state in ("petrified", "crouched", "dead"):
        return []
    makers: Mapping[str, Callable[[Models, list[dict[str, Any]], Asked], Situation | None]] = {
        ask.ENGAGING: _engaging, ask.SEEN: _engaging, ask.TARGETS: _engaging, ask.CHOSEN: _chosen, ask.ZONES: _zones,
        ask.OWN_ZONE: _zones, ask.STATE: _state, ask.OUTGOING: _outgoing,
        ask.REACTS: _reacts,
    }  # fmt: skip
    if question.kind not in makers:
        return []
    found = []
    for far in (False, True):
        try:
            situation = makers[question.kind](models, given(models, teller.near_all, far), question)
        except Unclear:
            return []
        if situation is not None:
            found.append(situation)
    return found


def _said(told: list[dict[str, Any]]) -> str:
    return "; ".join(
        f"{each['name']}: {each['state'] or ('accessory' if each['accessory_engages'] else each['in_hand'])}"
        for each in told
    )


def _engaging(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation:
    """How many of them engage the player's model."""
    reaching = [each["name"] for each in told if each.pop("near")]
    me = {"name": _ME, "side": "mine", "state": question.state, "in_reach_of": reaching}

    def find(verdict: Verdict) -> Found:
        by = verdict.result.get("engaged_by", {}).get(_ME)
        if by is None:
            return Found()
        number = len(told) - len(by) if question.denied else len(by)
        deciding = {ask.SEEN: _SIGHT, ask.TARGETS: "eldfall/engaged#movement-several"}.get(
            question.kind, _deciding(models, question, verdict)
        )
        return Found(number, "enemies", deciding=deciding)

    return Situation("eldfall.engagement", {"models": [me, *told]}, _said(told), find)


def _state(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation | None:
    """Whether the model is Engaged, by the one that is named or by any."""
    reaching = [each["name"] for each in told if each.pop("near")]
    me = {"name": _ME, "side": "mine", "state": question.state, "in_reach_of": reaching}
    named = [each["name"] for each, model in zip(told, models, strict=True) if model.nouns & question.by_nouns]
    meant = named if question.by_nouns else [each["name"] for each in told]
    if question.by == "one" and len(meant) != 1:
        return None
    if ask.UNNAMED in question.words and any(model.state and not model.nouns - {""} for model in models):
        return None  # `crouched model with an enemy on it, engaged?`: it may be the one

    def find(verdict: Verdict) -> Found:
        by = verdict.result.get("engaged_by", {}).get(_ME)
        if by is None or (question.by == "all" and 0 < len(set(by) & set(meant)) < len(meant)):
            return Found()
        engaged = bool(set(by) & set(meant))
        answer = "no" if engaged == question.denied else "yes"
        return Found(verdict=answer, deciding=_deciding(models, question, verdict))

    return Situation("eldfall.engagement", {"models": [me, *told]}, _said(told), find)


def _outgoing(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation | None:
    """Whether the player's model engages the one that is told of."""
    mine, enemy = told
    if enemy["state"] in ("petrified", "crouched", "dead") or not enemy["near"]:
        return None
    one = {**mine, "name": "mine", "side": "mine", "state": question.state}
    other = {
        **enemy,
        "name": _ME,
        "side": "theirs",
        "in_hand": None,
        "accessory_engages": False,
        "in_reach_of": ["mine"],
    }
    for each in (one, other):
        each.pop("near")

    def find(verdict: Verdict) -> Found:
        by = verdict.result.get("engaged_by", {}).get(_ME)
        if by is None:
            return Found()
        return Found(
            verdict="no" if bool(by) == question.denied else "yes", deciding=_deciding(models[:1], question, verdict)
        )

    return Situation("eldfall.engagement", {"models": [one, other]}, _said([mine, enemy]), find)


def _deciding(models: Models, question: Asked, verdict: Verdict) -> str:
    """The passage by which some do not engage, or engage all the same; else the one on zones."""
    if question.state == "incapacitated":
        return "eldfall/rulings#incapacitated-engaged"
    if any(model.state or model.near is False for model in models):
        return "eldfall/engaged#ends"
    if all(model.mine for model in models):
        return "eldfall/glossary#engaged"
    if any(model.accessory or model.has_spells_and_things for model in models):
        return "eldfall/rulings#two-casters"
    acted = {step.clause for step in verdict.steps} & {"eldfall/rulings#ranged-in-hand", "eldfall/rulings#unarmed-zone"}
    return min(acted, default=_ZONE)


def _chosen(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation | None:
    """How many of them the player's model has to choose for its Walk: one."""
    if not all(model.engages for model in models) or len(models) < 2:
        return None
    names = [each["name"] for each in told]
    declared = {"engaged_by": names, "declares": "walk", "towards": names[0]}

    def find(verdict: Verdict) -> Found:
        return Found(1, "enemy", deciding="eldfall/engaged#movement-several") if verdict.status == LEGAL else Found()

    return Situation("eldfall.declare", declared, f"engaged by {len(names)} enemy models, a Walk", find)


def _zones(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation:
    """How many of them have an Engagement zone: how many would engage an enemy in their reach."""
    there = [each | {"side": "theirs"} for each in told]
    passer = {"name": _ME, "side": "mine", "in_reach_of": [each["name"] for each in there]}
    for each in there:
        each.pop("near")

    def find(verdict: Verdict) -> Found:
        by = verdict.result.get("engaged_by", {}).get(_ME)
        if by is None:
            return Found()
        return Found(len(there) - len(by) if question.denied else len(by), "models", deciding=_ZONE)

    return Situation("eldfall.engagement", {"models": [passer, *there]}, _said(there), find)


def _reacts(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation | None:
    """Against how many of those that engage it the player's model may react."""
    if not all(model.engages for model in models) or all(model.aware is None for model in models):
        return None
    names = [each["name"] for each in told]
    # Where some are said to be outside, the others are not, and the other way round.
    rest = not any(model.aware for model in models)
    aware = {each["name"]: rest if m.aware is None else m.aware for each, m in zip(told, models, strict=True)}
    open_ = [name for name in names if aware[name]]
    against = next((name for name in names if not aware[name]), names[0])
    reaction = {"engaged_by": names, "to": against, "in_awareness": aware[against]}

    def find(verdict: Verdict) -> Found:
        barred = len(names) - len(open_)
        if verdict.status == LEGAL and barred:
            return Found()
        return Found(barred if question.denied else len(open_), "enemies", deciding=_SIGHT)

    return Situation("eldfall.react", reaction, f"{len(open_)} of {len(names)} engagers in its Awareness", find)
