"""Checks of how passages hang together: tables, copies, references, terms, rulings, replacements, pins."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from kb.glossary import Glossary, stem
from kb.lint_record import WORD, Fault, Subject, first_of_each, shorten
from kb.parse import links
from kb.passage import SAYS_NOTHING, Passage

_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_EXPLAINING = ("term", *SAYS_NOTHING)
"Kinds of passage that say what a word means, or that nothing says it."
_LINK_LINE = re.compile(r"\]\(")
_CAPITALS = re.compile(r"(?<=[a-z,;] )[A-Z][\w’'-]+(?: (?:of |the )?[A-Z][\w’'-]+)*")
_FEW = {
    "German": "der die das und ist nicht ein eine werden wird mit auf für von dem den",
    "French": "le la les des est une dans pour vous avec qui sur pas sont aux votre",
    "Spanish": "el los las una que del para con por se puede cada como más jugador",
    "Italian": "il gli una che della per con sono può ogni come non giocatore alla",
    "Polish": "się nie jest oraz gracz może lub dla przez jego tego które",
    "Portuguese": "os uma não para com por que dos cada pode jogador seu são",
    "English": "the and is of to a in that it with for may you must on as or not be are",
}
_LANGUAGES = {name: frozenset(words.split()) for name, words in _FEW.items()}
FEWEST_WORDS = 8
"A passage shorter than this may say the same as another."
NEAR = 25
"Words that a passage must have to be compared with ones that are nearly the same."
OFTEN = 3
"Times that an undefined term must be written to be asked for."
MOST_ALIKE = 10


def tables(subject: Subject) -> Iterator[Fault]:
    """Tables that nothing names."""

    def found() -> Iterator[Fault]:
        for file, lines in subject.files.items():
            for n, line in enumerate(lines):
                if n == 0 or "|" not in line or not _TABLE_RULE.match(line) or "|" not in lines[n - 1]:
                    continue
                above = next((text for text in reversed(lines[: n - 1]) if text.strip()), "")
                if not _names_a_table(above):
                    mend = "Put a heading or a line in bold above it that says what it lists"
                    yield Fault("table", file, n, "a table without a caption", mend)

    return first_of_each(found(), MOST_ALIKE)


def _names_a_table(above: str) -> bool:
    text = re.sub(r"\s*\{#[^{}]*\}\s*$", "", above.strip())
    heading = text.startswith("#") or re.fullmatch(r"(?:[-*+]\s+)?(\*\*|__|\*|_).+(\*\*|__|\*|_)", text)
    return bool(heading) or text.endswith(":") or bool(re.search(r"\b(tables?|follow\w*|below)\b", text, re.I))


def copies(subject: Subject) -> Iterator[Fault]:
    """The same passage twice: revisions, diff pages. Pages that are mostly copies are named once."""
    firsts: dict[str, Passage] = {}
    pairs: list[tuple[Passage, Passage]] = []
    for p in subject.passages:
        words = [word.casefold() for word in re.findall(r"\w+", p.text)]
        if len(words) < FEWEST_WORDS:
            continue
        first = firsts.setdefault(" ".join(words), p)
        if first is not p and not {first.id, p.id} & {*p.supersedes, *first.supersedes}:
            pairs.append((first, p))
    pairs += _near_copies(subject, {p.id for pair in pairs for p in pair})
    yield from _report_copies(subject, pairs)


def _report_copies(subject: Subject, pairs: Sequence[tuple[Passage, Passage]]) -> Iterator[Fault]:
    sizes = Counter(p.page for p in subject.passages)
    by_pages = Counter((first.page, second.page) for first, second in pairs)
    told: set[tuple[str, str]] = set()
    single: dict[str, list[Passage]] = {}
    for first, second in pairs:
        pages = (first.page, second.page)
        many = by_pages[pages] >= 3 and by_pages[pages] * 2 >= sizes[second.page] and first.page != second.page
        if not many:
            single.setdefault(first.id, []).append(second)
        elif pages not in told:
            told.add(pages)
            what = f"most of this page ({by_pages[pages]} passages) is on the page {first.page!r} too"
            yield Fault("copy", second.file, 1, what, "Delete the older of the two, a revision or another view of it")
    for first_id, others in single.items():
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        what = f"the same text as {first_id}{more}: “{shorten(others[0].text, 40)}”"
        yield Fault("copy", others[0].file, others[0].lines[0], what, "Keep one, or let the newer say supersedes=")


def _near_copies(subject: Subject, known: set[str]) -> Iterator[tuple[Passage, Passage]]:
    """Passages that differ in a few small words only: never in a figure, a name or a negation."""
    buckets: dict[str, list[tuple[Passage, Counter[str]]]] = defaultdict(list)
    for p in subject.passages:
        words = re.findall(r"[\w’'+-]+", p.text)
        if len(words) < NEAR or p.id in known:
            continue
        telling = sorted({w for w in words if w[0].isupper() or w[0].isdigit() or w[0] in "+-"})
        count = Counter(word.casefold() for word in words)
        digest = hashlib.blake2b(" ".join([p.kind, *telling]).encode(), digest_size=8).hexdigest()
        for other, theirs in buckets[digest][:50]:
            differ = (count - theirs) + (theirs - count)
            few = sum(differ.values()) <= max(2, len(words) // 12)
            if few and not any(re.match(r"no|not|never|cannot|can|may|must|un", word) for word in differ):
                yield other, p
                break
        buckets[digest].append((p, count))


def languages(subject: Subject) -> Iterator[Fault]:
    """Pages in another language than the rest of the game."""
    pages: dict[str, Counter[str]] = defaultdict(Counter)
    files: dict[str, str] = {}
    for p in subject.passages:
        files[p.page] = p.file
        pages[p.page].update(word.casefold() for word in WORD.findall(p.text))
    spoken = {page: language for page, words in pages.items() if (language := _language(words))}
    common = Counter(spoken.values()).most_common(1)
    for page, language in spoken.items():
        if language != common[0][0]:
            what = f"this page is {language}, the rest of the game {common[0][0]}"
            yield Fault("copy", files[page], 1, what, "Keep one language per game: an answer can't be in two")


def _language(words: Counter[str]) -> str:
    total = sum(words.values())
    if total < 40:
        return ""
    score = {name: sum(words[word] for word in few) / total for name, few in _LANGUAGES.items()}
    best = max(score, key=lambda name: score[name])
    others = max(value for name, value in score.items() if name != best)
    return best if score[best] > 0.08 and score[best] > 1.5 * others else ""


def references(subject: Subject) -> Iterator[Fault]:
    """Links that lead nowhere, and missing pages that are there."""
    anchors = {(p.page, p.anchor) for p in subject.passages}
    pages = {name for name, _ in subject.game.pages}
    prefix = f"{subject.game.name}/"
    for file, number, text in subject.lines():
        if not _LINK_LINE.search(text):
            continue
        for target in links(text):
            if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I) or target.startswith("//"):
                continue
            path, _, anchor = unquote(target).partition("#")
            name = posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file
            page = name.removeprefix(prefix).removesuffix(".md")
            mend = "Mend the link, or write its words alone"
            if page not in pages or not (name.endswith(".md") and name.startswith(prefix)):
                yield Fault("reference", file, number, f"a link to {target!r}, which is no page of the game", mend)
            elif anchor and (page, anchor) not in anchors:
                yield Fault("reference", file, number, f"a link to {target!r}, which is no passage", mend)
    titles = {title.casefold() for _, title in subject.game.pages}
    for name in subject.game.missing_pages:
        if name.casefold() in titles:
            what = f"missing_pages names {name!r}, and there is a page of that title"
            yield Fault("reference", f"{prefix}game.yaml", 1, what, "Take it off the list")


def unused_terms(subject: Subject) -> Iterator[Fault]:
    """Definitions that no other passage uses."""
    glossary = Glossary({subject.game.name: subject.game}, subject.passages)
    asked = {word for p in subject.passages for ask in p.asks for word in map(stem, WORD.findall(ask.text))}
    pointed = {ref for p in subject.passages for ref in p.see}
    headings = {stem(word) for p in subject.passages for word in WORD.findall(f"{p.title} {' '.join(p.path)}")}
    by_id = {p.id: p for p in subject.passages}
    if len(by_id) == len(glossary.by_passage):
        # A glossary alone has no rules that could use its words.
        return
    for term in glossary.terms[subject.game.name]:
        passage = by_id[term.passage]
        names = {stem(word) for form in (*term.forms, *term.aliases) for word in WORD.findall(form)}
        used = glossary.used_in(term) or passage.see or passage.id in pointed or names & asked
        titled = any(stem(word) in headings for form in term.forms for word in WORD.findall(form)) and not term.defined
        if not used and not titled:
            what = f"no passage uses the term “{term.name}”"
            yield Fault(
                "term", passage.file, passage.lines[0], what, "Give it the alias that the rules use, or delete it"
            )


def undefined_terms(subject: Subject) -> Iterator[Fault]:
    """Words that the texts write as terms and the glossary never mentions (in games that write terms with capitals).

    A word that a definition introduces (`The standard Deeds are Move, Stand …`) is taken to be explained by it.
    """
    if not subject.game.capitalised_terms:
        return
    glossary = Glossary({subject.game.name: subject.game}, subject.passages)
    names = [
        subject.game.title,
        *subject.game.aliases,
        *subject.game.missing_pages,
        *(t for _, t in subject.game.pages),
    ]
    known = {stem(word) for term in glossary.terms[subject.game.name] for f in term.forms for word in WORD.findall(f)}
    known |= {
        stem(word) for term in glossary.terms[subject.game.name] for a in term.aliases for word in WORD.findall(a)
    }
    known |= {stem(word) for name in names for word in WORD.findall(name)}
    known |= {stem(w) for p in subject.passages if p.kind in _EXPLAINING for w in WORD.findall(f"{p.title} {p.text}")}
    titles = {p.title.casefold() for p in subject.passages}
    places: dict[str, list[Passage]] = defaultdict(list)
    for p in (each for each in subject.passages if each.kind not in _EXPLAINING):
        for match in _CAPITALS.finditer(p.text):
            if match.group().casefold() not in titles and any(
                stem(word) not in known for word in WORD.findall(match.group()) if word[0].isupper()
            ):
                places[match.group()].append(p)
    for phrase, passages in places.items():
        if len({p.id for p in passages}) >= OFTEN:
            what = f"“{phrase}” is written as a term in {len(passages)} places and the glossary does not have it"
            mend = "Define it in glossary.md, with kind=undefined where the source does not"
            yield subject.fault("term", passages[0], what, mend, phrase)


def rulings(subject: Subject) -> Iterator[Fault]:
    """Rulings without an author or a date."""
    for p in subject.passages:
        lacking = [name for name, value in (("author", p.source.by), ("date", p.source.date)) if not value]
        if p.kind == "ruling" and lacking:
            keys = " and ".join({"author": "by=", "date": "date="}[name] for name in lacking)
            what = f"a ruling without {' and '.join(lacking)}: “{shorten(p.title, 50)}”"
            yield Fault("ruling", p.file, p.lines[0], what, f"Add {keys} to its braces")


def cycles(subject: Subject) -> Iterator[Fault]:
    """Passages that replace each other in a circle, so that none is in force."""
    by_id = {p.id: p for p in subject.passages}
    done: set[str] = set()
    for start in by_id:
        path: list[str] = []
        at: str | None = start
        while at is not None and at not in path and at not in done:
            path.append(at)
            following = [ref for ref in by_id[at].superseded_by if ref in by_id] if at in by_id else []
            at = next((ref for ref in following if ref in path), following[0] if following else None)
        if at in path:
            circle = [*path[path.index(at) :], at]
            p = by_id[at]
            what = f"these replace each other in a circle: {' → '.join(circle)}"
            yield Fault("supersedes", p.file, p.lines[0], what, "Take one supersedes away")
        done |= set(path)


def pins(subject: Subject) -> Iterator[Fault]:
    """Clauses of the engine whose passage has changed since they were written."""
    folder = subject.corpus.directory / subject.game.name
    if not (folder / "pins.yaml").is_file():
        return
    from kb.engine.pins import stale_pins

    by_id = {p.id: p for p in subject.passages}
    for stale in stale_pins(subject.passages, subject.corpus.directory):
        place = by_id.get(stale.clause)
        file = place.file if place else f"{subject.game.name}/pins.yaml"
        mend = "Read the clause again and mend it, then run `kb pin`"
        yield Fault("pin", file, place.lines[0] if place else 1, str(stale), mend)


__all__ = [
    "copies",
    "cycles",
    "first_of_each",
    "languages",
    "pins",
    "references",
    "rulings",
    "tables",
    "undefined_terms",
    "unused_terms",
]
