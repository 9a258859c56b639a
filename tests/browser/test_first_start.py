"""The first start on a machine: answers at once, better ones a little later."""

from __future__ import annotations

from typing import Any

QUESTION = "Can I fire my bow with an enemy right next to me?"


def sure(visitor: Any) -> float:
    return float(visitor.text(".answer .facts .number"))


def test_first_start__answers_before_the_phrasings_are_read_says_so_and_draws_anew(newcomer: Any) -> None:
    newcomer.page.goto(f"{newcomer.app.url}/?q={QUESTION}&game=ordeals")
    newcomer.page.wait_for_selector(".answer", timeout=60_000)
    assert "answers are less sure" in newcomer.text(".learning")
    assert "only Deeds" in newcomer.page.locator(".cite .quote").first.inner_text()
    before = sure(newcomer)

    # Somebody types the next question meanwhile: what is drawn anew leaves that alone.
    box = newcomer.page.get_by_role("textbox", name="Your question")
    box.fill("And what about my sw")
    newcomer.page.wait_for_selector(".learning", state="detached", timeout=120_000)
    newcomer.page.wait_for_function(
        "least => Number(document.querySelector('.answer .facts .number').innerText) > least", arg=before
    )
    assert newcomer.text(".answer .verdict") == "No"
    assert box.input_value() == "And what about my sw"
    assert newcomer.errors == []
