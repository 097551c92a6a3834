"""``corro.classes`` makes what ``dataclasses`` makes."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import pytest

from corro import classes


def _made(module: Any) -> dict[str, Any]:
    """Classes of every form that is used."""

    @module.dataclass(frozen=True)
    class Point:
        kind: ClassVar[str] = "point"
        x: int
        y: int = 2

    @module.dataclass(frozen=True)
    class Named(Point):
        name: str = ""
        y: int = 3

        def __post_init__(self) -> None:
            if not self.x:
                raise ValueError("nowhere")

    @module.dataclass(frozen=True, eq=False)
    class Apart:
        x: int

    @module.dataclass
    class Open:
        x: int
        seen: list[int] = module.field(default_factory=list)
        hidden: list[int] = module.field(default_factory=list, repr=False)

    @module.dataclass(frozen=True)
    class Empty:
        pass

    return {each.__name__: each for each in (Point, Named, Apart, Open, Empty)}


BOTH = (_made(dataclasses), _made(classes))


@pytest.mark.parametrize(
    "text",
    [
        "Point(1)", "Point(1, 5)", "Point(y=4, x=1)", "Named(1)", "Named(1, 2, 'here')", "Named(x=1, name='a')",
        "Open(1)", "Open(1, [2])", "Empty()", "Point(1).kind", "Point(1) == Point(1, 2)", "Point(1) == Point(2)",
        "Point(1) == Named(1)", "Point(1) == 1", "Apart(1) == Apart(1)", "Open(1) == Open(1)", "Empty() == Empty()",
        "len({Point(1), Point(1), Point(2), Named(1)})", "len({Apart(1), Apart(1)})", "hash(Empty()) == hash(Empty())",
        "replace(Named(1, 2, 'a'), x=5)", "replace(Open(1, [3]), x=2)", "std.asdict(Named(1, 2, 'a'))",
        "std.replace(Named(1, 2, 'a'), x=5)", "[each.name for each in std.fields(Open)]", "std.is_dataclass(Empty)",
    ],
)  # fmt: skip
def test_the_same_comes_out(text: str) -> None:
    expected, got = (eval(text, {**made, "replace": module.replace, "std": dataclasses}) for made, module in _sides())
    assert repr(got) == repr(expected)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Point()", TypeError), ("Point(1, 2, 3)", TypeError), ("Point(1, z=3)", TypeError),
        ("Point(z=3, y=1)", TypeError), ("replace(Point(1), z=2)", TypeError), ("hash(Open(1))", TypeError),
        ("setattr(Point(1), 'x', 2)", AttributeError), ("delattr(Point(1), 'x')", AttributeError),
        ("Named(0)", ValueError), ("replace(Named(1), x=0)", ValueError),
    ],
)  # fmt: skip
def test_the_same_is_wrong(text: str, error: type[Exception]) -> None:
    for made, module in _sides():
        with pytest.raises(error):
            eval(text, {**made, "replace": module.replace})


def test_what_is_open_is_assigned_and_defaults_are_not_shared() -> None:
    for made, _ in _sides():
        one, other = made["Open"](1), made["Open"](1)
        one.x = 5
        one.seen.append(1)
        assert (one.x, one.seen, other.x, other.seen) == (5, [1], 1, [])


def _sides() -> list[tuple[dict[str, Any], Any]]:
    return [(BOTH[0], dataclasses), (BOTH[1], classes)]
