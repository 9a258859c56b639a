"""Question sets become measures: how often the right passage leads, how often silence is kept, how sure is sure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.answer import SILENT, WHICH_GAME, Answer
from kb.errors import UsageError

MEASURES = (
    "cite@1", "cite@3", "verdict", "wrong-verdict", "value", "wrong-value", "silence", "false-silence", "leak",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """One question with what a fair judge accepts."""

    id: str
    game: str
    "`any` where it belongs to no game of the corpus."
    scope: str
    "`game`: asked of that game; `none`: asked without naming one."
    type: str
    text: str
    gold: tuple[str, ...]
    "Passages that settle it; none for a question that the corpus does not answer."
    verdict: str | None
    value: float | str | None


@dataclass(frozen=True, slots=True)
class Graded:
    """A question, its answer, and what that was worth: measure -> 0 or 1, only the measures that apply."""

    item: Item
    answer: Answer
    marks: Mapping[str, float]
    fault: str
    "What is wrong, for people; empty where nothing is."


@dataclass(frozen=True, slots=True)
class Scores:
    """Means of measures, each with the number of questions it was taken over."""

    label: str
    means: Mapping[str, tuple[float, int]]


def load_items(path: Path) -> list[Item]:
    """Reads a question set: JSON lines. `UsageError` names the line that is none."""
    items: list[Item] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read ({error})", "Name a file of JSON lines in UTF-8") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            items.append(_item(line, path, number))
    if not items:
        raise UsageError("no question in this file", "Write one JSON object per line", where=path)
    return items


def _item(line: str, path: Path, number: int) -> Item:
    mend = 'Each line has "id", "game", "scope", "type", "text", "gold" (a list), "verdict" and "value"'
    try:
        raw = json.loads(line)
        return Item(
            str(raw["id"]),
            raw["game"],
            raw.get("scope", "game"),
            raw.get("type", "all"),
            raw["text"],
            tuple(raw["gold"]),
            raw.get("verdict"),
            raw.get("value"),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"this is no question ({error!r})", mend, where=path, line=number) from None


Ask = Callable[[str, str | None], Answer]


def grade_all(ask: Ask, items: Iterable[Item], advance: Callable[[int, int], None] | None = None) -> list[Graded]:
    """Asks every question and grades the answers."""
    items = list(items)
    graded = []
    for done, item in enumerate(items, 1):
        graded.append(grade(item, ask(item.text, item.game if item.scope == "game" else None)))
        if advance:
            advance(done, len(items))
    return graded


def cited(answer: Answer, game: str) -> list[str]:
    """The passages an answer cites for a game, best first."""
    if answer.status == SILENT:
        return []
    if answer.status == WHICH_GAME:
        return next(([c.passage for c in choice.citations] for choice in answer.games if choice.game == game), [])
    return [citation.passage for citation in answer.citations]


def grade(item: Item, answer: Answer) -> Graded:
    """What an answer is worth. A question answered with `which-game` counts by the list of its own game."""
    ids = cited(answer, item.game)
    marks: dict[str, float] = {}
    faults: list[str] = []
    if item.scope == "game" and item.game != "any":
        marks["leak"] = float(any(not id_.startswith(item.game + "/") for id_ in ids))
    if not item.gold:
        marks["silence"] = float(answer.status in (SILENT, WHICH_GAME))
        return Graded(item, answer, marks, "" if marks["silence"] else "should be silent")
    marks["false-silence"] = float(answer.status == SILENT)
    marks["cite@1"] = float(ids[:1] != [] and ids[0] in item.gold)
    marks["cite@3"] = float(any(id_ in item.gold for id_ in ids[:3]))
    if not marks["cite@1"]:
        faults.append(f"cited {', '.join(ids[:3]) or 'nothing'}; right is {item.gold[0]}")
    if item.verdict:
        marks["verdict"] = float(answer.verdict == item.verdict)
        marks["wrong-verdict"] = float(answer.verdict not in (None, item.verdict))
        if marks["wrong-verdict"]:
            faults.append(f"says {answer.verdict}; right is {item.verdict}")
    if item.value is not None:
        marks["value"] = float(same_value(answer.value, item.value))
        marks["wrong-value"] = float(answer.value is not None and not marks["value"])
        if marks["wrong-value"]:
            faults.append(f"value {answer.value}; right is {item.value}")
    return Graded(item, answer, marks, "; ".join(faults))


def same_value(got: Any, wanted: Any) -> bool:
    """Whether two values are the same number, or the same words."""
    try:
        return abs(float(got) - float(wanted)) < 1e-9
    except (TypeError, ValueError):
        return str(got).strip().casefold() == str(wanted).strip().casefold()


def scores(label: str, graded: Sequence[Graded]) -> Scores:
    """The means over these questions."""
    means: dict[str, tuple[float, int]] = {}
    for measure in MEASURES:
        values = [g.marks[measure] for g in graded if measure in g.marks]
        if values:
            means[measure] = (sum(values) / len(values), len(values))
    return Scores(label, means)


def tables(graded: Sequence[Graded]) -> list[Scores]:
    """Scores over all, per game and per type."""
    found = [scores("all", graded)]
    for game in dict.fromkeys(g.item.game for g in graded):
        found.append(scores(f"game {game}", [g for g in graded if g.item.game == game]))
    for kind in dict.fromkeys(g.item.type for g in graded):
        found.append(scores(f"type {kind}", [g for g in graded if g.item.type == kind]))
    return found


@dataclass(frozen=True, slots=True)
class Point:
    """One step of the risk/coverage curve: answer only what is at least this sure."""

    confidence: float
    answered: float
    "Share of all questions that are answered."
    right: float
    "Share of those whose first citation settles the question."


def risk_coverage(graded: Sequence[Graded]) -> list[Point]:
    """The curve over all thresholds. An answer to a question that has none is wrong."""
    ranked = sorted(
        ((g.answer.confidence, g.marks.get("cite@1", 0.0)) for g in graded if g.answer.status != WHICH_GAME),
        reverse=True,
    )
    points, right = [], 0.0
    for count, (confidence, mark) in enumerate(ranked, 1):
        right += mark
        points.append(Point(confidence, count / len(graded), right / count))
    return points


def reliability(graded: Sequence[Graded], bins: int = 10) -> list[tuple[float, float, int]]:
    """(mean confidence, share right, number) of the answers in each tenth of confidence."""
    found = []
    answers = [(g.answer.confidence, g.marks.get("cite@1", 0.0)) for g in graded if g.answer.status != WHICH_GAME]
    for low in range(bins):
        inside = [(c, m) for c, m in answers if low / bins <= c < (low + 1) / bins or (low == bins - 1 and c == 1)]
        if inside:
            found.append(
                (sum(c for c, _ in inside) / len(inside), sum(m for _, m in inside) / len(inside), len(inside))
            )
    return found


def draw(graded: Sequence[Graded], path: Path) -> None:
    """Draws the risk/coverage curve and the reliability of the confidence into one picture (PNG or SVG)."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    points = risk_coverage(graded)
    left.plot([p.answered for p in points], [p.right for p in points])
    left.set(xlabel="share of questions answered", ylabel="share of answers right", title="Risk and coverage")
    left.set(xlim=(0, 1), ylim=(0.5, 1.01))
    steps = reliability(graded)
    right.plot([0, 1], [0, 1], linestyle=":", color="grey")
    right.scatter([s[0] for s in steps], [s[1] for s in steps], s=[30 * s[2] ** 0.5 for s in steps])
    right.set(xlabel="confidence", ylabel="share right", title="Reliability", xlim=(-0.05, 1.05), ylim=(-0.05, 1.05))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
