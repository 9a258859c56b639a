"""Betrayal of the Second Era: what a turn allows. Its fatigue, its engage and move actions, and one move action.

Decided where the pages leave room: a move between two engage actions comes after the one and before the other, so no
engage action has it on both sides, and it is allowed. An engage action has a move on both sides also when another
engage stands between. How many move actions a turn has is not stated: two without such a breach are undetermined.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kb.engine.clauses import Says, clause, forbids, lacks, says
from kb.engine.fields import choice, integer, list_of
from kb.engine.kernel import Procedure

DIFFICULTIES = ("normal", "expert")
MANY = 1000
"More than anybody counts in a turn: keeps a slip of the keyboard from filling the screen."

DIFFICULTY = choice(
    "difficulty",
    DIFFICULTIES,
    "normal",
    help="The difficulty that is played: expert is the hardest, every other one counts as normal. Default: normal.",
    words=("difficulty", "level", "mode", "hardest", "expert mode", "hard mode"),
)
ENGAGE_WORDS = (
    "engage",
    "engages",
    "engaging",
    "attack",
    "attacks",
    "attacking",
    "fight",
    "fights",
    "fighting",
    "hit",
    "hits",
    "strike",
    "strikes",
    "swing",
    "swings",
)
MOVE_WORDS = ("move", "moves", "moving", "walk", "walks", "run", "runs", "go", "step", "steps", "reposition")


@dataclass
class Turn:
    """An adventurer's turn."""

    given: dict[str, Any]
    light_fatigue: list[int] = field(default_factory=list)
    total: int = 0
    move_actions: list[int] = field(default_factory=list)
    "Places of the move actions among the actions."

    @property
    def engages(self) -> list[int]:
        """Places of the engage actions among the turn's actions."""
        return places(self.given["actions"], "engage")


@dataclass
class Tiring:
    """A number of engage actions in one turn."""

    given: dict[str, Any]
    light_fatigue: list[int] = field(default_factory=list)
    total: int = 0

    @property
    def engages(self) -> list[int]:
        return list(range(self.given["engage_actions"]))


@dataclass
class Move:
    """One move action."""

    given: dict[str, Any]
    hexes_left: int = 0
    farthest: int = 0


def places(actions: list[str], wanted: str) -> list[int]:
    """Where an action stands in a turn."""
    return [place for place, action in enumerate(actions) if action == wanted]


def fatigue_of(engage_action: int, difficulty: str, each: int, on_expert: int) -> int:
    """Light fatigue of the k-th engage action of a turn."""
    if engage_action <= 1:
        return 0
    return on_expert if difficulty == "expert" else each


@clause("betrayal/engage#steps-1")
def gain_fatigue(turn: Turn | Tiring, *, each: int = 1, on_expert: int = 2) -> Says | None:
    """The first engage action of a turn is free; each further one costs 1 light fatigue, on Expert 2."""
    count = len(turn.engages)
    if not count:
        return None
    difficulty = turn.given["difficulty"]
    turn.light_fatigue = [fatigue_of(action, difficulty, each, on_expert) for action in range(1, count + 1)]
    turn.total = sum(turn.light_fatigue)
    if count == 1:
        return says("The first engage action of a turn gives no fatigue.", total=0)
    price = on_expert if difficulty == "expert" else each
    return says(
        f"The first of {count} engage actions gives no fatigue, each further one {price} light fatigue ({difficulty} "
        f"difficulty): {turn.total} in all.",
        total=turn.total,
    )


@clause("betrayal/glossary#move")
def free_movement_is_no_move_action(turn: Turn) -> Says | None:
    """Free movement that an ability gives outside the move action is not a move action."""
    turn.move_actions = [place for place in turn.move_actions if turn.given["actions"][place] == "move"]
    free = len(places(turn.given["actions"], "free-move"))
    return says(f"Free movement ({free}) from an ability is no move action.", free=free) if free else None


@clause("betrayal/engage#overview")
def move_before_or_after(turn: Turn) -> Says | None:
    """A move action may come before or after an engage action, never both; engaging several times is allowed."""
    for engage in turn.engages:
        before = [place for place in turn.move_actions if place < engage]
        after = [place for place in turn.move_actions if place > engage]
        if before and after:
            return forbids(
                f"The engage action at place {engage + 1} has a move action before it (place {before[-1] + 1}) and one "
                f"after it (place {after[0] + 1}).",
                engage=engage + 1,
                move_before=before[-1] + 1,
                move_after=after[0] + 1,
            )
    if not turn.engages:
        return None
    return says(
        f"No engage action ({len(turn.engages)} in the turn) has a move action both before and after it.",
        engages=len(turn.engages),
        moves=len(turn.move_actions),
    )


