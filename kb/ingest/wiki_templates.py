"""Templates and transclusions of a wiki written out, so that a page's text is complete before it is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.ingest.wiki_text import headed, included, labelled, tangled, title_of, without_comments

MAX_DEPTH = 12
"Templates within templates."
MAX_CALLS = 20_000
"Templates written out for one page."
MAX_LENGTH = 1_000_000
"Characters that one page may grow to by its templates."
_SILENT = re.compile(
    r"(?:clear|-|toc\w*|toc (?:right|left|limit)|reflist|references|stub|.* stub|nav(?:box|bar)?\b.*|"
    r".*\bnav(?:box|igation)?|short description|pp-\w+|noref|orphan|cleanup.*|delete|anchor|shortcut|documentation|"
    r"__\w+__)",
    re.I,
)
_PLAIN = re.compile(
    r"(?:nowrap|nobr|small|big|bold|b|i|em|strong|center|font|lang|tl|icon|symbol|sym|key|kbd|quote|note|keyword|term|rule|"
    r"section|user|box|ambox|info|callout|mbox)",
    re.I,
)
_HOVER = re.compile(r"(?:abbr|tooltip|tt|hover|hint|define|definition|gloss)", re.I)
_CASES: dict[str, Callable[[str], str]] = {
    "lc": str.lower,
    "uc": str.upper,
    "lcfirst": lambda text: text[:1].lower() + text[1:],
    "ucfirst": lambda text: text[:1].upper() + text[1:],
}
_HATNOTES = {
    "main": "Main article:",
    "see also": "See also:",
    "seealso": "See also:",
    "further": "Further:",
    "see": "See:",
}


@dataclass
class Templates:
    """Writes out the templates of pages; what the dump does not define is shown by its name and values."""

    defined: Mapping[str, str]
    "Template name -> wikitext."
    pages: Mapping[str, str]
    "Title -> wikitext, for transclusion."
    redirects: Mapping[str, str]
    unknown: Counter[str] = field(default_factory=Counter)
    absent: Counter[str] = field(default_factory=Counter)
    "Transcluded pages and sections that the dump lacks."
    cut: int = 0
    "Templates left unexpanded because they nest or grow without end."
    length: int = 0
    calls: int = 0

    def __post_init__(self) -> None:
        self.known: dict[tuple[object, ...], str] = {}
        self.by_name = {title_of(name): text for name, text in self.defined.items()}

    def expand(self, text: str, title: str) -> str:
        """A page's wikitext with its templates written out."""
        self.length = self.calls = 0
        return self.expanded(text, {}, title, 0) if "{{" in text else text

    def expanded(self, text: str, values: Mapping[str, str], title: str, depth: int) -> str:
        import mwparserfromhell

        if tangled(text):
            self.cut += 1
            return text.replace("{{", "").replace("}}", "")
        code = mwparserfromhell.parse(text)
        self.walk(code, values, title, depth)
        return str(code)

    def walk(self, code: Any, values: Mapping[str, str], title: str, depth: int) -> None:
        """Replaces templates and arguments in place, wherever they stand."""
        from mwparserfromhell.nodes import Text

        for n, node in enumerate(code.nodes):
            kind = type(node).__name__
            if kind == "Template":
                code.nodes[n] = Text(self.template(node, values, title, depth))
            elif kind == "Argument":
                name = str(node.name).strip()
                default = self.inside(node.default, values, title, depth) if node.default is not None else ""
                code.nodes[n] = Text(values.get(name, default))
            elif kind not in ("Text", "HTMLEntity"):
                for part in ("contents", "text", "title"):
                    inner = getattr(node, part, None)
                    if inner is not None and hasattr(inner, "nodes"):
                        self.walk(inner, values, title, depth)

    def inside(self, code: Any, values: Mapping[str, str], title: str, depth: int) -> str:
        self.walk(code, values, title, depth)
        return str(code)

    def template(self, node: Any, values: Mapping[str, str], title: str, depth: int) -> str:
        """One template as wikitext."""
        name = " ".join(self.inside(node.name, values, title, depth).replace("_", " ").split())
        given: dict[str, str] = {}
        for param in node.params:
            key = str(param.name).strip()
            value = self.inside(param.value, values, title, depth)
            given[key] = value.strip() if param.showkey else value
        text = self.rendered(name, given, title, depth)
        self.length += len(text)
        if self.length > MAX_LENGTH:
            self.cut += 1
            return " ".join((name, *given.values())) if self.length < 2 * MAX_LENGTH else ""
        return text

    def rendered(self, name: str, given: Mapping[str, str], title: str, depth: int) -> str:
        if name.startswith("#") or ":" in name:
            found = self.function(name, given, title, depth)
            if found is not None:
                return found
        plain = re.sub(r"^(?:template|subst|safesubst|msg)\s*:\s*", "", name, flags=re.I)
        if plain.upper() in ("PAGENAME", "FULLPAGENAME", "SUBPAGENAME", "BASEPAGENAME"):
            return title
        if plain in ("!", "="):
            return "|" if plain == "!" else "="
        wikitext = self.by_name.get(self.redirects.get(title_of(plain), title_of(plain)))
        if wikitext is not None and "#invoke" not in wikitext:
            self.calls += 1
            if depth >= MAX_DEPTH or self.calls > MAX_CALLS:
                self.cut += 1
                return " ".join((plain, *given.values()))
            return self.defined_as(wikitext, given, title, depth)
        return self.undefined(plain, given)

    def defined_as(self, wikitext: str, given: Mapping[str, str], title: str, depth: int) -> str:
        """A defined template with its values put in; the same values give the same text, page names apart."""
        key = (wikitext, tuple(given.items()), title if "PAGENAME" in wikitext else "", depth)
        if key not in self.known:
            if len(self.known) > 10_000:
                self.known.clear()
            self.known[key] = self.expanded(included(without_comments(wikitext)), given, title, depth + 1)
        return self.known[key]

    def function(self, name: str, given: Mapping[str, str], title: str, depth: int) -> str | None:
        """Parser functions and transclusions: `#lst:`, `#lsth:`, `#if:`, `:Page`; None for what is none."""
        function, _, first = name.partition(":")
        function, first = function.strip().lower(), first.strip()
        rest = list(given.values())
        if function in ("#lst", "#section", "#lstx", "#section-x", "#lsth", "#section-h"):
            return self.transcluded(first, (rest or [""])[0].strip(), function[-1] == "h", title, depth)
        if function == "":
            return self.transcluded(first, "", False, title, depth)
        if function == "#if":
            return [*rest, "", ""][0 if first else 1]
        if function == "#ifeq":
            same, yes, no = [*rest, "", "", ""][:3]
            return yes if first == same.strip() else no
        if function == "#switch":
            return given.get(first, given.get("#default", rest[-1] if rest and "1" in given else ""))
        if function in ("defaultsort", "displaytitle", "#seo", "#tag"):
            return ""
        if change := _CASES.get(function):
            return change(first)
        return None

    def transcluded(self, page: str, section: str, by_heading: bool, title: str, depth: int) -> str:
        """A page or a section of one, in place."""
        wanted = title_of(page)
        wanted = self.redirects.get(wanted, wanted)
        text = self.pages.get(wanted)
        if text is not None and section:
            text = headed(text, section) if by_heading else labelled(text, section)
        elif text is not None:
            text = included(text)
        if text is None or depth >= MAX_DEPTH:
            self.absent[f"{wanted}#{section}" if section else wanted] += 1
            return f"[[{wanted}{f'#{section}' if section and by_heading else ''}]]"
        return self.expanded(without_comments(text), {}, title, depth + 1)

    def undefined(self, name: str, given: Mapping[str, str]) -> str:
        """A template whose wikitext the dump lacks."""
        placed = [value.strip() for key, value in given.items() if key.isdecimal() and value.strip()]
        named = {key: value for key, value in given.items() if not key.isdecimal() and value.strip()}
        if _SILENT.fullmatch(name) and not named:
            return ""
        if hatnote := _HATNOTES.get(name.lower()):
            return f"\n{hatnote} {', '.join(f'[[{page}]]' for page in placed)}\n"
        if _HOVER.fullmatch(name) and len(placed) > 1:
            tip = placed[1].replace('"', "&quot;")
            return f'<abbr title="{tip}">{placed[0]}</abbr>'
        self.unknown[name] += 1
        if len(named) > 1:
            rows = "\n|-\n".join(f"! {key}\n| {value}" for key, value in named.items())
            return f"\n{{|\n|+ {name}\n|-\n{rows}\n|}}\n" + " ".join(placed)
        values = [*placed, *(f"{key}: {value}" for key, value in named.items())]
        return " ".join(values if values and _PLAIN.fullmatch(name) else (name, *values))
