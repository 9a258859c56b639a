"""Makes up stories of one exchange in many wordings, with what comes out, to hold the reader against them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
ME = (
    ("I", "me", "my"),
    ("my knight", "my knight", "my knight's"),
    ("my guy", "my guy", "my guy's"),
    ("we", "us", "our"),
)
FOES = (
    ("he", "him", "his"),
    ("she", "her", "her"),
    ("the ogre", "the ogre", "the ogre's"),
    ("my opponent", "my opponent", "my opponent's"),
    ("the foe", "the foe", "the foe's"),
    ("it", "it", "its"),
    ("the goblin chief", "the goblin chief", "the goblin chief's"),
)


@dataclass(frozen=True)
class Story:
    """A question and what comes out."""

    text: str
    value: int | None = None
    verdict: str | None = None


class Teller:
    """Tells stories by a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def story(self) -> Story:
        me, foe = self.random.choice(ME), self.random.choice(FOES)
        mine, theirs = self._numbers(), self._numbers()
        charge, opening = self._opening(me, foe)
        told = [self._side(me, mine), self._side(foe, theirs)]
        self.random.shuffle(told)
        text = opening + self.random.choice([", ", ". ", "; "]).join(told)
        question = self._question(me, foe, mine, theirs, charge)
        whole = f"{text}. {question.text[0].upper()}{question.text[1:]}"
        cased = whole.lower() if self.random.random() < 0.5 else whole
        return Story(cased, question.value, question.verdict)

    def _numbers(self) -> dict[str, int]:
        found = {"roll": self.random.randint(1, 12), "might": self.random.randint(0, 4)}
        if self.random.random() < 0.35:
            found["ward"] = self.random.randint(0, 4)
        if self.random.random() < 0.25:
            found["endurance"] = self.random.randint(1, 9)
        return found

    def _opening(self, me: tuple[str, str, str], foe: tuple[str, str, str]) -> tuple[str, str]:
        if self.random.random() < 0.75:
            return "", ""
        if self.random.random() < 0.5:
            return "me", self.random.choice([f"{me[0]} charged. ", f"{me[0]} ran up to {foe[1]} and hit. "])
        return "foe", self.random.choice(
            [f"{foe[0]} charged {me[1]}. ", f"{foe[0]} rushed into {me[1]} and attacked this turn. "]
        )

    def _side(self, who: tuple[str, str, str], numbers: dict[str, int]) -> str:
        rest = [self._stat(who, kind, number) for kind, number in numbers.items() if kind != "roll"]
        self.random.shuffle(rest)
        text = self._roll(who, numbers["roll"])
        for part in rest:
            alone = part[0].isdigit() or part.split()[0] in ("Might", "strength", "Ward", "armour", "no", "Endurance")
            text += self.random.choice([", ", " and ", " with "] if alone else [", ", " and ", "; "]) + part
        return text

    def _number(self, value: int) -> str:
        return NUMBERS[value] if self.random.random() < 0.25 else str(value)

    def _roll(self, who: tuple[str, str, str], value: int) -> str:
        subject, target, owner = who
        number = self._number(value)
        return self.random.choice(
            [
                f"{subject} rolled {number}",
                f"{subject} got a {number}",
                f"{owner} roll is {number}",
                f"{subject} threw {number}",
                f"{owner} d12 shows {number}",
                f"{subject} scored {number} on the die",
                f"{subject} had a {number} on the d12",
                f"{number} for {target}",
                f"{owner} d12: {number}",
            ]
        )

    def _stat(self, who: tuple[str, str, str], kind: str, value: int) -> str:
        subject, _, owner = who
        have = "have" if subject in ("I", "we") else "has"
        name = {
            "might": self.random.choice(["Might", "strength"]),
            "ward": self.random.choice(["Ward", "armour"]),
            "endurance": self.random.choice(["Endurance", "hit points"]),
        }[kind]
        if value == 0 and self.random.random() < 0.6:
            return self.random.choice([f"no {name}", f"{subject} {have} no {name}"])
        number = self._number(value)
        return self.random.choice(
            [f"{name} {number}", f"{number} {name}", f"{owner} {name} is {number}", f"{subject} {have} {name} {number}"]
        )

    def _question(
        self,
        me: tuple[str, str, str],
        foe: tuple[str, str, str],
        mine: dict[str, int],
        theirs: dict[str, int],
        charge: str,
    ) -> Story:
        totals = mine["roll"] + mine["might"] + (charge == "me"), theirs["roll"] + theirs["might"] + (charge == "foe")
        margin = totals[0] - totals[1]
        loser = theirs if margin > 0 else mine
        harm = max(0, abs(margin) - loser.get("ward", 0)) if margin else 0
        to_me, to_foe = (harm, 0) if margin < 0 else (0, harm)
        do = "do" if me[0] in ("I", "we") else "does"
        return self.random.choice(
            [
                Story("how much Harm?", harm),
                Story(f"what's {me[2]} total?", totals[0]),
                Story(f"{foe[2]} total?", totals[1]),
                Story(f"how much damage {do} {me[0]} take?", to_me),
                Story(f"how much Harm does {foe[0]} take?", to_foe),
                Story("by how much?", abs(margin)),
                Story("damage before ward?", abs(margin)),
                Story(f"{do} {me[0]} win?", verdict="yes" if margin > 0 else "no"),
                Story(f"what Endurance {do} {me[0]} have left?", mine.get("endurance", 6) - to_me),
                Story(f"how many hp has {foe[0]} left?", theirs.get("endurance", 6) - to_foe),
            ]
        )


