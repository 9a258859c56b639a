"""Worked examples are run and held against what they expect; rulings are borne out or contradicted by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kb.engine import plugins
from kb.engine.examples import Example
from kb.engine.fields import Field
from kb.engine.kernel import UNDETERMINED, Procedure, Rules, Verdict, run
from kb.errors import ExampleError
from kb.passage import Passage

HOLDS, DIFFERS, CANNOT_TELL = "holds", "differs", "cannot tell"
BORNE_OUT, CONTRADICTED, UNTESTED = "borne out", "contradicted", "untested"
RULING_KINDS = ("faq", "ruling")


@dataclass(frozen=True, slots=True)
class Difference:
    """One named result that is not as expected."""

    key: str
    "Where, as a path: `winner`, `deeds[1].legal`."
    expected: Any
    got: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one example turned out."""

    example: Example
    status: str
    "holds | differs | cannot tell"
    differences: tuple[Difference, ...]
    verdict: Verdict | None
    "None where the input was refused."
    error: str | None = None
    "The message that refused the input."

    def to_json(self) -> dict[str, Any]:
        """A plain dict for `--json`; the steps come with it, so that a failure explains itself."""
        example = self.example
        return {
            "id": example.id,
            "game": example.game,
            "title": example.title,
            "procedure": example.procedure,
            "status": self.status,
            "differences": [asdict(each) for each in self.differences],
            "bears_out": list(example.bears_out),
            "from": example.origin,
            "verdict": self.verdict.to_json() if self.verdict else None,
            "error": self.error,
            "file": example.file,
            "line": example.line,
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """A FAQ entry or ruling, held against the examples that name it in `bears_out`."""

    passage: str
    title: str
    state: str
    "borne out | contradicted | untested"
    examples: tuple[tuple[str, str], ...]
    "(id, outcome) of each."

    def to_json(self) -> dict[str, Any]:
        examples = [{"id": name, "status": status} for name, status in self.examples]
        return {"passage": self.passage, "title": self.title, "state": self.state, "examples": examples}


def check(examples: Iterable[Example], rules: Rules) -> tuple[Outcome, ...]:
    """Every example's outcome under the rules, in order."""
    return tuple(outcome(each, rules) for each in examples)


def outcome(example: Example, rules: Rules) -> Outcome:
    """Runs one example and compares."""
    procedure = plugins.procedure(example.procedure)
    try:
        verdict = run(procedure, example.given, rules)
    except ExampleError as fault:
        return _refused(example, str(fault))
    if "error" in example.expect:
        difference = Difference("error", example.expect["error"], None)
        return Outcome(example, DIFFERS, (difference,), verdict)
    differences = tuple(_differences(example, procedure, verdict))
    return Outcome(example, _status(example, verdict, differences), differences, verdict)


def _refused(example: Example, message: str) -> Outcome:
    wanted = example.expect.get("error")
    if wanted is not None and wanted.casefold() in message.casefold():
        return Outcome(example, HOLDS, (), None, message)
    return Outcome(example, DIFFERS, (Difference("error", wanted, message),), None, message)


def _status(example: Example, verdict: Verdict, differences: tuple[Difference, ...]) -> str:
    if not differences:
        return HOLDS
    untold = verdict.status == UNDETERMINED != example.expect.get("status")
    return CANNOT_TELL if untold and all(_is_open(each, verdict) for each in differences) else DIFFERS


def _is_open(difference: Difference, verdict: Verdict) -> bool:
    """True where the verdict does not say otherwise: it says nothing."""
    result = difference.key.split(".")[0].split("[")[0]
    return difference.key == "status" or (difference.key != "missing" and result not in verdict.result)


def _differences(example: Example, procedure: Procedure, verdict: Verdict) -> Iterable[Difference]:
    fields = {each.name: each for each in procedure.result}
    for key, expected in example.expect.items():
        # `status` and `forbidden_by` are the verdict's own, whatever a procedure's result is called.
        if key in ("status", "forbidden_by"):
            got = getattr(verdict, key)
            if got != expected:
                yield Difference(key, expected, got)
        elif key == "missing":
            if not any(expected.casefold() in each.casefold() for each in verdict.missing):
                yield Difference(key, expected, list(verdict.missing))
        elif key not in verdict.result:
            yield Difference(key, expected, None)
        else:
            yield from compare(key, expected, verdict.result[key], fields[key])


def compare(key: str, expected: Any, got: Any, field: Field | None = None) -> Iterable[Difference]:
    """Where a value falls short of what an example names.

    Keys that the example does not name are not compared, but `{}` stands for nothing at all; what is absent equals
    0, false, null and empty. Lists are compared item by item, in any order where the field says that it has none.
    """
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        yield from _compare_mappings(key, expected, got, field)
    elif isinstance(expected, list) and isinstance(got, list | tuple):
        yield from _compare_lists(key, expected, list(got), field)
    elif type(expected) is bool or type(got) is bool:
        if expected is not got:
            yield Difference(key, expected, got)
    elif expected != got:
        yield Difference(key, expected, got)


def _compare_mappings(
    key: str, expected: Mapping[str, Any], got: Mapping[str, Any], field: Field | None
) -> Iterable[Difference]:
    if not expected and any(got.values()):
        yield Difference(key, {}, dict(got))
    inner = {each.name: each for each in field.fields} if field else {}
    for name, value in expected.items():
        if name in got:
            yield from compare(f"{key}.{name}", value, got[name], inner.get(name, field.item if field else None))
        elif value:
            yield Difference(f"{key}.{name}", value, None)


def _compare_lists(key: str, expected: list[Any], got: list[Any], field: Field | None) -> Iterable[Difference]:
    item = field.item if field else None
    if len(expected) != len(got):
        yield Difference(key, expected, got)
    elif field is not None and field.unordered:
        left = list(got)
        for value in expected:
            matches = [place for place, each in enumerate(left) if not any(compare(key, value, each, item))]
            if not matches:
                yield Difference(key, expected, got)
                return
            del left[matches[0]]
    else:
        for place, (value, each) in enumerate(zip(expected, got, strict=True)):
            yield from compare(f"{key}[{place}]", value, each, item)


def rulings(passages: Iterable[Passage], outcomes: Iterable[Outcome]) -> tuple[Ruling, ...]:
    """Every FAQ entry and ruling with the examples that name it, in the passages' order."""
    named: dict[str, list[Outcome]] = {}
    for each in outcomes:
        for passage in each.example.bears_out:
            named.setdefault(passage, []).append(each)
    return tuple(
        Ruling(each.id, each.title, _ruling_state(found), tuple((o.example.id, o.status) for o in found))
        for each in passages
        if each.kind in RULING_KINDS
        for found in [named.get(each.id, [])]
    )


def _ruling_state(found: list[Outcome]) -> str:
    states = {each.status for each in found}
    if DIFFERS in states:
        return CONTRADICTED
    return BORNE_OUT if states == {HOLDS} else UNTESTED


def exercised(outcomes: Iterable[Outcome]) -> dict[str, tuple[Outcome, ...]]:
    """Per clause, the examples in which it produced a step."""
    found: dict[str, dict[str, Outcome]] = {}
    for each in outcomes:
        for step in each.verdict.steps if each.verdict else ():
            found.setdefault(step.clause, {})[f"{each.example.game}/{each.example.id}"] = each
    return {clause: tuple(by_id.values()) for clause, by_id in found.items()}
