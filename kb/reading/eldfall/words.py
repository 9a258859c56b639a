"""Eldfall Chronicles: how players say what a model holds, how it is and where it stands.

A phrase may hold alternatives, `out of (his|her|) reach`; words are compared by stem, `=word` as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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

PHRASES: dict[str, str] = {
    MELEE: "sword|longsword|broadsword|greatsword|shortsword|short sword|long sword|sabre|saber|scimitar|rapier|"
    "katana|axe|battleaxe|greataxe|battle axe|great axe|hand axe|hatchet|dagger|knife|knives|blade|spear|lance|pike|"
    "halberd|glaive|polearm|mace|hammer|warhammer|maul|club|cudgel|flail|morning star|machete|cleaver|trident|"
    "melee weapon|hand weapon|dirk|shiv|sickle|scythe|falchion|cutlass|claymore|close combat weapon|melee arm|"
    "billhook|throwing axe|melee axe|poleaxe|two handed sword|two handed axe|stiletto|quarterstaff|whip",
    RANGED: "bow|longbow|shortbow|long bow|short bow|crossbow|sling|rifle|musket|pistol|gun|blowgun|blowpipe|"
    "ranged weapon|javelin thrower|arbalest|carbine|shotgun|hand crossbow",
    UNARMED: "unarmed|bare hands|bare fist|bare knuckles|fists|punch|naked hands|unarmed attack|barehanded|"
    "with (his|her|its|their|) fists|unarmed strike|fistfighting",
    SPELL: "flare|spell|only spells|a flare spell|flare spell|magic|cast|melee spell|melee attack spell|"
    "melee type spell|fire spell|only magic|spells only|nothing but (a|) (spell|spells|flare|magic)",
    NONE: "not a single (melee|) weapon|(has|have|had|got) nothing|"
    "(no|without|without any|without a|not a|not any|zero|lacks a|lacks any|has no|have no) (melee|) (weapon|weapons|"
    "melee weapons)|empty hands|hands empty|weaponless|hands are empty|"
    "nothing in (his|her|its|their|the|) (hand|hands)|disarmed|(his|her|its|their|) hands (are|were|is|) (empty|free)|"
    "weapon less|holds nothing|carries nothing|wand|orb|spellbook|amulet|talisman|robes|tome|ring|accessory|trinket|"
    "no weapon whatsoever|no weapon at all|no weapon drawn|no weapon out|"
    "no weapon in (his|her|its|their|) (hand|hands)|scroll",
    STAFF: "chanra's staff|chanra|staff of chanra|chanra with her staff|"
    "(says|say|states|reads|stating|saying) (explicitly|clearly|expressly|outright|plainly|literally|specifically|) "
    "(that|) (it|they|she|he|) (explicitly|) (can|may|) (engage|engages)|(that|which) (can|may) engage|"
    "(lets|let) (him|her|it|them|) engage|engaging accessory|(accessory|staff) that engages|"
    "able to engage by (the|its|) text",
    ARMED: "weapon|armed",
    HELD: "both hands on|two hands on|both hands|in hand|in (his|her|its|their|the|my|both|each|) (hand|hands)|drawn|"
    "equipped|wield|hold|held|brandish|ready|raised|in fist|in (his|her|its|their) (fist|fists|paws|claws)|unsheathed|"
    "grip|armed with|=out|bared|in front|=hold|=up|clutch",
    TAKES: "now (hold|holds|holding|wields|has)|took out|takes out|draw|drew|switched to|swapped to|swapped for|"
    "swapped his weapon for|changed to|pull out|grabbed|picked up|=picked|took up|takes up|takes|took|has taken|"
    "changed for|swapped|traded|exchanged|instead holds|unslung|pulled",
    AWAY: "(lies|lying|lay|is|) on the (ground|floor)|sheathed|scabbard|stowed|put away|away|dropped|lost|broken|"
    "broke|holstered|let go|laid down|in (its|his|her|the|a|) (sheath|scabbard|bag|pack|backpack|holster)|loses|"
    "throws away|threw away|strapped|packed away|packed|unequipped|not in hand|not drawn|not equipped|undrawn",
    OWNED: "(in|on|at|under|by) (his|her|its|their|the|a|) (belt|belts|hip|hips|back|backs|side|waist|saddle)|slung|"
    "hanging|in reserve|spare",
    OWNS: "own|possesses|also has|also have|carry|owns also|also owns|also carries|has also",
    "shoots": "=shot|fire|shoot|ranged attack|declares (a|) ranged attack|aim",
    "incapacitated": "incapacitated|incap|knocked out|knocked (him|her|it|them) out|=ko|ko'd|kod|kos|downed|out cold|"
    "unconscious|(is|are|was|were|went|goes|gone|lies|lie|lay|now|gets|got) down|knocked down|knocked cold|"
    "goes incapacitated",
    "petrified": "petrified|turned to stone|turned into stone|stoned|=statue|to stone|into stone|a statue|statues|"
    "stone statue",
    "crouched": "crouched",
    "dead": "dead|died|kill|slain|slay|slew|cut down|corpse|murdered",
    FAR: "too far|too far away|too far off|far away|far off|out of range|out of contact|not near|across the board|"
    "(isn't|is not|not|aren't|are not|isnt) (close|near|close enough|near enough)|across the table|nowhere near|"
    "miles away|a mile away|at a distance|a long way off|way off|far from (me|him|her|it|us|them|my|the)|"
    "off in the distance|at the other end|out of (his|her|its|) way",
    REACH: "reach|get to|get at",
    NEAR: "(in|into|) (a|one|the same|) (big|) (heap|pile|scrum|knot) (of bases|of models|)|"
    "(move|moves|moved|came|comes|got|gets|steps|stepped|walked|walks) into (base|) contact|bump into|bumps|"
    "steps up to|walks up to|comes up to|up close|came up to|right at|ran into|runs into|charged into|charges|"
    "within (a|an|one|1|two|2|) (inch|inches)|touch|b 2 b|base to base|base contact|base-to-base|in contact|contact|"
    "bases touching|adjacent|next to|beside|near enough|close enough|close|near|right by|around|round|surround|crowd|"
    "in (my|his|her|its|our) face|within (melee|weapon|) range|in melee range|in melee|close by|alongside|by my side|"
    "in front of|encircle|in each other's reach|bordering|hem|hemmed in|hugging|toe to toe|glued to|up against|flank|"
    "within arm's length|swarm|mob|pressing|standing by|stood by|standing over|=beset",
    ACTIVE: "=on (me|him|her|us|it)|=engage|=engages|=engaging|=pins|=pinning|=pin|=locks|=lock|=locking|=tying|"
    "=threaten|=threatens|=threatening|=menace|=menaces|=menacing|tie up|"
    "cause (his|her|my|its|the|their|) (engaged|) (state|engagement)",
    PASSIVE: "=engaged|=stuck|(locked|held|pinned|stuck) (in place|down)|=trapped|=pinned|"
    "locked in (melee|combat|a fight|fight)|engaged state|in engagement|=tied up|in combat|stuck in (melee|combat)|"
    "=entangled|unengaged",
    ENGAGER: "=engager|=engagers",
    LOOSE: "disengage|disengaged (by|with|through|using) (a|her|his|my|the|) dodge|dodge and (disengage|disengaged)|"
    "dodge to disengage|disengaged itself|dodged free|dodged away|"
    "(by|with|through|using) (a|her|his|my|the|one|) dodge|"
    "dodge (did|does|is|was|gets|got|has|) (disengage|disengaged|disengages)|broke free of|slipped away from",
    AWARE: "awareness|noticed",
    UNAWARE: "unnoticed|unaware|without noticing|unseen",
    OUTSIDE: "out of|out from|outside|outside of|beyond|leave|left|no longer|no longer in|exit|out",
    INSIDE: "inside",
    SELF: "i|me|myself|we|us|him|himself|herself|itself|you",
    THIRD: "he|she|it",
    THEY: "they|them|em|these|those|who|which|that|theirs",
    POSSESSIVE: "his own|her own|his|her|=opponent's",
    OWN: "my own|our own|my|our|mine|friendly|allied|your",
    FRIEND: "buddy|teammate|mates|comrade|companion|squadmate",
    ALL: "all|everyone|everybody|each|every|every one|each one|the lot|whole lot|lot|all of (them|those|these)|"
    "the whole lot|the lot of (them|em)|whole gang|each of (them|those|these)|every one of them|all of the|any|anyone|"
    "anybody|any of (them|those|these)|somebody|someone",
    REST: "rest|remaining|others|remainder|remaining ones|other ones",
    OTHER: "another|one more|further",
    OF: "of|among|from among|amongst",
    THE: "the|this|last|final",
    ARTICLE: "a|an",
    NOT: "not|no|never|neither|nor|without|cannot|can't|cant|isn't|isnt|aren't|arent|doesn't|doesnt|don't|dont|didn't|"
    "didnt|won't|wont|wasn't|wasnt|weren't|hasn't|haven't|hasnt|couldn't|nobody|none|unable|no more|not any more|"
    "not anymore|not any longer|fail to|=nothing",
    STRANGE: "unless|or|maybe|perhaps|might|stunned|frozen|freeze|blind|prone|asleep|sleeping|hidden|hiding|invisible|"
    "fleeing|fled|shaken|paralyzed|paralysed|charmed|flying|climb|pushed|=moved|teleport|rooted|webbed|scared|"
    "turncoat|confused|summoned|half|except|every other|vanish|gone|walks off|walks away|ran|runs|some|few|several|"
    "many|various|friendly fire|neutral|either|whichever|unknown|at least|at most|more than|less than|most|ours too|"
    "gap|half of|a third of|as many|twice as many|wounded|hurt|injured|knocked prone|knocked back|blinked|disguised|"
    "fallen|tired|exhausted|bound|tied|drunk|surrendered|stands up|stood up|recovers|wakes|woke|revived|healed|"
    "released|unpetrified|stand up again|rises|rose",
    DODGE: "dodge",
    FILLER: "for me|y n|y / n|yes or no|healthy|unhurt|(haven't|havent|have not) gone anywhere|"
    "(haven't|havent|didn't|didnt|did not|have not) touched (the|) (rest|others|other ones)|the only one|"
    "without (checking|a check|measuring|any check)|for free|movement step|action step|movement phase|nobody else|"
    "no one else|noone else|none else|nothing to the other|no other (enemies|enemy|foes|foe|models|model)|"
    "no more (foes|enemies|models|enemy models) (about|around|near|there|left|)|nobody (near|close|around|about)|"
    "no (enemy|enemies|foe|foes|one) (anywhere|around|about|near|near by)|"
    "(nobody|no one|noone) else (is|) (near|close|around|about|there|anywhere|)|"
    "only (him|her|it|that one) (around|there|here)|no others|who cares|no idea|no matter|for sure|in a row|at once|"
    "one by one|one another|each other|two handed|one handed|2 handed|one on one|all in all|no doubt|as well|not sure|"
    "i think|i guess|nothing else|nobody helps|by the way|i wonder|no less|either side|neither here|nothing more|"
    "no problem|all told",
    ASK: "how many|number of|count of|amount of|number|count|what number|total of|total number of|tell me how many|"
    "by how many|with how many|how mny|howmany|headcount|how big|tally|total",
    BE: "count as|counts as|is|are|was|were|be|been|get|got|am|becomes|became|ends|goes|go|went|make|made|turns|put",
    AND: "and|but|while|plus|whereas|then|so|yet|also|though|although|because|whilst|where|since|when|if",
    BY: "by",
    WITH: "with|has|have|had|using|bears|wears|sports",
    BARRED: "barred|prohibited|forbidden|prevented|stopped|banned",
    DOES: "do|does|can|could|may|will|did",
    FREE: "free (to|) (move|go|leave|walk|walk off|move off|run|walk away|go away|move away|)|loose|off the hook|"
    "out of (it|melee|combat|the fight|engagement)|(out|free|rid) of (the|) (engaged state|engagement)",
    WALK: "walk|move|head|step|approach|advance|towards|stroll|run at",
    CHOOSE: "choose|pick|select|decide|have to choose|must choose",
    SIGHT: "line of sight|los|see|sight|seen",
    REACT: "react|reaction|react against|react to",
    ZONE: "zone|engagement zone|zone of control|passive engagement zone|passive zone|zoc|engagement area",
    REROLL: "reroll|re roll",
    NOUN: "enemy|foe|model|mini|miniature|guy|opponent|figure|fighter|people|man|men|warrior|soldier|dude|bloke|"
    "fellow|one|unit|lad|attacker|thug|creature|hostile|adversary|baddie|bad guys|troops|enemy model",
}  # fmt: skip
"Concept -> phrases divided by `|`, the more particular meaning of a phrase first."
FILLER_WORDS = frozenset(
    stem(word)
    for word in (
        "started plain ordinary normal common fancy usual mundane regular behind between base through whatsoever "
        "either worry anymore yes true correct eh then stabbed knocked slashed struck smashed punched hacked declared "
        "takes covers further card text wording description profile ago past slips since there here now still just "
        "only exactly currently at in on to for from as into onto up down upon over off stand stood sit lie hero "
        "fight fought battle combat table game turn round question ok okay hey hi hello please tell me well right "
        "left same everything also too already once after before afterwards during this these those such quick simple "
        "ruling judge check help situation case board activation evening morning today yesterday long story short "
        "both together altogether total moment point actually really literally simply even against per each spot "
        "place corner middle side front back north south east west swing attack hit special great big small large "
        "little tall fat old young mighty brave poor evil good bad green red blue black white dark grey gray grim "
        "ugly fine nice scary tiny huge nasty angry shield helmet armor armour cloak boots whatever it's thing stuff "
        "like kind sort want know wonder think guess say said claim means count time end later finally next step "
        "phase what who whom why where would should will shall must need has be able comes came arrive bring face "
        "busy set ready enough equals = : - that's throw different legally lawful automatically inside within staff "
        "his her own self thanks thx cheers mate bro lol btw pls hmm uh um er oh no wait anyway meanwhile play player "
        "opponent friend's two-handed handed onehanded single pair couple trio quartet group gang band squad unit "
        "team mob crew pack bunch horde lot party row line heap circle way passive blow strike manage succeed "
        "successfully roll trick power skill spell's my's remains stay keeps kept alive awake kicking untouched "
        "unharmed intact perfectly fully completely melee's ability gaze charge push whose ours got done does did "
        "happen follow first second third lastly "
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


def lexicon(table: Mapping[str, str]) -> Lexicon:
    """The lexicon of concept -> phrases divided by `|`, the more particular meaning of a phrase first."""
    return Lexicon(
        (each, concept)
        for concept, listed in table.items()
        for phrase in re.split(r"\|(?![^(]*\))", listed)
        for each in _expanded(phrase)
    )


LEXICON = lexicon(PHRASES)
