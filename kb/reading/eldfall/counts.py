"""Eldfall Chronicles: how many models engage, are seen or have a zone, by all that is told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.engine.kernel import LEGAL, Rules, Verdict, run
from kb.engine.plugins import procedure
from kb.reading.eldfall import asked as ask
from kb.reading.eldfall import words as w
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


_TWISTED = w.pattern("twisted")
"Who does not engage whom, and who was the only one, is told of somebody already told of."


def _read(question: Asked) -> Situation | None:
    teller = told(question)
    question = replace(question, state=teller.state)
    found = [reading.models for reading in readings(teller.events) if _fits(reading.models, question)]
    if question.kind in (ask.OUTGOING, ask.OUTGOING_COUNT):
        mine = Model(nouns=question.own).with_told(teller.hands, False)
        one = question.kind == ask.OUTGOING
        found = [(mine, *models) for models in found if len(models) == 1 or not one]
    if question.kind == ask.OWN_ZONE:
        found = [(Model().with_told(teller.hands, False),)] if teller.hands and not teller.events else []
    situations = [situation for models in found if (situation := settled(_situations(models, teller, question)))]
    return settled(situations)


def settled(found: Sequence[Situation | None]) -> Situation | None:
    """The first of several readings, if all come to the same."""
    values = {_value(each) if each else None for each in found}
    return found[0] if len(values) == 1 and None not in values else None


def _fits(models: Models, question: Asked) -> bool:
    asked_of = [m for m in models if not question.side or m.mine == (question.side == "mine")]
    return bool(models) and question.total in (None, len(asked_of), len(models))


def _value(situation: Situation) -> Any:
    found = situation.find(run(procedure(situation.procedure), situation.given, Rules()))
    return found.verdict or found.value


def _situations(models: Models, teller: Teller, question: Asked) -> list[Situation | None]:
    """The engine's input, once for each place where models whose place is not told may stand."""
    if question.state in ("petrified", "crouched", "dead"):
        return []
    makers: Mapping[str, Callable[[Models, list[dict[str, Any]], Asked], Situation | None]] = {
        ask.ENGAGING: _engaging, ask.SEEN: _engaging, ask.TARGETS: _engaging, ask.CHOSEN: _chosen, ask.ZONES: _zones,
        ask.OWN_ZONE: _zones, ask.STATE: _state, ask.OUTGOING: _outgoing,
        ask.OUTGOING_COUNT: _outgoing,         ask.REACTS: _reacts,
    }  # fmt: skip
    if question.kind not in makers:
        return []
    try:
        return [makers[question.kind](models, given(models, teller.near_all, far), question) for far in (False, True)]
    except Unclear:
        return []


def _said(told: list[dict[str, Any]]) -> str:
    return "; ".join(
        f"{each['name']}: {each['state'] or ('accessory' if each['accessory_engages'] else each['in_hand'])}"
        for each in told
    )


def _around(told: list[dict[str, Any]], state: str | None, take: Callable[[list[str], Verdict], Found]) -> Situation:
    """The models that stand around one, which may be Engaged; `take` makes the answer of who engages it."""
    me = {"name": _ME, "side": "mine", "state": state, "in_reach_of": [each["name"] for each in told if each["near"]]}
    there = [{name: value for name, value in each.items() if name != "near"} for each in told]

    def find(verdict: Verdict) -> Found:
        by = verdict.result.get("engaged_by", {}).get(_ME)
        return Found() if by is None else take(by, verdict)

    return Situation("eldfall.engagement", {"models": [me, *there]}, _said(told), find)


def _engaging(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation:
    """How many of them engage the player's model."""
    special = {ask.SEEN: _SIGHT, ask.TARGETS: "eldfall/engaged#movement-several"}.get(question.kind)

    def take(by: list[str], verdict: Verdict) -> Found:
        number = len(told) - len(by) if question.denied else len(by)
        return Found(number, "enemies", deciding=special or _deciding(models, question, verdict))

    return _around(told, question.state, take)


def _state(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation | None:
    """Whether the model is Engaged, by the one that is named or by any."""
    named = [each["name"] for each, model in zip(told, models, strict=True) if model.nouns & question.by_nouns]
    meant = named if question.by_nouns else [each["name"] for each in told]
    if question.by == "one" and len(meant) != 1:
        return None
    if ask.UNNAMED in question.words and any(model.state and not model.nouns - {""} for model in models):
        return None  # `crouched model with an enemy on it, engaged?`: it may be the one

    def take(by: list[str], verdict: Verdict) -> Found:
        if question.by == "all" and 0 < len(set(by) & set(meant)) < len(meant):
            return Found()
        answer = "no" if bool(set(by) & set(meant)) == question.denied else "yes"
        return Found(verdict=answer, deciding=_deciding(models, question, verdict))

    return _around(told, question.state, take)


def _outgoing(models: Models, told: list[dict[str, Any]], question: Asked) -> Situation | None:
    """Whether the player's model engages the one that is told of, or how many it engages."""
    mine, *others = told
    several = question.kind == ask.OUTGOING_COUNT
    if any(each["state"] in w.STATES[1:] or (several and each["side"] == "mine") for each in others):
        return None

    if several and any(":plain:" not in hand and ":held:" not in hand for each in models[1:] for hand in each.hands):
        return None  # `she drops her sword`: who of them, one can't be sure

    def take(by: list[str], verdict: Verdict) -> Found:
        deciding = _deciding(models[:1], question, verdict)
        if several:
            engaged = sum(each["near"] for each in others) if by else 0
            return Found(len(others) - engaged if question.denied else engaged, "models", deciding=deciding)
        return Found(verdict="no" if bool(by) == question.denied else "yes", deciding=deciding)

    near = several or others[0]["near"]
    state = None if several else others[0]["state"]
    return _around([mine | {"side": "theirs", "state": question.state, "near": near}], state, take)


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

    def take(by: list[str], verdict: Verdict) -> Found:
        return Found(len(told) - len(by) if question.denied else len(by), "models", deciding=_ZONE)

    return _around([{**each, "side": "theirs", "near": True} for each in told], None, take)


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
