"""Eldfall Chronicles: how many models engage, are seen, have a zone or are Engaged, by all that is told of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kb.engine.kernel import LEGAL, Rules, Verdict, run
from kb.engine.plugins import procedure
from kb.reading.eldfall import asked as ask
from kb.reading.eldfall import words as w
from kb.reading.eldfall.asked import TRUTH_WORDS, Asked, asked, asked_state, per_side, truth_of
from kb.reading.eldfall.models import Model, Models, given, readings
from kb.reading.eldfall.part import is_known
from kb.reading.eldfall.told import Teller, told
from kb.reading.eldfall.words import Unclear, clauses_of
from kb.reading.marks import Mark
from kb.reading.situation import Found, Situation

_ME = "the model"
_ZONE, _SIGHT = "eldfall/glossary#engagement-zone", "eldfall/engaged#line-of-sight"


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


# --- two sides ---------------------------------------------------------------------------------------------------

PER_SIDE, ALL, ANY, THEY = "per side", "all", "any", "they"
_QUANTIFIERS: dict[str, str] = {
    word: kind for kind, listed in w.TABLES["quantifiers"].items() for word in listed.split()
}


def sides(text: str) -> Situation | None:
    """Who of two sides is Engaged, where all stand in reach of each other."""
    question = asked(text)
    question = question if question is not None and question.kind == ask.ENGAGED else _asked_of_sides(clauses_of(text))
    if question is None:
        return None
    teller = told(replace(question, own=frozenset(), sides=True))
    question = replace(question, total=question.total or teller.total)
    found = [_of_sides(reading.models, question, teller.near_all) for reading in readings(teller.events)]
    return settled([each for each in found if each is not None])


def _asked_of_sides(clauses: Sequence[list[Mark]]) -> Asked | None:
    """A question for both sides' numbers, or whether models are Engaged."""
    if clauses and per_side(clauses):
        last = [clause for clause in clauses if clause[0].sentence == clauses[-1][0].sentence]
        plain = not any(mark.concept == w.NOT for clause in last for mark in clause)
        return _question_of(PER_SIDE, clauses[: -len(last)], False) if plain else None
    if not clauses or any(mark.concept == w.ASK for clause in clauses for mark in clause):
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
                return _question_of(found[0], [*clauses[:number], clause[:cut]], found[1] != wrong)
    return None


def _question_of(kind: str, telling: Sequence[Sequence[Mark]], denied: bool) -> Asked:
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


def _of_sides(models: Models, question: Asked, near_all: bool) -> Situation | None:
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
