"""A game's claims as its tests ask them: without index or search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from kb.claims import Claim, Matched, load_claims, match, settle
from kb.concepts import Lexicon, load_lexicon
from kb.corpus import load_corpus
from kb.passage import Ask, Passage
from kb.question import Question
from kb.yamlfile import read_yaml


@cache
def desk(game: str) -> tuple[Lexicon, Sequence[Claim], Sequence[Passage]]:
    corpus = load_corpus()
    directory = corpus.directory / game
    passages = tuple(passage for passage in corpus.passages if passage.game == game)
    lexicon = load_lexicon(directory / "concepts.yaml")
    return lexicon, load_claims(directory / "claims.yaml", game, lexicon, [p.id for p in passages]), passages


def matched(game: str, text: str) -> Matched:
    lexicon, claims, _ = desk(game)
    return match(Question(text), claims, lexicon)


def verdict(game: str, text: str) -> str | None:
    settled = settle(matched(game, text))
    return settled.verdict if settled else None


def answered(game: str) -> list[tuple[str | None, Ask]]:
    """What the claims say to each phrasing that editors have answered, and the phrasing."""
    _, _, passages = desk(game)
    return [(verdict(game, ask.text), ask) for passage in passages for ask in passage.asks if ask.verdict]


def examples_named(game: str) -> set[str]:
    _, claims, _ = desk(game)
    return {claim.example for claim in claims if claim.example}


def examples_there(game: str) -> set[str]:
    directory = load_corpus().directory / game / "examples"
    return {example["id"] for file in directory.glob("*.yaml") for example in read_yaml(file)}
