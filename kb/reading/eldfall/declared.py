"""Eldfall Chronicles: a declaration in a player's words, and who is told to be Engaged."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from kb.glossary import stem
from kb.question import Question
from kb.reading.eldfall import words as w
from kb.reading.marks import Mark, marks_of

ENEMY = "the enemy"
DECLARED = {
    "ranged-attack": "(ranged|range|missile|bow|crossbow) (attack|attacks)|shoot|shot|shooting|shoots|"
    "(fire|use) (my|his|her|its|a|the|) (bow|crossbow|longbow|shortbow|pistol|rifle|musket|gun|sling)|fire|fires|"
    "firing|loose (an|) arrow|let fly|snipe|potshot|(bow|pistol) shots|"
    "throw (a|an|the|my|his|her|) (javelin|knife|dagger|axe|spear)",
    "melee-attack": "melee attack|attack in melee|"
    "(hit|strike|stab|fight|attack|swing|hack|slash|chop) (at|) (him|her|it|back|the enemy|the engager)|fight back|"
    "stab|melee|attack|strike|hit|swing",
    "dodge": "dodge|evade|duck",
    "assist": "assist|help|aid|support|(lend|give) (my|a|) (friend|mate|buddy|) a hand|self assist|patch up",
    "idle": "idle|stand still|do nothing|stay put|(stay|stand|remain) where (i|he|she|it) (is|am|stand|be)|"
    "stay where i am|stay in place|not move|hold (my|his|her|its|the|) (ground|position)",
    "walk": "walk|step|move|go|stroll|movement",
    "leave": "retreat|flee|withdraw|(walk|step|move|go|back|run|stroll|fall|pull) (off|away|back|backwards)|"
    "turn tail|back up",
    "another action": "run|sprint|dash|jump|climb|charge|fly|teleport|swim|crawl|leap|vault|hide|search|reload|"
    "open (a|the|) (door|chest)|cast|spell|spells|casting|heal|overwatch|sneak|crouch down|aim|throw a bomb|"
    "pick a lock|disarm a trap|take a rest|sleep|pray|taunt|summon|swap weapons|steal",
    "an item": "loot|pick up|interact|use (an|) item|drink (a|) potion|drink|grab",
    "enchantment": "enchant|enchantment|self enchantment|self enchanting",
    "hit-and-retreat": "hit and retreat|hit n retreat",
}
"The declarations of the procedure, and `leave`: a Walk that goes away."
WHERE = {
    "at": "towards|at|straight (at|to|for|into)|closer to|closer|up closer to|directly (at|to|towards)|up to|"
    "right (at|to)|into|nearer|to",
    "place": "(the|my|an|) (objective|objective token|token)|door|chest|exit|ladder|bridge|tower",
    "around": "past|around|sideways|circle|diagonally|=curve|curved|sidestep|in (a|an) (curve|arc)",
    "aside": "off|away|back|backwards|round|elsewhere|aside|behind|leave|slip|"
    "to (the|my|his|her) (left|right|side)|the other way|from (him|her|it|the enemy|the engager|there)|"
    "somewhere|anywhere|wherever|where (i|he|she|it) (want|like|please)|out|flank|"
    "(other|opposite|another|different|any) (direction|way|side)",
    "one": "one of (them|the|those|these|my|both)|either of|any of|which one|the one|whichever|whoever|whom|which of|"
    "(the|that) (first|second|nearer|weaker|stronger|other)",
    "between": "between|middle|each of (them|the two)|both of (them|)|gap|nearer to both|(split|spread)",
    "foe": "enemy|foe|=engager|=engagers|him|her|it|them|attacker|opponent",
    "itself": "myself|himself|herself|itself|self|me|on self|oneself|yourself|own self|own target",
    "others": "ally|friend|buddy|mate|another model|someone else|somebody else|teammate|pal|comrade|another|others|"
    "companion|allies|friends",
    "second": "(another|other|different|second|third|new) (enemy|foe|one|guy|model|target)|someone else|"
    "somebody else|(someone|somebody) other",
}
TOLD = {
    "engages": "=engage|=engages|=engaging|=pins|=pinning|=pin|=locks|=lock|=locking|ties (me|him|her|it|us) up|"
    "tie me up|holds|hold|(is|are|was|were|been) on (me|him|her|us|it)|"
    "(has|have|got|had) (me|him|her|it|us|them) in (melee|combat|hand to hand)|keeps (me|him|her|it) engaged|"
    "on top of me|in (my|his|her) face|all over (me|him|her|my)",
    "engaged": "=engaged|=pinned|=trapped|=entangled|=stuck|tied up|tied down|"
    "(stuck|locked|held|caught|busy|tied up) in (melee|combat|a fight|fight)|in (melee|combat|close combat|a scrap)|"
    "engaged state|base locked|held by|caught by|locked down|=locked|stuck in|stuck with",
    "freed": "disengage|disengaged|disengages|freed|loose|unengaged|no longer|anymore|rid|escaped|"
    "(has|have|he|she|it) left|any more|any longer|free (of|from)|is free",
    "unsure": "=unless|=until|=before|if not|=reactive|=accessory|=5e|40k|d and d|provoke|recovery|reroll|nope|"
    "no way|(an|half an) inch from|who decides|deed|deeds|dice|die|=rolled|=roll|=might|=ward|=aid|hex|hexes|magicka|"
    "draugr|bonus|(normal|this|an) =engage|(my|new|last|this|his|her|next) act|act (began|started)|move action|"
    "into that|summoned|unarmed|fists|fist|kick|punch|flare|nobody is|=nothing|cheating|fooling|kidding|nobody and|"
    "right call|good ruling|good call|=ruling|=forbids|=cries|wrong about|sadly|can't be|mustn't|object|objection|"
    "blocked|till|odd|quote|quoted|veto|vetoed|refuse|refused|refusal|provided",
    "twist": "=except|=besides|other than|apart from|more than|=both|everything|anything|whole list|=options|"
    "(complete|full) list|all three|=ever|=always|=never|either|neither|exception|=cost|=must|have to|has to|had to|"
    "halfway|stop (short|halfway|after)|stopping|chance|=break|=ends|nearest|obliged|=lose|=loses|=lost|free hand|"
    "=stow|put away|=need|=needs|=needed|obstacle|=limited|through|=argument|=logic|=reasoning|=claim|(is|are) out|"
    "(tiny|little) bit|just a bit",
    "event": "=dies|=ended|=falls|=fell|=goes down|=free|petrified|=crouched|=dead|=died|killed|kill|killing|slain|"
    "statue|slew|dropped|out of reach",
    "freely": "automatically|automatic|auto|for free|by default",
    "reacts": "react|reaction|respond|reactions",
    "sees": "line of sight|=los|sight line|=see|=sees|=sight|=visible",
    "aware": "awareness",
    "still": "still|keeps|keep|stays|stay|remains|as before|on and on",
    "passing": "half dead|(she|he|i|we|they)'d|i'll|forward|(or|yes or) (not|nah|what|no)",
    "at all": "at all|totally|completely|altogether|entirely|any walk",
    "choose": "choose|chooses|choosing|pick|picks|picking|select|decide|choice",
    "shooter": w.PHRASES[w.RANGED],
    "down": w.PHRASES["incapacitated"].replace("|downed|", "|=downed|"),
    "not": w.PHRASES[w.NOT],
    "artificer": "artificer|tinkerer",
    "two-handed": "two handed|two hander|2 handed|2h|two handed weapon|both hands|greatsword|maul|polearm|halberd",
    "movement step": "movement step|movement phase|move step",
    "several": "two|three|four|five|both|several|multiple|many|more than one|second",
}
LEXICON = w.lexicon({**TOLD, "no weapon": w.PHRASES[w.NONE], **DECLARED, **WHERE})
GENERIC = frozenset(map(stem, "model guy one man figure mini fighter unit character somebody someone anyone dude "
                    "fella enemy foe people player".split()))  # fmt: skip
FIRST, THIRD = frozenset("i me we us my our".split()), frozenset("he she it they him her them".split())
SMALL = FIRST | THIRD | frozenset(
    "a all allowed although am an and are because been but by can could do get gets had have if is legit let lets make "
    "may might nevertheless nonetheless of permitted possible regardless role so straight the their though try u ur "
    "use valid was were when which while with work works you your".split()
)  # fmt: skip


_WH, _HAS = ("who", "that", "which"), ("has", "have", "had", "got", "keeps", "kept")
_JOINS = ("while", "when", "if", "but", "because", "since", "though")
_BEFORE = (*_JOINS, "and", "although", "with", "once", "after", "of", "for", "to")
_ENDS = frozenset("and so but though although because while when if as since".split())
ASKS = frozenset("can could may might do does did will would".split())
_ASIDE = re.compile(
    r"\b(?:instead of|skip (?:my|his|her|the|any)|forget about|rather than|in place of|nor|without|"
    r"(?:don'?t|doesn'?t|does not|do not) (?:want to|wanna|wish to))\b(?:(?! (?:while|when|if|but|though)\b)[^.,;?!])*"
)
"What is not done."


class Unsure(Exception):  # noqa: N818 - it is no error of anybody
    """What is told or asked is not surely understood."""


@dataclass(slots=True)
class Engaged:
    """Who is Engaged by whom, as told: stems of nouns."""

    told: bool = False
    models: set[str] = field(default_factory=set)
    by: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)
    "Those that are told not to engage it."
    several: bool = False
    mine: set[bool] = field(default_factory=set)
    "Whether the Engaged model is the player's, where a word tells."


_TAGGED = re.compile(r"(?:n['’]?t|\bnot|\bcannot)\b[^.?!,]*,\s*\w+ (?:he|she|it|they|i|we|you|that|there)\W*$", re.I)


def is_unread(question: Question) -> bool:
    """Whether yes or no would not answer it, or would mean now this, now that (`he can't shoot, can he?`)."""
    unclear = question.is_choice or question.is_ambiguous or _TAGGED.search(question.text)
    return bool(unclear) or not question.wants_yes_or_no


def clauses_of(text: str) -> list[list[Mark]]:
    """The marks between breaks, without what is not done (`instead of shooting`)."""
    found: list[list[Mark]] = [[]]
    for mark in marks_of(_ASIDE.sub("", text.casefold().replace("’", "'").replace("&", " and ")), LEXICON):
        if mark.concept == "break" or mark.text in (":", "=", "+", "/", "-"):
            found.append([])
        else:
            found[-1].append(mark)
    return [clause for clause in found if clause]


def nouns_of(marks: Sequence[Mark]) -> set[str]:
    """Stems of the words that may name models."""
    plain = (mark.text for mark in marks if not mark.concept and mark.value is None and mark.text not in SMALL)
    return {stem(text) for text in plain} - GENERIC - w.FILLER_WORDS


def first(marks: Sequence[Mark], *texts: str, default: int) -> int:
    """The place of the first mark that is one of these words, or a declaration where `declared` is among them."""
    found = (at for at, mark in enumerate(marks) if mark.text in texts or _declares(mark, texts))
    return next(found, default)


def behind(marks: Sequence[Mark], *texts: str) -> int:
    """The place behind the last of these; 0 where there is none."""
    return max((at + 1 for at, mark in enumerate(marks) if mark.text in texts or _declares(mark, texts)), default=0)


def _declares(mark: Mark, texts: Sequence[str]) -> bool:
    return "declared" in texts and mark.concept in DECLARED


def engaged(clauses: Sequence[Sequence[Mark]]) -> Engaged:
    """Who is told to be Engaged. Raises `Unsure`."""
    found = Engaged()
    for number, clause in enumerate(clauses):
        for at, mark in enumerate(clause):
            if mark.concept not in ("engages", "engaged"):
                found.told |= mark.text.startswith("engager")
                continue
            several = found.several
            _add(found, clause, at)
            if found.several and not several and not found.by:  # `an orc, a goblin, both engage me`
                earlier = [each for each in clauses[:number] if each[0].sentence >= clause[0].sentence - 1]
                found.by = {noun for each in earlier for noun in nouns_of(each)} - found.models
    if len(found.mine) > 1 or found.models & found.by:
        raise Unsure("who is engaged")
    return found


def _add(found: Engaged, clause: Sequence[Mark], at: int) -> None:
    before, after, active = clause[:at], clause[at + 1 :], clause[at].concept == "engages"
    named = after[:1] and (nouns_of(after[:1]) or after[0].concept == "artificer" or stem(after[0].text) in GENERIC)
    adjective = bool(named)
    leads = bool(before) and before[0].text.endswith("n't")
    denied = any(mark.concept == "not" for mark in before[leads:][-4:]) or any(m.text == "nobody" for m in after[:1])
    if denied and active:
        found.apart |= nouns_of(before[behind(before, "declared") :]) or {""}
        return
    if not adjective and any(mark.text in w.SAYS or mark.text in ("shouts", "yells", "cries") for mark in before):
        return
    is_asked = clause[0].text in ("is", "am", "are", "was") and not (active or adjective)
    is_asked &= first(before, "declared", "while", "when", "if", default=-1) < 0
    is_asked |= clause[0].text in ASKS and clause[at].text in ("engage", "pin", "lock", "hold")
    if (
        denied
        or is_asked
        or (before and before[-1].text in ("to", "will", "would", "could", "might", "can", "may"))
        or (after and after[0].text == "then")
    ):
        raise Unsure("not engaged, or that is asked")
    has, by = first(before, *_HAS, default=len(before)), first(after, "by", "with", default=len(after))
    cut = first(after, "declared", default=len(after))
    if active or (has < len(before) and by == len(after)):
        start = min(has, behind(before[:has], "declared", *_JOINS))
        relative = start + first(before[start:has], *_WH, default=has)
        who = before[max(start, relative - 3) : relative] if relative < has else before[start:has]
        whom = [*before[has:], *after[: first(after[:cut], "and", default=cut)]]
    else:
        start = behind(before, "declared", *_BEFORE)
        led = before[max(start - 1, 0) : start]
        if any(mark.concept in DECLARED and mark.concept != "hit-and-retreat" for mark in led) or (
            led and led[0].text == "to" and any(mark.concept in ("walk", "assist") for mark in before)
        ):
            raise Unsure("which is engaged")  # `shoot an engaged orc`
        goes_on = first(after, "is", "are", "was", "has", "have", default=cut)
        cut = min(cut, behind(after[:goes_on], "and") - 1 if goes_on < cut and behind(after[:goes_on], "and") else cut)
        who, whom = after[by:cut], [*before[start:], *after[: min(by, cut, 1)]]
    if active and any(mark.concept == "shooter" for mark in who):
        raise Unsure("with what it engages")
    found.told = True
    found.by |= nouns_of(who)
    found.models |= nouns_of(whom)
    found.several |= any(mark.concept == "several" or (mark.value or 0) > 1 or mark.text == "and" for mark in who)
    found.several |= any(mark.text.endswith("s") and not mark.text.endswith("ss") and nouns_of([mark]) for mark in who)
    found.mine |= {mine for marks, mine in ((who, False), (whom, True)) if {mark.text for mark in marks} & FIRST}


def declaration(region: Sequence[Mark], told: Engaged, concepts: Set[str]) -> dict[str, Any]:
    """The procedure's input, by the words of one declaration. Raises `Unsure`."""
    kinds = {mark.concept for mark in region if mark.concept in DECLARED}
    after = region[first(region, "declared", default=len(region)) + 1 :]
    has = {mark.concept for mark in after}
    if "hit-and-retreat" in concepts and "down" not in concepts and told.told:
        if kinds - {"walk", "leave", "melee-attack", "hit-and-retreat"} or kinds == {"melee-attack"}:
            raise Unsure("what it does by Hit and Retreat")
        return {"declares": "walk", "via": "hit-and-retreat"}
    kinds -= {"walk"} if "leave" in kinds else set()
    kinds -= {"another action"} if "enchantment" in kinds and "artificer" in concepts else set()
    if len(kinds) != 1 or "an item" in kinds:
        raise Unsure("which declaration")
    (name,) = kinds
    if name == "enchantment":
        itself = any(mark.concept == "itself" or mark.text.startswith("self ") for mark in region)
        if "artificer" not in concepts or not itself or has & {"others", "second"} or "twist" in concepts:
            raise Unsure("whom it enchants")
        return {"declares": name, "via": name, "on_self": True, "two_handed": "two-handed" in concepts}
    if name == "assist":
        return {"declares": name, "on_self": _on_itself(region, after, has, told)}
    if name in ("walk", "leave"):
        return {"declares": "walk", "towards": ENEMY if _towards(region, after, has, told, name) else None}
    apart = "down" not in concepts and (
        told.apart or has & {"second", "others", "one", "choose"} or nouns_of(after) - told.by
    )
    if name == "melee-attack" and (apart or concepts & {"shooter", "choose"}):
        raise Unsure("whom it attacks")
    return {"declares": name}


