"""Horovod's own timeline, which rank 0 writes: what becomes of each tensor, from its negotiation until it is summed.

Source: ``horovod/common/timeline.cc`` and ``controller.cc`` of Horovod 0.28. All times are of ``steady_clock``, in
microseconds from when the timeline was begun; the file says what time of day that was. Tensors that are fused begin
together, and go through the same activities.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from statistics import median
from typing import Any

from corro.classes import dataclass, field
from corro.trace.clocks import Alignment, aligned
from corro.trace.spans import EXCHANGE, Foreign, Span

VARIABLE, MARKS = "HOROVOD_TIMELINE", "HOROVOD_TIMELINE_MARK_CYCLES"
NEGOTIATION, WORK, CYCLES = "Horovod: negotiation", "Horovod: exchange", "Horovod: cycles"
_NEGOTIATE = "NEGOTIATE_"
_REDUCED = "ALLREDUCE"
_MICROSECONDS = 1e6
_BITS = 8
_BYTES_OF = {"bool": 1, "bfloat16": 2}


@dataclass
class _Tensor:
    """One operation on one tensor; times are Horovod's, in seconds."""

    name: str
    what: str
    start: float
    end: float = 0.0
    bytes: int = 0
    negotiated: tuple[float, float] | None = None
    last: str = ""
    activities: list[tuple[str, float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Timeline:
    """What a timeline tells.

    Args:
        groups: the operations, each on the tensors that were fused.
        cycles: when Horovod's thread looked for something to do.
        begun: when it was begun, in seconds of the time of day; ``None`` where it does not say it.
    """

    groups: tuple[tuple[_Tensor, ...], ...]
    cycles: tuple[float, ...]
    begun: float | None


@dataclass(frozen=True)
class Noted:
    """What was seen of the same from Python, on rank 0.

    Args:
        given: for each tensor, by its name in the timeline, when it was given to Horovod, each time.
        done: when it was waited for, and there; as often.
        midnight: what the time of day was when our clock began.
        exact: whether each is of the tensor itself; of a compiled step it is known when that began and ended.
    """

    given: Mapping[str, Sequence[float]]
    done: Mapping[str, Sequence[float]]
    midnight: float | None = None
    exact: bool = True


def read(text: str) -> Timeline:
    """A timeline as Horovod writes it; of one that ends in the middle of an event, what comes before."""
    names: dict[int, str] = {}
    begun: float | None = None
    cycles: list[float] = []
    groups: list[list[_Tensor]] = []
    under_way = _UnderWay()
    for event in _events(text):
        told = event.get("args", {})
        if event["ph"] == "M":
            names[event["pid"]] = told.get("name", names.get(event["pid"], ""))
            if "start_time_since_epoch_in_micros" in told:
                begun = told["start_time_since_epoch_in_micros"] / _MICROSECONDS
        elif event["ph"] == "i":
            cycles.append(event["ts"] / _MICROSECONDS)
        else:
            under_way.take(event, names.get(event["pid"], ""), groups)
    ended = (tuple(tensor for tensor in group if tensor.end) for group in groups)
    return Timeline(tuple(filter(None, ended)), tuple(cycles), begun)


class _UnderWay:
    """The tensors that something is done with: a beginning is told with its name, and an end without it."""

    def __init__(self) -> None:
        self._open: dict[str, list[tuple[str, float]]] = defaultdict(list)
        self._tensors: dict[str, _Tensor] = {}
        self._negotiated: dict[str, tuple[float, float]] = {}
        self._last: dict[str, str] = {}
        self._joins = False

    def take(self, event: Mapping[str, Any], name: str, groups: list[list[_Tensor]]) -> None:
        now = event["ts"] / _MICROSECONDS
        within = self._open[name]
        if event["ph"] == "X":
            self._last[name] = event["name"]
        elif event["ph"] == "B":
            if not within and not event["name"].startswith(_NEGOTIATE):
                self._begin(_Tensor(name, event["name"], now), groups)
            elif within:
                self._joins = False
            within.append((event["name"], now))
        elif within:
            self._end(name, *within.pop(), now, event.get("args", {}))

    def _begin(self, tensor: _Tensor, groups: list[list[_Tensor]]) -> None:
        """Those that are fused begin before anything is done with one of them."""
        tensor.negotiated = self._negotiated.pop(tensor.name, None)
        tensor.last = self._last.pop(tensor.name, "")
        if self._joins and groups[-1][-1].what == tensor.what:
            groups[-1].append(tensor)
        else:
            groups.append([tensor])
        self._tensors[tensor.name], self._joins = tensor, True

    def _end(self, name: str, what: str, start: float, now: float, told: Mapping[str, Any]) -> None:
        if what.startswith(_NEGOTIATE):
            self._negotiated[name] = (start, now)
        elif self._open[name]:
            self._tensors[name].activities.append((what, start, now))
        else:
            tensor, self._joins = self._tensors.pop(name), False
            tensor.end, tensor.bytes = now, _bytes(told)


def _events(text: str) -> Iterator[dict[str, Any]]:
    """Each event: the file is a list that need not have an end."""
    decoder = json.JSONDecoder()
    at = text.find("[") + 1
    while True:
        while at < len(text) and text[at] in ", \r\n":
            at += 1
        try:
            event, at = decoder.raw_decode(text, at)
        except ValueError:
            return
        yield event


def _bytes(told: Mapping[str, Any]) -> int:
    """How many a tensor has: ``{"dtype": "float32", "shape": "[10, 64]"}``."""
    kind = told.get("dtype", "")
    bits = "".join(each for each in kind if each.isdecimal())
    each = _BYTES_OF.get(kind, int(bits) // _BITS if bits else 0)
    return each * prod(int(part) for part in told.get("shape", "[]").strip("[]").split(",") if part.strip())


# ---------------------------------------------------------------------- beside the others


def alignment(timeline: Timeline, noted: Noted) -> Alignment | None:
    """How its times are put beside ours.

    An all-reduce begins after its tensor was given to Horovod, and has ended before that was waited for: the n-th of a
    tensor is the n-th in both. Where nothing is known of any, there is no alignment.
    """
    after, before = [], []
    turns = {name: deque(times) for name, times in noted.given.items()}
    ends = {name: deque(times) for name, times in noted.done.items()}
    for tensor in _reduced(timeline):
        if turns.get(tensor.name):
            after.append((tensor.start, turns[tensor.name].popleft()))
        if ends.get(tensor.name):
            before.append((tensor.end, ends[tensor.name].popleft()))
    guess = None if timeline.begun is None or noted.midnight is None else timeline.begun - noted.midnight
    return aligned(after, before, guess)


def by_steps(timeline: Timeline, steps: Sequence[Span], midnight: float | None) -> Noted:
    """What is known of tensors that are summed once in each compiled step: it was meanwhile."""
    times = Counter(tensor.name for tensor in _reduced(timeline))
    names = [name for name, number in times.items() if number == len(steps)]
    given, done = [each.start for each in steps], [each.end for each in steps]
    return Noted(dict.fromkeys(names, given), dict.fromkeys(names, done), midnight, exact=False)


def _reduced(timeline: Timeline) -> Iterator[_Tensor]:
    return (tensor for group in timeline.groups for tensor in group if tensor.what == _REDUCED)


def buckets(timeline: Timeline, noted: Noted, offset: float, ends: Sequence[float]) -> list[Span]:
    """Each all-reduce of gradients, from when the last of its tensors was given to Horovod until all are summed.

    Where that was not seen, it begins with the negotiation of the first of them.
    """
    turns = {name: deque(times) for name, times in noted.given.items()}
    found = []
    for group in timeline.groups:
        if group[0].what != _REDUCED:
            continue
        given = [turns[tensor.name].popleft() for tensor in group if turns.get(tensor.name)]
        if given and not noted.exact:
            first = min(tensor.negotiated[0] if tensor.negotiated else tensor.start for tensor in group)
            given = [first + offset]
        if given:
            end = max(tensor.end for tensor in group) + offset
            start = min(max(given), end)
            size = sum(tensor.bytes for tensor in group)
            found.append(Span(EXCHANGE, start, end, "", sum(each <= start for each in ends), size))
    return found


def events(timeline: Timeline, offset: float, since: float) -> Iterator[Foreign]:
    """All that it shows from a moment on: a piece of work for tensors that were fused, with its parts inside of it."""
    for group in timeline.groups:
        if group[-1].end + offset >= since:
            yield from _of_group(group, offset)
    for each in timeline.cycles:
        if each + offset >= since:
            yield Foreign(CYCLES, "cycle", each + offset, each + offset)


def _of_group(group: Sequence[_Tensor], offset: float) -> Iterator[Foreign]:
    told = {"tensors": [tensor.name for tensor in group], "bytes": sum(tensor.bytes for tensor in group)}
    negotiated = [tensor.negotiated for tensor in group if tensor.negotiated]
    if negotiated:
        start, end = min(each for each, _ in negotiated), max(each for _, each in negotiated)
        last = {"last rank": group[-1].last} if group[-1].last else {}
        yield Foreign(NEGOTIATION, _NEGOTIATE + group[0].what, start + offset, end + offset, {**told, **last})
    start, end = min(tensor.start for tensor in group), max(tensor.end for tensor in group)
    yield Foreign(WORK, group[0].what, start + offset, end + offset, told)
    for what, begun, ended in _together(group):
        yield Foreign(WORK, what, begun + offset, ended + offset)


def _together(group: Iterable[_Tensor]) -> Iterator[tuple[str, float, float]]:
    """The activities of fused tensors, one after the other: those of a name follow each other by microseconds."""
    each = sorted((start, what, end) for tensor in group for what, start, end in tensor.activities)
    parts: list[tuple[str, float, float]] = []
    for start, what, end in each:
        if parts and parts[-1][0] == what:
            parts[-1] = (what, parts[-1][1], max(end, parts[-1][2]))
        else:
            parts.append((what, start, end))
    for place, (what, start, end) in enumerate(parts):  # one begins for a tensor before the other has ended for all
        yield what, start, min(end, parts[place + 1][1]) if place + 1 < len(parts) else end


def said(timeline: Timeline, clock: Alignment, writer_share: float) -> str:
    """What there is to know about a timeline that stands in a trace."""
    cycles = [end - begin for begin, end in pairwise(timeline.cycles)]
    often = f" It looks for tensors every {median(cycles) * 1000:.2g} ms." if cycles else ""
    near = f"to within {clock.error * 1000:.2g} ms"
    known = f"by the time of day, which what both saw confirms {near}" if clock.confirmed else near
    return (
        f"Horovod's own timeline is merged into rank 0, the only one that writes it: {known}.{often} "
        f"Its writer took {writer_share:.0%} of a core."
    )
