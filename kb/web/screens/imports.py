"""Import: one's own documents, looked at, named, indexed, asked. Nothing of them leaves this computer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from kb.corpus import read_games
from kb.errors import IngestError, UsageError
from kb.ingest.draft import Options
from kb.passage import AUTHORITIES
from kb.web import links
from kb.web.imports import ENDINGS, MOST_FILES, Looked, add, look, remove
from kb.web.settings import own_library, upload_megabytes
from kb.web.site import OWN, Site
from kb.web.template import fill
from kb.web.views.imports import found_html, library_html
from kb.web.views.passages import AUTHORITY_NAMES


def draw(site: Site) -> None:
    """The page."""
    if (trouble := st.session_state.pop("trouble", None)) is not None:
        raise trouble
    st.html(fill("import_head", megabytes=upload_megabytes(), files=MOST_FILES))
    with st.container(key="import"):
        uploads = st.file_uploader("Documents", type=ENDINGS, accept_multiple_files=True, key="uploads")
        if uploads:
            _look([(upload.name, upload.getvalue()) for upload in uploads])
    _library()


def _look(files: list[tuple[str, bytes]]) -> None:
    """Looks at the files once, shows what was found, and asks for the game's name."""
    key = hashlib.sha256(b"".join(name.encode() + content for name, content in files)).hexdigest()
    state = st.session_state
    if state.get("looked_key") != key:
        with _bar("Reading") as bar:
            state["looked"] = look(files, bar)
        state["looked_key"] = key
    looked: Looked = state["looked"]
    st.html(found_html(looked))
    _add(looked)


def _add(looked: Looked) -> None:
    with st.form("add", border=True):
        title = st.text_input("Title of the game", value=looked.title, max_chars=120)
        name = st.text_input("Short name, as addresses have it", value=looked.name, max_chars=64)
        with st.expander("About the source"):
            document = st.text_input("Title of the document, as a citation names it", max_chars=200)
            authority = st.selectbox("Authority", AUTHORITIES, format_func=AUTHORITY_NAMES.__getitem__)
            owner = st.text_input("Who owns the game, as a sentence", max_chars=300)
            licence = st.text_input("Licence of the document", max_chars=120)
        pressed = st.form_submit_button("Add and index", type="primary")
    if not pressed:
        return
    options = Options(
        game=name.strip().lower(),
        title=title.strip() or None,
        document=document.strip() or None,
        authority=authority or "rulebook",
        owner=owner.strip() or None,
        licence=licence.strip() or None,
    )
    with _bar("Indexing") as bar:
        add(looked, options, bar)
    st.session_state["added"] = options.game


@contextmanager
def _bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar while something is done; it goes when that is through or fails."""
    place = st.empty()
    place.progress(0.0, words)

    def advance(done: int, total: int) -> None:
        place.progress(min(1.0, done / total) if total else 0.0, f"{words}: {done:,} of {total:,}")

    try:
        yield advance
    finally:
        place.empty()


def _library() -> None:
    """What was imported so far, each with a way to ask it and to take it away."""
    folder = own_library()
    games = read_games(folder) if folder.is_dir() else {}
    if not games:
        return
    st.html('<h2 class="section">Your library</h2>')
    if st.session_state.pop("added", None):
        st.html('<p class="notice good" role="status">Indexed: it can be asked now.</p>')
    for name, game in games.items():
        ask = links.url(links.ASK, library=OWN, game=name)
        read = links.url(links.RULES, library=OWN, game=name)
        with st.container(horizontal=True, vertical_alignment="center", key=f"own-{name}"):
            st.html(library_html(game.title, ask, read), width="stretch")
            with st.popover("Remove", type="tertiary"):
                st.write(f"Remove “{game.title}” and all its passages from this computer?")
                st.button("Yes, remove it", key=f"remove-{name}", on_click=_remove, args=(name,))


def _remove(name: str) -> None:
    # A callback runs outside of what shows faults: one is kept for the page that is drawn next.
    try:
        remove(name)
    except (IngestError, UsageError) as error:
        st.session_state["trouble"] = error
