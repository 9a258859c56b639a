"""Which words of a question mean somebody who fights: by the word, or by what it does anywhere in the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.reading.scene import Clause

FOES = frozenset(
    "foe foes enemy enemies opponent opponents opp adversary adversaries rival target someone somebody".split()
)
ANYBODY = frozenset(
    "guy guys dude bloke mini model character fighter unit figure one miniature beast creature monster thing man "
    "woman girl lad boy fella fellow chap bugger bastard hero champion".split()
)
"Words that may mean either side: whose they are tells."
CREATURES = frozenset(
    "ogre orc goblin troll knight wizard witch wolf skeleton zombie ghoul vampire wraith imp demon dragon giant "
    "archer ranger rogue thief assassin paladin priest priestess cleric monk barbarian berserker warrior soldier guard "
    "captain bandit cultist cultists brute minotaur medusa spearman swordsman axeman halberdier pikeman hireling "
    "squire elf dwarf halfling gnome hobgoblin bugbear kobold lich mage sorcerer warlock druid bard shaman hunter "
    "scout "
    "duelist duellist gladiator mercenary militia peasant thug raider pirate viking samurai ninja werewolf bear boar "
    "rat spider snake lizard lizardman beastman centaur cyclops golem gargoyle ghost spirit spectre specter mummy "
    "troglodyte harpy hydra griffin manticore basilisk chimera treant ent satyr fairy angel devil fiend champion "
    "henchman recruit acolyte inquisitor templar crusader baron king queen lord lady prince princess duke count "
    "sergeant lieutenant general officer trooper rider cavalry horseman lancer crossbowman bowman marksman sniper "
    "healer medic engineer drummer sentinel sentry watchman warden jailer executioner butcher blacksmith "
    "dog hound cat horse sheepdog bull ape gorilla lion tiger panther crocodile shark attacker defender "
    "veteran rookie amazon valkyrie shieldmaiden huntress sorceress enchantress necromancer alchemist conjurer "
    "swordswoman spearwoman warlord chieftain chief boss leader marauder brigand outlaw footman legionary legionnaire "
    "myrmidon hoplite ratman skaven gnoll naga djinn genie ghast mutant slave prisoner villager farmer shieldbearer "
    "halberd-man spearmen fencer brawler boxer wrestler pugilist monkey gorgon nun".split()
)
ENDS_OF_TRADES = re.compile(r".{3,}(?:man|woman|mancer|maiden|slinger|thrower|bearer|slayer|keeper|blade|lord|kin)$")
SPEAKERS = frozenset(
    "brother sister dad mom mum father mother wife husband girlfriend boyfriend cousin son daughter judge dm gm "
    "referee ref teacher uncle aunt roommate flatmate group club nephew niece table".split()
)
THINGS = frozenset(
    "act turn fight exchange assault deed dice die table game difference damage rest same other end start board way "
    "push tie result round melee combat map question book rule rules margin harm number score sword axe "
    "weapon bow spear shield armour armor hit blow attack roll dice total might ward endurance activation move charge "
    "those these them they none pizza beer who which that this there what bonus case player friend ally first "
    "second third next last "
    "winner loser die lowest highest smallest least worst defence defense battle encounter scrap skirmish stats "
    "stat points hand side value can biggest hardest heaviest largest most".split()
)
_DETERMINERS = frozenset("the a an that this some one my our your his her their its".split())
_DOES = re.compile(r"(?:[rACwlL]|'r?a*[RMWET]|h[ad]*[NMWE]|=[MWERT]|tN|ja*[MWE])")
"What comes after a noun that fights, in the letters of the items."
_DOES_AT_ONCE = re.compile(r"ra*N|N\+N|'r?a*[RMWET]|[hj][ad]*[NMWE]")
"The same, where no article shows that it is a noun."
_NAMED = re.compile(r"[RMWET]=?N")
_BEGINS = frozenset("begins starts runs moves walks rushes steps faces sits stands wears".split())
"What comes after a name that opens its clause."
_IS_TOLD_OF = re.compile(r"[a&]*n?[MWErR]")
"How the clause after a bare `my slinger,` begins."


class Fighters:
    """The nouns of a question that fight."""

    def __init__(self, text: str, clauses: Sequence[Clause]) -> None:
        self.text, self.clauses = text, clauses
        self.known = {
            item.text
            for number, clause in enumerate(clauses)
            for at, item in enumerate(clause.items)
            if self._may_be(clause, at) and not self.by_name(item.text) and self._acts(number, at)
        }
        "Words that no list has and that do what only a fighter does."

    def has(self, number: int, at: int) -> bool:
        """Whether the item at a place is such a noun: of several in a row the last one."""
        clause = self.clauses[number]
        if not self._may_be(clause, at) or not (
            self.by_name(clause.items[at].text) or clause.items[at].text in self.known or self._has(clause, at)
        ):
            return False
        after = clause.items[at + 1] if at + 1 < len(clause.items) else None
        if after is not None and after.text in ANYBODY and after.tag == ".":
            # `the militia man`
            return False
        return not (after is not None and self.by_name(after.text) and self.has(number, at + 1))

    def _has(self, clause: Clause, at: int) -> bool:
        """`the captains 5 might 4`: a genitive without its apostrophe."""
        word = clause.items[at].text
        genitive = word.endswith("s") and self.by_name(word[:-1])
        return genitive and re.match(r"a*[NMWERT]", clause.tags[at + 1 :]) is not None

    @staticmethod
    def _may_be(clause: Clause, at: int) -> bool:
        item = clause.items[at]
        return item.tag == "." and item.text not in THINGS and len(item.text) > 2

    @staticmethod
    def by_name(word: str) -> bool:
        """Whether the word itself is a fighter's."""
        return word in CREATURES or bool(ENDS_OF_TRADES.match(word))

    def _acts(self, number: int, at: int) -> bool:
        """Whether an unknown noun does or has what only a fighter does or has."""
        clause = self.clauses[number]
        rest = clause.tags[at + 1 :]
        before = clause.items[at - 1] if at else None
        determined = any(each.text in _DETERMINERS for each in clause.items[max(0, at - 2) : at])
        capital = self.text[clause.items[at].start].isupper()
        starts = before is None or before.tag in "&q"
        if not rest and (determined or (capital and clause.mark.startswith("("))) and self._told_of(number):
            return True
        if capital and before is not None and before.tag in "Avwly":
            return True
        if determined or (capital and not starts):
            return bool(_DOES.match(rest))
        if capital and starts and (_NAMED.match(rest) or (clause.items[at + 1 :] or clause.items)[0].text in _BEGINS):
            return True
        labelled = rest.startswith("=") and clause.items[at + 1].text in (":", "=")
        return starts and bool((labelled and re.match(r"=[NRMWE]", rest)) or _DOES_AT_ONCE.match(rest))

    def _told_of(self, number: int) -> bool:
        """Whether the next clause tells of somebody without naming him: `my slinger, no Might, got a 5`."""
        return number + 1 < len(self.clauses) and bool(_IS_TOLD_OF.match(self.clauses[number + 1].tags))
