"""Book of Ordeals: what one Assault and a fight of several have in common: the two sides and their numbers."""

from __future__ import annotations

from kb.engine.fields import Field, boolean, die, integer, list_of, named, record

SIDES = ("attacker", "defender")
DIE = 12
MIGHT, WARD, ENDURANCE = 0, 0, 6
"What a Character has unless something else is said: the defaults of the glossary."


def said(phrases: str) -> tuple[str, ...]:
    """The words for a field, written one after the other with strokes between."""
    return tuple(phrases.split("|"))


def other(side: str) -> str:
    """The opponent of a side."""
    return "defender" if side == "attacker" else "attacker"


def character(name: str, *, whose: str, words: tuple[str, ...], rolls: bool = True) -> Field:
    """The fields of one side; `rolls` adds its D12."""
    fields = [
        integer(
            "might",
            MIGHT,
            low=0,
            help=f"{whose} Might, without Charge and Group Assault.",
            words=said("might|strength|attack bonus|combat bonus|mights|str|combat skill"),
        ),
        integer(
            "ward",
            WARD,
            low=0,
            help=f"{whose} Ward, taken off the damage.",
            words=said(
                "ward|armour|armor|damage reduction|soak|protection|wards|armored|armoured|dr|soaks|mail|plate|"
                "plates|chainmail|leather|hauberk"
            ),
        ),
        integer(
            "endurance",
            ENDURANCE,
            low=1,
            help=f"{whose} Endurance before the exchange.",
            words=said(
                "endurance|hp|hit points|hitpoints|health|wounds|life|life points|endurances|hit point|lifes|"
                "lives|end|hps"
            ),
        ),
    ]
    if rolls:
        fields.append(
            die(
                "roll",
                DIE,
                help=f"{whose} D12.",
                words=said(
                    "roll|rolled|rolls|die|dice|d12|threw|die roll|dice roll|die rolls|dice rolls|d 12|dices|"
                    "roll result|rolled die|d12 roll"
                ),
            )
        )
    return record(name, *fields, default={}, help=f"{whose} numbers.", words=words)


ATTACKER_WORDS = ("attacker", "i", "my", "me", "mine", "acting character", "active character")
DEFENDER_WORDS = ("defender", "he", "him", "his", "she", "her", "it", "they", "them", "foe", "enemy", "opponent")
CHARGED = boolean(
    "charged",
    False,
    help="The attacker moved into Engagement or Reach in this Act and Assaults in it.",
    words=("charge", "charged", "charging", "charges", "rushed in", "moved in", "ran in", "moved into engagement"),
)
ALLIES = list_of(
    "allies",
    record(
        "ally",
        named("name", None, nullable=True, help="The ally's name, if it has one."),
        list_of(
            "engaged_with",
            named("foe"),
            low=0,
            help='The Foes the ally is Engaged with; the one under attack is called "defender".',
        ),
    ),
    default=(),
    help="The attacker's allies that are Engaged with somebody.",
    words=said(
        "allies|ally|friends|friend|buddies|buddy|pals|mates|companions|gang up|pal of mine|"
        "friend of mine|buddy of mine|mate of mine|ally of mine|pals of mine|friends of mine|"
        "buddies of mine|mates of mine|allies of mine|pal|mate|companion|comrade|comrades|teammate|"
        "teammates|helper|helpers|supporter|supporters|team mates|team mate|allied characters|"
        "allied character|allied models|allied model|friendlies|friendly models|friendly model|friendly|"
        "of my guys|of my men|of my models|of my minis|of my other guys|of my dudes|of my others|of mine|"
        "more of my guys|other models of mine|more guys of mine|guys of mine|bros|chums|chum|bro|homies|"
        "sidekick|sidekicks|warband mates|other guys of mine"
    ),
)
DAMAGE_MODIFIER = integer(
    "damage_modifier",
    0,
    help="What Damage modifiers add to the winner's damage. The pages here name none.",
    words=said(
        "damage modifier|damage modifiers|extra damage|bonus damage|additional damage|damage bonus|"
        "points of extra damage|damage mod"
    ),
)
