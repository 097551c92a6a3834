"""What came of a verification, as a value: for each property PASS, FAIL or ABSTAIN, with the first divergence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any


class Status(str, Enum):
    """``ABSTAIN``: it could not be compared, and why is said; never taken for a pass."""

    PASS = "PASS"
    FAIL = "FAIL"
    ABSTAIN = "ABSTAIN"


@dataclass(frozen=True)
class Fault:
    """One way in which the distributed run is not what the sequential run was.

    Args:
        message: what is wrong.
        line: where in the user's script, as ``FILE:LINE``.
        step: the optimizer step, counted from 0.
        rank: the process.
        tensor: the name of the tensor.
        own: the value in the distributed run.
        wanted: the value in the reference.
        late: whether no step can follow from it, as from what an evaluation has.
    """

    message: str
    line: str = ""
    step: int | None = None
    rank: int | None = None
    tensor: str = ""
    own: str = ""
    wanted: str = ""
    late: bool = field(default=False, kw_only=True)

    def __str__(self) -> str:
        step = "" if self.step is None else f"step {self.step}"
        rank = "" if self.rank is None else f"rank {self.rank}"
        where = ", ".join(each for each in (self.line, step, rank, self.tensor) if each)
        values = f": {self.own} instead of {self.wanted}" if self.own or self.wanted else ""
        return f"{self.message}{values}" + (f" [{where}]" if where else "")


@dataclass(frozen=True)
class Unknown:
    """Why something could not be compared."""

    reason: str


@dataclass(frozen=True)
class Seen:
    """What was compared."""

    text: str


Observation = Fault | Unknown | Seen


@dataclass(frozen=True)
class Result:
    """What came of one property.

    Args:
        name: that of the property.
        title: the property in words.
        faults: in the order they were found; the first is the first divergence.
        unknown: why something was not compared.
        seen: what was compared.
    """

    name: str
    title: str
    faults: tuple[Fault, ...]
    unknown: tuple[str, ...]
    seen: tuple[str, ...]

    @classmethod
    def of(cls, name: str, title: str, observations: Iterable[Observation]) -> Result:
        """Sort what a check observed; a check that compared nothing abstains."""
        found = tuple(observations)
        faults = tuple(each for each in found if isinstance(each, Fault))
        unknown = tuple(each.reason for each in found if isinstance(each, Unknown))
        seen = tuple(each.text for each in found if isinstance(each, Seen))
        if not (faults or unknown or seen):
            unknown = ("the run showed nothing that could be compared",)
        return cls(name, title, faults, tuple(dict.fromkeys(unknown)), tuple(dict.fromkeys(seen)))

    @property
    def status(self) -> Status:
        """A fault decides; what is unknown is no pass."""
        if self.faults:
            return Status.FAIL
        return Status.ABSTAIN if self.unknown else Status.PASS


@dataclass(frozen=True)
class Verdict:
    """What came of a verification.

    Args:
        results: one for each property, in their order.
        said: what was done to make the runs comparable.
    """

    results: tuple[Result, ...]
    said: tuple[str, ...] = ()

    @property
    def first(self) -> tuple[Result, Fault] | None:
        """The fault that the others may follow from: the earliest, and of those the one that causes run from.

        A run begins, is given samples, reduces a gradient and makes a step, at each step; what it reports, leaves and
        ends with follows. One process by itself is another run, which says little where this one is wrong as well.
        """
        places = {each: number for number, each in enumerate(_CAUSES)}
        found = [(result, fault) for result in self.failed for fault in result.faults[:1]]
        return min(found, key=lambda pair: _when(pair[0], pair[1], places), default=None)

    @property
    def failed(self) -> tuple[Result, ...]:
        """The properties that do not hold."""
        return tuple(each for each in self.results if each.status is Status.FAIL)

    def of(self, name: str) -> Result:
        """The result for a property, by its name."""
        return next(each for each in self.results if each.name == name)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain values for JSON."""
        results = [_told(each) for each in self.results]
        first = self.first
        cause = {"property": first[0].name, **asdict(first[1])} if first else None
        return {"results": results, "first": cause, "comparable": list(self.said)}


def _told(result: Result) -> dict[str, Any]:
    told = asdict(result)
    return {"property": told.pop("name"), **told, "status": result.status.value}


_CAUSES = ("start", "coverage", "gradient", "update", "agreement", "metrics", "effects", "end", "alone")
_BEFORE, _AT_STEPS, _BEHIND = range(3)
_MOMENTS = {"start": _BEFORE, "coverage": _BEFORE, "gradient": _AT_STEPS, "update": _AT_STEPS, "agreement": _AT_STEPS}


def _when(result: Result, fault: Fault, places: dict[str, int]) -> tuple[int, int, int]:
    """Before the steps, at which step, or after them; samples are numbered within their epoch, so of the first."""
    moment = _BEHIND if fault.late else _MOMENTS.get(result.name, _BEHIND)
    at = fault.step if moment == _AT_STEPS and fault.step is not None else 0
    return moment, at, places.get(result.name, len(places))
