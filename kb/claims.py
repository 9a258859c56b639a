"""Yes or no: claims that a passage settles, matched to a question by its concepts.

`corpus/<game>/claims.yaml` is a list of claims:

    - claim: "An Engaged model may declare a Ranged Attack."
      passage: engaged#actions
      verdict: no                      # whether the claim is true; `open` where the rules do not say, for no verdict
      kind: may                        # may | must | is: what sort of claim it is
      if: [engaged, shoot]             # concepts the question must have; `a|b` either, `-a` negated, `~a` where it asks
      asks: [shoot]                    # of these, those that the asking clause itself must have (optional)
      unless: [in-hand]                # concepts it must not have (optional)
      order: [walk, attack, walk]      # concepts that it must have in this order (optional)
      about: [step]                    # concepts that it may have besides, whose words turn nothing round (optional)
      rank: 1                          # counts as so many conditions more (optional)
      example: shoot-while-engaged     # the worked example that bears it out

`walk#2` is a concept that is mentioned at least twice. Words of the phrases that a claim is matched by turn nothing
round: `free of fatigue` in a question about the first engage is what the claim is about.

A question is answered by the claims whose conditions it meets; of two the one with more conditions counts, and where
those that count do not agree there is no verdict. Which way round the question is put is read by `kb.polarity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kb.concepts import TWICE, Lexicon, Mention, tags_of
from kb.errors import CorpusError
from kb.framing import asked_frame
from kb.polarity import Frame, asks_permission, count_negations, frame, is_doubtful
from kb.question import SAYS, Question
from kb.yamlfile import read_yaml

KINDS = ("may", "must", "is")
SUM = 3
"Amounts in a question from which it wants them reckoned, and no claim does that."
PLANS = re.compile(
    r"\b(?:(?:want|wants|wanted|wish|wishes|plan|plans|like|love|prefer|prefers|hope|hopes|try|tries)\s+to|wanna|gonna|"
    r"going to|would rather|['’]d rather)\b",
    re.I,
)
"Behind these stands what somebody would do."
_AMOUNT = re.compile(
    r"(?<![\w.+])(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?![\w.]*\w)(?!\s*(?:inch|[\"”″]|''|in\b|mm|cm|hex))",
    re.I,
)
_UNLESS = re.compile(r"\bunless\b(?!.*\b(?:otherwise|different\w*)\b)", re.I | re.S)
"A condition that turns round what stands before it; `unless its text says otherwise` does not."
_HALF = re.compile(r"[,:;]")
_KEYS = frozenset("claim passage verdict kind if asks unless order about rank example".split())


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that is true or false by a passage."""

    text: str
    passage: str
    "Full id."
    holds: bool | None
    "None where the rules do not say."
    kind: str
    needs: tuple[frozenset[str], ...]
    "Every one of these must be met by one of its tags."
    asks: tuple[frozenset[str], ...]
    unless: frozenset[str]
    example: str | None
    rank: int = 0
    about: frozenset[str] = frozenset()
    order: tuple[frozenset[str], ...] = ()

    @property
    def weight(self) -> int:
        """How much the claim counts beside others: the number of its conditions."""
        return len(self.needs) + len(self.asks) + len(self.order) + self.rank

    def fits(self, everywhere: frozenset[str], asking: frozenset[str], said: Sequence[Mention] = ()) -> bool:
        """Whether a question with these tags, and with these mentions in this order, is about this claim."""
        # Asked of hundreds of claims for every question: no sets are made, and most fall at the first condition.
        for need in self.needs:
            if need.isdisjoint(everywhere):
                return False
        for need in self.asks:
            if need.isdisjoint(asking):
                return False
        return self.unless.isdisjoint(everywhere) and self._in_order(said)

    def _in_order(self, said: Sequence[Mention]) -> bool:
        """Whether the concepts of the order are mentioned one behind the other."""
        at = 0
        for concepts in self.order:
            found = next((each for each in said if each.start >= at and each.concept in concepts), None)
            if found is None:
                return False
            at = found.end
        return True


@dataclass(frozen=True, slots=True)
class Settled:
    """A question that a claim settles."""

    verdict: str
    claim: Claim


def answer_to(claim: Claim, asked: Frame) -> str | None:
    """Yes or no to a question put in this way, from whether the claim holds; None where the claim leaves it open."""
    holds = claim.holds
    if holds is None:
        return None
    if claim.kind == "may":
        if asked.asks == "must":
            return None if holds else "no"
        if asked.asks == "optional":
            return None
        if asked.asks == "forbidden":
            holds = not holds
    elif claim.kind == "must":
        if asked.asks == "optional":
            holds = not holds
        elif asked.asks == "forbidden":
            return "no" if holds else None
    elif asked.asks == "optional":
        return None
    elif asked.asks == "forbidden":
        holds = not holds
    if asked.negated != asked.prevents:
        holds = not holds
    return "yes" if holds else "no"


