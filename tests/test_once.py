"""What is worked out once, and without holding up others."""

from __future__ import annotations

import threading

from kb.once import once


class Desk:
    """Counts its work, and meets others while it works."""

    def __init__(self, meeting: threading.Barrier | None = None) -> None:
        self.meeting = meeting
        self.worked = 0

    @once
    def answer(self) -> int:
        """Forty-two."""
        self.worked += 1
        if self.meeting is not None:
            self.meeting.wait(10)
        return 42


def test_once__is_worked_out_once_for_each_object() -> None:
    one, other = Desk(), Desk()
    assert [one.answer, one.answer, other.answer] == [42] * 3
    assert (one.worked, other.worked) == (1, 1)


def test_once__several_objects_are_worked_out_at_the_same_time() -> None:
    meeting = threading.Barrier(4)  # breaks unless all four are at work at once
    desks = [Desk(meeting) for _ in range(4)]
    found: list[int] = []
    threads = [threading.Thread(target=lambda desk=desk: found.append(desk.answer)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [42] * 4


def test_once__the_class_shows_the_property_itself() -> None:
    assert Desk.answer.__doc__ == "Forty-two."
