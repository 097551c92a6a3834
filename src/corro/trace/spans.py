"""Spans: what a process did, from when to when, and for which line of the script."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from corro.classes import dataclass, field

FILE = "spans.json"
LOADING, MOVING, FORWARD, BACKWARD, EXCHANGE, OPTIMIZER, EVALUATION, CHECKPOINT, WAITING, STEP = KINDS = (
    "data loading",
    "host to device",
    "forward",
    "backward",
    "all-reduce of a bucket",
    "optimizer",
    "evaluation",
    "checkpoint",
    "waiting for others",
    "compiled step",
)
"""A track each. ``waiting``: collectives beside the buckets, and what an optimizer of Horovod waits for. A compiled
step is forward and backward pass and optimizer in one; what a profiler shows of it is on their tracks, too."""


@dataclass(frozen=True)
class Span:
    """One thing that was done.

    Args:
        kind: one of ``KINDS``.
        start: in seconds of the monotonic clock, which all processes of a machine have in common.
        end: likewise.
        line: ``FILE:LINE`` of the program; empty where nothing of the user's called it.
        step: how many optimizer steps were made before.
        bytes: of a bucket.
    """

    kind: str
    start: float
    end: float
    line: str = ""
    step: int = 0
    bytes: int = 0

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end - self.start


@dataclass(frozen=True)
class Foreign:
    """What another tracer saw: the engine's own timeline, or the profiler of a framework.

    Args:
        track: where it is shown; what is within another on the same track is a part of that.
        name: as that tracer calls it.
        start: in seconds, by the clock of spans.
        end: likewise; the same for what is a moment.
        told: what else there is to say of it.
    """

    track: str
    name: str
    start: float
    end: float
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rank:
    """What one process did.

    Args:
        number: its rank.
        spans: in the order in which they ended.
        ends: when each optimizer step ended, by the same clock.
        own_seconds: what the tracer itself took.
        foreign: what other tracers saw in it.
        watched: for how many steps other tracers looked; 0 where none did, or to the end.
        beside: whether the backward pass goes on beside the exchange and does not wait for it at its end.
        said: what there is to know about other tracers: how well their clocks are known.
    """

    number: int
    spans: tuple[Span, ...]
    ends: tuple[float, ...]
    own_seconds: float
    foreign: tuple[Foreign, ...] = ()
    watched: int = 0
    beside: bool = False
    said: tuple[str, ...] = ()

    def of(self, *kinds: str) -> list[Span]:
        """The spans of some kinds."""
        return [each for each in self.spans if each.kind in kinds]


def write(folder: Path, spans: Iterable[Span], own_seconds: float, notes: Mapping[str, Any] | None = None) -> None:
    """Leave the spans of a process in a folder, with notes on other tracers."""
    rows = [(s.kind, s.start, s.end, s.line, s.step, s.bytes) for s in spans]
    (folder / FILE).write_text(json.dumps({"spans": rows, "own_seconds": own_seconds, "notes": notes or {}}))


def notes(folder: Path, name: str) -> dict[str, Any]:
    """What a process noted of another tracer; empty where nothing."""
    found: dict[str, Any] = json.loads((folder / FILE).read_text())["notes"].get(name, {})
    return found


def read(number: int, folder: Path, ends: Sequence[float], lines: Mapping[str, str]) -> Rank:
    """The spans that a process left; ``lines`` gives the script's own line for one of the program."""
    told: dict[str, Any] = json.loads((folder / FILE).read_text())
    spans = (Span(*row) for row in told["spans"])
    mapped = (Span(s.kind, s.start, s.end, lines.get(s.line, s.line), s.step, s.bytes) for s in spans)
    return Rank(number, tuple(mapped), tuple(ends), told["own_seconds"])