def _own(mentions: Sequence[Mention], claim: Claim) -> list[Mention]:
    """The mentions that the claim is matched by."""
    tags = claim.about.union(*claim.needs, *claim.asks, *claim.order)
    own = {tag.lstrip("~").removesuffix(TWICE) for tag in tags}
    return [mention for mention in mentions if mention.concept in own]


def _without(main: str, own: Sequence[Mention]) -> str:
    """The asking clause without the phrases that the claim is matched by."""
    left: list[str] = []
    at = 0
    for start, end in sorted((mention.start, mention.end) for mention in own):
        if start >= at:
            left += [main[at:start], "thing"]
        at = max(at, end)
    return "".join([*left, main[at:]])


def _is_turned(mentions: Sequence[Mention], own: Sequence[Mention], lexicon: Lexicon) -> bool:
    """Whether the asking clause mentions something that may turn it round and that is none of the claim's business."""
    named = {mention.concept for mention in own}
    return any(
        mention.concept in lexicon.turning
        and mention.concept not in named
        and not any(each.start <= mention.start and mention.end <= each.end for each in own)
        for mention in mentions
    )


def _tags(question: Question, mentions: Sequence[Mention], lexicon: Lexicon) -> tuple[frozenset[str], frozenset[str]]:
    """(tags of the whole question, tags of what it asks). In what is asked, negation is the frame's business."""
    asking = tags_of(replace(mention, negated=False) for mention in mentions)
    around = question.text.replace(question.main, " . ") if question.main in question.text else question.text
    everywhere = asking | lexicon.tags(around) | (lexicon.tags(question.text) - {f"-{c}" for c in asking})
    asked = (_last_said(question, lexicon) or everywhere) if question.is_bare else asking
    return everywhere | {f"~{concept}" for concept in asked}, asked


def _last_said(question: Question, lexicon: Lexicon) -> frozenset[str]:
    """The tags of what is told right before a clause that names nothing itself (`He says it is free. Is it?`)."""
    told = [clause for clause in question.clauses if clause != question.statement and SAYS.search(clause)]
    if told and question.text.find(told[-1]) <= question.text.rfind(question.asking):
        return tags_of(replace(mention, negated=False) for mention in lexicon.find(told[-1]))
    before = question.text[: question.text.rfind(question.asking)] if question.asking in question.text else ""
    plans = [part for part in PLANS.split(before) if part.strip(" .,;:!?")][1:]
    return tags_of(replace(mention, negated=False) for mention in lexicon.find(plans[-1])) if plans else frozenset()


def _is_unsure(question: Question, own: Sequence[Mention]) -> bool:
    """Whether it can't be read surely which way round it is put, beside the phrases that a claim is matched by."""
    rest = _without(question.main, own)
    if is_doubtful(rest) or question.is_ambiguous or _UNLESS.search(question.asking):
        return True
    asked = frame(rest)
    # What is turned round names nothing that the claim is about: it may be something else in the story.
    if asked.turns and not own and len(question.clauses) > 1 and not question.is_bare:
        return True
    # Another negation is part of what the claim is about, or the negated half-sentence is one of several.
    halves = sum(len(half.split()) > 2 for half in _HALF.split(rest))
    return asked.negated and (halves > 1 or count_negations(question.main) > count_negations(rest))


def _is_unread(claim: Claim, question: Question, mentions: Sequence[Mention], lexicon: Lexicon) -> bool:
    """Whether a question may be turned round, or is put so that its way round can't be told."""
    own = _own(mentions, claim)
    return _is_turned(mentions, own, lexicon) or _is_unsure(question, own)


def _verdict(claim: Claim, question: Question, mentions: Sequence[Mention]) -> str | None:
    """The claim's answer to a question with these mentions in its asking clause, whose way round can be read."""
    if claim.kind == "may" and not asks_permission(question.statement):
        return None
    return answer_to(claim, asked_frame(question, _without(question.main, _own(mentions, claim))))


@dataclass(frozen=True, slots=True)
class Matched:
    """A question and the claims whose conditions it meets."""

    question: Question
    lexicon: Lexicon
    mentions: Sequence[Mention]
    "Of concepts, in the asking clause."
    said: Sequence[Mention]
    "The same in the whole question."
    claims: Sequence[Claim]


def match(question: Question, claims: Sequence[Claim], lexicon: Lexicon) -> Matched:
    """The claims that a question may be about, whatever it asks of them."""
    mentions = lexicon.find(question.main)
    everywhere, asking = _tags(question, mentions, lexicon)
    said = lexicon.find(question.text)
    fitting = [claim for claim in claims if claim.fits(everywhere, asking, said)]
    return Matched(question, lexicon, mentions, said, fitting)


