"""Betrayal of the Second Era: what an engage takes and what it yields, field by field."""

from __future__ import annotations

from typing import Any

from kb.engine.betrayal.scene import CODES, KINDS, STEPS, TARGET
from kb.engine.betrayal.turn import DIFFICULTY, MANY
from kb.engine.fields import Field, boolean, choice, integer, list_of, mapping, named, record, text


def unit(name: str, *first: Field, **more: Any) -> Field:
    """The fields of a unit in the engage."""
    return record(
        name,
        *first,
        choice(
            "kind",
            KINDS,
            "enemy",
            help="What the unit is. Default: enemy.",
            words=("enemy", "monster", "foe", "companion", "pet", "summon", "ally", "adventurer", "player", "hero"),
        ),
        integer(
            "defense",
            0,
            low=0,
            nullable=True,
            unit="defense",
            help="Its defense; null counts as 0. Default: 0. How damage and defense are reckoned is not stated.",
            words=("defense", "defence", "armor", "armour"),
        ),
        integer(
            "hp",
            None,
            low=1,
            nullable=True,
            unit="hp",
            help="Its hp before this engage.",
            words=("hp", "hit points", "health", "life", "lives", "hitpoints"),
        ),
        integer(
            "prevents",
            0,
            low=0,
            nullable=True,
            unit="damage",
            help="Damage that rolled dice let it prevent. Default: 0.",
            words=("prevents", "prevent", "blocks", "block", "absorbs"),
        ),
        boolean(
            "defeated",
            None,
            nullable=True,
            help="Whether it is defeated in this engage, if its hp don't tell.",
            words=("defeated", "dead", "dies", "killed", "slain", "kill", "survives", "alive"),
        ),
        **more,
    )


RESULT = record(
    "result",
    integer(
        "damage",
        0,
        low=0,
        unit="damage",
        help="Damage to each unit that it hits. Default: 0.",
        words=("damage", "dmg", "hits for", "deals", "wounds"),
    ),
    named(
        "to",
        TARGET,
        choices=(TARGET,),
        among=("others.name", "target.name"),
        help='Which unit: "target" or a name. Default: target.',
        words=("to", "against", "on", "target", "adjacent", "non-target", "bystander"),
    ),
    list_of(
        "also",
        named("unit", among=("others.name",), unique=True),
        default=(),
        low=0,
        help="Further units that it damages as much.",
        words=("also", "adjacent", "all adjacent", "everyone"),
    ),
    boolean("tenacity", False, help="The result is tenacity.", words=("tenacity", "tenacity icon", "tenacity result")),
    default={},
    help="What the die shows, and on whom it is resolved.",
    words=("result", "shows", "rolled"),
)

DICE = list_of(
    "dice",
    record(
        "die",
        text("name", unique=True, help="What the die is called; each one differently."),
        choice(
            "code",
            CODES,
            None,
            nullable=True,
            help="The code of the rolled ability; a tenacity result and a free die need none.",
            words=("instant", "drained", "active slot", "cooldown track", "status effect"),
        ),
        RESULT,
        boolean(
            "resolve",
            True,
            help="The player resolves the result. Default: yes.",
            words=("resolve", "use", "ignore", "skip", "don't resolve", "not resolve", "decline"),
        ),
        boolean(
            "free",
            False,
            help="A free enemy Combat die that an ability added.",
            words=("free", "free die", "enemy combat die", "enemy die"),
        ),
        boolean(
            "in_range",
            True,
            help="The unit it goes to is in range, and fit for it, when the die is resolved. Default: yes.",
            words=("in range", "out of range", "moved away", "pushed away", "no longer adjacent", "adjacent"),
        ),
        boolean(
            "modifies",
            False,
            help="Its ability rerolls or changes another result.",
            words=("reroll", "rerolls", "change a result", "modify"),
        ),
    ),
    default=(),
    low=0,
    unit="dice",
    help="The rolled dice with their results, in the order in which the player resolves them.",
    words=("dice", "die", "roll", "rolled", "result", "results"),
)

