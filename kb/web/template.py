"""Fills the HTML templates. Everything that is put into one is escaped, save what is `Markup` already."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from kb.web import links

FOLDER = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals["url"] = links.url
    environment.globals["sentence"] = sentence
    return environment


def fill(template: str, **values: Any) -> Markup:
    """The template `templates/<name>.html` with these values, as safe HTML."""
    return Markup(_environment().get_template(f"{template}.html").render(**values))  # escaped by the template


def sentence(text: str) -> str:
    """A part of an error message as a sentence of its own."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
