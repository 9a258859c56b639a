"""Answers from the bundled corpus with the real encoder: what is quoted, what is computed, when nothing is said."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import kb
from kb.answer import Answer
from kb.answering import Desk, Options
from kb.claims import Claim
from kb.knowledge import Knowledge, open_knowledge
from kb.passage import SAYS_NOTHING
from kb.question import Question

QUESTIONS = [
    ("ordeals", "may I back off from a foe"),
    ("ordeals", "what happens on a tie"),
    ("eldfall", "which actions are left to me in melee"),
    ("eldfall", "does a knife make a zone"),
    ("betrayal", "what does a further attack cost me"),
    ("betrayal", "how is damage added up against a monster"),
    (None, "how does a Drained die come back"),
]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_knowledge()


@pytest.mark.parametrize(("game", "text"), QUESTIONS)
def test_quotes__are_verbatim_where_they_are_cited(knowledge: Knowledge, game: str | None, text: str) -> None:
    answer = knowledge.ask(text, game)
    cited = [*answer.citations, *answer.nearest, *(c for choice in answer.games for c in choice.citations)]
    assert cited
    for citation in cited:
        passage = knowledge.passage(citation.passage)
        assert passage is not None
        assert citation.quote == passage.text
        start, end = citation.deciding
        assert 0 <= start < end <= len(citation.quote)


@pytest.mark.parametrize(("game", "text"), QUESTIONS[:6])
def test_scoped_answer__names_no_other_game(knowledge: Knowledge, game: str, text: str) -> None:
    answer = knowledge.ask(text, game)
    ids = [c.passage for c in (*answer.citations, *answer.nearest)] + [step.clause for step in answer.steps]
    assert all(id_.startswith(f"{game}/") for id_ in ids)


def test_replaced_rule__stands_behind_what_replaces_it(knowledge: Knowledge) -> None:
    ids = [
        c.passage for c in knowledge.ask("is an ability's damage totalled and dealt unit by unit", "betrayal").citations
    ]
    assert ids.index("betrayal/faq#pooled-damage") < ids.index("betrayal/engage#steps-5b-damage")
    printed = knowledge.ask(
        "is an ability's damage totalled and dealt unit by unit", "betrayal", as_printed=True
    ).citations
    order = [c.passage for c in printed]
    assert order.index("betrayal/engage#steps-5b-damage") < order.index("betrayal/faq#pooled-damage")
    old = next(c for c in printed if c.passage == "betrayal/engage#steps-5b-damage")
    assert old.superseded_by == ("betrayal/faq#pooled-damage",)


def test_ruling__shows_who_said_it_and_when(knowledge: Knowledge) -> None:
    first = knowledge.ask("does Flare make an Engagement zone", "eldfall").citations[0]
    assert (first.authority, first.by, first.date) == ("community", "meksmaks", "2026-04-28")
    assert "meksmaks" in first.badge


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("ordeals", "how far is one Move"),
        ("betrayal", "what happens once my cooldown track has no room left"),
        ("eldfall", "how many inches is a Walk"),
        ("ordeals", "what is the weather like"),
        (None, "how do I checkmate with a bishop"),
        ("eldfall", "do free Combat dice count against Stamina"),
    ],
)
def test_silence__where_the_rules_say_nothing(knowledge: Knowledge, game: str | None, text: str) -> None:
    answer = knowledge.ask(text, game)
    assert answer.status == "silent"
    assert answer.citations == ()
    assert (answer.verdict, answer.value) == (None, None)
    assert answer.missing


def test_undefined_word_alone__is_met_with_where_the_rules_use_it(knowledge: Knowledge) -> None:
    """What else is asked of such a word is met with silence."""
    alone, asked = knowledge.ask("aftermath?", "ordeals"), knowledge.ask("what does Tired do to me", "ordeals")
    assert alone.status == "answered"
    assert alone.citations[0].passage == "ordeals/glossary#out-of-action"
    assert "does not define it" in alone.undefined
    assert asked.status == "silent"
    assert asked.undefined == ""


def test_name_that_the_rules_do_not_have__is_told_beside_the_answer(knowledge: Knowledge) -> None:
    strange = knowledge.ask("In Book of Ordeals, may an Engaged Character with the Dragon Banner use Fire?", "ordeals")
    assert strange.citations
    assert strange.undefined == "These rules do not have: Dragon Banner."


@pytest.mark.parametrize("text", ["", "   ", "🎲🎲", "?!", "\x00", "​"])
def test_nothing_asked__is_met_with_silence(knowledge: Knowledge, text: str) -> None:
    assert knowledge.ask(text, "ordeals").status == "silent"


def test_long_story__is_answered_by_its_question(knowledge: Knowledge) -> None:
    story = "We ordered pizza and set up the table. " * 250 + "An orc stands within an inch of me. May I shoot my bow?"
    answer = knowledge.ask(story, "ordeals")
    assert len(story) > 9000
    assert answer.status in ("answered", "silent")


def test_no_game_named__the_words_decide_or_the_player_is_asked(knowledge: Knowledge) -> None:
    assert knowledge.ask("how many Deeds in an Act").game == "ordeals"
    assert knowledge.ask("what is the passive zone of a Ranged Weapon in hand").game == "eldfall"
    assert knowledge.ask("can I shoot while engaged").status == "which-game"  # one game's reader alone computes it
    both = knowledge.ask("what does engaged mean")
    assert both.status == "which-game"
    assert {choice.game for choice in both.games} >= {"ordeals", "eldfall"}
    assert all(c.passage.startswith(choice.game) for choice in both.games for c in choice.citations)


def test_named_game__is_the_only_one_asked(knowledge: Knowledge) -> None:
    assert knowledge.ask("Eldfall Chronicles: what does engaged mean").game == "eldfall"


def test_computed__value_with_a_cited_step_per_clause(knowledge: Knowledge) -> None:
    answer = knowledge.ask(
        "I rolled 9 with Might 2, he rolled 5 and has Ward 1. How much Harm does he take?", "ordeals"
    )
    assert (answer.status, answer.value) == ("computed", 5)
    assert answer.reading is not None
    assert answer.reading.procedure == "ordeals.assault"
    assert answer.reading.given["attacker"]["might"] == 2
    assert {step.clause for step in answer.steps} <= {c.passage for c in answer.citations}
    assert any(proof.status == "holds" for proof in answer.examples)


@pytest.mark.parametrize(
    ("game", "yes", "no"),
    [
        ("eldfall", "is it forbidden to shoot while engaged", "may I shoot while engaged"),
        (
            "ordeals",
            "am I free once my only foe is Out of Action",
            "am I still stuck once my only foe is Out of Action",
        ),
    ],
)
def test_verdict__turns_with_the_question(knowledge: Knowledge, game: str, yes: str, no: str) -> None:
    assert knowledge.ask(yes, game).verdict == "yes"
    assert knowledge.ask(no, game).verdict == "no"


def test_misspelt__says_what_was_meant(knowledge: Knowledge) -> None:
    answer = knowledge.ask("wat is endurence", "ordeals")
    assert answer.did_you_mean is not None
    assert "endurance" in answer.did_you_mean
    assert answer.citations[0].passage == "ordeals/glossary#endurance"


def test_kb_ask__is_the_same_answer(knowledge: Knowledge) -> None:
    assert kb.ask("what is Ward", game="ordeals") == knowledge.ask("what is Ward", "ordeals")


def test_json__has_the_contract_keys(knowledge: Knowledge) -> None:
    keys = {
        "id", "question", "game", "status", "verdict", "value", "text", "confidence", "citations", "steps", "examples",
        "games", "missing", "did_you_mean",
    }  # fmt: skip
    answer: Answer = knowledge.ask("what is Ward", "ordeals")
    out = json.loads(json.dumps(answer.to_json()))
    assert keys <= set(out)
    assert {"passage", "title", "quote", "authority", "by", "date", "page", "superseded_by", "score"} <= set(
        out["citations"][0]
    )


def test_answered_phrasings__name_examples_that_hold(knowledge: Knowledge) -> None:
    for game in knowledge.games:
        outcomes = knowledge.proofs(game).outcomes
        for passage in knowledge.passages(game):
            for ask in passage.asks:
                if ask.example:
                    assert outcomes[ask.example].status == "holds", (passage.id, ask.text)


def test_claims__name_examples_that_hold(knowledge: Knowledge) -> None:
    for game in knowledge.games:
        outcomes = knowledge.proofs(game).outcomes
        claims: tuple[Claim, ...] = knowledge.claims(game)
        assert claims, game
        for claim in claims:
            if claim.example:
                assert outcomes[claim.example].status == "holds", claim.text
            passage = knowledge.passage(claim.passage)
            assert passage is not None
            assert claim.holds is None or passage.kind not in SAYS_NOTHING, claim.text


def test_verdict_of_a_claim__comes_with_its_worked_example_run(knowledge: Knowledge) -> None:
    answer = knowledge.ask("can he still shoot his bow when an enemy is next to him", "ordeals")
    assert (answer.status, answer.verdict) == ("answered", "no")
    first, *others = answer.examples
    assert first.status == "holds"
    assert {step.clause for step in first.steps} == {"ordeals/close-combat#engaged-deeds"}
    assert all(step.says for step in first.steps)
    assert not any(proof.steps for proof in others)


def test_claims__contradict_few_answered_phrasings(knowledge: Knowledge) -> None:
    """Phrasings were answered by other people than the claims: where both speak they agree in 90 of 100."""
    from kb.claims import match, settle
    from kb.question import Question

    for game in knowledge.games:
        agree = differ = 0
        for passage in knowledge.passages(game):
            for ask in passage.asks:
                if ask.verdict:
                    settled = settle(match(Question(ask.text), knowledge.claims(game), knowledge.lexicon(game)))
                    agree += settled is not None and settled.verdict == ask.verdict
                    differ += settled is not None and settled.verdict != ask.verdict
        assert differ <= 0.1 * (agree + differ), (game, agree, differ)


def test_batch__answers_every_line_and_says_which_is_broken(tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text(
        '{"id": 1, "text": "what is Ward", "game": "ordeals"}\n\n{"id": 2, "text": ""}\n', encoding="utf-8"
    )
    done = run_kb("ask", "--batch", str(batch), "--json")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    batch.write_text("{}\n", encoding="utf-8")
    broken = run_kb("ask", "--batch", str(batch))
    assert broken.returncode == 2
    assert "batch.jsonl:1: no text in this line" in broken.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ask"], "give a question"),
        (["ask", "x", "--game", "chess"], "The games are: betrayal, eldfall, ordeals"),
        (["term", "Edurance", "--game", "ordeals"], "Did you mean 'Endurance'"),
        (["passages", "--corpus", "/nowhere"], "there is no such corpus folder"),
        (["aks", "x"], "Did you mean `kb ask`?"),
    ],
)
def test_wrong_use__is_one_line_with_the_next_step(arguments: list[str], says: str) -> None:
    done = run_kb(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_exit_code__1_where_the_rules_are_silent() -> None:
    assert run_kb("ask", "--game", "ordeals", "how do I level up").returncode == 1


def test_query__never_imports_torch() -> None:
    heavy = "[name for name in ('torch', 'transformers', 'sentence_transformers') if name in sys.modules]"
    code = f"import sys, kb; kb.ask('what is Ward', game='ordeals'); print({heavy})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def run_kb(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kb.cli", *arguments], capture_output=True, text=True, check=False)


def test_verdict__is_not_taken_from_a_passage_that_is_unlikely_to_settle_it(knowledge: Knowledge) -> None:
    asked = ("Can I fire my bow with an enemy right next to me?", "ordeals")
    desk = Desk(knowledge, Question(asked[0]), asked[1], Options())
    assert desk.answer().verdict == "no"
    unlikely = Desk(knowledge, Question(asked[0]), asked[1], Options())
    unlikely.__dict__["judgement"] = replace(desk.judgement, confidence=0.4)
    assert unlikely.answer().verdict is None


@pytest.mark.parametrize(
    ("text", "told"),
    [("how far do you push the loser", "2 inches"), ("how many actions per activation total", "3 Deeds")],
)
def test_amount__the_sentence_that_tells_it_is_quoted(knowledge: Knowledge, text: str, told: str) -> None:
    assert told in knowledge.ask(text, "ordeals").text
