"""Eldfall Chronicles: the models that events tell of, in every way that they may be meant.

`two with swords, one petrified` may be three models or two. All readings are kept; who asks takes only what all of
them come to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from kb.reading.eldfall import words as w
from kb.reading.eldfall.part import Ref
from kb.reading.eldfall.told import Event
from kb.reading.eldfall.words import Unclear, doubt

MOST_MODELS, MOST_READINGS = 12, 60


@dataclass(frozen=True, slots=True)
class Model:
    """One model, as told so far."""

    nouns: frozenset[str] = frozenset()
    mine: bool = False
    hands: tuple[str, ...] = ()
    state: str | None = None
    near: bool | None = None
    engages: bool = False
    aware: bool | None = None
    order: int = 0
    "The ordinal by which it is called."
    named: bool = False
    "It was spoken of with a noun."
    touched: int = 0
    "How often something was told of it alone."

    @property
    def in_hand(self) -> str | None:
        """What it holds; None where that is not told. Raises `Unclear` where it holds two things."""
        for strength in ("takes", "held", "plain"):
            said = [hand.split(":")[0] for hand in self.hands if hand.split(":")[1] == strength]
            if strength == "takes":
                said = said[-1:]
            kinds = set(said) - {w.STAFF}
            if w.ARMED in kinds:
                named = {hand.split(":")[0] for hand in self.hands} & {w.MELEE, w.RANGED}
                kinds = kinds - {w.ARMED} | (named or ({w.MELEE} if self.is_called_after_a_weapon else {"?"}))
            weapons = kinds & {w.MELEE, w.RANGED, "?"}
            bare = any(hand.startswith(w.NONE) and "hand" in hand for hand in self.hands) and strength == "plain"
            doubt(len(weapons) > 1 or "?" in weapons or (weapons and bare), "two weapons in hand")
            if kinds:
                return next(iter(weapons or kinds & {w.UNARMED, w.SPELL} or kinds))
        if self.engages:
            return w.MELEE
        return w.NONE if any(":away:" in hand for hand in self.hands) else None

    @property
    def is_called_after_a_weapon(self) -> bool:
        return any(w.MELEE_NOUNS.search(noun) for noun in self.nouns)

    @property
    def accessory(self) -> bool:
        return any(hand.startswith(w.STAFF) for hand in self.hands)

    @property
    def has_spells_and_things(self) -> bool:
        """Spells and accessories are all that it is told to have."""
        kinds = {hand.split(":")[0] for hand in self.hands}
        return kinds == {w.SPELL, w.NONE} and any(hand.split(":")[2] in w.THINGS for hand in self.hands)

    def with_told(self, told: Iterable[str], alone: bool) -> Model:
        """The model after something more is told of it."""
        model = replace(self, touched=self.touched + alone)
        for what in told:
            model = model._with(what)
        return model

    def _with(self, what: str) -> Model:
        if what == "shoots":
            return replace(self, hands=(*self.hands, f"{w.RANGED}:held:"))
        if what in w.STATES:
            doubt(self.state not in (None, what), "two States")
            return replace(self, state=what)
        if what in (w.FAR, w.LOOSE):
            return replace(self, near=False)
        if what == w.NEAR:
            return replace(self, near=True)
        if what == f"{w.NEAR}:perhaps":
            return self if self.near is not None else replace(self, near=True)
        if what in (w.ACTIVE, w.PASSIVE, w.ENGAGER):
            return replace(self, engages=True, near=True)
        if what in (w.AWARE, w.UNAWARE):
            return replace(self, aware=what == w.AWARE)
        hands, name = self.hands, what.split(":")[2]
        if ":away:" in what and hands:
            if not any(hand.endswith(f":{name}") for hand in hands):
                return self  # what it put away is not what it holds
            what = f"{w.NONE}:takes:"
        if ":takes:" in what:
            hands = tuple(each for each in hands if each.startswith(w.STAFF))
        return replace(self, hands=(*hands, what))


Models = tuple[Model, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The models, and those that were spoken of last."""

    models: Models = ()
    last: tuple[int, ...] = ()


