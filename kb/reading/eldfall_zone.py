"""Eldfall Chronicles: how many of several models engage, by what each has in hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.engine.kernel import Verdict
from kb.reading.eldfall_words import ACCESSORY, FAR, NEAR, PUT_AWAY, kinds, states
from kb.reading.situation import Found, Situation
from kb.reading.tokens import NUMBER_WORDS

ASKS = re.compile(
    r"\bhow many\b.*\b(?:engag\w+|pin\w*|zones?|threaten\w*|hold)\b|\b(?:engaged by|engaged with) how many\b|"
    r"\bby how many\b.*\bengaged\b"
)
_PIECES = re.compile(r"[,;:.?!()\n]+|\s-\s|\b(?:and|but|while|plus)\b")
_COUNT = re.compile(
    r"^(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+|an?|another|the (?:last|other|third|fourth|"
    r"fifth)(?: one)?)\b)"
)
_MODELS = (
    r"(?:enem\w+|foes?|models?|minis?|guys?|opponents?|figures?|fighters?|of them|of (?:his|their|the opponent's) \w+)"
)
_TOTAL = re.compile(rf"\b(one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:\w+ )?{_MODELS}\b")
_OF_TOTAL = re.compile(r"\bof (?:the|those|these|them|my)? ?(two|three|four|five|six|seven|eight|nine|ten|\d+)\b")


@dataclass(frozen=True, slots=True)
class Group:
    """Some models alike."""

    count: int
    in_hand: str | None
    state: str | None
    accessory: bool
    near: bool


def counted(text: str) -> Situation | None:
    """How many of the models described engage the player's model."""
    low = " ".join(text.casefold().replace("’", "'").split())
    if not ASKS.search(low) or not NEAR.search(low) or re.search(r"\b(?:i|my \w+) (?:can )?engage\b", low):
        return None
    groups = list(_groups(low))
    if not groups or None in groups:
        return None
    known = [group for group in groups if group is not None]
    if not _adds_up(low, sum(group.count for group in known)):
        return None
    models = [{"name": "me", "side": "mine", "in_reach_of": []}, *_models(known)]
    models[0]["in_reach_of"] = [each["name"] for each in models[1:] if each.pop("near", True)]
    said = "; ".join(
        f"{g.count}: {g.state or g.in_hand or 'accessory'}{'' if g.near else ', out of reach'}" for g in known
    )
    return Situation("eldfall.engagement", {"models": models}, said, _how_many)


def _how_many(verdict: Verdict) -> Found:
    engaging = verdict.result.get("engaged_by", {}).get("me")
    return Found() if engaging is None else Found(len(engaging), "enemies", deciding="eldfall/glossary#engagement-zone")


def _groups(low: str) -> Iterator[Group | None]:
    """The groups in order; None for words about models that cannot be told."""
    for piece in _PIECES.split(low):
        words = piece.strip()
        if not words or re.search(r"\bhow many\b", words):
            continue
        hand, state = kinds(words), states(words)
        if not hand and not state and not ACCESSORY.search(words):
            continue
        count = _COUNT.match(words)
        many = _number(count.group()) if count else None
        if many is None or len(hand) > 1 or len(state) > 1 or PUT_AWAY.search(words):
            yield None
            continue
        accessory = bool(ACCESSORY.search(words))
        yield Group(many, hand[0] if hand else None, state[0] if state else None, accessory, not FAR.search(words))


def _number(word: str) -> int | None:
    word = word.split()[0]
    if word.isdigit():
        return int(word)
    return 1 if word in ("a", "an", "another", "the") else NUMBER_WORDS.get(word)


def _adds_up(low: str, number: int) -> bool:
    """Whether every total that is named is the sum of the groups."""
    bare = [piece for piece in _PIECES.split(low) if not kinds(piece) and not states(piece)]
    heads = [_number(match[1]) for piece in bare for match in _TOTAL.finditer(piece)]
    named = [*heads, *(_number(match[1]) for match in _OF_TOTAL.finditer(low))]
    return all(total == number for total in named) and number <= 12


def _models(groups: list[Group]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for group in groups:
        for _ in range(group.count):
            model = {"name": f"enemy {len(found) + 1}", "side": "theirs", "near": group.near}
            # An Incapacitated, Petrified, Crouched or Dead model engages nobody, whatever it holds.
            held = group.in_hand or ("none" if group.state or group.accessory else None)
            model |= {"in_hand": held, "state": group.state, "accessory_engages": group.accessory}
            found.append(model)
    return found
