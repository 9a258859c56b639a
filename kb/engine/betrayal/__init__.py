"""The Elder Scrolls: Betrayal of the Second Era: the engage action, its dice and its turn.

turn.py     fatigue, the order of move and engage actions, one move action
target.py   step 3: may this target be declared?
gather.py   step 4: which dice may be rolled together?
engage.py   the six steps in their order: engage_fields.py is what they take and yield, scene.py their state, dice.py
            step 5 die by die, damage.py its damage, react.py step 6
partial.py  abilities of which only parts can be done
track.py    the cooldown track, and dice that lie elsewhere
"""

from kb.engine.betrayal.engage import ENGAGE
from kb.engine.betrayal.gather import GATHER
from kb.engine.betrayal.partial import PARTIAL
from kb.engine.betrayal.target import TARGET
from kb.engine.betrayal.track import COOLDOWN, EXHAUST, REMOVAL
from kb.engine.betrayal.turn import FATIGUE, MOVE, TURN

PROCEDURES = (FATIGUE, GATHER, TARGET, ENGAGE, TURN, PARTIAL, MOVE, EXHAUST, COOLDOWN, REMOVAL)
