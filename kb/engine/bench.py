"""A corpus's worked examples together with the rule set in force: what `kb check`, the tests and the app run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kb.corpus import Corpus
from kb.engine import plugins
from kb.engine.check import CANNOT_TELL, DIFFERS, HOLDS, Outcome, Ruling, check, exercised, rulings
from kb.engine.clauses import Clause
from kb.engine.coverage import Coverage, Mutation, coverage, load_excuses, mutate
from kb.engine.examples import Example, load_examples
from kb.engine.house import HouseRules, find_clauses, load_house_rules, rules_in_force
from kb.engine.kernel import Rules
from kb.errors import UsageError

FOLDER = "examples"


@dataclass(frozen=True)
class Bench:
    """The examples of some games, and the rules that they are run under."""

    corpus: Corpus
    games: tuple[str, ...]
    "Games of the corpus that have procedures."
    examples: tuple[Example, ...]
    rules: Rules

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every example's outcome under the rules in force."""
        return check(self.examples, self.rules)

    @cached_property
    def amended(self) -> tuple[Outcome, ...]:
        """Every example's outcome under the rules as amended."""
        rules = rules_in_force(self.corpus.passages)
        return self.outcomes if rules == self.rules else check(self.examples, rules)

    @cached_property
    def exercised(self) -> dict[str, tuple[Outcome, ...]]:
        """Per clause, the examples in which it acted."""
        return exercised(self.outcomes)

    @property
    def all_hold(self) -> bool:
        return all(each.status == HOLDS for each in self.outcomes)

    def rulings(self) -> tuple[Ruling, ...]:
        """Every FAQ entry and ruling of the games: borne out, contradicted or untested."""
        return rulings((each for each in self.corpus.passages if each.game in self.games), self.outcomes)

    def changed(self) -> tuple[tuple[Outcome, Outcome], ...]:
        """The examples in which something they name turns out differently than as amended: (as amended, now)."""
        pairs = zip(self.amended, self.outcomes, strict=True)
        return tuple((was, now) for was, now in pairs if was.differences != now.differences)

    def coverage(self) -> tuple[Coverage, ...]:
        """Per game, what its clauses and examples leave out."""
        printed = check(self.examples, rules_in_force(self.corpus.passages, as_printed=True))
        return tuple(self._coverage(game, printed) for game in self.games)

    def _coverage(self, game: str, printed: tuple[Outcome, ...]) -> Coverage:
        excuses = load_excuses(self.corpus.directory / game / "coverage.yaml", self.corpus.by_id, game)
        return coverage(game, self.corpus.passages, excuses, self.amended, printed)

    def mutations(self) -> tuple[Mutation, ...]:
        """Every clause switched off in turn, and the examples that notice."""
        passages = self.corpus.passages
        return mutate(self.examples, rules_in_force(passages), rules_in_force(passages, as_printed=True))

    def to_json(self) -> dict[str, Any]:
        """The plain dict of `kb check --json`."""
        count = {status: sum(o.status == status for o in self.outcomes) for status in (HOLDS, DIFFERS, CANNOT_TELL)}
        return {
            "rules": self.rules.label,
            "house": self.rules.house,
            "ok": self.all_hold,
            "counts": count,
            "examples": [each.to_json() for each in self.outcomes],
            "rulings": [each.to_json() for each in self.rulings()],
        }


def open_bench(
    corpus: Corpus,
    paths: Iterable[str | Path] = (),
    *,
    game: str | None = None,
    as_printed: bool = False,
    without: Iterable[str] = (),
    house: Path | None = None,
) -> Bench:
    """Loads the examples of `paths` (files, folders, names of games), else of the corpus, and settles the rules.

    Raises UsageError or ExampleError for what does not exist or is not well formed.
    """
    games = games_of(corpus, game)
    places = [place for path in paths for place in _places(corpus, path)]
    folders = [corpus.directory / each / FOLDER for each in games]
    examples = load_examples(places or [each for each in folders if each.is_dir()], corpus.by_id)
    examples = tuple(each for each in examples if each.game in games)
    if not examples:
        raise UsageError("there are no worked examples here", f"They stand in <game>/{FOLDER}/*.yaml of the corpus")
    if places:
        games = tuple(each for each in games if each in {example.game for example in examples})
    return Bench(corpus, games, examples, rules_for(corpus, as_printed=as_printed, without=without, house=house))


def games_of(corpus: Corpus, game: str | None = None) -> tuple[str, ...]:
    """The corpus's games that have procedures, or the one of that name."""
    names = (corpus.game(game).name,) if game else tuple(corpus.games)
    return tuple(each for each in names if each in plugins.games())


def clauses_in(corpus: Corpus) -> dict[str, tuple[Clause, ...]]:
    """All clauses of the corpus's games by passage id."""
    every = (each for game in games_of(corpus) for each in plugins.procedures(game).values())
    return plugins.clauses_of(every)


def rules_for(
    corpus: Corpus, *, as_printed: bool = False, without: Iterable[str] = (), house: Path | None = None
) -> Rules:
    """The rule set in force, with clauses and house rules checked against the clauses there are."""
    house_rules: HouseRules | None = None
    without = tuple(without)
    if without or house:
        clauses = clauses_in(corpus)
        without = find_clauses(without, clauses)
        house_rules = load_house_rules(house, clauses) if house else None
    return rules_in_force(corpus.passages, as_printed, without, house_rules)


def _places(corpus: Corpus, path: str | Path) -> list[Path]:
    """A file or folder as it is; a game's name, its folder or a corpus folder stand for their examples."""
    place = Path(path)
    if not place.exists() and str(path) in corpus.games:
        return [corpus.directory / str(path) / FOLDER]
    if (place / "game.yaml").is_file():
        return [place / FOLDER]
    return [game.parent / FOLDER for game in sorted(place.glob("*/game.yaml"))] or [place]
