"""Where `one`, `single` and `first` are no numbers: `that one`, `a single 4`, `first I move`."""

from __future__ import annotations

from itertools import pairwise

from kb.reading.marks import CARDINAL, ORDINAL, Mark

QUALIFIERS = frozenset(
    "out more further additional extra other others of my your our the those these his her their its single "
    "whole full separate individual different light skill such last next first second third remaining new "
    "normal same available ready exhausted matching whole full gathered great possible unresolved enemy "
    "usable own consecutive enough good free bonus successive distinct real actual another regular just mere "
    "measly lousy entire".split()
)
"Words that may stand between a number and what it counts."
POINTS_BACK = frozenset(
    "the that this which next other extra each every any same whole last our their my his her no".split()
)
"After these, `one` stands for a thing that was named before, and is no number."
FUNCTION_WORDS = frozenset(
    "this that in on for and then to with from will would cost costs at if is are was i we he she they you "
    "it do does did can may could by as or per total together still left though when a the of altogether max "
    "have had want get each off into onto against after before so without but count only just come comes came be "
    "went go over alone".split()
)
"Words after which a number without a noun may mean what was counted before."
PERSONAL = frozenset("can may must could should might earn gets has must needs wants would will after".split())
"After `one`, these show that it stands for a person: `one can hold`."


def is_adverb(marks: list[Mark], at: int) -> bool:
    """`first I move, then …`."""
    after = marks[at + 1] if at + 1 < len(marks) else None
    return (
        after is None
        or after.text in ("i", "we", "you", "he", "she", "they", ",", "then", "my")
        or after.concept == "move"
    )


def points_back(marks: list[Mark], at: int) -> bool:
    before = marks[at - 1] if at else None
    after = marks[at + 1] if at + 1 < len(marks) else None
    if after is not None and (after.text in PERSONAL or after.concept in ("price", "heal")):
        # `two have the icon, one has none`: of the things that were counted.
        same = [mark for mark in marks[:at] if mark.sentence == marks[at].sentence]
        return not (after.text == "has" and any(m.kind == CARDINAL and n.text == "have" for m, n in pairwise(same)))
    if before is None or before.concept == "break":
        return False
    if before.text in ("every", "each") and after is not None and after.text == "of":
        return True
    if before.text == "the" and at > 1 and marks[at - 2].text in ("just", "only"):
        return False
    if (
        before.text in ("does", "do", "can", "may", "must", "should")
        and after is not None
        and not (after.concept or after.text in QUALIFIERS)
    ):
        return True
    if after is not None and (after.concept or after.text in QUALIFIERS) and after.concept != "break":
        return False
    if (
        (after is None or after.concept == "break")
        and not before.concept
        and before.text not in FUNCTION_WORDS | QUALIFIERS
    ):
        return True
    return before.text in POINTS_BACK or before.kind == ORDINAL or before.text in ("extra", "additional", "other")


def only_an_article(marks: list[Mark], at: int) -> bool:
    """`a single 4`, `one pooled 5`."""
    near = marks[at + 1 : at + 3]
    number = next((place for place, mark in enumerate(near) if mark.kind == CARDINAL), None)
    return number is not None and all(mark.concept and mark.concept != "break" for mark in near[:number])
