"""Eldfall Chronicles: the Engaged State.

The passages give no distances and no weapon reach, so who is in reach is an input.
"""

from kb.engine.eldfall.declare import DECLARE
from kb.engine.eldfall.state import ENDS, REACT, RECOVERY
from kb.engine.eldfall.zone import ENGAGEMENT
from kb.engine.kernel import Procedure

PROCEDURES: tuple[Procedure, ...] = (ENGAGEMENT, DECLARE, ENDS, REACT, RECOVERY)