class Beater:
    """Tells of one blow or two on one Character, by a seed."""

    ME = (("I", "me", "my"), ("my knight", "my knight", "my knight's"))
    FOES = (("he", "him", "his"), ("the ogre", "the ogre", "the ogre's"), ("the foe", "the foe", "the foe's"))

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def story(self) -> Story:
        loser, winner = self.random.choice(self.ME), self.random.choice(self.FOES)
        if self.random.random() < 0.5:
            loser, winner = winner, loser
        ward, endurance = self.random.randint(0, 4), self.random.randint(1, 10)
        hits = [self.random.randint(1, 9) for _ in range(self.random.choice([1, 1, 2]))]
        told = [self._has(loser, "Ward", ward), self._has(loser, "Endurance", endurance)]
        self.random.shuffle(told)
        told.append(", then ".join(self._hit(loser, winner, hit) for hit in hits))
        text = ". ".join(part[0].upper() + part[1:] for part in told)
        left, last = endurance, 0
        for hit in hits:
            last = max(0, hit - ward) if left > 0 else 0
            left -= last
        question = self._question(loser, left, last if len(hits) == 1 else None)
        return Story(f"{text}. {question.text}", question.value, question.verdict)

    def _has(self, who: tuple[str, str, str], what: str, number: int) -> str:
        have = "have" if who[0] == "I" else "has"
        return self.random.choice([f"{who[0]} {have} {what} {number}", f"{who[2]} {what} is {number}"])

    def _hit(self, loser: tuple[str, str, str], winner: tuple[str, str, str], hit: int) -> str:
        return self.random.choice(
            [
                f"{loser[0]} lost by {hit}",
                f"{winner[0]} won by {hit}",
                f"{winner[0]} beat {loser[1]} by {hit}",
                f"{loser[0]} took {hit} damage",
                f"{winner[0]} did {hit} damage to {loser[1]}",
                f"{loser[0]} got hit for {hit} damage",
            ]
        )

    def _question(self, loser: tuple[str, str, str], left: int, harm: int | None) -> Story:
        out = "yes" if left <= 0 else "no"
        asks = [
            Story(f"What's {loser[2]} Endurance now?", left),
            Story("Endurance left?", left),
            Story("Am I out of action?" if loser[0] == "I" else f"Is {loser[0]} out of action?", verdict=out),
        ]
        if harm is not None:
            asks += [
                Story("Harm?", harm),
                Story(f"How much Harm {'do' if loser[0] == 'I' else 'does'} {loser[0]} take?", harm),
            ]
        return self.random.choice(asks)


class Helper:
    """Tells whose Act it is, who charged and whose friends are on whom, by a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def story(self) -> Story:
        me, foe = ("I", "me", "my"), self.random.choice((("he", "him", "his"), ("the ogre", "the ogre", "the ogre's")))
        mine = self.random.random() < 0.5
        actor, target = (me, foe) if mine else (foe, me)
        told, bonus = self._attack(actor, target)
        if self.random.random() < 0.6:
            friends, counting, theirs = self._friends(me, foe)
            told.append(friends)
            bonus += counting if theirs != mine else 0
        rolls = [self.random.randint(1, 12) for _ in range(2)]
        mights = [self.random.randint(0, 3) for _ in range(2)]
        told.append(f"I rolled {rolls[0]} with Might {mights[0]}, {foe[0]} rolled {rolls[1]} with Might {mights[1]}")
        totals = rolls[0] + mights[0] + bonus * mine, rolls[1] + mights[1] + bonus * (not mine)
        question = self.random.choice(
            [
                Story("What is my total?", totals[0]),
                Story(f"What is {foe[2]} total?", totals[1]),
                Story("Damage?", abs(totals[0] - totals[1])),
                Story("How much Harm do I take?", max(0, totals[1] - totals[0])),
            ]
        )
        text = ". ".join(part[0].upper() + part[1:] for part in told)
        return Story(f"{text}. {question.text}", question.value)

    def _attack(self, actor: tuple[str, str, str], target: tuple[str, str, str]) -> tuple[list[str], int]:
        if self.random.random() < 0.6:
            return [self.random.choice([f"{actor[0]} attacked {target[1]}", f"it is {actor[2]} turn"])], 0
        way = self.random.choice(["charged", "moved into contact with", "ran up to"])
        hit = "" if way == "charged" else " and attacked"
        if self.random.random() < 0.25:
            return [f"{actor[0]} charged {target[1]}, but they were already Engaged when the Act started"], 0
        return [f"{actor[0]} {way} {target[1]}{hit}"], 1

    def _friends(self, me: tuple[str, str, str], foe: tuple[str, str, str]) -> tuple[str, int, bool]:
        """The words, how many count, and whether they are the other one's."""
        many = self.random.randint(2, 3)
        if self.random.random() < 0.5:
            owner = foe[2]
            return f"{owner} {NUMBERS[many]} friends are engaged with me and nobody else", many, True
        text = f"{NUMBERS[many]} of my friends are engaged with {foe[1]} and nobody else"
        if self.random.random() < 0.4:
            return f"{text}, but one of them is also engaged with another foe", many - 1, False
        return text, many, False