def _on_itself(region: Sequence[Mark], after: Sequence[Mark], has: set[str], told: Engaged) -> bool:
    if "itself" in has and not has & {"others", "second"}:
        return True
    if any(mark.concept == "assist" and set(mark.text.split()) & {"friend", "mate", "buddy"} for mark in region):
        return False
    named = {stem(noun.text) for mark, noun in pairwise(after) if mark.text in ("my", "the", "a", "his", "her", "on")}
    named &= nouns_of(after)
    unsure = named & told.models or (named and not told.models and first(after, "my", default=-1) >= 0)
    if "itself" in has or unsure or not (has & {"others", "second", "foe"} or named):
        raise Unsure("whom it assists")
    return False


def _towards(region: Sequence[Mark], after: Sequence[Mark], has: set[str], told: Engaged, name: str) -> bool:
    """Whether a Walk goes at an enemy that engages it."""
    if name == "leave":
        if "one" in has or any(mark.concept == "at" and mark.text != "to" for mark in after):
            raise Unsure("where")
        return False
    after = after[: first(after, *_ENDS, default=len(after))]
    has, all_ = {mark.concept for mark in after}, {mark.concept for mark in region}
    aside = bool(has & {"aside", "around", "between", "second", "others", "place"} or "between" in all_)
    nouns = nouns_of(after)
    if "around" in has and not nouns - told.by:
        return False
    if ("place" in has and not nouns) or nouns & told.apart or ("" in told.apart and "foe" in has):
        return False
    if "at all" in all_ and not aside and "at" not in has:
        return True
    chooses = told.several and "choose" in all_
    at = "at" in has and bool(has & {"foe", "engages"} or nouns or (told.several and "one" in has))
    if nouns - told.by or (told.apart and not nouns) or aside == (at or chooses):
        raise Unsure("towards whom")
    return not aside
