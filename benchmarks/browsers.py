"""How fast the app is as a browser sees it: `browsers.py [--browsers 10] [--cold]`.

`--cold` begins with nothing in the user's cache, neither an encoder nor an index: the time from `kb serve` to the first
answer on the screen includes all of that, and so does the time until the players' phrasings are read too. Then one
browser asks a question again and again (warm draws), pages are loaded on a desk and on a phone (how much of what is
shown moves: the cumulative layout shift, good below 0.1), and many browsers ask different questions at once. An answer
counts as right when it is the one that `kb.ask` gives in this process.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from playwright.async_api import Page, async_playwright
from running import FLAGS, chromium, running_app

import kb
from kb.web.starters import OF_GAME

QUESTIONS = [(game, question) for game, questions in OF_GAME.items() for question in questions]
SLOWEST = 2.0
"Seconds that an answer may take while many ask."
PLACES = (
    "?game=ordeals",
    f"?game=ordeals&q={OF_GAME['ordeals'][1]}",
    "glossary",
    "rules",
    "rulings",
    "bench",
    "import",
)
"Pages whose loading is watched."
SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.moved += each.value; })
  .observe({ type: "layout-shift", buffered: true });
"""


async def ask(page: Page, question: str) -> float:
    """Types a question, and returns the seconds from Enter until its answer is on the screen."""
    box = page.get_by_role("textbox", name="Your question")
    await box.fill(question)
    begin = time.perf_counter()
    await box.press("Enter")
    await page.wait_for_selector(f'.answer[data-question="{question}"]', timeout=60_000)
    return time.perf_counter() - begin


async def first(browser: Any, url: str, started: float) -> tuple[float, float]:
    """Seconds since `started` until the first answer is on the screen, and until it is drawn of the whole index."""
    page = await browser.new_page()
    await page.goto(f"{url}/?q={QUESTIONS[0][1]}&game={QUESTIONS[0][0]}")
    await page.wait_for_selector(".answer", timeout=120_000)
    shown = time.perf_counter() - started
    await page.wait_for_selector(".learning", state="detached", timeout=300_000)
    whole = time.perf_counter() - started
    await page.close()
    return shown, whole


async def shift(browser: Any, address: str, width: int) -> tuple[float, float]:
    """Layout shift while a page is loaded and, on the Ask page, when an answer comes (what moves then is counted in
    full, though browsers excuse what follows a key within half a second)."""
    page = await browser.new_page(viewport={"width": width, "height": 844})
    await page.add_init_script(SHIFTS)
    await page.goto(address)
    await page.wait_for_selector(".foot", timeout=60_000)
    await page.wait_for_timeout(1000)
    loaded: float = await page.evaluate("moved")
    await page.evaluate("moved = 0")
    if await page.get_by_role("textbox", name="Your question").count():
        await ask(page, QUESTIONS[2][1])
        await page.wait_for_timeout(1000)
    answered: float = await page.evaluate("moved")
    await page.close()
    return loaded, answered


async def warm(browser: Any, url: str) -> list[float]:
    """One browser, the questions in turn."""
    page = await browser.new_page()
    await page.goto(f"{url}/?game=ordeals")
    await page.wait_for_selector(".foot", timeout=60_000)
    times = [await ask(page, question) for game, question in QUESTIONS * 3 if game == "ordeals"]
    await page.close()
    return times[1:]


async def crowd(browser: Any, url: str, size: int, server: int) -> tuple[list[float], int, float]:
    """When `size` browsers ask at once, three times: (seconds of each answer, how many were wrong, the app's CPU)."""
    contexts = [await browser.new_context() for _ in range(size)]
    pages = [await context.new_page() for context in contexts]
    asked = [QUESTIONS[n % len(QUESTIONS)] for n in range(size)]
    for page, (game, _) in zip(pages, asked, strict=True):
        await page.goto(f"{url}/?game={game}")
        await page.wait_for_selector(".foot", timeout=60_000)
    times: list[float] = []
    wrong, used = 0, 0.0
    for turn in range(3):
        batch = [(game, OF_GAME[game][(n + turn) % len(OF_GAME[game])]) for n, (game, _) in enumerate(asked)]
        before = cpu_seconds(server)
        times += await asyncio.gather(*(ask(page, q) for page, (_, q) in zip(pages, batch, strict=True)))
        used += cpu_seconds(server) - before
        for page, (game, question) in zip(pages, batch, strict=True):
            wrong += not await is_right(page, game, question)
    return times, wrong, used


async def is_right(page: Page, game: str, question: str) -> bool:
    """Whether the page shows what `kb.ask` says."""
    answer = kb.ask(question, game=game)
    head = page.locator(".answer .verdict")
    shown = await head.inner_text() if await head.count() else ""
    if answer.verdict and not shown.lower().startswith(answer.verdict):
        return False
    if answer.value is not None and str(answer.value) not in shown:
        return False
    return not answer.citations or answer.citations[0].title in await page.inner_text(".answer")


def cpu_seconds(pid: int) -> float:
    """Of a process and all that it has started: unlike the clock, no other work on the machine changes it."""
    processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in processes)


async def measure(url: str, server: int, started: float, size: int) -> bool:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        shown, whole = await first(browser, url, started)
        print(f"first answer on the screen, from starting kb serve   {shown:6.2f} s")
        print(f"                           of the whole index        {whole:6.2f} s")
        times = await warm(browser, url)
        print(f"warm answers, one browser: median                    {median(times):6.3f} s")
        print(f"                           slowest of {len(times)}                {max(times):6.3f} s")
        moved = [await shift(browser, f"{url}/{place}", width) for place in PLACES for width in (1280, 390)]
        print(f"layout shift, {len(moved)} pages: worst while loading       {max(one for one, _ in moved):6.3f}")
        print(f"                        worst when an answer comes   {max(two for _, two in moved):6.3f}")
        times, wrong, used = await crowd(browser, url, size, server)
        print(f"{size} browsers at once:       median                    {median(times):6.3f} s")
        print(f"                           slowest of {len(times)}               {max(times):6.3f} s")
        print(f"                           wrong answers             {wrong:6d}")
        print(f"                           app's CPU per answer      {used / len(times):6.3f} s")
        await browser.close()
    return wrong == 0 and max(times) <= SLOWEST


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=10)
    parser.add_argument("--cold", action="store_true", help="begin with an empty cache")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with running_app(Path(folder) / "cache" if options.cold else None) as (url, server):
            good = asyncio.run(measure(url, server, started, options.browsers))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