@clause("betrayal/engage#overview")
def number_of_move_actions(turn: Turn) -> Says | None:
    """The pages speak of a move action; whether a turn has more than one is not stated."""
    count = len(turn.move_actions)
    if count < 2:
        return None
    return lacks(
        f"{count} move actions in a turn: no passage says how many there may be.",
        "how many move actions an adventurer may take in a turn",
        leaves_open=("status",),
    )


@clause("betrayal/glossary#move")
def move_up_to_stamina(move: Move) -> Says | None:
    """A move action covers up to as many hexes as the adventurer's Stamina; free hexes come on top."""
    stamina, free = move.given["stamina"], move.given["free_hexes"]
    move.farthest = stamina + free
    walked = max(move.given["hexes"] - free, 0)
    if walked > stamina:
        return forbids(
            f"{walked} hexes with the move action are more than Stamina {stamina}.", hexes=walked, stamina=stamina
        )
    move.hexes_left = stamina - walked
    if not move.given["hexes"]:
        on_top = f", with {free} free hexes {move.farthest}" if free else ""
        return says(f"A move action covers up to Stamina: {stamina} hexes{on_top}.", stamina=stamina, free=free)
    return says(
        f"{walked} hexes with the move action are within Stamina {stamina}; free hexes: {free}.",
        hexes=walked,
        stamina=stamina,
    )


def start_of_turn(given: dict[str, Any]) -> Turn:
    """Until a clause says otherwise, whatever moves counts as a move action."""
    moves = [place for place, action in enumerate(given["actions"]) if action in ("move", "free-move")]
    return Turn(given, move_actions=moves)


PER_ENGAGE = list_of(
    "light_fatigue",
    integer("fatigue"),
    unit="light fatigue",
    help="Light fatigue gained by each engage action, in order.",
    words=("each", "per engage", "fatigue for each"),
)
TOTAL = integer(
    "total",
    unit="light fatigue",
    help="Light fatigue of all engage actions of the turn together.",
    words=("fatigue", "light fatigue", "in total", "all in all", "altogether", "tired"),
)

FATIGUE = Procedure(
    name="betrayal.fatigue",
    title="Fatigue gained by engaging several times in a turn",
    given=(
        integer(
            "engage_actions",
            low=0,
            high=MANY,
            unit="engage actions",
            help="How many engage actions the adventurer takes this turn.",
            words=(*ENGAGE_WORDS, "times", "engage actions", "attack actions"),
        ),
        DIFFICULTY,
    ),
    result=(PER_ENGAGE, TOTAL),
    make_state=Tiring,
    clauses=(gain_fatigue,),
    words=("fatigue", "light fatigue", "tired", "exhaustion", "cost of engaging again", "price of another attack"),
)

TURN = Procedure(
    name="betrayal.turn",
    title="A turn: which engage and move actions, in which order",
    given=(
        list_of(
            "actions",
            choice(
                "action",
                ("move", "engage", "free-move", "other"),
                help="free-move is movement that an ability gives outside the move action; other is any "
                "action that neither moves nor engages.",
                words=(*MOVE_WORDS, *ENGAGE_WORDS, "free movement", "free hexes"),
            ),
            low=0,
            high=MANY,
            help="What the adventurer does, in order.",
            words=("then", "before", "after", "and then", "first", "next"),
        ),
        DIFFICULTY,
    ),
    result=(PER_ENGAGE, TOTAL),
    make_state=start_of_turn,
    clauses=(gain_fatigue, free_movement_is_no_move_action, move_before_or_after, number_of_move_actions),
    judges=True,
    words=("turn", "move and engage", "move then attack", "attack then move", "move before and after", "hit and run"),
)

MOVE = Procedure(
    name="betrayal.move",
    title="One move action: how far",
    given=(
        integer(
            "stamina",
            low=0,
            unit="hexes",
            help="The adventurer's Stamina stat.",
            words=("stamina", "stam", "stamina stat"),
        ),
        integer(
            "hexes",
            0,
            low=0,
            unit="hexes",
            help="How many hexes the adventurer moves, free ones included. Default: 0.",
            words=("hexes", "hex", "spaces", "far", "distance"),
        ),
        integer(
            "free_hexes",
            0,
            low=0,
            unit="hexes",
            help="Hexes of free movement that an ability gives. Default: 0.",
            words=("free", "free hexes", "free movement", "bonus movement", "extra hexes"),
        ),
    ),
    result=(
        integer(
            "hexes_left",
            unit="hexes",
            help="How many hexes the move action would still allow.",
            words=("left", "more", "further"),
        ),
        integer("farthest", unit="hexes", help="How many hexes at most, free ones included.", words=("far", "most")),
    ),
    make_state=Move,
    clauses=(move_up_to_stamina,),
    judges=True,
    words=("move action", *MOVE_WORDS, "how far"),
)
