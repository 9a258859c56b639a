"""Yes or no only where what claims and phrasings say together makes it sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kb.calibrate import Sample, fit
from kb.calibration import FOUND, PLAIN, VERDICT, Calibration, Logistic, load_calibration
from kb.claims import Claim, Settled
from kb.passage import Ask
from kb.question import Question
from kb.retrieval import AskHit
from kb.verdict import Case, find_verdict, signals

WEIGHED = Calibration(
    PLAIN.answerable, PLAIN.right, 0.5, Logistic({"claim": 1.0, "leaning": 2.0, "nearest": 5.0}, 0.0), 0.8
)


def near(text: str, cosine: float, verdict: str | None = "no", kind: str = "rule") -> AskHit:
    return AskHit(Ask(text, verdict), 0, cosine, kind)


def case(question: str, claim: str | None = None, asks: Sequence[AskHit] = (), leaning: float = 0.0) -> Case:
    """A question with what a claim says of it, the phrasings near it, and what those of its passage lean to."""
    asked = Question(question)
    stated = Claim("A fighter may climb.", "toy/rules#climb", claim == "yes", "may", (), (), frozenset(), None)
    settled = Settled(claim, stated) if claim else None
    return Case(asked, settled, asks, leaning)


@pytest.mark.parametrize(
    ("claim", "leaning", "wanted"),
    [
        ("yes", 0.5, "yes"),
        ("no", -0.5, "no"),
        ("yes", 0.0, None),  # a claim alone is not sure enough
        ("yes", -0.5, None),  # nor one that the phrasings contradict
        (None, 0.5, None),
        (None, -0.9, "no"),
        ("yes", -1.6, "no"),  # nor is it believed against all of them
    ],
)
def test_find_verdict__weighs_claim_against_phrasings(claim: str | None, leaning: float, wanted: str | None) -> None:
    found = find_verdict(case("May I climb up?", claim, [near("may I go up", 0.5, "no")], leaning), WEIGHED)
    assert (found.verdict if found else None) == wanted


def test_find_verdict__the_second_best_passage_adds_its_voice() -> None:
    alone = case("May I climb up?", None, [], 0.5)
    model = Logistic({"leaning": 2.0, "second": 1.0}, 0.0)
    calibration = replace(WEIGHED, verdict=model)
    assert find_verdict(alone, calibration) is None
    joined = find_verdict(replace(alone, second=0.5), calibration)
    assert joined is not None
    assert joined.verdict == "yes"
    assert find_verdict(replace(alone, second=-0.9), calibration) is None


def test_find_verdict__says_what_it_was_taken_from() -> None:
    asks = [near("must I climb", 0.85, "yes"), near("may I climb", 0.82, "no")]
    claimed = find_verdict(case("May I climb up?", "no", asks, -0.9), WEIGHED)
    leant = find_verdict(case("May I climb up?", None, asks, -0.9), WEIGHED)
    assert claimed is not None
    assert leant is not None
    assert (claimed.says, claimed.passage) == ("A fighter may climb. Not so.", "toy/rules#climb")
    assert (leant.says, leant.passage) == ("may I climb", None)
    far = find_verdict(case("May I climb up?", None, [near("may I jump", 0.6)], -0.9), WEIGHED)
    assert far is not None
    assert (far.verdict, far.says) == ("no", "")


@pytest.mark.parametrize(
    ("question", "asks", "claim", "wanted"),
    [
        ("May I climb up?", [near("may I climb", 0.97)], None, "no"),
        ("May I climb up?", [near("may I climb", 0.97)], "no", "no"),
        ("May I climb up?", [near("may I climb", 0.97)], "yes", None),
        ("May I climb up?", [near("may I climb", 0.99)], "yes", "no"),
        # a word apart that turns it round, a number, or a story that says what is not so
        ("May I climb before the fight?", [near("may I climb after the fight", 0.96)], None, None),
        ("We don't touch. May I climb?", [near("may I climb", 0.96)], None, None),
        ("May I climb 3 inches?", [near("may I climb 2 inches", 0.96)], None, None),
        ("More than one climb per Act?", [near("one climb per Act?", 0.99)], None, None),
        ("May I climb up?", [near("must I climb", 0.96)], None, None),
        # what the rules do not say is the nearest
        ("May I climb up?", [near("may I climb walls", 0.97, None, "gap"), near("may I climb", 0.96)], None, None),
        ("How do I climb?", [near("may I climb", 0.99)], None, None),
    ],
)
def test_find_verdict__the_same_question_has_the_same_answer(
    question: str, asks: list[AskHit], claim: str | None, wanted: str | None
) -> None:
    found = find_verdict(case(question, claim, asks), WEIGHED)
    assert (found.verdict if found else None) == wanted


def test_signals__speak_as_much_for_no_as_for_yes() -> None:
    asks = {said: [near("may I climb", 0.7, said), near("may I climb a tree", 0.5, other)]
            for said, other in (("yes", "no"), ("no", "yes"))}  # fmt: skip
    yes = signals(case("He rolled a 3. May I climb up?", "yes", asks["yes"], 0.4))
    no = signals(case("He rolled a 3. May I climb up?", "no", asks["no"], -0.4))
    assert set(yes) == set(VERDICT)
    assert no == pytest.approx({name: -value for name, value in yes.items()})
    assert yes["nearest"] == pytest.approx(0.2)


def asked(seed: int, count: int = 400) -> list[Sample]:
    """Questions whose claims are right in four of five and whose phrasings lean the right way in most."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        way = random.choice([-1, 1])
        weighed = dict.fromkeys(VERDICT, 0.0)
        weighed["claim"] = float(way * random.choice([1, 1, 1, 1, -1]))
        weighed["leaning"] = float(way * 0.3 + random.normal(scale=0.3))
        answerable = bool(random.random() < 0.8)
        found_here = {name: float(random.normal() + 2 * answerable * (name == "score")) for name in FOUND}
        found.append(Sample(found_here, answerable, answerable, weighed, bool(way > 0)))
    return found


def test_fit__bounds_the_wrong_verdicts_and_the_false_silence() -> None:
    found = fit(asked(0), "made up")
    model = found.calibration.verdict
    assert model.bias == 0
    assert model.weights["claim"] > 0 < model.weights["leaning"]
    assert found.wrong_verdict <= 0.05
    assert found.verdict > 0.5
    assert found.false_silence <= 0.03
    unseen = asked(1)
    wrong = sum(
        max(chance, 1 - chance) >= found.calibration.sure and (chance > 0.5) != sample.yes
        for sample in unseen
        for chance in [model.chance(sample.weighed or {})]
    )
    assert wrong <= 0.08 * len(unseen)


def test_fit__without_verdicts_keeps_the_plain_model() -> None:
    found = fit([Sample(s.signals, s.answerable, s.right) for s in asked(0)], "made up")
    assert (found.calibration.verdict, found.calibration.sure) == (PLAIN.verdict, PLAIN.sure)


def test_load_calibration__one_from_before_verdicts_were_weighed_is_still_read(tmp_path: Path) -> None:
    weights = "{bias: 0, weights: {score: 1}}"
    (tmp_path / "calibration.yaml").write_text(f"threshold: 0.4\nanswerable: {weights}\nright: {weights}\n")
    loaded = load_calibration(tmp_path)
    assert (loaded.threshold, loaded.verdict, loaded.sure) == (0.4, PLAIN.verdict, PLAIN.sure)
