"""How players of Betrayal of the Second Era say things: the words of the engine's own fields, and further ones.

A concept is named as the field that it fills, so that a number bound to a concept fills that field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product

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
    "pushed": "push|knock|shove|pull|drag|teleport|yank|displace|hurl|fling|flung|pushback|knockback",
    "free_move": "hexes for free|hexes free|hexes free movement|hexes of movement free|free movement/move/hex/steps|"
    "hexes of free movement|free hexes of ~/free movement|hexes of free move|bonus/extra hexes|"
    "movement from an ability",
    "turn": "=turn|=turns|round|activation",
    "this_turn": "this turn/round/activation/go|same/my/one/single/a/each/every/whole/entire/the/per turn|"
    "one/per round|a single turn",
    "turn_label": "turn/round one/two/1/2|turn three/3|first/second/next turn/round|"
    "third/following/last/previous/other turn|turn after|turn after that|the turn before",
    "person": "friend|buddy|mate|wife|husband|brother|sister|partner|girlfriend|boyfriend|dad|mom|cousin|of us|"
    "players|heroes|people|characters|of my friends",
    "no_ability": "with / o any/an/~ ability|no/without/without_any/without_an ability|no/without_any special ability|"
    "no other/further/more ability/effect|"
    "no skill/effect/card|nothing free|~/leaving free dice aside|without/no/not_counting/ignoring free dice|"
    "free dice excluded|no ability helps/says",
    "battle": "battle|combat",
    "kind": "kind|type|sort|form of dice|stat",
    "again": "again|once more|one more time|another time|anew",
    # --- fatigue
    "fatigue": "fatigue die|light fatigue dice|tiredness|=exhaustion|=tired|fatigue bill|fatigue point|fatigue token|"
    "fatigue cube|=lf",
    "price": "cost|pay|price|bill|worth|=charge|=toll|penalty|=tab|the damage in|damage in fatigue|owe|set me back",
    "expert": "expert|expert/hardest/toughest/highest/max/maximum/top difficulty/mode/level|hardest|hard mode|"
    "toughest|most difficult",
    "normal": "=normal|=easy|=standard|normal/standard/easy/default/regular/ordinary/usual/lowest/lower difficulty/"
    "mode/level|normal game|easiest|beginner|novice|apprentice",
    "difficulty": "difficulty",
    # --- dice
    "free_dice": "free/free_combat/free_enemy_combat/free_enemy/bonus_combat/free_fight dice/die|enemy dice|"
    "enemy combat die|free ones",
    "combat_dice": "combat/combat_skill/fight dice/die/cube",
    "stamina_dice": "acrobatics|stamina/stam/stamina_skill/physical/physical_skill/acrobatics/stamina_based/"
    "stamina-based dice/die/cube|dice that_use/using/based_on/which_use/for/of stamina|die that uses stamina",
    "magicka_dice": "destruction|destruction/destro staff|magicka/mag/mana/magicka_skill/magicka_based/spell/"
    "spellcasting/destruction_staff/destruction/destro_staff/destro/staff dice/die/cube|"
    "dice that_use/using/based_on/which_use/for magicka|die that uses magicka",
    "named_dice": "restoration staff|bow/bow_line/bow_skill_line/bow_skill/heavy_armor/heavy_armour/restoration/"
    "restoration_staff/dual_wield/two_handed/volley/one_hand_and_shield/light_armor/medium_armor dice/die",
    "dice": "damage =dice|skill dice|skill die|dice|die|cube|skill cube|=dices|dicey",
    "stamina": "=stam|stam stat|=sta",
    "magicka": "mana stat|magica|=mag|majicka|magicka attribute",
    "magic_form": "=magic|magic/spell/mage form/battle_form/stance/mode|=form/form_is/battle_form/form: magic",
    "not_magic": "isn't/isnt/is_not/not/other_than magic|not/not_in/not_the/not_in_the/non/outside/aren't_in magic "
    "form|non-magic form",
    "defensive_form": "=defensive|defensive/defence form/battle_form/stance/mode",
    "other_form": "bow/melee/ranged/sword/axe/two_handed/dual_wield/shield/weapon/physical form/battle_form/stance/"
    "mode|form is bow/melee/ranged|two handed|~/form_is two - handed|bow/sword/axe/melee/ranged/shield icon",
    "form": "form|battle form|stance",
    "icon": "icon|form icon|battle form icon|symbol",
    "no_icon": "no icon/symbol|no - icon|blank|blank icon|no form/battle_form icon|without/without_an/without_any/"
    "without_a_form/without_any_form/without_form icon|iconless",
    "unavailable": "unavailable|not/aren't/isn't available|on/in/on_my/in_my/on_the/in_the cooldown track|"
    "on/in_my/on_the track|in/on/on_my/on_the/in_my cooldown",
    "available": "available|ready|usable|attribute row|in my rows|own|possess",
    "drained": "drained ability|drained|race sheet",
    "active_slot": "active slot|active dice|active die",
    "instant": "instant ability|instant|instant die|instant dice|instant code",
    "status_effect": "status effect|status/status_effect die/dice",
    "throw": "=roll|=rolls|=throw|=throws",
    "roll": "rolled|throwing|=threw|thrown|gather|pick up|add|include|=take|=took|=taken|use|grab|bring|chuck",
    "in_hand": "in my hand|in hand|collected|picked|taken|took|already rolled|hold",
    "limit": "=limit|=limits|cap|allowance|maximum|=max|at most|most|tops|highest|greatest|up to|upper bound|largest|"
    "ceiling",
    "too_many": "~/one too many|must/has_to/have_to go back|over the/my limit/cap|over by|am i over|is over|exceed|"
    "above|beyond|put back|stay behind/home|left/leave out|surplus|excess|leave behind|left over",
    "toward": "count toward|count against|count for|use up|eat into|take up",
    # --- weapons, targets, range
    "unit": "enemy|monster|foe|unit|skeleton|goblin|troll|giant|rat|mudcrab|bear|ogre|zombie|cultist|necromancer|"
    "archer|mage|atronach|dremora|daedra|guard|wisp|wight|wolf|wolves|spider|bandit|draugr|boss|skeever|scamp|minion|"
    "beast|creature|soldier|thug|wraith|ghost|lich|dragon|chaurus|falmer|hagraven|baddie|opponent|bad guy|"
    "target dummy|imp|warlock|knight|mercenary|kwama|senche|harpy|spriggan|netch|ghoul|vampire|werewolf|=crab|brute|"
    "shaman|captain|guy|orc|nix|slaughterfish|bloodfiend|assassin|raider|cat|dog|guar",
    "limited": "limited|restricted|confined",
    "obstacle": "wall|pillar|door|obstacle|rock|tree|behind|terrain|water|lava|difficult|elevation|"
    "hill|height|smoke|fog|darkness|invisible|hidden|=sneaking|stealth",
    "weapon": "=sword|=axe|=dagger|=mace|=swords|=axes|=daggers|=greatsword|=blade|=hammer",
    "target": "target unit|target",
    "ability_allows": "ability lets/allows/says/tells/permits|skill lets/allows",
    "between": "standing in between|hexes in/lie/are/stand/sit between|hexes separate|spaces/empty_hexes between|"
    "hexes are/lie in between|hexes between us|hexes in the way|hexes apart from each other",
    "distance": "distance|hexes/spaces away|hexes off/distant/apart/out/far/further|hexes from me/us/him/her/it/mine|"
    "hexes from my hex|at/at_a distance/range|in range|=away|counted at|=dist|count/hexes to",
    "range": "reach|form reaches|battle form reaches|reach stat|=rng",
    "within": "within range|in reach|within reach|out of range|out of reach|close enough|too far",
    "next_to": "next_to/beside/adjacent/touching/adjoining/bordering/neighbouring/neighboring|adjacent hex|"
    "directly/right next_to/beside|next door|side by side",
    "near_tile": "same/adjacent/next/neighbouring/neighboring/adjoining/bordering/my/my_own tile|"
    "tile next_to/beside/touching/adjacent/bordering/that_borders/that_touches|tile right/directly beside/next_to|"
    "in sight|line of sight|on my tile",
    "apart_tile": "don't/do_not/dont/doesn't/doesnt/does_not touch/border|tile is neither|"
    "not touching/bordering/neighbours/neighbors|not touch each other|not adjacent tiles|share no edge/border|"
    "another tile between|a tile in between",
    "right_behind": "right/directly/just/immediately/straight behind",
    "far_tile": "out of sight|no sight|not in sight",
    "tiles": "tile|tile away|tiles off|tiles over|tiles between|whole tile",
    "sight": "see|seen|sight|visible",
    "hexes": "hex|own hex|space|hexagon",
    # --- damage and tenacity
    "damage": "damage|dmg|hit points of damage|=harm|=wounds",
    "deal": "deal|dealt|do|does|did|inflict|cause",
    "necrotic": "necrotic|necrotic skill|enemy skill necrotic|skill necrotic",
    "true_damage": "true damage",
    "pooled": "in one go|pooled|lump|one lump|one go|at once|together|combined|=total|altogether|single",
    "defense": "defense|defence|armor|armour",
    "no_defense": "before anything/it gets reduced/prevented/blocked|"
    "before anything/it reduces/prevents/blocks it|before anything is reduced/prevented/blocked|"
    "before/ignoring/disregarding/without/not_counting/leave_out/pre/apart_from/zero/forget/"
    "forget_about/excluding/without_counting/before_any/before_its/before_his/before_their/before_the/"
    "without_any/not_counting_its/no defense|before/ignoring/no/before_any defence|before armor/armour|"
    "leave defense out|setting defense aside|defense/defence aside|defense ignored/0|defense not counted/considered|"
    "defense left out|forget defense and blocks|no/ignore/nothing blocks|nothing is blocked|nobody prevents anything|"
    "nothing/nothing_is prevented|no prevention/protection|wears no protection",
    "prevents": "prevent|=blocking|=blocks|soak|absorb|=stops|=stopped|negate",
    "companion": "companion|friendly companion|pet|=summon|familiar",
    "adventurer": "adventurer|fellow player/adventurer|friend's/buddy's/other_player's character|teammate|"
    "party member|buddy's adventurer",
    "unresolved": "unresolved|not/don't/dont/do_not/not_to/didn't/won't/will_not/without resolve|"
    "leave/left unresolved|skip|ignore|decline|choose/chose not to|don't/do_not use|pass on|all but|except|"
    "results i don't/dont want/like/need",
    "leave": "leave",
    "resolve": "resolve",
    "tenacity": "tenacity face|tenacity point|tenacity peg|tenacity side|tenacity symbol",
    # --- the cooldown track, rest
    "track": "cooldown track|cooldown tracker|cool down track|=track",
    "cooldown": "cooldown value|cooldown|cool down",
    "position": "position|spot|slot|space on the track|place",
    "open": "open|empty|free|vacant|rest/others/rest_are/others_are/rest_is empty/open|rest free",
    "occupied": "occupied|full|filled|blocked|covered",
    "come_off": "come/comes/came back|come/take/came/drop/go off|taken from/off|off my/the/his/her track|=clear|"
    "=clears|=clean|=recovered|cleared|removes|get back|recover|leave the track|return",
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
    "outside": "outside/outside_of an engage action|outside the engage action|"
    "outside/outside_of/outside_a/not_in/no/non/out_of battle|non-battle|non-combat|peaceful|encounter phase|"
    "outside combat|town|bargain|merchant|villager|free engage|bonus attack|extra action",
    "danger": "potion|ring|amulet|necklace|scroll|reduce|halve|half|double|triple|ignore fatigue|cancel|immune|minus|"
    "subtract|unless|trade|exchange|swap|convert|steal|copy|reroll|overfatigue|heavy fatigue|stun|poison|burn|status|"
    "shrine|food|drink|stacking|modifier|increase|decrease|raise|lower|upgrade|level up|parry|dodge|counter|miss|crit|"
    "critical|shatter|experience|gold|artifact|set bonus|discount|cheaper|waive|refund|instead|gives me one|add 1 to|"
    "less fatigue|per fatigue|each fatigue|for each fatigue|regenerate|regain fatigue",
    "foreign": "odds|chance|probability|=likely|likelihood|might|ward|inch|harm|act|deed|model|miniature|d12|d6|d20|"
    "d10|d8|level|zone|awareness|mana point|crystal|catan|magic the gathering|dnd|d d|skyrim|morrowind|oblivion|eso|"
    "space marine|roll under|saving throw|armor class|initiative|feat|hero points|charge|face|sides|planeswalker|"
    "creature card|spell slot|cantrip|patch|dps|gloomhaven|hand size|victory",
}
"""Concept -> phrases divided by `|`. `=word` is taken as it stands; of `bow/two_handed form/stance` every combination
is meant, where `_` stands for a space and `~` for nothing."""

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
        "roll expert normal available unresolved ability occupied magic_form defensive_form other_form icon "
        "no_icon".split()
    ),
    counted={"combat": "combat_dice", "staff": "magicka_dice", "destruction": "magicka_dice"},
)


IDLE = re.compile(
    r"\b(?:little|tiny|fat|stupid|damn|bloody|lousy|puny|mighty|sweet|juicy|nasty|poor|ugly|lovely|whopping|mere|"
    r"freaking|silly|old|solid) (?!ones?\b)|"
    r"\(?\bmax(?:imum)?(?: hp)? (?:is|are|being) (?:\w+ )?(?:above|higher|more|bigger)\)?|"
    r"(?<![^.?!] )\binstead of (?:an?|one|my|the) (?:[a-z]+ ){1,3}?(?=(?:i|we|he|she|they|you)\b)",
    re.I,
)
"Words that say nothing of what is reckoned."
NUMBERED = re.compile(r"\b(?:in|for|on|during|of) (?:engage|attack|fight) (?=\d\b)|\b(?:engage|attack) (?=\d ?:)", re.I)
"`engage 1: …`, `in engage 2`: which one, not how many."


ALL = re.compile(r"\bas many ((?:\w+ ){1,3}?)as (?:is |are |i )?(?:allowed|possible|permitted|can|may)\b", re.I)
"`as many Stamina dice as allowed`: asks nothing."


def _entries() -> Iterator[tuple[str, str]]:
    for phrase, concept in phrases(WORDS):
        parts = [part.split("/") if len(part) > 1 else [part] for part in phrase.split()]
        yield from ((" ".join(choice).replace("_", " ").replace("~", " "), concept) for choice in product(*parts))
    for path, concept in FIELDS.items():
        name, _, last = path.rpartition(".")
        words = next(each.words for each in procedure(name).given if each.name == last)
        yield from ((word, concept) for word in words if word not in NOT_BY_THESE)


@cache
def lexicon() -> Lexicon:
    """The words of this game's questions."""
    return Lexicon(_entries())


@lru_cache(maxsize=8)
def tell(text: str) -> Told:
    """The question, taken apart."""
    return take_apart(NUMBERED.sub(r"\g<0>#", IDLE.sub("", ALL.sub(r"all my \1", text))), lexicon(), GRAMMAR)
