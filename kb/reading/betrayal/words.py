"""How players of Betrayal of the Second Era say things: the words of the engine's own fields, and further ones.

A concept is named as the field that it fills, so that a number bound to a concept fills that field.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from kb.engine.fields import Field
from kb.engine.plugins import procedure
from kb.reading.counts import Grammar, Told, take_apart
from kb.reading.marks import Lexicon, phrases

FIELDS = {
    "betrayal.fatigue.engage_actions": "engage",
    "betrayal.engages_for_fatigue.light_fatigue": "fatigue",
    "betrayal.gather.stamina": "stamina",
    "betrayal.gather.magicka": "magicka",
    "betrayal.dice_limits.stamina_dice": "stamina_dice",
    "betrayal.dice_limits.magicka_dice": "magicka_dice",
    "betrayal.dice_limits.free_dice": "free_dice",
    "betrayal.weapons.matching_ready": "weapon",
    "betrayal.target.hexes_between": "between",
    "betrayal.target.range": "range",
    "betrayal.cooldown.cooldown": "cooldown",
    "betrayal.exhaust.exhausted": "exhausted",
    "betrayal.tenacity.showing": "tenacity",
}
"`procedure.field` -> concept: the field's words mean the concept."
NOT_BY_THESE = frozenset(
    "hit hits strike strikes swing swings times between then before after first next track cooldown reaches "
    "reach".split()
)
"Words of those fields that say too little by themselves; the table below says when they do."

WORDS = {
    # --- the turn and its actions
    "engage": "fought|swung|swing|smack|bash|brawl|assault|engage step|battle action|=swings|go at|went at|gone at|"
    "go for|went for|lash out|have a go at|strike action",
    "hit": "hit|strike|struck",
    "move": "move action|movement action|move|walk|=ran|run|relocate|reposition|=moves|step away|walk away|run away|"
    "run up|walk up|back off|retreat|go back",
    "free_move": "hexes free movement|hexes of movement free|hexes free|free movement|free move|"
    "free hexes of movement|hexes of free movement|free hex|hexes of free move|bonus hexes|extra hexes|free steps|"
    "movement from an ability",
    "turn": "=turn|=turns|round|activation",
    "this_turn": "this turn|this round|this activation|same turn|this go|my turn|one turn|single turn|a turn|"
    "one round|a single turn|per turn|each turn|every turn|per round|whole turn|entire turn|the turn",
    "turn_label": "turn one|turn two|turn three|turn 1|turn 2|turn 3|round one|round two|round 1|round 2|first turn|"
    "second turn|third turn|next turn|following turn|turn after|last turn|previous turn|next round|second round|"
    "first round|turn after that|other turn|the turn before",
    "person": "friend|buddy|mate|wife|husband|brother|sister|partner|girlfriend|boyfriend|dad|mom|cousin|of us|"
    "players|heroes|people|characters|of my friends",
    "no_ability": "with / o any ability|with / o an ability|with / o ability|no ability|no special ability|"
    "without any ability|without an ability|no skill|nothing free|leaving free dice aside|free dice aside|"
    "without free dice|not counting free dice|ignoring free dice|free dice excluded|without any special ability|"
    "no ability helps|no ability says|no free dice|no effect|no card",
    "battle": "battle|combat",
    "kind": "kind|type|sort|form of dice|stat",
    "again": "again|once more|one more time|another time|anew",
    # --- fatigue
    "fatigue": "fatigue die|light fatigue dice|tiredness|=exhaustion|=tired|fatigue bill|fatigue point|fatigue token|"
    "fatigue cube|=lf",
    "price": "cost|pay|price|bill|worth|=charge|=toll|penalty|=tab|owe|set me back",
    "expert": "expert difficulty|expert mode|expert level|expert|hardest difficulty|hardest mode|hardest level|"
    "hardest|hard mode|toughest level|toughest difficulty|toughest|highest difficulty|highest level|max difficulty|"
    "maximum difficulty|top difficulty|most difficult",
    "normal": "normal difficulty|normal mode|normal level|=normal|normal game|standard difficulty|easy mode|=easy|"
    "easy difficulty|easiest|default difficulty|regular difficulty|standard mode|lowest difficulty|lower difficulty|"
    "beginner|novice|apprentice|regular mode|=standard",
    "difficulty": "difficulty",
    # --- dice
    "free_dice": "free combat die|free die|free enemy combat dice|free enemy combat die|enemy combat die|"
    "free enemy dice|free enemy die|enemy dice|free ones|bonus combat dice|bonus combat die|free fight dice",
    "combat_dice": "combat dice|combat die|combat skill dice|combat skill die|combat cube|fight dice",
    "stamina_dice": "stamina die|stamina skill dice|stamina skill die|physical die|physical skill dice|"
    "acrobatics dice|acrobatics die|acrobatics|dice that use stamina|dice using stamina|dice based on stamina|"
    "stamina based dice|stamina-based dice|stamina cube|die that uses stamina|dice which use stamina|"
    "dice for stamina|dice of stamina|stam dice|stam die",
    "magicka_dice": "magicka die|magicka skill dice|magicka skill die|spell die|spellcasting dice|spellcasting die|"
    "destruction staff dice|destruction staff die|destruction staff|destruction dice|destruction die|destruction|"
    "staff dice|staff die|dice that use magicka|dice using magicka|dice based on magicka|magicka based dice|"
    "magicka cube|spell cube|die that uses magicka|dice which use magicka|dice for magicka|mana dice|mana die|"
    "destro staff dice|destro staff|destro dice|mag dice",
    "named_dice": "bow dice|bow die|bow line dice|bow skill line dice|bow skill dice|heavy armor dice|"
    "heavy armor die|heavy armour dice|restoration dice|restoration staff dice|restoration staff|dual wield dice|"
    "two handed dice|volley dice|volley die|one hand and shield dice|light armor dice|medium armor dice",
    "dice": "damage =dice|skill dice|skill die|dice|die|cube|skill cube|=dices|dicey",
    "stamina": "=stam|stam stat|=sta",
    "magicka": "mana stat|magica|=mag|majicka|magicka attribute",
    "magic_form": "magic form|magic battle form|magic stance|magic mode|=form magic|form is magic|battle form magic|"
    "form: magic|spell form|mage form|=magic",
    "not_magic": "isn't magic|isnt magic|is not magic|not magic form|not in magic form|not the magic form|not magic|"
    "not in the magic form|non magic form|non-magic form|other than magic|outside magic form|aren't in magic form",
    "defensive_form": "defensive form|defensive battle form|defensive stance|=defensive|defence form|defensive mode",
    "other_form": "bow form|bow battle form|form is bow|bow stance|melee form|ranged form|form is melee|sword form|"
    "two - handed|two handed|form is two - handed|bow icon|sword icon|axe icon|melee icon|ranged icon|shield icon|"
    "form is ranged|melee stance|dual wield form|two handed form|shield form|weapon form|physical form|axe form",
    "form": "form|battle form|stance",
    "icon": "icon|form icon|battle form icon|symbol",
    "no_icon": "no icon|no - icon|blank icon|no form icon|no battle form icon|without icon|without an icon|"
    "without any icon|blank|without a form icon|without any form icon|without form icon|iconless|no symbol",
    "unavailable": "unavailable|not available|aren't available|isn't available|on the cooldown track|in cooldown|"
    "on cooldown|on my cooldown track|in my cooldown track|in the cooldown track",
    "available": "available|ready|usable|attribute row|in my rows|own|possess",
    "drained": "drained|race sheet",
    "active_slot": "active slot|active dice|active die",
    "instant": "instant|instant die|instant dice|instant code",
    "status_effect": "status effect|status effect die|status effect dice|status dice|status die",
    "throw": "=roll|=rolls|=throw|=throws",
    "roll": "rolled|throwing|=threw|thrown|gather|pick up|add|include|=take|=took|=taken|use|grab|bring|chuck",
    "in_hand": "in my hand|in hand|collected|picked|taken|took|already rolled|hold",
    "limit": "=limit|=limits|cap|allowance|maximum|=max|at most|most|tops|highest|greatest|up to|upper bound|largest|"
    "ceiling",
    "too_many": "one too many|must go back|has to go back|have to go back|too many|over the limit|over my limit|"
    "over the cap|over my cap|over by|am i over|is over|exceed|above|beyond|put back|stay behind|left out|leave out|"
    "stay home|surplus|excess|leave behind|left over",
    "toward": "count toward|count against|count for|use up|eat into|take up",
    # --- weapons, targets, range
    "unit": "enemy|monster|foe|unit|skeleton|goblin|troll|giant|rat|mudcrab|bear|ogre|zombie|cultist|necromancer|"
    "archer|mage|atronach|dremora|daedra|guard|wisp|wight|wolf|wolves|spider|bandit|draugr|boss|skeever|scamp|minion|"
    "beast|creature|soldier|thug|wraith|ghost|lich|dragon|chaurus|falmer|hagraven|baddie|opponent|bad guy|"
    "target dummy|imp|warlock|knight|mercenary|kwama|senche|harpy|spriggan|netch|ghoul|vampire|werewolf|=crab|brute|"
    "shaman|captain|guy|orc|nix|slaughterfish|bloodfiend|assassin|raider|cat|dog|guar",
    "limited": "limited|restricted|confined",
    "obstacle": "wall|pillar|door|obstacle|rock|tree|=blocking|=blocks|behind|terrain|water|lava|difficult|elevation|"
    "hill|height|smoke|fog|darkness|invisible|hidden|sneaking|stealth",
    "weapon": "=sword|=axe|=dagger|=mace|=swords|=axes|=daggers|=greatsword|=blade|=hammer",
    "target": "target unit|target",
    "ability_allows": "ability lets|ability allows|ability says|ability tells|skill lets|skill allows|ability permits",
    "between": "standing in between|hexes in between|hexes lie between|hexes are between|hexes stand between|"
    "hexes separate|spaces between|hexes are in between|hexes lie in between|hexes between us|hexes in the way|"
    "hexes sit between|empty hexes between|hexes apart from each other",
    "distance": "hexes away|hexes off|hexes distant|hexes from me|hexes from my hex|spaces away|hexes from us|"
    "hexes apart|hexes out|at distance|distance|at range|at a range|in range|hexes far|=away|hexes from him|"
    "hexes from her|hexes from it|at a distance|counted at|hexes from mine|=dist|hexes further|count to|hexes to",
    "range": "reach|form reaches|battle form reaches|reach stat|=rng",
    "within": "within range|in reach|within reach|out of range|out of reach|close enough|too far",
    "next_to": "next to|beside|adjacent|adjacent hex|directly next to|right next to|neighbouring|neighboring|"
    "right beside|directly beside|touching|next door|side by side|adjoining|bordering",
    "near_tile": "same tile|adjacent tile|next tile|neighbouring tile|neighboring tile|tile next to|tile beside|"
    "tile touching|my tile|my own tile|in sight|line of sight|on my tile|tile adjacent|adjoining tile|bordering tile",
    "apart_tile": "don't touch|do not touch|dont touch|not touch each other|not touching|don't border|do not border|"
    "not bordering|not adjacent tiles|not neighbours|not neighbors|share no edge|share no border|"
    "another tile between|a tile in between",
    "right_behind": "right behind|directly behind|just behind|immediately behind|straight behind",
    "far_tile": "out of sight|no sight|not in sight",
    "tiles": "tile|tile away|tiles off|tiles over|tiles between|whole tile",
    "sight": "see|seen|sight|visible",
    "hexes": "hex|space|hexagon",
    # --- damage and tenacity
    "damage": "damage|dmg|hit points of damage|=harm|=wounds",
    "deal": "deal|dealt|do|does|did|inflict|cause",
    "necrotic": "necrotic|necrotic skill|enemy skill necrotic|skill necrotic",
    "true_damage": "true damage",
    "pooled": "in one go|pooled|lump|one lump|one go|at once|together|combined|=total|altogether|single",
    "defense": "defense|defence|armor|armour",
    "no_defense": "before defense|before any defense|before defence|ignoring defense|ignoring defence|"
    "before its defense|defense aside|without defense|not counting defense|leave defense out|leave out defense|"
    "no defense|defense ignored|before his defense|before their defense|before any defence|disregarding defense|"
    "defence aside|pre defense|apart from defense|before armor|before armour|defense 0|zero defense|no defence|"
    "before the defense|without any defense|defense not counted|forget defense|forget about defense|defense left out|"
    "not counting its defense|setting defense aside|forget defense and blocks|no blocks|ignore blocks|nothing blocks|"
    "nothing is blocked|nobody prevents anything|nothing prevented|nothing is prevented|no prevention|"
    "wears no protection|no protection|defense not considered|excluding defense|without counting defense",
    "prevents": "prevent|soak|absorbs",
    "companion": "companion|pet|=summon|familiar",
    "adventurer": "adventurer|fellow player|friend's character|buddy's character|teammate|party member|"
    "buddy's adventurer|other player's character|fellow adventurer",
    "unresolved": "unresolved|not resolve|don't resolve|dont resolve|do not resolve|not to resolve|didn't resolve|"
    "leave unresolved|left unresolved|skip|ignore|decline|choose not to|don't use|do not use|pass on|"
    "without resolving|won't resolve|will not resolve|all but|except|chose not to",
    "leave": "leave",
    "resolve": "resolve",
    "tenacity": "tenacity face|tenacity point|tenacity peg|tenacity side|tenacity symbol",
    # --- the cooldown track, rest
    "track": "cooldown track|cooldown tracker|cool down track|=track",
    "cooldown": "cooldown value|cooldown|cool down",
    "position": "position|spot|slot|space on the track|place",
    "open": "open|empty|free|vacant|rest empty|rest open|rest free|rest are open|rest is open|rest are empty|"
    "rest is empty|others are open|others open|others are empty|others empty",
    "occupied": "occupied|full|filled|blocked|covered",
    "come_off": "come off|taken from|take off|taken off|off my track|off the track|off his track|off her track|"
    "came off|drop off|=clear|=clears|=clean|cleared|removes|get back|recover|leave the track|return|go off|"
    "=recovered",
    "stay": "still there|still on|stay|remain|left",
    "rest": "adventurers rest|rest step|rest|sleep|end of the day|end of each day|camp",
    "days": "day|night|=evenings",
    "heal": "heal|regain",
    "hp": "=hp|hit points|health|=endurance|lives|hitpoints",
    "item": "item|treasure|gear|piece of gear",
    "get_away": "get away with",
    "class_ability": "class ability|class power|class skill|class action",
    "spend": "spend|spent|fork over",
    # --- what makes a question another one
    "ability": "ability|skill|power|buff|effect|card|class|passive|perk|trait|talent|bonus|enchantment|racial|"
    "ultimate|blessing|curse|aura|overtax",
    "spell": "spell|fireball|lightning bolt|frost bolt",
    "outside": "outside an engage action|outside of an engage action|outside the engage action|outside battle|"
    "outside of battle|non-battle|not in battle|no battle|peaceful|non battle|encounter phase|outside combat|town|"
    "bargain|merchant|villager|free engage|bonus attack|extra action|outside a battle|out of battle|non-combat",
    "danger": "potion|ring|amulet|necklace|scroll|reduce|halve|half|double|triple|ignore fatigue|cancel|immune|minus|"
    "subtract|unless|trade|exchange|swap|convert|steal|copy|reroll|overfatigue|heavy fatigue|stun|poison|burn|status|"
    "shrine|food|drink|stacking|modifier|increase|decrease|raise|lower|upgrade|level up|parry|dodge|counter|miss|"
    "crit|critical|shatter|experience|gold|artifact|set bonus|discount|cheaper|waive|refund|instead|gives me one|"
    "add 1 to|less fatigue|per fatigue|each fatigue|for each fatigue|regenerate|regain fatigue",
    "foreign": "odds|chance|probability|=likely|likelihood|might|ward|inch|harm|act|deed|model|miniature|d12|d6|d20|"
    "d10|d8|level|zone|awareness|mana point|crystal|catan|magic the gathering|dnd|d d|skyrim|morrowind|oblivion|eso|"
    "space marine|roll under|saving throw|armor class|initiative|feat|hero points|charge|face|sides|planeswalker|"
    "creature card|spell slot|cantrip|patch|dps|gloomhaven|hand size|victory",
}
"Concept -> phrases divided by `|`. `=word` is taken as it stands."

NOUNS = frozenset(
    "engage hit move free_move turn fatigue free_dice combat_dice stamina_dice magicka_dice named_dice dice "
    "stamina magicka weapon kind target person unit between distance hexes tiles near_tile damage tenacity "
    "icon no_icon position days hp item defense adventurer companion rest".split()
)
STATS = frozenset("stamina magicka range distance cooldown defense between damage hp fatigue tenacity within".split())
AMOUNTS = frozenset("damage hp fatigue tenacity".split())
EVENTS = frozenset("engage hit move rest".split())
SCENERY = frozenset(
    "break throw leave kind unit person deal roll pooled limit this_turn battle no_ability price again "
    "get_away resolve in_hand open turn position target toward stay too_many next_to limited occupied".split()
)
"Concepts that change no outcome by themselves where a reader has no use for them."
GRAMMAR = Grammar(
    NOUNS | {"throw"},
    STATS,
    EVENTS,
    AMOUNTS,
    strangers=frozenset("foreign danger item".split()),
    adjectives=frozenset(
        "expert normal available unresolved ability occupied magic_form defensive_form other_form icon no_icon".split()
    ),
    counted={"combat": "combat_dice", "staff": "magicka_dice", "destruction": "magicka_dice"},
)


def _field(path: str) -> Field:
    name, _, last = path.rpartition(".")
    return next(each for each in procedure(name).given if each.name == last)


def _entries() -> Iterator[tuple[str, str]]:
    yield from phrases(WORDS)
    for path, concept in FIELDS.items():
        for word in _field(path).words:
            if word not in NOT_BY_THESE:
                yield word, concept


@cache
def lexicon() -> Lexicon:
    """The words of this game's questions."""
    return Lexicon(_entries())


LONGEST = 1500
"Characters of a question that tells one situation; a longer text is not read at all."


@lru_cache(maxsize=8)
def tell(text: str) -> Told:
    """The question, taken apart."""
    if len(text) > LONGEST:
        return Told(text[:LONGEST], [])
    return take_apart(text, lexicon(), GRAMMAR)
