"""Betrayal of the Second Era, step 6 of an engage: which units react."""

from __future__ import annotations

from typing import Any

from kb.engine.betrayal.scene import BEING_ENGAGED, Engage
from kb.engine.clauses import Says, clause, lacks, says


@clause("betrayal/faq#engaged-units")
def only_the_target_is_engaged(engage: Engage) -> Says | None:
    """Only the target is engaged: damage to a non-target does not engage it, so nothing triggers on it."""
    bystanders = [unit for unit in engage.damage if unit not in engage.engaged]
    for place, trigger in enumerate(engage.given["triggers"]):
        owner = engage.unit_name(trigger["owner"])
        if trigger["on"] in BEING_ENGAGED and owner not in engage.engaged:
            engage.silent.add(place)
            bystanders.append(owner)
    if not bystanders:
        return None
    names = engage.shown(*dict.fromkeys(bystanders))
    if not engage.engaged:
        return says(f"No target is declared, so nobody is engaged, {names} included.")
    verb = "is" if len(set(bystanders)) == 1 else "are"
    return says(f"Only the target is engaged, so {names} {verb} not.")


@clause("betrayal/faq#defeated-trigger")
def defeated_enemies_do_not_trigger(engage: Engage) -> Says | None:
    """An enemy's skill that triggers after being engaged does not trigger if the enemy is defeated in that engage."""
    gone = []
    for place, trigger in enumerate(engage.given["triggers"]):
        owner = engage.unit_name(trigger["owner"])
        if trigger["on"] == "after-engaged" and engage.kind(owner) == "enemy" and engage.is_defeated(owner):
            engage.silent.add(place)
            gone.append(owner)
    if not gone:
        return None
    return says(f"Defeated in this engage: {engage.shown(*gone)}. What triggers after being engaged does not.")


@clause("betrayal/engage#outside-battle")
def responses_to_the_roll(engage: Engage) -> Says | None:
    """Outside battle, effects in response to the roll are resolved during Units React."""
    if engage.given["in_battle"] or not any(each["on"] == "roll" for each in engage.given["triggers"]):
        return None
    engage.roll_responses = True
    return says("Outside battle, what responds to the roll is resolved in Units React.")


@clause("betrayal/engage#steps-6")
def units_react(engage: Engage) -> Says | None:
    """After the engage enemies must, and companions and adventurers may, resolve what triggers, if they are able."""
    if not engage.under_way or not engage.reacts or not engage.given["triggers"]:
        return None
    missing: list[str] = []
    for place, trigger in enumerate(engage.given["triggers"]):
        if place in engage.silent or not sets_off(engage, trigger):
            continue
        doubt = doubt_about(engage, trigger)
        if doubt is None:
            react(engage, trigger)
        else:
            missing.append(doubt)
    if missing:
        return lacks(
            "Not everything that decides who reacts is known.", *missing, leaves_open=("triggered", "must_react")
        )
    if not engage.triggered:
        return says("Nobody reacts.")
    must = f" (enemies must: {engage.shown(*engage.must_react)})" if engage.must_react else ""
    return says(f"What is triggered is resolved by {engage.shown(*engage.triggered)}{must}.")


def sets_off(engage: Engage, trigger: dict[str, Any]) -> bool:
    """Whether this engage could set the trigger off: the owner is able to, and was engaged or at least damaged."""
    owner = engage.unit_name(trigger["owner"])
    if not trigger["able"]:
        return False
    return trigger["on"] not in BEING_ENGAGED or owner in engage.engaged or bool(engage.damage.get(owner))


def doubt_about(engage: Engage, trigger: dict[str, Any]) -> str | None:
    """What would have to be known to say that the trigger comes; None where it does."""
    owner, on = engage.unit_name(trigger["owner"]), trigger["on"]
    if on in BEING_ENGAGED and owner not in engage.engaged:
        return f"whether {engage.shown(owner)}, damaged without being the target, counts as engaged"
    if on == "roll":
        return None if engage.roll_responses else "when a response to a roll in battle is resolved"
    defeated = False if on == "engaged" else engage.is_defeated(owner)
    if defeated is None:
        return f"whether {engage.shown(owner)} is defeated in this engage (its hp)"
    told = on == "after-engaged" and engage.kind(owner) == "enemy"
    if defeated and not told:
        return f"whether what {engage.shown(owner)} has to trigger still does when it is defeated"
    return None


def react(engage: Engage, trigger: dict[str, Any]) -> None:
    """Enemies must react; companions and adventurers choose."""
    owner = engage.unit_name(trigger["owner"])
    must = engage.kind(owner) == "enemy"
    if (must or trigger["uses"]) and owner not in engage.triggered:
        engage.triggered.append(owner)
    if must and owner not in engage.must_react:
        engage.must_react.append(owner)
