"""The Elder Scrolls: Betrayal of the Second Era: the engage action, its dice and its turn.

turn.py     fatigue, the order of move and engage actions, one move action
fatigue.py  fatigue reckoned otherwise: further engages, several turns, how many engages some fatigue stands for
target.py   step 3: may this target be declared?
range.py    the same in numbers: distance, range and sight by themselves, how many targets
gather.py   step 4: which dice may be rolled together?
limits.py   the same in numbers: how many dice, how many Weapons
engage.py   the six steps in their order: engage_fields.py is what they take and yield, scene.py their state, dice.py
            step 5 die by die, damage.py its damage, react.py step 6
pool.py     damage and tenacity of several dice by themselves
named.py    Necrotic, the named skill whose number is given; defense after the action
partial.py  abilities of which only parts can be done, and costs in numbers
track.py    the cooldown track, and dice that lie elsewhere
rest.py     the Adventurers Rest step on Expert
"""

from kb.engine.betrayal.engage import ENGAGE
from kb.engine.betrayal.fatigue import ENGAGES_FOR_FATIGUE, FATIGUE_COMPARED, FATIGUE_OVER_TURNS, MORE_FATIGUE
from kb.engine.betrayal.gather import GATHER
from kb.engine.betrayal.limits import DICE_LIMITS, WEAPONS
from kb.engine.betrayal.named import DEFENSE, NECROTIC
from kb.engine.betrayal.partial import COST, PARTIAL
from kb.engine.betrayal.pool import POOL, TENACITY
from kb.engine.betrayal.range import RANGE, SIGHT, TARGETS
from kb.engine.betrayal.rest import REST
from kb.engine.betrayal.target import TARGET
from kb.engine.betrayal.track import COOLDOWN, EXHAUST, REMOVAL
from kb.engine.betrayal.turn import FATIGUE, MOVE, TURN

PROCEDURES = (
    FATIGUE,
    MORE_FATIGUE,
    FATIGUE_OVER_TURNS,
    FATIGUE_COMPARED,
    ENGAGES_FOR_FATIGUE,
    GATHER,
    DICE_LIMITS,
    WEAPONS,
    TARGET,
    TARGETS,
    RANGE,
    SIGHT,
    ENGAGE,
    POOL,
    TENACITY,
    NECROTIC,
    DEFENSE,
    TURN,
    PARTIAL,
    COST,
    MOVE,
    EXHAUST,
    COOLDOWN,
    REMOVAL,
    REST,
)
