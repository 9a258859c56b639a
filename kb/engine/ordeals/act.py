"""Book of Ordeals: one Act, Deed by Deed. Which Deeds are legal, and which Assaults are charges.

Read as the pages have it, each at its clause:
- A Deed that is illegal is not taken: it costs nothing, changes nothing, and the next one is judged without it.
- An Assault that starts un-Engaged has to be the Act's only one, whether it would be the first or a later one.
- The Charge bonus holds for every Assault of the Act in which the Character moved in, not for the first one only.
- Un-Engaged means that no Foe is within 1 inch, so such an Assault needs Reach; where that is not told, undetermined.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from kb.engine.clauses import Each, Says, clause, forbids, lacks, says
from kb.engine.fields import boolean, choice, integer, list_of, nearest, record, refuse, text
from kb.engine.kernel import Procedure

DEEDS = ("Move", "Assault", "Fire", "Aid", "Aim", "Climb", "Guard", "Hide", "Stand", "Use")
"The standard Deeds of the glossary."


@dataclass
class Act:
    """An Act under way; `deed` is the one being judged."""

    given: dict[str, Any]
    deed: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    which: str = ""
    "The Deed at hand in words: `Deed 2, Assault`."
    engaged: bool = False
    spent: int = 0
    assaults: int = 0
    only_one: bool = False
    "An Assault of this Act started un-Engaged."
    moved_in: bool = False
    "It became Engaged in this Act by a Deed of its own."
    moved_into_reach: bool = False
    by_reach: bool = False
    unclear: bool = False
    "The Deed at hand can be judged neither legal nor illegal."
    out: bool = False
    bonus: int = 0
    deeds: list[dict[str, Any]] = field(default_factory=list)
    charge_bonus: list[int] = field(default_factory=list)
    exchanges: int = 0

    @property
    def engaged_after(self) -> bool:
        return self.engaged

    @property
    def assaulting(self) -> bool:
        return self.name == "Assault"


def start(given: dict[str, Any]) -> Act:
    """The Act before its first Deed. Refuses Deeds that do not exist and pushes that no Assault could have won."""
    for place, deed in enumerate(given["deeds"]):
        name = _deed(deed["deed"], f"deeds[{place}].deed")
        if deed["wins_and_pushes"] and name != "Assault":
            where = f"deeds[{place}].wins_and_pushes"
            raise refuse(where, True, "Allowed for an Assault only", f"cannot stand with {name}")
    return Act(given, engaged=given["engaged"])


def _deed(word: str, where: str) -> str:
    found = {name.casefold(): name for name in DEEDS}.get(word.strip().casefold())
    if found is None:
        raise refuse(where, word, nearest(word.strip().title(), DEEDS), "is no Deed")
    return found


def each_deed(act: Act) -> Generator[None, str | None, None]:
    """Points the Act at each Deed in turn and records how it was judged."""
    for place, deed in enumerate(act.given["deeds"], start=1):
        act.deed = deed
        act.name = _deed(deed["deed"], "deed")
        act.which = f"Deed {place}, {act.name}"
        act.bonus, act.by_reach, act.unclear = 0, False, False
        started_engaged = act.engaged
        forbidden_by = yield
        if forbidden_by is None:
            _taken(act, started_engaged)
        legal = None if act.unclear and forbidden_by is None else forbidden_by is None
        bonus = act.bonus if act.assaulting else None
        if bonus is not None:
            act.charge_bonus.append(bonus)
        act.deeds.append({"deed": act.name, "legal": legal, "forbidden_by": forbidden_by, "charge_bonus": bonus})


def _taken(act: Act, started_engaged: bool) -> None:
    """What later Deeds need to know of this one."""
    deed = act.deed
    act.spent += deed["cost"]
    act.out = deed["goes_out_of_action"]
    if act.assaulting:
        act.assaults += 1
        act.only_one = act.only_one or not started_engaged
    if deed["ends_in_reach"] is not None or act.name == "Move":
        act.moved_into_reach = deed["ends_in_reach"] is not False


@clause("ordeals/glossary#out-of-action")
def removed_from_the_board(act: Act) -> Says | None:
    """A Character that is Out of Action is removed from the board and takes no more Deeds."""
    if not act.out:
        return None
    return forbids(f"{act.which}: the Character is Out of Action and off the board.")


@clause("ordeals/glossary#act")
def three_deeds(act: Act, *, deeds: int = 3) -> Says | None:
    """A Character takes up to 3 Deeds in its Act; a Deed may cost more than one."""
    cost = act.deed["cost"]
    if act.spent + cost <= deeds:
        return None
    return forbids(
        f"{act.which}, costs {cost}, and {act.spent} of {deeds} Deeds are spent.", spent=act.spent, cost=cost
    )


@clause("ordeals/close-combat#engaged-deeds")
def only_assault_or_stand(act: Act) -> Says | None:
    """An Engaged Character may take no Deed but Assault or Stand."""
    if not act.engaged:
        return None
    if act.name in ("Assault", "Stand"):
        return says(f"{act.which}: one of the two Deeds that an Engaged Character may take.")
    return forbids(f"{act.which}: an Engaged Character may only Assault or Stand.")


@clause("ordeals/close-combat#engaged-leaving")
def no_other_way_out(act: Act) -> Says | None:
    """An Engaged Character gets free only by winning an Assault and pushing, or when a Foe is taken Out of Action."""
    if not act.engaged or act.deed["ends_engaged"] is not False or _freed(act):
        return None
    return forbids(f"{act.which}, ends no Engagement without a won Assault and a push, or a Foe taken Out of Action.")


def _freed(act: Act) -> bool:
    return bool(act.deed["wins_and_pushes"] or act.deed["foe_out_of_action"] or act.deed["goes_out_of_action"])


@clause("ordeals/close-combat#repeat")
def assault_again(act: Act) -> Says | None:
    """Engaged when the Assault starts, it may Assault again; not Engaged, it may Assault only once that Act."""
    if not act.assaulting or act.assaults == 0:
        return None
    if act.only_one:
        return forbids(f"{act.which}: an Assault of this Act started un-Engaged and has to stay the only one.")
    if not act.engaged:
        return forbids(f"{act.which}: not Engaged when it starts, and the one Assault of the Act was made.")
    return says(f"{act.which}: Engaged when the Assaults start, so it may Assault again.")


@clause("ordeals/glossary#reach")
def reach(act: Act) -> Says | None:
    """Reach allows an Assault from beyond 1 inch without becoming Engaged."""
    if not act.assaulting or act.engaged or not act.given["reach"]:
        return None
    act.by_reach = True
    return says(f"{act.which}: not Engaged, but Reach allows it from beyond 1 inch.")


@clause("ordeals/glossary#assault")
def within_1_inch(act: Act) -> Says | None:
    """An Assault is close combat within 1 inch, where both would be Engaged."""
    if not act.assaulting or act.engaged or act.by_reach:
        return None
    if act.given["reach"] is None:
        act.unclear = True
        return lacks(
            f"{act.which}: not Engaged, so no Foe is within 1 inch, and only Reach would allow it.",
            "whether the Character has Reach",
            leaves_open=("charge_bonus",),
        )
    return forbids(
        f"{act.which}: not Engaged, so no Foe is within 1 inch, and without Reach there is nobody to Assault."
    )


@clause("ordeals/close-combat#charge")
def charge(act: Act, *, bonus: int = 1) -> Says | None:
    """It gains +1 Might for moving in and Assaulting in one Act, unless it was already Engaged when the Act started."""
    if not act.assaulting:
        return None
    if act.given["engaged"]:
        return says(f"{act.which}: already Engaged when the Act started, so no Charge bonus.", bonus=0)
    if not act.moved_in and not (act.by_reach and act.moved_into_reach):
        return None
    act.bonus = bonus
    into = "Reach" if act.by_reach else "Engagement"
    return says(f"{act.which}: it moved into {into} in this Act, +{bonus} Might.", bonus=bonus)


@clause("ordeals/close-combat#exchange")
def one_exchange(act: Act, *, exchanges: int = 1) -> Says | None:
    """Each Assault Deed is a single exchange."""
    if not act.assaulting:
        return None
    act.exchanges += exchanges
    return says(f"{act.which}: {exchanges} exchange.", exchanges=act.exchanges)


@clause("ordeals/close-combat#exchange-4")
def push_needs_both_active(act: Act) -> Says | None:
    """The winner may push only if both are still active after the exchange."""
    if not act.deed["wins_and_pushes"] or not act.deed["foe_out_of_action"]:
        return None
    act.unclear = True
    return lacks(
        f"{act.which}: a push is given only where both are still active, and its Foe went Out of Action.",
        "whether a winner may push after the exchange took its Foe Out of Action",
        leaves_open=("deeds",),
    )


@clause("ordeals/close-combat#engaged-leaving")
def gets_free(act: Act, *, inches: int = 2) -> Says | None:
    """It is free once it won an Assault and pushed 2 inches, or a Foe was taken Out of Action."""
    if not act.engaged or not _freed(act):
        return None
    act.engaged = False
    if act.deed["wins_and_pushes"]:
        return says(f"{act.which}: won, and pushed {inches} inches, so it is free.", engaged=False)
    return says(f"{act.which}: with one of them Out of Action the Engagement is over.", engaged=False)


@clause("ordeals/close-combat#engaged")
def foe_within_1_inch(act: Act, *, inches: int = 1) -> Says | None:
    """A Character within 1 inch of a Foe is Engaged."""
    if act.engaged or not act.deed["ends_engaged"] or act.deed["goes_out_of_action"]:
        return None
    act.engaged = True
    act.moved_in = act.moved_in or not act.assaulting
    return says(f"{act.which}: ends within {inches} inch of a Foe, so it is Engaged.", engaged=True)


ACT = Procedure(
    name="ordeals.act",
    title="One Act: which Deeds are legal, and what Charge adds",
    given=(
        boolean(
            "engaged",
            False,
            help="The Character is Engaged when its Act starts.",
            words=("engaged", "in combat", "in melee", "stuck in", "locked in combat"),
        ),
        boolean(
            "reach",
            None,
            nullable=True,
            help="The Character has the Reach trait. Null: not known.",
            words=("reach", "reach weapon", "long weapon"),
        ),
        list_of(
            "deeds",
            record(
                "deed",
                text(
                    "deed",
                    choices=DEEDS,
                    help="The Deed, capitals or not.",
                    words=("deed", "deeds", "action", "actions"),
                ),
                boolean(
                    "ends_engaged",
                    None,
                    nullable=True,
                    help="After it a Foe is within 1 inch. Null: as the Deed leaves it.",
                    words=("into engagement", "up to", "next to", "beside", "within 1 inch"),
                ),
                boolean(
                    "ends_in_reach",
                    None,
                    nullable=True,
                    help="A Move brings a Foe into Reach. Null: it does, if an Assault by Reach follows.",
                    words=("into reach", "in reach"),
                ),
                boolean(
                    "wins_and_pushes",
                    False,
                    help="An Assault that it wins and whose winner's push it uses.",
                    words=("win and push", "won and pushed", "push", "pushed"),
                ),
                boolean(
                    "foe_out_of_action",
                    False,
                    help="The Foe is taken Out of Action.",
                    words=("kill", "killed", "out of action", "take out", "taken out", "knock out"),
                ),
                boolean(
                    "goes_out_of_action",
                    False,
                    help="The acting Character itself is taken Out of Action.",
                    words=("killed myself", "i am out of action"),
                ),
                integer("cost", 1, low=1, unit="Deeds", help="How many Deeds it costs.", words=("cost", "costs")),
            ),
            help="The Deeds in their order.",
            words=("deeds", "actions"),
        ),
    ),
    result=(
        list_of(
            "deeds",
            record(
                "deed",
                choice("deed", DEEDS),
                boolean("legal", nullable=True, help="Null: cannot be told."),
                text("forbidden_by", nullable=True),
                integer("charge_bonus", nullable=True, help="Of an Assault; null for the others."),
            ),
            help="Each Deed as judged.",
        ),
        list_of(
            "charge_bonus",
            integer("bonus"),
            help="Of each Assault in order; 0 for an illegal one.",
            words=("charge bonus", "charge", "bonus"),
        ),
        boolean("engaged_after", help="Engaged when the Act ends.", words=("still engaged",)),
        integer("exchanges", help="Exchanges fought in the Act.", words=("exchanges", "rounds", "blows")),
        integer("spent", unit="Deeds", help="Deeds spent.", words=("spent", "used")),
    ),
    make_state=start,
    clauses=(
        Each(
            each_deed,
            (
                removed_from_the_board,
                three_deeds,
                only_assault_or_stand,
                no_other_way_out,
                assault_again,
                reach,
                within_1_inch,
                charge,
                one_exchange,
                push_needs_both_active,
                gets_free,
                foe_within_1_inch,
            ),
        ),
    ),
    judges=True,
    words=("act", "activation", "turn", "deeds", "actions"),
)
