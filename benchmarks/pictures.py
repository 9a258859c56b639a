"""Takes the README's pictures from the running app: `pictures.py`. They go to docs/, each below 300 kB."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from playwright.sync_api import sync_playwright
from running import FLAGS, ROOT, chromium, running_app

LARGEST = 300_000
"Bytes of a picture."


@dataclass(frozen=True)
class Picture:
    """One picture: what is opened and how much of it is shown."""

    name: str
    address: str
    ready: str
    "A part of the page that is there when all is drawn."
    height: int


PICTURES = (
    Picture(
        "ask",
        "?q=I rolled 9 with Might 2, he rolled 5 and has Ward 1. How much Harm?&game=ordeals",
        ".answer .steps",
        1130,
    ),
    Picture("bench", "bench?example=ordeals/charge-turns-a-tie", ".what-if", 1180),
)


def main() -> None:
    with running_app() as (url, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for picture in PICTURES:
            page = browser.new_page(viewport={"width": 1280, "height": picture.height}, color_scheme="light")
            page.goto(f"{url}/{picture.address}")
            page.wait_for_selector(picture.ready, timeout=120_000)
            page.wait_for_selector(".learning", state="detached", timeout=300_000)
            page.wait_for_timeout(1500)
            target = ROOT / "docs" / f"{picture.name}.png"
            target.parent.mkdir(exist_ok=True)
            page.screenshot(path=target)
            size = target.stat().st_size
            print(f"{target.relative_to(ROOT)}: {size / 1000:.0f} kB")
            if size > LARGEST:
                sys.exit(f"{target.name} is larger than {LARGEST // 1000} kB")
        browser.close()


if __name__ == "__main__":
    main()