TRIGGERS = list_of(
    "triggers",
    record(
        "trigger",
        named(
            "owner",
            choices=(TARGET,),
            among=("others.name", "target.name"),
            help='Whose ability it is: "target" or a name.',
            words=("its", "their", "the enemy's", "monster's"),
        ),
        choice(
            "on",
            ("engaged", "after-engaged", "after-engage", "roll"),
            help="engaged: on its owner being engaged; after-engaged: after its owner was engaged; after-engage: after "
            "this engage, whoever was engaged; roll: in response to the roll.",
            words=(
                "when engaged",
                "after being engaged",
                "after it is engaged",
                "after this engage",
                "Shatter",
                "triggers",
            ),
        ),
        boolean(
            "able",
            True,
            help="Its owner is able to resolve it. Default: yes.",
            words=("able", "unable", "stunned", "can't"),
        ),
        boolean(
            "uses",
            True,
            help="A companion or an adventurer chooses to resolve it; enemies have no choice. Default: yes.",
            words=("chooses", "wants", "declines", "may", "skip"),
        ),
    ),
    default=(),
    low=0,
    help="Abilities that may be triggered by this engage.",
    words=("trigger", "triggers", "triggered", "react", "reacts", "Shatter", "reaction"),
)

GIVEN = (
    integer(
        "engage_action",
        1,
        low=1,
        high=MANY,
        unit="engage action",
        help="Which engage action of the turn it is. Default: the first.",
        words=("first engage", "second engage", "third engage", "second attack", "again"),
    ),
    DIFFICULTY,
    text(
        "form",
        None,
        nullable=True,
        help="The battle form: magic, defensive or any other name.",
        words=("form", "battle form", "stance", "magic", "defensive", "bow", "melee"),
    ),
    text(
        "marked_form",
        None,
        nullable=True,
        help="The form that was marked on the adventurer mat before.",
        words=("change form", "switch form", "was in"),
    ),
    unit(
        "target",
        text("name", TARGET, help='How the target is named in the results. Default: "target".'),
        default=None,
        nullable=True,
        help="The declared target; null for none.",
        words=("target", "enemy", "monster", "the one I attack", "engaged"),
    ),
    list_of(
        "others",
        unit("other", text("name", unique=True, help="Its name.")),
        default=(),
        low=0,
        help="Other units that dice damage or that may react.",
        words=("others", "adjacent", "non-target", "bystander", "next to it"),
    ),
    DICE,
    TRIGGERS,
    boolean(
        "by_ability",
        False,
        help="An ability gives this engage outside an engage action.",
        words=("ability lets me engage", "outside an engage action", "free engage", "bonus attack"),
    ),
    boolean(
        "in_battle",
        True,
        help="It is a battle. Default: yes.",
        words=("outside battle", "non-battle", "not in battle", "no battle"),
    ),
    list_of(
        "specified_steps",
        choice("step", STEPS, unique=True),
        default=(),
        low=0,
        help="Outside battle: steps that something specifies all the same.",
        words=("specified",),
    ),
)

RESULTS = (
    integer(
        "light_fatigue",
        unit="light fatigue",
        help="Light fatigue gained in step 1.",
        words=("fatigue", "light fatigue", "tired"),
    ),
    text("form", nullable=True, help="The battle form of this engage.", words=("form",)),
    list_of(
        "engaged", text("unit"), unordered=True, help="Units that are engaged.", words=("engaged", "counts as engaged")
    ),
    list_of("order", text("die"), help="The dice that were resolved, in order.", words=("order",)),
    mapping(
        "damage",
        integer("damage"),
        unit="damage",
        help="Damage to each unit, less what is prevented, before defense.",
        words=("damage", "how much damage", "dmg"),
    ),
    list_of(
        "dealt",
        record("part", text("unit"), integer("damage"), text("after")),
        help="When damage is dealt: to which unit, how much, after which die; before prevention.",
        words=("when", "at once", "pooled"),
    ),
    mapping(
        "hp",
        integer("hp"),
        unit="hp",
        help="Hp left, of the units whose hp were given.",
        words=("hp", "health", "left"),
    ),
    list_of(
        "defeated",
        text("unit"),
        unordered=True,
        help="Units that are defeated.",
        words=("defeated", "dead", "killed", "die", "survive"),
    ),
    integer("tenacity", unit="tenacity", help="Tenacity gained.", words=("tenacity",)),
    mapping(
        "placed",
        choice("place", ("cooldown", "active-slot", "race-sheet", "status", "discarded")),
        help="Where each die goes.",
        words=("where does the die go", "placed", "die go", "exhausted"),
    ),
    list_of(
        "triggered",
        text("unit"),
        unordered=True,
        help="Units whose ability is triggered and resolved.",
        words=("trigger", "triggered", "triggers", "react", "reacts"),
    ),
    list_of(
        "must_react",
        text("unit"),
        unordered=True,
        help="Enemies among them, which have no choice.",
        words=("must", "forced"),
    ),
)
