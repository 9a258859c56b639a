"""Words that are neither English nor the corpus's, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

NUMERALS = frozenset(
    "once twice thrice fourth fifth sixth seventh eighth ninth tenth fourfold threefold twofold".split()
)
COMMON = frozenset(
    "before after have must without between both each twice again first second third because through while during "
    "until instead always never allowed forbidden should could would".split()
)
"Common words whose misspelling would change what is asked; the index knows none of them."
SWAPPED = {
    "cna": "can", "acn": "can", "dose": "does", "deos": "does", "dos": "does", "teh": "the", "hte": "the",
    "coudl": "could", "shoudl": "should", "woudl": "would", "waht": "what", "hwo": "how", "si": "is",
}  # fmt: skip
"Words that make a question, as hasty fingers write them: too short for likeness to tell, or words by themselves."
_FORM = re.compile(r"(?:(?<=[sxzo])es|(?<=[cs]h)es|(?<=e)d|(?<![sxzhy])s|(?<=[^e])ed|(?<=[^e])ing)$")
"Endings of a word, as they are spelt."
_WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 4
"Shorter words are left alone: too many words are one letter away."
LIKENESS = 78
"Least likeness, 0 to 100, by edits with neighbouring letters swapped counted once."


@dataclass(frozen=True, slots=True)
class Correction:
    """A question with its misspellings mended."""

    text: str
    changed: dict[str, str] = field(default_factory=dict)
    "As written -> as probably meant, lower case."


class Speller:
    """Suggests words of the corpus for words that nobody knows. Real words are never touched."""

    def __init__(self, words: Iterable[str], known: Callable[[str], bool]) -> None:
        self.words = sorted({word for word in {*words, *COMMON} if len(word) >= SHORTEST - 1 and word.isalpha()})
        self.inside = frozenset(self.words)
        self.known = known
        "Whether a word is one that the encoder knows whole: a dictionary of common English."

    def correct(self, text: str) -> Correction:
        """The text with unknown words replaced by the corpus's nearest ones."""
        changed: dict[str, str] = {}

        def mend(match: re.Match[str]) -> str:
            word = match.group().casefold()
            meant = self.suggest(word)
            if meant is None:
                return match.group()
            changed[word] = meant
            return meant

        return Correction(_WORD.sub(mend, text), changed)

    def _is_real(self, word: str) -> bool:
        """Whether a word is known, is a number, or is a known word with an ending: `thrice`, `scratches`, `binned`."""
        if self.known(word) or word in NUMERALS:
            return True
        base = _FORM.sub("", word)
        bases = {base, base[:-1]} if base[-2:-1] == base[-1:] else {base}
        return base != word and any(len(each) >= SHORTEST - 1 and self.known(each) for each in bases)

    def suggest(self, word: str) -> str | None:
        """The corpus's word that was probably meant; None where the word is known or nothing is near."""
        if word in SWAPPED and word not in self.inside:
            return SWAPPED[word]
        if len(word) < SHORTEST or word in self.inside or self._is_real(word):
            return None
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        near = process.extract(
            word, self.words, scorer=OSA.normalized_similarity, limit=4, score_cutoff=LIKENESS / 100 - 0.12
        )
        ranked = [
            (score + 0.12 * (found[0] == word[0]) + 0.05 * (sorted(found) == sorted(word)), found)
            for found, score, _ in near
        ]
        best = max(ranked, default=(0.0, ""))
        return best[1] if best[0] >= LIKENESS / 100 else None
