"""Addresses inside the app. All pages stand side by side, so relative addresses work under any base path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

ASK, GLOSSARY, RULES, RULINGS, BENCH, IMPORT = "", "glossary", "rules", "rulings", "bench", "import"


def url(page: str, **parameters: Any) -> str:
    """A relative address; parameters that are None, empty or False are left out, True becomes 1."""
    return address(page, parameters)


def address(page: str, parameters: Mapping[str, Any]) -> str:
    kept = {key: _text(value) for key, value in parameters.items() if value not in (None, "", False)}
    query = urlencode(kept, quote_via=quote, safe="/:,")
    return f"{page or './'}?{query}" if query else page or "./"


def _text(value: Any) -> str:
    if value is True:
        return "1"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