def readings(events: Sequence[Event]) -> list[Reading]:
    """Every way that the events may be meant. Raises `Unclear`."""
    found = [Reading()]
    for event in events:
        found = list(dict.fromkeys(after for reading in found for after in _after(reading, event)))
        doubt(not found or len(found) > MOST_READINGS, "no reading, or too many")
    return found


def _after(reading: Reading, event: Event) -> Iterator[Reading]:
    ref = event.ref
    told = event.told
    if ref.none:
        told = [_none_of(each) for each in told]
    for chosen in _subsets(reading, event):
        alone = ref.how not in ("all", "same")
        models = tuple(
            model.with_told(told, alone) if at in chosen else model for at, model in enumerate(reading.models)
        )
        if ref.how == "ordinal":
            models = tuple(
                replace(model, order=ref.count or 0) if at in chosen else model for at, model in enumerate(models)
            )
        yield Reading(models, chosen)
    if not reading.models and ref.how == "of":
        yield from _out_of(event)
    elif _may_be_new(reading, event):
        count = ref.count if ref.how != "ordinal" and ref.count else 1
        doubt(len(reading.models) + count > MOST_MODELS, "too many models")
        fresh = Model(
            nouns=ref.nouns, mine=ref.mine, named=ref.named, order=(ref.count or 0) if ref.how == "ordinal" else 0
        )
        fresh = fresh.with_told(told, count == 1)
        start = len(reading.models)
        yield Reading(reading.models + (fresh,) * count, tuple(range(start, start + count)))


def _out_of(event: Event) -> Iterator[Reading]:
    """`one of my two engagers`, where nobody was spoken of before."""
    ref = event.ref
    if ref.total is None or not ref.total >= (ref.count or 0):
        return
    place = {w.NEAR, w.ACTIVE, w.PASSIVE, w.ENGAGER}
    all_ = Model(nouns=ref.nouns, mine=ref.mine).with_told([each for each in event.told if each in place], False)
    chosen = all_.with_told([each for each in event.told if each not in place], True)
    count = ref.count or 0
    yield Reading((chosen,) * count + (all_,) * (ref.total - count), tuple(range(count)))


def _none_of(told: str) -> str:
    if told.partition(":")[0] in (w.MELEE, w.ARMED):
        return f"{w.NONE}:plain:"
    raise Unclear(f"none is {told}")


def _may_be_new(reading: Reading, event: Event) -> bool:
    """Whether the models may be ones that were not spoken of before."""
    ref, models = event.ref, reading.models
    if ref.how == "rest" and ref.count and models and all(model.touched for model in models):
        return True
    if ref.how in ("same", "all", "rest", "sole", "of") and models:
        return False
    if ref.how in ("same", "sole", "rest", "item") or (ref.how == "all" and ref.count is None):
        return False
    if not models:
        return True
    unarmed = [model for model in models if not model.hands]
    if ref.how == "the" and _brings_hand(event):
        return not any(_same_weapon(model, event.told) for model in models)
    if ref.how == "ordinal":
        return len(models) < (ref.count or 0)
    if ref.how == "other" and ref.total is not None:
        return len(models) < ref.total  # `a third one`
    if ref.named or (ref.how == "other" and not event.done):
        return True
    if {w.AWARE, w.UNAWARE} & set(event.told) or (event.done and any(":takes:" in told for told in event.told)):
        return False
    if _brings_hand(event):
        return len(unarmed) < (ref.count or 1)
    if all(model.named for model in models):
        return False  # `two axemen, one petrified`
    return not event.done and len(unarmed) < (ref.count or 1)


def _brings_hand(event: Event) -> bool:
    return any(":" in told and not told.startswith(w.NEAR) for told in event.told) or "shoots" in event.told


def _subsets(reading: Reading, event: Event) -> Iterator[tuple[int, ...]]:
    """Which of the models spoken of before may be meant."""
    ref, models = event.ref, reading.models
    everyone = tuple(range(len(models)))
    if not models:
        return
    if ref.how in ("all", "same"):
        yield from _together(reading, ref, everyone)
    elif ref.how == "other" and ref.total is not None and len(models) < ref.total:
        return
    elif ref.how == "item" and len(reading.last) == 1:
        yield reading.last
    elif ref.how == "sole":
        if len(models) == 1:
            yield everyone
    elif ref.how == "ordinal":
        number = ref.count or 0
        named = [at for at, model in enumerate(models) if model.order == number]
        if named:
            yield (named[0],)
        elif number <= len(models) and not models[number - 1].order:
            yield (number - 1,)
    elif ref.how == "rest":
        free = tuple(at for at in everyone if not models[at].touched)
        if free and ref.count in (None, len(free)):
            yield free
        elif ref.count == 1 and len(models) == 2 and len(reading.last) == 1:
            yield tuple(at for at in everyone if at not in reading.last)
    else:
        yield from _chosen(reading, event)


