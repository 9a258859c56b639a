"""Book of Ordeals: close combat."""

from kb.engine.kernel import Procedure
from kb.engine.ordeals.act import ACT
from kb.engine.ordeals.assault import ASSAULT
from kb.engine.ordeals.blow import BLOW, BONUS, TOTALS
from kb.engine.ordeals.counting import DEEDS, NEEDED, RECRUIT
from kb.engine.ordeals.duel import DUEL
from kb.engine.ordeals.engagement import ENGAGEMENT
from kb.engine.ordeals.fight import FIGHT

PROCEDURES: tuple[Procedure, ...] = (
    ASSAULT, ACT, ENGAGEMENT, DUEL, BONUS, TOTALS, BLOW, FIGHT, DEEDS, NEEDED, RECRUIT,
)  # fmt: skip
