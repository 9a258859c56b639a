"""Book of Ordeals: close combat."""

from kb.engine.kernel import Procedure
from kb.engine.ordeals.act import ACT
from kb.engine.ordeals.assault import ASSAULT
from kb.engine.ordeals.duel import DUEL
from kb.engine.ordeals.engagement import ENGAGEMENT

PROCEDURES: tuple[Procedure, ...] = (ASSAULT, ACT, ENGAGEMENT, DUEL)
