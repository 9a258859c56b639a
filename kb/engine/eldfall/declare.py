"""Eldfall Chronicles: what an Engaged model may declare.

The passages limit Engaged models only. So `legal` means that nothing here forbids it: for a model that nobody engages,
every declaration. Read as the pages have it, each at its clause:
- The limit on movement names the Active Role and the Movement Step; everywhere else the three Actions are all there is.
- `towards: null` is a Walk towards nobody. A Walk towards a named enemy is direct unless it is said that it is not.
- Without a step, Idle and Walk are taken as the Movement Step's declarations and everything else as the Action's.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from kb.engine.clauses import Says, clause, ends, forbids, lacks, says
from kb.engine.fields import boolean, choice, list_of, named, refuse, text
from kb.engine.kernel import Procedure

MOVEMENTS = ("idle", "walk")
ACTIONS = ("melee-attack", "assist", "dodge")
UNSTATED = ("unarmed-attack", "melee-attack-spell")
"Declarations of which no passage tells whether they are a Melee Attack."
DECLARATIONS = (*MOVEMENTS, *ACTIONS, "ranged-attack", *UNSTATED, "spell", "enchantment")
"Those that the passages name. The game has others, so a name unlike these is taken as one of those."
ALMOST = 0.82
"As alike as this to a name above, another name is a slip of the pen."


@dataclass
class Declaration:
    """What a model declares."""

    given: dict[str, Any]
    declares: str = ""
    step: str = ""
    engaged: bool = False

    @property
    def by(self) -> str:
        return " and ".join(self.given["engaged_by"])

    @property
    def moving(self) -> bool:
        """In the one place where movement is limited: the Movement Step, in the Active Role."""
        return self.engaged and self.step == "movement" and self.given["role"] == "active"


def declare(given: dict[str, Any]) -> Declaration:
    """The declaration, its name spelt as the rules here spell it. Refuses none at all, and a misspelt one."""
    by_via = {"hit-and-retreat": "walk", "enchantment": "enchantment"}.get(given["via"] or "")
    word = given["declares"] or by_via
    if word is None:
        raise refuse("declares", None, f"Give one, such as {', '.join(DECLARATIONS)}", "leaves nothing to judge")
    name = "-".join(word.casefold().replace("_", " ").replace("-", " ").split())
    if name not in DECLARATIONS and (meant := _almost(name)):
        raise refuse("declares", word, f'Perhaps "{meant}" is meant; {", ".join(DECLARATIONS)} are known')
    return Declaration(given, name, given["step"] or ("movement" if name in MOVEMENTS else "action"))


def _almost(name: str) -> str | None:
    """The known declaration that another name resembles, or one that may be allowed and shares a word with it.

    `attack` alone could be a Melee Attack and could be a Ranged Attack; judging it as something else would be wrong.
    """
    alike = get_close_matches(name, DECLARATIONS, n=1, cutoff=ALMOST)
    words = set(name.split("-"))
    perhaps = (each for each in (*MOVEMENTS, *ACTIONS, "unarmed-attack") if words & set(each.split("-")))
    return next(iter([*alike, *perhaps]), None)


@clause("eldfall/glossary#engaged")
def engaged_by_an_enemy(declaration: Declaration) -> Says:
    """Engaged is a State that an enemy model causes."""
    declaration.engaged = bool(declaration.given["engaged_by"])
    if declaration.engaged:
        return says(f"Engaged by {declaration.by}.", engaged=True)
    return says("No enemy model engages it: the limits on Engaged models do not touch it.", engaged=False)


@clause("eldfall/rulings#incapacitated-engaged")
def incapacitated_cannot_act(declaration: Declaration) -> Says | None:
    """An Incapacitated model cannot act itself."""
    if not declaration.given["incapacitated"] or declaration.declares == "idle":
        return None
    return forbids(f"Incapacitated: it cannot act, so it cannot declare {declaration.declares}.")


@clause("eldfall/faq#hit-and-retreat")
def hit_and_retreat(declaration: Declaration) -> Says | None:
    """An Engaged model cannot Walk by Hit and Retreat after it Attacked a model."""
    if not declaration.engaged or declaration.given["via"] != "hit-and-retreat" or declaration.declares != "walk":
        return None
    return forbids(f"Engaged by {declaration.by}: no Walk by Hit and Retreat.")


@clause("eldfall/faq#artificer-enchantment")
def enchantment_on_itself(declaration: Declaration) -> Says | None:
    """An Artificer may put an Enchantment on itself while Engaged or holding a two-handed weapon."""
    if declaration.given["via"] != "enchantment" or not declaration.given["on_self"]:
        return None
    hindrances = {"Engaged": declaration.engaged, "holding a two-handed weapon": declaration.given["two_handed"]}
    despite = " and ".join(name for name, there in hindrances.items() if there)
    return ends(f"It applies the Enchantment to itself and casts no Spell: legal{despite and f', even {despite}'}.")


@clause("eldfall/engaged#movement-several")
def walk_towards_the_chosen_one(declaration: Declaration) -> Says | None:
    """Engaged by more than one model, it must choose one of them for its Walk and go directly towards it."""
    engaged_by, towards = declaration.given["engaged_by"], declaration.given["towards"]
    if not declaration.moving or declaration.declares != "walk" or len(engaged_by) < 2:
        return None
    if towards not in engaged_by:
        return forbids(
            f"It must choose {' or '.join(engaged_by)} and walk towards that one, not {towards or 'nobody'}."
        )
    if not declaration.given["directly"]:
        return forbids(f"It chose {towards} and must move directly towards it.")
    return ends(f"It chose {towards} and walks directly towards it.", towards=towards)


@clause("eldfall/engaged#movement")
def only_idle_or_walk(declaration: Declaration) -> Says | None:
    """In the Movement Step, in the Active Role, it may declare only Idle, or Walk directly towards the enemy model."""
    if not declaration.moving:
        return None
    if declaration.declares not in MOVEMENTS:
        return forbids(f"In its Movement Step it may declare only Idle or Walk, not {declaration.declares}.")
    if declaration.declares == "walk" and not _straight_to_the_enemy(declaration.given):
        return forbids(f"Its Walk must go directly towards {declaration.by}.")
    return ends(f"{declaration.declares.title()} is one of the two that it may declare in its Movement Step.")


def _straight_to_the_enemy(given: dict[str, Any]) -> bool:
    return given["towards"] in given["engaged_by"] and given["directly"]


@clause("eldfall/rulings#unarmed-zone")
def unarmed_and_flare(declaration: Declaration) -> Says | None:
    """Unarmed and a Melee Attack Spell are no Weapons; whether they are a Melee Attack is not told."""
    if not declaration.engaged or declaration.moving or declaration.declares not in UNSTATED:
        return None
    return lacks(
        f"{declaration.declares} is no Weapon; no passage tells whether it counts as a Melee Attack.",
        "whether an Unarmed attack or a Melee Attack Spell counts as declaring Melee Attack",
    )


@clause("eldfall/engaged#actions")
def melee_attack_assist_or_dodge(declaration: Declaration) -> Says | None:
    """While Engaged a model may declare only Melee Attack, Assist on itself, or Dodge."""
    if not declaration.engaged or declaration.moving or declaration.declares in UNSTATED:
        return None
    if declaration.declares not in ACTIONS:
        return forbids(f"Engaged: only Melee Attack, Assist on itself or Dodge, not {declaration.declares}.")
    if declaration.declares == "assist" and not declaration.given["on_self"]:
        return forbids("Engaged: it may Assist only itself.")
    return says(f"{declaration.declares} is one of the three that an Engaged model may declare.")


DECLARE = Procedure(
    name="eldfall.declare",
    title="What an Engaged model may declare",
    given=(
        list_of(
            "engaged_by",
            named("enemy", unique=True),
            default=(),
            help="The enemy models that engage it; none: it is not Engaged.",
            words=("engaged by", "engaged", "engages me", "in melee with", "stuck in", "locked in combat"),
        ),
        choice(
            "role",
            ("active", "reactive"),
            "active",
            help="The role that the model is in.",
            words=("active", "active role", "reactive", "reacting", "reaction"),
        ),
        choice(
            "step",
            ("movement", "action"),
            None,
            nullable=True,
            help="The step. Null: Movement for Idle and Walk, Action for everything else.",
            words=("movement step", "movement", "action step", "action"),
        ),
        text(
            "declares",
            None,
            nullable=True,
            choices=DECLARATIONS,
            help="What it declares; other names are allowed.",
            words=("declare", "declares", "shoot", "fire", "walk", "run", "attack", "dodge", "assist", "idle", "cast"),
        ),
        text(
            "towards",
            None,
            nullable=True,
            help="Towards whom it walks.",
            words=("towards", "toward", "at", "closer to"),
        ),
        boolean(
            "on_self",
            False,
            help="An Assist or an Enchantment has the model itself as its target.",
            words=("itself", "myself", "himself", "herself", "on self", "self"),
        ),
        boolean("directly", True, help="The Walk goes straight at that model.", words=("directly", "straight")),
        choice(
            "via",
            ("hit-and-retreat", "enchantment"),
            None,
            nullable=True,
            help="Hit and Retreat, or an Artificer's Enchantment.",
            words=("hit and retreat", "hit & retreat", "enchantment", "artificer", "enchant"),
        ),
        boolean("two_handed", False, help="It holds a two-handed weapon.", words=("two-handed", "two handed", "great")),
        boolean(
            "incapacitated",
            False,
            help="It is Incapacitated.",
            words=("incapacitated", "downed", "knocked out", "out cold"),
        ),
    ),
    result=(boolean("engaged", help="Whether the limits on Engaged models hold for it."),),
    make_state=declare,
    clauses=(
        engaged_by_an_enemy,
        incapacitated_cannot_act,
        hit_and_retreat,
        enchantment_on_itself,
        walk_towards_the_chosen_one,
        only_idle_or_walk,
        unarmed_and_flare,
        melee_attack_assist_or_dodge,
    ),
    judges=True,
    words=("declare", "may", "can", "allowed", "walk", "shoot", "attack"),
)