def settle(matched: Matched) -> Settled | None:
    """The verdict of the claims that a question is about; None where none is, or where they do not agree."""
    question, mentions, lexicon, said = matched.question, matched.mentions, matched.lexicon, matched.said
    if not question.wants_yes_or_no or question.is_choice:
        return None
    found: list[tuple[Claim, str | None]] = []
    for claim in matched.claims:
        unread = _is_unread(claim, question, mentions, lexicon)
        verdict = None if unread else _verdict(claim, question, mentions)
        # What the rules leave open, what is turned round and what can't be read keep one with fewer conditions silent.
        if verdict or unread or claim.holds is None:
            found.append((claim, verdict))
    most = max((claim.weight for claim, _ in found), default=0)
    counting = [(claim, verdict) for claim, verdict in found if claim.weight == most]
    if len({verdict for _, verdict in counting}) != 1:
        return None
    claim, verdict = counting[0]
    if verdict is None or _amounts(question.text, _own(said, claim)) >= SUM:
        return None
    return Settled(verdict, claim)


def left_open(matched: Matched) -> Claim | None:
    """The claim that the rules leave open and that a question is most about, whatever it asks of it."""
    most = max((claim.weight for claim in matched.claims), default=0)
    claim = next((claim for claim in matched.claims if claim.weight == most and claim.holds is None), None)
    return claim if claim and _amounts(matched.question.text, _own(matched.said, claim)) < SUM else None


def _amounts(text: str, own: Sequence[Mention]) -> int:
    """How many numbers a question tells, distances aside, that the claim is not matched by."""
    found = (number.start() for number in _AMOUNT.finditer(text))
    return sum(not any(each.start <= at < each.end for each in own) for at in found)


def load_claims(path: Path, game: str, lexicon: Lexicon, passages: Iterable[str]) -> tuple[Claim, ...]:
    """Reads claims.yaml. Unknown keys, passages and concepts are refused by name."""
    raw = read_yaml(path) if path.is_file() else []
    if not isinstance(raw, list):
        raise CorpusError("this file is no list of claims", "Begin each one with `- claim: …`", where=path)
    known = frozenset(passages)
    return tuple(_claim(entry, path, game, lexicon, known) for entry in raw)


def _claim(entry: Any, path: Path, game: str, lexicon: Lexicon, passages: frozenset[str]) -> Claim:
    if not isinstance(entry, dict) or not isinstance(entry.get("claim"), str):
        raise CorpusError("an entry is no claim", 'Begin each one with `- claim: "…"`', where=path)
    name = entry["claim"]
    if set(entry) - _KEYS:
        unknown = min(map(str, set(entry) - _KEYS))
        raise CorpusError(f"{name!r}: unknown key {unknown!r}", f"Allowed: {', '.join(sorted(_KEYS))}", where=path)
    passage = f"{game}/{entry.get('passage')}"
    if passage not in passages:
        raise CorpusError(f"{name!r}: there is no passage {passage!r}", "Write page#anchor", where=path)
    if entry.get("verdict") not in ("yes", "no", "open") or entry.get("kind", "may") not in KINDS:
        raise CorpusError(f"{name!r}: verdict or kind is off", "verdict: yes|no|open, kind: may|must|is", where=path)
    if not isinstance(entry.get("rank", 0), int):
        raise CorpusError(f"{name!r}: rank is no number", "Write rank: 1", where=path)
    return Claim(
        text=name,
        passage=passage,
        holds=None if entry["verdict"] == "open" else entry["verdict"] == "yes",
        kind=entry.get("kind", "may"),
        needs=_conditions(entry, "if", name, path, lexicon),
        asks=_conditions(entry, "asks", name, path, lexicon),
        unless=frozenset().union(*_conditions(entry, "unless", name, path, lexicon)),
        example=entry.get("example"),
        rank=entry.get("rank", 0),
        order=_conditions(entry, "order", name, path, lexicon),
        about=frozenset().union(*_conditions(entry, "about", name, path, lexicon)),
    )


def _conditions(
    entry: Mapping[str, Any], key: str, name: str, path: Path, lexicon: Lexicon
) -> tuple[frozenset[str], ...]:
    raw = entry.get(key) or []
    if not isinstance(raw, list) or not all(isinstance(each, str) for each in raw):
        raise CorpusError(f"{name!r}: {key} is no list of concepts", "Write [a, b|c, -d]", where=path)
    conditions = tuple(frozenset(part.strip() for part in each.split("|")) for each in raw)
    for tag in frozenset().union(*conditions):
        if tag.lstrip("~-").removesuffix(TWICE) not in lexicon.concepts:
            raise CorpusError(f"{name!r}: unknown concept {tag!r}", "concepts.yaml names them all", where=path)
    return conditions