def _together(reading: Reading, ref: Ref, everyone: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All, or all of those that were spoken of last."""
    models = reading.models
    pool = tuple(at for at in everyone if models[at].mine == ref.mine) if ref.mine else everyone
    nouns = ref.nouns - {""}
    if nouns:
        pool = tuple(at for at in pool if models[at].nouns & nouns)
    if ref.how == "same":
        yield reading.last
        return
    if ref.count in (None, len(pool)):
        yield pool
    elif ref.count == len(reading.last):
        yield reading.last


def _chosen(reading: Reading, event: Event) -> Iterator[tuple[int, ...]]:
    """`two of them`, `one`, `the knight`: every choice that makes a difference."""
    ref, models = event.ref, reading.models
    if ref.how != "other" and ref.total is not None and ref.total != len(models):
        return
    nouns = ref.nouns - {""}
    pool = [at for at, model in enumerate(models) if not nouns or nouns & model.nouns or not model.nouns - {""}]
    labels = {noun for noun in nouns if len(noun) == 1}
    if labels:
        pool = [at for at in pool if labels & models[at].nouns]
    if ref.mine:
        pool = [at for at in pool if models[at].mine]
    if ref.how == "other":
        pool = [at for at in pool if not models[at].touched]
    if ref.how == "the" and nouns and any(models[at].nouns & nouns for at in pool):
        pool = [at for at in pool if models[at].nouns & nouns]
    if nouns and any("" in ref.nouns or not models[at].nouns & nouns for at in pool):
        pool = [at for at in pool if not models[at].touched]
    if ref.named and not nouns and ref.how == "bare":
        pool = [at for at in pool if not models[at].hands and not models[at].touched]
    if _brings_hand(event) and not any(":takes:" in told or ":away:" in told for told in event.told):
        bare = [at for at in pool if not models[at].hands]
        pool = bare or ([at for at in pool if _same_weapon(models[at], event.told)] if ref.how in ("the", "of") else [])
    elif _brings_hand(event):
        pass
    else:
        fresh = [at for at in pool if not models[at].hands and not models[at].engages and not models[at].touched]
        if len(fresh) >= (ref.count or 1):
            pool = fresh
        untouched = [at for at in pool if models[at].state is None and models[at].near is not False]
        pool = untouched
    if {w.AWARE, w.UNAWARE} & set(event.told):
        pool = [at for at in pool if models[at].aware is None]
    seen: set[tuple[Model, ...]] = set()
    for chosen in combinations(pool, ref.count or 1):
        kind = tuple(sorted((models[at] for at in chosen), key=repr))
        if kind not in seen:
            seen.add(kind)
            yield chosen


def _same_weapon(model: Model, told: Sequence[str]) -> bool:
    """Whether `the orc with the axe` is this one."""
    words = {hand.split(":")[2] for hand in model.hands}
    return any(each.count(":") == 2 and each.split(":")[2] in words for each in told)


def given(models: Models, near_all: bool, far: bool) -> list[dict[str, Any]]:
    """The models as the engine takes them; where it is not told whether they reach, `far` says."""
    found: list[dict[str, Any]] = []
    armed = {noun for model in models if model.hands for noun in model.nouns}
    for number, model in enumerate(models):
        held = model.in_hand or (w.NONE if model.accessory else None)
        if held is None and not model.hands and model.is_called_after_a_weapon and not model.nouns & armed:
            held = w.MELEE
        near = model.near if model.near is not None else near_all or not far
        found.append(
            {
                "name": f"{'friend' if model.mine else 'enemy'} {number + 1}",
                "side": "mine" if model.mine else "theirs",
                "in_hand": held,
                "state": model.state,
                "accessory_engages": model.accessory,
                "near": near,
            }
        )
    return found
