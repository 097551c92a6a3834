"""A trace as Chrome and Perfetto read it: a process for each rank, and a track for each kind of work.

Source: "Trace Event Format", the document of Chrome's trace viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

from corro.trace.spans import EXCHANGE, KINDS, Foreign, Rank, Span

_MICROSECONDS = 1e6

_THREADS = 1000
"""The most tracks of a process: a viewer takes a thread for the main one of whichever process has its number."""


def document(ranks: Sequence[Rank], about: Mapping[str, Any]) -> dict[str, Any]:
    """The trace, to be written as JSON; times are microseconds from the first span.

    Args:
        ranks: the processes.
        about: what is told of the trace as a whole; the format leaves it to its writers what that is.
    """
    begun = min((span.start for rank in ranks for span in rank.spans), default=0.0)
    events = [*_names(ranks), *_events(ranks, begun)]
    return {"displayTimeUnit": "ms", "otherData": dict(about), "traceEvents": events}


def _names(ranks: Sequence[Rank]) -> Iterator[dict[str, Any]]:
    for rank in ranks:
        yield {"ph": "M", "name": "process_name", "pid": rank.number, "args": {"name": f"rank {rank.number}"}}
        own = range(max((len(KINDS), *(track + 1 for track, _ in tracks(rank)))))
        names = [KINDS[track] if track < len(KINDS) else EXCHANGE for track in own]
        for track, name in enumerate([*names, *(name for name, _ in foreign_tracks(rank))]):
            where = {"ph": "M", "pid": rank.number, "tid": _thread(rank, track)}
            yield {**where, "name": "thread_name", "args": {"name": name}}
            yield {**where, "name": "thread_sort_index", "args": {"sort_index": track}}


def _thread(rank: Rank, track: int) -> int:
    """The number of a track: no other process has it, nor is it that of a process."""
    return (rank.number + 1) * _THREADS + track


def _events(ranks: Sequence[Rank], begun: float) -> Iterator[dict[str, Any]]:
    for rank in ranks:
        for track, span in tracks(rank):
            told = {"line": span.line, "step": span.step, "bytes": span.bytes}
            yield {
                "ph": "X",
                "name": span.kind,
                "cat": "training",
                "pid": rank.number,
                "tid": _thread(rank, track),
                "ts": (span.start - begun) * _MICROSECONDS,
                "dur": span.seconds * _MICROSECONDS,
                "args": {key: value for key, value in told.items() if value or key == "step"},
            }
        first = max((len(KINDS), *(track + 1 for track, _ in tracks(rank))))
        for track, (name, events) in enumerate(foreign_tracks(rank), first):
            for event in events:
                lasting = {"ph": "X", "dur": (event.end - event.start) * _MICROSECONDS}
                yield {
                    **(lasting if event.end > event.start else {"ph": "i", "s": "t"}),
                    "name": event.name,
                    "cat": name,
                    "pid": rank.number,
                    "tid": _thread(rank, track),
                    "ts": (event.start - begun) * _MICROSECONDS,
                    "args": dict(event.told),
                }


def tracks(rank: Rank) -> Iterator[tuple[int, Span]]:
    """Each span with its track: that of its kind; buckets that are under way together have one each."""
    free: dict[int, float] = {}
    for span in sorted(rank.spans, key=lambda each: (each.start, -each.end)):
        track = KINDS.index(span.kind)
        if span.kind == EXCHANGE:
            there = chain((track,), count(len(KINDS)))
            track = next(each for each in there if free.get(each, span.start) <= span.start)
            free[track] = span.end
        yield track, span


def foreign_tracks(rank: Rank) -> list[tuple[str, list[Foreign]]]:
    """What other tracers saw, on tracks; what neither ends before the other nor lies within it has a track of its own.

    On a track each event comes before those within it.
    """
    found: dict[str, list[list[Foreign]]] = {}
    open_: dict[tuple[str, int], list[float]] = {}
    for event in sorted(rank.foreign, key=lambda each: (each.start, -each.end)):
        for number in count():
            ends = open_.setdefault((event.track, number), [])
            while ends and ends[-1] <= event.start:
                ends.pop()
            if not ends or event.end <= ends[-1]:
                ends.append(event.end)
                own = found.setdefault(event.track, [])
                own.extend([] for _ in range(number + 1 - len(own)))
                own[number].append(event)
                break
    return [(name, events) for name in sorted(found) for events in found[name]]
