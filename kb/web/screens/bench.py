"""Bench: a procedure or a worked example, its numbers in a form, the verdict, the odds and what if."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import streamlit as st

from kb.engine import plugins
from kb.engine.check import outcome
from kb.engine.examples import Example
from kb.engine.kernel import Procedure, Rules, Verdict, run
from kb.errors import ExampleError, UsageError
from kb.web import links
from kb.web.form import Form
from kb.web.frame import game_choice
from kb.web.inputs import beginning, variable, without_defaults
from kb.web.site import Site
from kb.web.template import fill
from kb.web.trial import (
    AMENDED,
    HOUSE,
    PRINTED,
    example_yaml,
    examples_of,
    has_odds,
    house_template,
    odds_of,
    rules_for,
    what_if,
)
from kb.web.views.bench import odds_html, outcome_html, path_label, refused_html, verdict_html, what_if_html
from kb.web.views.bench_list import bench_head_html, bench_list_html


@dataclass(frozen=True)
class Start:
    """What the form begins with."""

    procedure: Procedure
    given: Mapping[str, Any]
    example: Example | None = None


def draw(site: Site) -> None:
    """The bench; its address names the example, or the procedure with its input."""
    start = _from_address(site)
    if start is None:
        _choose(site)
        return
    procedure = start.procedure
    st.html(_head(site, start))
    rules = _rules(site, procedure)
    form, verdict = st.columns([6, 5], gap="large")
    with form:
        given = _form(start)
    with verdict:
        found = _verdict(site, start, given, rules)
    if rules is None:
        return
    _below(site, procedure, given, rules, found)


def _from_address(site: Site) -> Start | None:
    params = st.query_params
    if name := params.get("example", ""):
        return _example(site, name)
    if name := params.get("procedure", ""):
        return Start(plugins.procedure(name), _given(params.get("given", "")))
    return None


def _example(site: Site, name: str) -> Start:
    game, _, id_ = name.partition("/")
    examples = {example.id: example for example in examples_of(site.knowledge, site.knowledge.game(game).name)}
    if id_ not in examples:
        close = get_close_matches(id_, examples, n=1)
        hint = f"Perhaps {close[0]!r} is meant" if close else "The bench lists them all"
        raise UsageError(f"there is no worked example {name!r}", hint)
    example = examples[id_]
    return Start(plugins.procedure(example.procedure), example.given, example)


def _given(text: str) -> Mapping[str, Any]:
    try:
        given = json.loads(text or "{}")
    except ValueError:
        raise UsageError("the input in this address can't be read", "Copy the whole address") from None
    if not isinstance(given, dict):
        raise UsageError("the input in this address is no mapping", "Copy the whole address")
    return given


def _choose(site: Site) -> None:
    """All that can be run: procedures, each with its worked examples."""
    st.html(bench_list_html(site, game_choice(site, links.BENCH)))


def _head(site: Site, start: Start) -> str:
    return bench_head_html(site, start.procedure, start.example)


def _rules(site: Site, procedure: Procedure) -> Rules | None:
    """The rule set that is chosen; None where the house rules can't be read, which is said."""
    with st.container(key="rules"):
        which = st.segmented_control(
            "Rules",
            [AMENDED, PRINTED, HOUSE],
            default=AMENDED,
            key="bench_rules",
            required=True,
            label_visibility="collapsed",
        )
        house = ""
        if which == HOUSE:
            house = st.text_area(
                "House rules (YAML)", value=house_template(procedure), key=f"house/{procedure.name}", height=220
            )
    try:
        return rules_for(site.knowledge, procedure.game, which or AMENDED, house)
    except ExampleError as error:
        st.html(refused_html(error))
        return None


def _form(start: Start) -> dict[str, Any]:
    """The form. It begins anew when the address names something else, and goes on where it was otherwise."""
    state = st.session_state
    fresh = beginning(start.procedure.given, start.given)
    wanted = (start.procedure.name, json.dumps(fresh, sort_keys=True, default=str))
    bench = state.get("bench")
    if bench is None or bench["wanted"] != wanted:
        _forget(bench)
        bench = state["bench"] = {"wanted": wanted, "number": _next_number(), "start": fresh}
    elif not any(str(key).startswith(f"bench{bench['number']}/") for key in state):
        # The page was left and come back to: its widgets are gone, what they held is not.
        bench = state["bench"] = {**bench, "number": _next_number(), "start": bench["now"]}
    form = Form(f"bench{bench['number']}", bench.get("now", bench["start"]))
    with st.container(key="form"):
        bench["now"] = form.fields(start.procedure.given, bench["start"])
    now: dict[str, Any] = bench["now"]
    return now


def _next_number() -> int:
    """Forms of a session are numbered, so that a new one gets widgets of its own."""
    number: int = st.session_state.get("bench_number", 0) + 1
    st.session_state["bench_number"] = number
    return number


def _forget(bench: Mapping[str, Any] | None) -> None:
    if bench is not None:
        for key in [key for key in st.session_state if str(key).startswith(f"bench{bench['number']}/")]:
            del st.session_state[key]


def _verdict(site: Site, start: Start, given: dict[str, Any], rules: Rules | None) -> Verdict | None:
    if rules is None:
        return None
    with st.container(key="verdict"):
        if start.example is not None:
            changed = beginning(start.procedure.given, start.given) != beginning(start.procedure.given, given)
            st.html(outcome_html(outcome(start.example, rules), changed))
            if changed:
                st.button("Back to the example", on_click=_begin_anew)
        try:
            verdict = run(start.procedure, given, rules)
        except ExampleError as error:
            st.html(refused_html(error))
            return None
        st.html(verdict_html(start.procedure, verdict, site))
        return verdict


def _begin_anew() -> None:
    _forget(st.session_state.pop("bench", None))


def _below(site: Site, procedure: Procedure, given: dict[str, Any], rules: Rules, verdict: Verdict | None) -> None:
    """Odds, what if, and the trial as an example to keep."""
    if has_odds(procedure):
        st.html('<h2 class="section">Odds over every roll</h2>')
        try:
            st.html(odds_html(procedure, odds_of(procedure, given, rules)))
        except ExampleError as error:
            st.html(refused_html(error))
    choices = variable(procedure.given)
    if choices:
        st.html('<h2 class="section">What if</h2>')
        path = st.selectbox(
            "Vary",
            list(choices),
            format_func=lambda path: path_label(procedure, path),
            key=f"vary/{procedure.name}",
            width=320,
        )
        st.html(what_if_html(procedure, what_if(procedure, given, rules, path)))
    _keep(site, procedure, given, verdict)


def _keep(site: Site, procedure: Procedure, given: dict[str, Any], verdict: Verdict | None) -> None:
    short = without_defaults(procedure.given, given)
    link = site.url(links.BENCH, procedure=procedure.name, given=short)
    st.html('<h2 class="section">Keep it</h2>')
    st.html(fill("keep", link=link))
    if verdict is None or verdict.house:
        return
    with st.expander("Save as a worked example"):
        title = st.text_input("What it shows, in a sentence", value=procedure.title, key=f"title/{procedure.name}")
        st.caption(f"Put it into corpus/{procedure.game}/examples/: `kb check` runs it from then on.")
        st.code(example_yaml(procedure, given, verdict, title or procedure.title), language="yaml", wrap_lines=True)
