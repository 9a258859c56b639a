"""Names in a question, and whether the passages have them."""

from __future__ import annotations

import pytest

from kb.names import absent, names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Is an abjurer's Arcane Ward healed?", ["Arcane Ward"]),
        (
            "Does the Eldritch Knight's War Magic count for Touch of Death?",
            ["Eldritch Knight", "War Magic", "Touch of Death"],
        ),
        ("Arcane Wards heal. Do they?", []),
        ("Can The Knight move?", []),
        ("CAN I MOVE WHILE ENGAGED", []),
        ("may my knight leave", []),
    ],
)
def test_names__are_several_words_in_capitals_inside_a_sentence(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_absent__is_what_no_passage_has_in_either_number() -> None:
    passages = ["A shield master’s block.", "Sneak Attacks deal more damage."]
    assert absent("Does my Sneak Attack help, or the Shield Master’s feat, or Savage Attacker?", passages) == [
        "Savage Attacker"
    ]
