"""Options that several commands share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click


def corpus_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--corpus and --index, set for everything that the command does."""

    @click.option("--corpus", type=click.Path(path_type=Path), help="Corpus folder (or KB_CORPUS).")
    @click.option("--index", type=click.Path(path_type=Path), help="Index folder (or KB_INDEX).")
    @wraps(function)
    def wrapped(*args: Any, corpus: Path | None, index: Path | None, **kwargs: Any) -> Any:
        if corpus is not None:
            os.environ["KB_CORPUS"] = str(corpus)
        if index is not None:
            os.environ["KB_INDEX"] = str(index)
        return function(*args, **kwargs)

    return wrapped


json_option = click.option("--json", "as_json", is_flag=True, help="JSON for machines.")
game_option = click.option("--game", "-g", help="Only this game.")


def put(value: Any) -> None:
    """Prints a value as one line of JSON; half a character that came in as `\\ud800` goes out as a question mark."""
    click.echo(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode())
