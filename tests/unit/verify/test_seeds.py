"""Seeds that an engine gives all processes, and the reference that is given them at the same places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from corro.verify.probe.fitting.seeds import followed, noted
from corro.verify.probe.session import Session
from corro.verify.records import Record
from corro.verify.settings import Settings

CHANCE = 500


@dataclass
class _Place:
    """A session that is at a given place of the script, and watches nothing."""

    place: str = "train.py:1"
    record: Record = field(default_factory=Record)
    settings: Settings = field(default_factory=lambda: Settings("", "keras", "train.py", "train.py", seed=CHANCE))

    def line(self) -> str:
        return self.place

    @property
    def session(self) -> Session:
        return cast("Session", self)


def test_those_of_the_engine_are_noted_behind_how_many_of_the_scripts_own() -> None:
    at, given = _Place(), list[int]()
    seed = noted(given.append, "numpy", at.session, {7, 8}, [])
    seed(7)
    seed(3)
    seed(None)
    seed(8)
    assert given == [7, 3, CHANCE, 8]
    assert at.record.seeds == {"numpy": [(0, 7), (2, 8)]}
    assert at.record.drawn


def test_a_strategy_of_workers_gives_the_first_seed_only() -> None:
    at = _Place()
    seed = noted(lambda value: None, "numpy", at.session, (), ["a strategy"])
    seed(1)
    seed(2)
    assert at.record.seeds == {"numpy": [(0, 1)]}


def test_a_reference_begins_with_the_engines_seed() -> None:
    given: list[int] = []
    seed = followed(given.append, _Place().session, [(0, 7)])
    assert given == [7]
    seed(3)
    seed(None)
    assert given == [7, 3, CHANCE]


def test_a_reference_is_given_the_engines_seeds_behind_those_of_chance() -> None:
    """A reader seeds several times at one place; rank 0 of the program has read twice."""
    at, given = _Place(), list[int]()
    seed = followed(given.append, at.session, [(6, 7), (12, 8)])
    given.clear()
    seed(3)
    seed(None)
    seed(CHANCE)
    at.place = "train.py:2"
    seed(None)
    at.place = "train.py:3"
    seed(None)
    assert given == [3, 7, 7, 8, CHANCE]
