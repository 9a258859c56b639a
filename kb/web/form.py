"""Draws a form from a procedure's own description of its fields, whatever game it is of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import streamlit as st

from kb.engine.fields import Field
from kb.web.inputs import SCALARS, blank, known_names, label

FEW = 4
"Up to this many choices stand side by side, to be taken with one tap."
LEFT_OUT = object()
"Stands for an optional text that was left empty: its key is left out of the input."


@dataclass(frozen=True)
class Form:
    """One form on the page. Its widgets' keys begin with `stamp`, so that a new beginning makes new widgets."""

    stamp: str
    whole: Mapping[str, Any]
    "The input as it was when the page was last drawn: where the names to choose from stand."

    def key(self, path: str) -> str:
        return f"{self.stamp}/{path}"

    def fields(self, fields: Sequence[Field], values: Mapping[str, Any], path: str = "") -> dict[str, Any]:
        """Draws the fields with these values to begin with, and returns what they hold now."""
        found: dict[str, Any] = {}
        for plain, run in groupby(fields, key=lambda field: field.kind in SCALARS):
            if plain:
                found |= self.grid(list(run), values, path)
            else:
                found |= {f.name: self.value(f, values.get(f.name), _join(path, f.name)) for f in run}
        return {name: value for name, value in found.items() if value is not LEFT_OUT}

    def grid(self, fields: Iterable[Field], values: Mapping[str, Any], path: str) -> dict[str, Any]:
        """Single values, side by side as far as there is room."""
        fields = list(fields)
        with st.container(key=self.key(f"grid-{path}-{fields[0].name}"), horizontal=True, gap="small"):
            return {f.name: self.value(f, values.get(f.name), _join(path, f.name)) for f in fields}

    def value(self, field: Field, value: Any, path: str) -> Any:
        draw = {
            "integer": self.number,
            "number": self.number,
            "boolean": self.boolean,
            "choice": self.choice,
            "text": self.text,
            "name": self.name,
            "record": self.record,
            "list": self.entries,
            "mapping": self.mapping,
        }[field.kind]
        return draw(field, value, path)

    def number(self, field: Field, value: Any, path: str) -> Any:
        whole = field.kind == "integer"
        cast: Callable[[Any], Any] = int if whole else float
        limits: dict[str, Any] = {
            "min_value": None if field.low is None else cast(field.low),
            "max_value": None if field.high is None else cast(field.high),
            "value": None if value is None else cast(value),
            "step": 1 if whole else 0.5,
            "format": None if whole else "%g",
        }
        unset = f"D{field.die}: open" if field.die else "none" if field.nullable else None
        found: Any = st.number_input(
            label(field), key=self.key(path), help=_help(field), placeholder=unset, width=150, **limits
        )
        return int(found) if found is not None and found == int(found) else found

    def boolean(self, field: Field, value: Any, path: str) -> Any:
        if not field.nullable and not field.choices:
            return st.checkbox(label(field), value=bool(value), key=self.key(path), help=_help(field))
        options = [*([None] if field.nullable or value is None else []), True, False, *field.choices]
        names: dict[Any, str] = {None: "not told", True: "yes", False: "no"}
        return self.pick(field, options, value, path, {option: names.get(option, str(option)) for option in options})

    def choice(self, field: Field, value: Any, path: str) -> Any:
        options = [*([None] if field.nullable or value is None else []), *field.choices]
        return self.pick(
            field, options, value, path, {option: "none" if option is None else option for option in options}
        )

    def pick(self, field: Field, options: Sequence[Any], value: Any, path: str, names: Mapping[Any, str]) -> Any:
        """One of several: side by side where they are few and short, else a list."""
        # A widget takes None for "nothing chosen"; here it is a choice of its own, and no allowed text is empty.
        shown = ["" if option is None else option for option in options]
        start = "" if value is None else value
        start = start if start in shown else shown[0]
        words = {**names, "": names.get(None, "none")}
        common: dict[str, Any] = {"key": self.key(path), "help": _help(field), "format_func": words.__getitem__}
        if len(shown) <= FEW and sum(len(words[each]) for each in shown) <= 36:
            found = st.segmented_control(label(field), shown, default=start, required=True, **common)
        else:
            found = st.selectbox(label(field), shown, index=shown.index(start), width=220, **common)
        return None if found == "" else found

    def text(self, field: Field, value: Any, path: str) -> Any:
        found = st.text_input(label(field), value=value or "", key=self.key(path), help=_help(field), width=220)
        return (found or "").strip() or _nothing(field)

    def name(self, field: Field, value: Any, path: str) -> Any:
        known = known_names(field, self.whole)
        if not known:
            return self.text(field, value, path)
        options = [*([None] if field.nullable or value is None else []), *known]
        if value not in options:
            options.append(value)
        return self.pick(
            field, options, value, path, {option: "none" if option is None else option for option in options}
        )

    def record(self, field: Field, value: Any, path: str) -> Any:
        with st.container(border=True, key=self.key(f"record-{path}")):
            if field.nullable:
                there = st.checkbox(
                    f"**{label(field)}**", value=value is not None, key=self.key(f"{path}?"), help=_help(field)
                )
                if not there:
                    return None
                value = value if isinstance(value, Mapping) else {f.name: blank(f) for f in field.fields}
            else:
                st.markdown(f"**{label(field)}**", help=_help(field))
            return self.fields(field.fields, value or {}, path)

    def entries(self, field: Field, value: Any, path: str) -> Any:
        assert field.item is not None
        if field.item.kind in ("text", "name") or (field.item.kind == "choice" and field.item.unique):
            return self.words(field, field.item, value or [], path)
        rows = self.rows(path, [*(value or [])])
        found = []
        with st.container(border=True, key=self.key(f"list-{path}")):
            st.markdown(f"**{label(field)}**", help=_help(field))
            for place, (row, start) in enumerate(rows, 1):
                found.append(self.row(field.item, start, f"{path}[{row}]", place, path))
            what = (field.item.name or "entry").replace("_", " ")
            full = field.high is not None and len(rows) >= field.high
            st.button(
                f"Add {what}", key=self.key(f"{path}+"), on_click=self.add, args=(path, field.item), disabled=full
            )
        return [each for each in found if each is not LEFT_OUT]

    def row(self, item: Field, value: Any, path: str, place: int, of: str) -> Any:
        """One entry of a list, with the button that takes it away."""
        with st.container(key=self.key(f"row-{path}")):
            with st.container(horizontal=True, vertical_alignment="center", key=self.key(f"head-{path}")):
                st.caption(f"{(item.name or 'entry').replace('_', ' ')} {place}")
                st.button("Remove", key=self.key(f"{path}-"), on_click=self.remove, args=(of, path), type="tertiary")
            if item.kind == "record":
                return self.fields(item.fields, value or {}, path)
            return self.value(item, value, path)

    def words(self, field: Field, item: Field, value: Sequence[str], path: str) -> Any:
        """A list of names: chosen from those that are known, or typed."""
        known = list(dict.fromkeys([*known_names(item, self.whole), *value]))
        return st.multiselect(
            label(field),
            known,
            default=list(value),
            key=self.key(path),
            help=_help(field),
            accept_new_options=item.kind != "choice",
            placeholder="none" if known or item.kind == "choice" else "none; type a name",
            width=320,
        )

    def mapping(self, field: Field, value: Any, path: str) -> Any:
        assert field.item is not None
        rows = self.rows(path, list((value or {}).items()))
        found: dict[str, Any] = {}
        with st.container(border=True, key=self.key(f"mapping-{path}")):
            st.markdown(f"**{label(field)}**", help=_help(field))
            for row, (name, inner) in rows:
                here = f"{path}[{row}]"
                with st.container(horizontal=True, vertical_alignment="bottom", key=self.key(f"row-{here}")):
                    key = st.text_input("Name", value=name, key=self.key(f"{here}!"), width=150)
                    held = self.value(field.item, inner, here)
                    st.button(
                        "Remove", key=self.key(f"{here}-"), on_click=self.remove, args=(path, here), type="tertiary"
                    )
                if key and held is not LEFT_OUT:
                    found[key] = held
            st.button("Add", key=self.key(f"{path}+"), on_click=self.add, args=(path, None, ("", blank(field.item))))
        return found

    def rows(self, path: str, start: Sequence[Any]) -> list[tuple[int, Any]]:
        """The entries of a list as (number for its widgets' keys, value to begin with)."""
        rows: list[tuple[int, Any]] = st.session_state.setdefault(self.key(f"{path}#"), list(enumerate(start)))
        return rows

    def add(self, path: str, item: Field | None, value: Any = None) -> None:
        rows = st.session_state[self.key(f"{path}#")]
        number = 1 + max((row for row, _ in rows), default=-1)
        rows.append((number, blank(item) if item is not None else value))

    def remove(self, path: str, row: str) -> None:
        rows = st.session_state[self.key(f"{path}#")]
        st.session_state[self.key(f"{path}#")] = [each for each in rows if f"{path}[{each[0]}]" != row]


def _nothing(field: Field) -> Any:
    """What an empty text stands for."""
    return None if field.nullable else "" if field.required else LEFT_OUT


def _help(field: Field) -> str | None:
    """What the field means and what may stand there."""
    kinds = ("integer", "number")
    allowed = f"Allowed: {field.allowed}." if field.kind in kinds and field.low is not None else ""
    return " ".join(filter(None, (field.help, allowed))) or None


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
