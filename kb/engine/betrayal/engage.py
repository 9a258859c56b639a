"""Betrayal of the Second Era: an engage through its six steps.

The target is taken as declared lawfully and the dice as gathered lawfully: `betrayal.target` and `betrayal.gather`
judge that. The dice are given in the order in which the player resolves them.
"""

from __future__ import annotations

from kb.engine.betrayal import damage, dice, react
from kb.engine.betrayal.engage_fields import GIVEN, RESULTS
from kb.engine.betrayal.scene import STEPS, TARGET, Engage, before_the_engage, each_die
from kb.engine.betrayal.turn import fatigue_of
from kb.engine.clauses import Each, Says, clause, lacks, says
from kb.engine.kernel import Procedure


@clause("betrayal/engage#outside-action")
def by_the_same_steps(engage: Engage) -> Says | None:
    """An engage that an ability gives outside an engage action uses the same steps."""
    if not engage.given["by_ability"]:
        return None
    engage.under_way = True
    return says("An engage that an ability gives is resolved by the same steps.")


@clause("betrayal/engage#outside-battle")
def steps_left_out_outside_battle(engage: Engage) -> Says | None:
    """Outside battle Gain Fatigue, Declare Target and Choose Battle Form are skipped unless specified."""
    if engage.given["in_battle"]:
        return None
    engage.steps = tuple(step for step in STEPS if step in engage.given["specified_steps"])
    left_out = ", ".join(step for step in STEPS if step not in engage.steps)
    return says(f"Outside battle, steps left out: {left_out or 'none'}.")


@clause("betrayal/engage#steps-1")
def gain_fatigue(engage: Engage, *, each: int = 1, on_expert: int = 2) -> Says | None:
    """The first engage action of a turn is free; each further one costs 1 light fatigue, on Expert 2."""
    if not engage.does("fatigue"):
        return None
    number, difficulty = engage.given["engage_action"], engage.given["difficulty"]
    if engage.given["by_ability"] and number > 1:
        return lacks(
            "Fatigue is for additional engage actions; whether an engage that an ability gives is one is not stated.",
            "whether an engage outside an engage action counts for fatigue",
            leaves_open=("light_fatigue",),
        )
    engage.light_fatigue = fatigue_of(number, difficulty, each, on_expert)
    return says(f"Engage action {number} of the turn, {difficulty}: {engage.light_fatigue} light fatigue.")


@clause("betrayal/engage#steps-2")
def choose_battle_form(engage: Engage) -> Says | None:
    """The battle form is declared, and may be changed by marking another one."""
    form = engage.given["form"]
    if not engage.does("form") or form is None:
        return None
    before, engage.form = engage.form, form
    change = f", changed from {before}" if before not in (None, form) else ""
    return says(f"The battle form is {form}{change}.", form=form)


@clause("betrayal/engage#steps-3")
def declare_target(engage: Engage) -> Says | None:
    """A declared target is being engaged; declaring one is optional."""
    if not engage.does("target") or engage.given["target"] is None:
        return None
    engage.engaged = [engage.target]
    name = "" if engage.target == TARGET else f", {engage.target},"
    return says(f"The declared target{name} is being engaged.")


@clause("betrayal/engage#steps-4e")
def no_dice_gathered(engage: Engage) -> Says | None:
    """With no dice gathered the remaining steps still happen, so that abilities can trigger."""
    if engage.given["dice"]:
        return None
    engage.reacts = True
    return says("No dice are gathered; the remaining steps still happen.")


ENGAGE = Procedure(
    name="betrayal.engage",
    title="An engage through its six steps: fatigue, damage, dice, who reacts",
    given=GIVEN,
    result=RESULTS,
    make_state=before_the_engage,
    clauses=(
        by_the_same_steps,
        steps_left_out_outside_battle,
        gain_fatigue,
        choose_battle_form,
        declare_target,
        no_dice_gathered,
        dice.changes_come_first,
        Each(
            each_die,
            (
                dice.resolving_is_optional,
                dice.one_at_a_time,
                dice.only_on_the_declared_target,
                dice.in_range_when_resolved,
                damage.restriction_when_resolved,
                dice.rest_of_the_result,
                damage.pool_damage,
                damage.damage_of_an_ability,
                dice.free_dice_are_discarded,
                dice.tenacity_result,
                dice.unresolved_dice_are_exhausted,
                dice.nothing_of_the_result,
                dice.instant,
                dice.drained,
                dice.active_slot,
                dice.status_effect,
                dice.cooldown_track,
                dice.exhausted_to_the_cooldown_track,
                dice.every_ability_has_a_code,
            ),
        ),
        damage.apply_pooled_damage,
        damage.take_damage_ability_by_ability,
        damage.damage_reduces_defense,
        react.only_the_target_is_engaged,
        react.defeated_enemies_do_not_trigger,
        react.responses_to_the_roll,
        react.units_react,
    ),
    words=("engage", "attack", "fight", "hit", "engage step", "resolve the roll", "pool damage", "pooled damage"),
)
