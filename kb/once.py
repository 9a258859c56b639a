"""A property that is worked out once, without a lock.

Up to Python 3.11 `functools.cached_property` holds one lock for all objects of a class while it works: answers to
several people would be worked out one after the other, encoder and all. Two threads that ask one object for the same
at the same moment both work it out here; what they get is equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  used as a decorator, like `property`
    """`@once def …(self)`: the result is kept in the object."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, of: None, owner: type | None = None) -> once[T]: ...
    @overload
    def __get__(self, of: object, owner: type | None = None) -> T: ...
    def __get__(self, of: object | None, owner: type | None = None) -> once[T] | T:
        if of is None:
            return self
        value = of.__dict__[self.name] = self.work(of)  # found there from now on: this is no data descriptor
        return value
