"""Eldfall Chronicles: how players say what a model holds, how it is and where it stands.

A phrase may hold alternatives, `out of (his|her|) reach`; words are compared by stem, `=word` as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from kb.glossary import stem
from kb.reading.marks import Lexicon

MELEE, RANGED, UNARMED, SPELL, NONE, STAFF, ARMED = "melee", "ranged", "unarmed", "spell", "none", "staff", "armed"
"What a model has in hand; `staff` is an accessory that engages, `armed` a weapon that is not named."
STATES = ("incapacitated", "petrified", "crouched", "dead")
NEAR, FAR, LOOSE, REACH, OUTSIDE, INSIDE = "near", "far", "loose", "reach", "outside", "inside"
"In the engager's reach; out of it; Disengaged from; `reach` and `awareness` go by the words before them."
ACTIVE, PASSIVE, ENGAGER = "engages", "engaged", "engager"
AWARE, UNAWARE = "aware", "unaware"
HELD, TAKES, AWAY, OWNED, OWNS = "held", "takes", "away", "owned", "owns"
SELF, THIRD, THEY, POSSESSIVE, OWN, FRIEND = "self", "third", "they", "possessive", "own", "friend"
ALL, REST, OTHER, OF, THE, ARTICLE = "all", "rest", "other", "of", "the", "article"
NOUN, NOT, STRANGE, ASK, BE, AND, BY, FILLER, DOES, WITH, BARRED, DODGE = (
    "noun", "not", "strange", "ask", "be", "and", "by", "filler", "does", "with", "barred", "dodge",
)  # fmt: skip
WALK, SIGHT, REACT, ZONE, CHOOSE, REROLL, FREE = (
    "walk", "sight", "react", "zone", "choose", "reroll", "free",
)  # fmt: skip

_NO = "(no|without|without any|without a|not a|not any|zero|lacks a|lacks any|has no|have no)"
PHRASES: dict[str, str] = {
    MELEE: "sword|longsword|broadsword|greatsword|shortsword|short sword|long sword|sabre|saber|scimitar|rapier|katana|"
    "axe|battleaxe|greataxe|battle axe|great axe|hand axe|hatchet|dagger|knife|knives|blade|spear|lance|pike|halberd|"
    "glaive|polearm|mace|hammer|warhammer|maul|club|cudgel|flail|morning star|machete|cleaver|trident|melee weapon|"
    "hand weapon|dirk|shiv|sickle|scythe|falchion|cutlass|claymore|close combat weapon|melee arm|billhook|"
    "throwing axe|melee axe|poleaxe|two handed sword|two handed axe|stiletto|quarterstaff|whip",
    RANGED: "bow|longbow|shortbow|long bow|short bow|crossbow|sling|rifle|musket|pistol|gun|blowgun|blowpipe|"
    "ranged weapon|ranged weapons|javelin thrower|arbalest|carbine|shotgun|hand crossbow",
    UNARMED: "unarmed|bare hands|bare handed|bare hand|bare fist|bare knuckles|bare knuckle|fists|fist|punch|"
    "naked hands|unarmed attack|barehanded|with (his|her|its|their|) fists|unarmed strike|fistfighting",
    SPELL: "flare|flares|spell|only spells|a flare spell|flare spell|magic|cast|casting|melee spell|melee attack spell|"
    "melee type spell|fire spell|only magic|spells only|nothing but (a|) (spell|spells|flare|magic)",
    NONE: f"not a single (melee|) weapon|(has|have|had|got) nothing|{_NO} (melee|) (weapon|weapons|melee weapons)|"
    "empty hands|empty handed|"
    f"empty hand|hands empty|weaponless|"
    "hands are empty|nothing in (his|her|its|their|the|) (hand|hands)|hand empty|nothing in hand|disarmed|"
    "(his|her|its|their|) hands (are|were|is|) (empty|free)|weapon less|holds nothing|holding nothing|carries nothing|"
    "wand|orb|spellbook|amulet|talisman|robes|tome|ring|accessory|accessories|trinket|no weapon whatsoever|"
    "no weapon at all|"
    "no weapon drawn|no weapons drawn|no weapon out|no weapon in (his|her|its|their|) (hand|hands)|scroll",
    STAFF: "chanra's staff|chanras staff|chanra|staff of chanra|chanra staff|chanra with her staff|"
    "(says|say|states|reads) (it|that it|they|she|he|) (can|may|) (engage|engages)|(that|which) (can|may) engage|"
    "(lets|let) (him|her|it|them|) engage|engaging accessory|(accessory|staff) that engages|"
    "able to engage by (the|its|) text",
    ARMED: "weapon|weapons|armed",
    HELD: "both hands on|two hands on|both hands|"
    "in hand|in (his|her|its|their|the|my|both|each|) (hand|hands)|"
    "drawn|equipped|wield|hold|held|brandish|ready|"
    "raised|in fist|in (his|her|its|their) (fist|fists|paws|claws)|unsheathed|grip|armed with|=out|bared|"
    "in front|=hold|=up|clutch|clutching",
    TAKES: "now (hold|holds|holding|wields|has)|took out|takes out|draw|draws|drew|switched to|switches to|swapped to|"
    "swapped for|swapped his weapon for|swaps to|changed to|pull out|pulls out|pulled out|grabbed|grabs|picked up|"
    "picks up|=picked|took up|takes up|takes|took|has taken|changed for|"
    "swapped|swaps|traded|exchanged|instead holds|readied|unslung|pulled",
    AWAY: "sheathed|sheath|sheathe|scabbard|stowed|put away|puts away|away|dropped|drop|drops|lost|broken|broke|"
    "holstered|holster|let go|laid down|in (its|his|her|the|a|) (sheath|scabbard|bag|pack|backpack|holster)|loses|"
    "throws away|threw away|strapped|packed away|packed|unequipped|not in hand|not drawn|not equipped|undrawn",
    OWNED: "(in|on|at|under|by) (his|her|its|their|the|a|) (belt|belts|hip|hips|back|backs|side|waist|saddle)|slung|"
    "hanging|in reserve|spare",
    OWNS: "own|owns|owned|owning|possesses|also has|also have|carry|carries|carrying|owns also|also owns|also carries|"
    "has also",
    "shoots": "=shot|fire|fires|firing|shoot|shoots|shooting|ranged attack|declares (a|) ranged attack|aim|aims|aiming",
    "incapacitated": "incapacitated|incapacitate|incap|knocked out|knock out|knocks out|knocked (him|her|it|them) out|"
    "=ko|ko'd|kod|kos|downed|out cold|unconscious|(is|are|was|were|went|goes|gone|lies|lie|lay|now|gets|got) down|"
    "knocked down|knocked cold|goes incapacitated",
    "petrified": "petrified|petrify|turned to stone|turns to stone|turned into stone|turn to stone|stoned|=statue|"
    "to stone|into stone|a statue|statues|stone statue",
    "crouched": "crouched|crouch|crouching|crouches",
    "dead": "dead|died|die|dies|dying|kill|killed|kills|slain|slay|slew|slays|cut down|cuts down|corpse|murdered",
    FAR: "too far|too far away|too far off|far away|far off|out of range|out of contact|not near|across the board|"
    "(isn't|is not|not|aren't|are not|isnt) (close|near|close enough|near enough)|"
    "across the table|nowhere near|not near enough|miles away|a mile away|at a distance|a long way off|way off|"
    "far from (me|him|her|it|us|them|my|the)|off in the distance|at the other end|out of (his|her|its|) way",
    REACH: "reach|reaches|reaching|reached|get to|gets to|get at|gets at",
    NEAR: "(in|into|) (a|one|the same|) (big|) (heap|pile|scrum|knot) (of bases|of models|)|(move|moves|moved|came|"
    "comes|got|gets|steps|stepped|walked|walks) into (base|) contact|bump into|bumps into|bumped into|bumps|"
    "steps up to|stepped up to|step up to|walks up to|walked up to|"
    "comes up to|up close|"
    "came up to|right at|ran into|runs into|charged into|charges|within (a|an|one|1|two|2|) (inch|inches)|touch|"
    "touching|b 2 b|base to base|"
    "base contact|base-to-base|in contact|contact|bases touching|bases touch|adjacent|next to|beside|near enough|"
    "close enough|close|near|right by|around|round|surround|surrounded|surrounding|crowd|crowding|crowded|"
    "in (my|his|her|its|our) face|within (melee|weapon|) range|in melee range|in melee|close by|alongside|by my side|"
    "in front of|encircle|encircled|in each other's reach|bordering|hem|hemmed in|hugging|hug|"
    "right at|toe to toe|glued to|up against|flank|flanking|within arm's length|swarm|swarming|mob|mobbing|pressing|"
    "standing by|stand by|stands by|stood by|standing over|ring|=beset",
    ACTIVE: "=on (me|him|her|us|it)|=engage|=engages|=engaging|=pins|=pinning|=pin|=locks|=lock|"
    "=locking|=tying|=threaten|=threatens|=threatening|=menace|=menaces|=menacing|tie up|ties up|"
    "cause (his|her|my|its|the|their|"
    ") (engaged|) (state|engagement)|causes (his|her|my|its|the|) engaged state",
    PASSIVE: "=engaged|=stuck|(locked|held|pinned|stuck) (in place|down)|=trapped|=pinned|locked in (melee|combat|"
    "a fight|fight)|engaged state|in engagement|"
    "=tied up|in combat|"
    "stuck in (melee|combat)|=entangled|unengaged",
    ENGAGER: "=engager|=engagers",
    LOOSE: "disengage|disengaged|disengages|disengaging|disengaged (by|with|through|using) (a|her|his|my|the|) dodge|"
    "dodge and (disengage|disengaged)|dodged and disengaged|dodges and disengages|dodge to disengage|"
    "disengaged itself|dodged free|dodged away|(by|with|through|using) (a|her|his|my|the|one|) dodge|"
    "dodge (did|does|is|was|gets|got|has|) (disengage|disengaged|disengages)|broke free of|slipped away from",
    AWARE: "awareness|noticed|aware",
    UNAWARE: "unnoticed|unaware|without noticing|unseen",
    OUTSIDE: "out of|out from|outside|outside of|beyond|leave|leaves|left|leaving|no longer|no longer in|exit|"
    "exits|out",
    INSIDE: "inside",
    SELF: "i|me|myself|we|us|him|himself|herself|itself|you",
    THIRD: "he|she|it",
    THEY: "they|them|em|these|those|who|which|that|theirs",
    POSSESSIVE: "his own|her own|his|her|their|its|=opponent's",
    OWN: "my own|our own|my|our|mine|own|friendly|allied|ours|your",
    FRIEND: "ally|allies|friend|friends|buddy|buddies|teammate|mates|comrade|companion|squadmate",
    ALL: "all|everyone|everybody|each|every|every one|each one|the lot|whole lot|lot|all of (them|those|these)|"
    "the whole lot|the lot of (them|em)|whole gang|each of (them|those|these)|every one of them|all of the|any|"
    "anyone|anybody|any of (them|those|these)|somebody|someone",
    REST: "rest|remaining|others|remainder|remaining ones|other ones",
    OTHER: "other|another|one more|further",
    OF: "of|among|from among|amongst",
    THE: "the|this|last|final",
    ARTICLE: "a|an",
    NOT: "not|no|never|neither|nor|without|cannot|can't|cant|isn't|isnt|aren't|arent|doesn't|doesnt|don't|dont|didn't|"
    "didnt|won't|wont|wasn't|wasnt|weren't|hasn't|haven't|hasnt|couldn't|nobody|none|no longer|unable|"
    "no more|not any more|not anymore|not any longer|fail to|fails to|=nothing",
    STRANGE: "unless|or|maybe|perhaps|might|stunned|stun|frozen|freeze|blind|blinded|prone|asleep|sleeping|hidden|"
    "hiding|invisible|fleeing|flee|fled|shaken|paralyzed|paralysed|charmed|flying|climb|climbed|pushed|push|=moved|"
    "teleport|teleported|rooted|webbed|scared|turncoat|confused|possessed|summoned|half|except|"
    "every other|vanish|vanished|gone|walks off|walked off|walks away|ran|runs|run|"
    "some|few|several|many|various|friendly fire|neutral|either|whichever|unknown|at least|at most|"
    "more than|less than|most|ours too|gap|half of|a third of|as many|twice as many|"
    "wounded|hurt|injured|knocked prone|knocked back|"
    "blinked|disguised|fallen|tired|exhausted|bound|tied|drunk|surrendered|stands up|stood up|recovers|recovered|wakes|"
    "woke|revived|healed|released|unpetrified|stand up again|rises|rose",
    DODGE: "dodge|dodged|dodging",
    FILLER: "for me|y n|y / n|yes or no|healthy|unhurt|(haven't|havent|have not) gone anywhere|"
    "(haven't|havent|didn't|didnt|did not|have not) touched (the|) (rest|others|other ones)|the only one|"
    "without (checking|a check|measuring|any check)|for free|"
    "movement step|action step|"
    "movement phase|"
    "nobody else|no one else|noone else|none else|nothing to the other|no other (enemies|enemy|foes|foe|models|"
    "model)|"
    "no more (foes|enemies|models|enemy models) (about|around|near|there|left|)|nobody (near|close|around|about)|"
    "no (enemy|enemies|foe|foes|one) (anywhere|around|about|near|near by)|(nobody|no one|noone) else (is|) (near|"
    "close|around|about|there|anywhere|)|"
    "only (him|her|it|that one) (around|there|here)|no others|no others|who cares|no idea|no matter|for sure|"
    "in a row|at once|"
    "one by one|one another|each other|two handed|one handed|2 handed|one on one|all in all|no doubt|as well|"
    "not sure|i think|"
    "i guess|nothing else|nobody helps|by the way|i wonder|no less|either side|neither here|nothing more|"
    "no problem|all told",
    ASK: "how many|number of|count of|amount of|number|count|what number|total of|total number of|"
    "tell me how many|by how many|with how many|how mny|howmany|headcount|how big|tally|total",
    BE: "is|are|was|were|be|been|being|get|gets|got|am|becomes|became|ends|end|goes|go|went|make|made|makes|turns|"
    "turned|put|puts",
    AND: "and|but|while|plus|whereas|then|so|yet|also|though|although|because|whilst|where|since|when|if",
    BY: "by",
    WITH: "with|has|have|had|having|using|bears|bearing|wears|sports",
    BARRED: "barred|prohibited|forbidden|prevented|stopped|banned",
    DOES: "do|does|can|could|may|will|did",
    FREE: "free (to|) (move|go|leave|walk|walk off|move off|run|walk away|go away|move away|)|loose|off the hook|"
    "out of (it|melee|combat|the fight|engagement)|(out|free|rid) of (the|) (engaged state|engagement)",
    WALK: "walk|walks|walking|walked|move|head|go|step|approach|advance|towards|toward|heading|stroll|run at",
    CHOOSE: "choose|pick|select|decide|have to choose|must choose",
    SIGHT: "line of sight|los|see|sees|sight|seeing|seen",
    REACT: "react|reacts|reaction|reacted|reacting|react against|react to|reactions",
    ZONE: "zone|zones|engagement zone|engagement zones|zone of control|passive engagement zone|passive zone|zoc|"
    "engagement area",
    REROLL: "reroll|rerolls|re roll|rerolled",
    NOUN: "enemy|enemies|foe|foes|model|models|mini|minis|miniature|guy|guys|opponent|opponents|figure|figures|fighter|"
    "fighters|people|man|men|warrior|warriors|soldier|soldiers|dude|dudes|bloke|blokes|fellow|fellows|one|ones|unit|"
    "units|lad|lads|attacker|attackers|thug|thugs|creature|hostile|hostiles|adversary|adversaries|baddie|baddies|"
    "creatures|bad guys|bad guy|troops|enemy model|enemy models",
}  # fmt: skip
"Concept -> phrases divided by `|`, the more particular meaning of a phrase first."
FILLER_WORDS = frozenset(
    stem(word)
    for word in (
        "started plain ordinary normal common fancy usual mundane regular behind between base bases through "
        "whatsoever either worry anymore yes true correct eh then "
        "stabbed knocked slashed struck smashed punched hacked declared takes covers covering further card text "
        "wording description profile ago past slips slip since there here now still just only exactly "
        "currently at in on to for from as into "
        "onto up down upon over off "
        "stand stands standing stood sit sits sitting lie lies lying hero heroes fight fights fighting fought battle "
        "combat table game turn round question ok okay hey hi hello please tell me well right left same everything "
        "also too already once after before afterwards during this these those such quick simple please ruling rules "
        "judge check help situation case board activation active evening morning today yesterday long story short "
        "both together altogether total moment currently point right exactly actually really literally simply even "
        "against per each spot place point corner middle side front back north south east west swing attack attacks "
        "attacked hit hits special great big small large little tall fat old young mighty brave poor evil good bad "
        "green red blue black white dark grey gray grim ugly fine nice scary tiny huge nasty angry shield shields "
        "helmet armor armour cloak boots whatever it's thing things stuff like kind sort want know wonder think guess "
        "say says said claim claims means count counts time end end's later afterwards finally next step phase step "
        "what who whom why where would should will shall must need has to be able comes come came arrive arrives bring "
        "brings face faces facing busy currently set ready enough equals equal = : - that's thats there's theres "
        "throw throwing different legally legal lawful lawfully declare declares declared count automatically "
        "inside within staff his her own self thanks thx cheers mate bro lol btw pls hmm uh um er oh no wait "
        "actually anyway meanwhile "
        "play played playing player players opponent friend's two-handed handed onehanded single pair couple trio "
        "quartet group gang band squad unit team mob crew pack bunch horde lot party row line heap circle same way way "
        "rule rules passive passively special blow strike strikes struck manage manages managed able succeed succeeds "
        "succeeded successfully successful roll rolls rolled trick power skill spell's my's remains remain stay stays "
        "staying keeps keep kept alive awake kicking standing untouched unharmed intact perfectly fully completely "
        "melee's ability gaze charge charges charged push swings whose whom ours got done does did happen happens "
        "happened follow follows following first firstly second secondly third lastly last finally then afterwards"
    ).split()
)
"Words that change nothing."
NOT_VERBS = frozenset("king viking kings vikings being wing thing warlord hundred red tied shed".split())
"Words that only look as if something had happened or was going on."
THINGS = frozenset(
    stem(word) for word in "amulet ring orb wand talisman tome accessory accessories trinket robes spellbook".split()
)
"Accessories that do not engage."
SWAPS = frozenset("swapped swaps traded exchanged switched changed".split())
"`swapped the bow for an axe`: one is put away, the other taken."
TIMES = frozenset("turn turns round rounds minutes activations activation games".split())
"A number of these counts no models."
PREPOSITIONS = frozenset("behind in on at to for from as into onto up down upon over like against per".split())
"No noun phrase goes on behind one of these."
NO_MODELS = frozenset(
    "flank side turn activation movement awareness opinion list belt hand hands weapon weapons sword axe bow move "
    "go way "
    "line zone reach step action attack mistake question turn rules reading view table board group area path back left "
    "right front shot own dodge state book head mate".split()
)
"Not a model, though it may be somebody's."
SAYS = frozenset(
    "say says said claim claims claimed think thinks insist insists argue argues told tells reckons".split()
)
"What follows is no fact."
HAPPENS = frozenset(
    "steps stepped leaves left dies died moves moved backs backed falls fell runs ran loses lost becomes became puts "
    "turns drops takes switched switches draws drew kill killed i he she gets got goes went steps now then".split()
)
"Words that make something an event: `one dies`, not a list."
MELEE_NOUNS = re.compile(
    r"^(?:sword|spear|axe|pike|halberd|hammer|mace|glaive|knife|lanc|fenc|swash)(?!.*throw)[a-z]+$"
)
"A model that is called after its Melee Weapon holds it, unless something else is told."


def _expanded(phrase: str) -> Iterator[str]:
    """A phrase with each of its alternatives."""
    parts = [part[1:-1].split("|") if part.startswith("(") else [part] for part in re.split(r"(\([^)]*\))", phrase)]
    for chosen in product(*parts):
        yield " ".join("".join(chosen).split())


def _entries() -> Iterator[tuple[str, str]]:
    for concept, listed in PHRASES.items():
        for phrase in re.split(r"\|(?![^(]*\))", listed):
            for each in _expanded(phrase):
                yield each, concept


LEXICON = Lexicon(_entries())
