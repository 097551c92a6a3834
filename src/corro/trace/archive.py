"""A trace as an OTF2 archive, which Vampir, Scalasca, ViTE and R read: a location for each rank and kind of work.

Source: the Open Trace Format 2 of Score-P, written by its own library for Python.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corro.errors import UsageError
from corro.trace.chrome import foreign_tracks, tracks
from corro.trace.spans import KINDS, Foreign, Rank

_NANOSECONDS = 10**9


def must_be_writable(folder: Path) -> None:
    """See that an archive can be written there.

    Raises:
        UsageError: the folder is there already, or the library is not installed.
    """
    if folder.exists():
        raise UsageError(f"{folder} is there already.", advice="Give --otf2 a folder that is to be made.")
    if importlib.util.find_spec("otf2") is None:
        raise UsageError(
            "--otf2 needs the library of Score-P, not installed here.", advice='pip install "corro[trace]"'
        )


def write(ranks: Sequence[Rank], folder: Path) -> None:
    """Write an archive into a new folder; times are nanoseconds from the first span."""
    import otf2  # noqa: PLC0415

    begun = min((span.start for rank in ranks for span in rank.spans), default=0.0)
    with otf2.writer.open(str(folder), timer_resolution=_NANOSECONDS) as archive:
        machine = archive.definitions.system_tree_node("machine")
        regions = {kind: archive.definitions.region(kind) for kind in KINDS}
        for rank in ranks:
            group = archive.definitions.location_group(f"rank {rank.number}", system_tree_parent=machine)
            placed = list(tracks(rank))
            names = Counter[str]()  # those of a name would be one location

            def named(kind: str, names: Counter[str] = names) -> str:
                names[kind] += 1
                return kind if names[kind] == 1 else f"{kind} ({names[kind]})"

            for track in sorted({track for track, _ in placed}):
                spans = [span for at, span in placed if at == track]
                writer = archive.event_writer(named(spans[0].kind), group=group)
                last = 0
                for span in spans:
                    begin = max(last, round((span.start - begun) * _NANOSECONDS))
                    last = max(begin, round((span.end - begun) * _NANOSECONDS))
                    writer.enter(begin, regions[span.kind])
                    writer.leave(last, regions[span.kind])
            for name, events in foreign_tracks(rank):
                writer = archive.event_writer(named(name), group=group)
                for time, kind, entered in _steps(events):
                    if kind not in regions:
                        regions[kind] = archive.definitions.region(kind)
                    at = max(0, round((time - begun) * _NANOSECONDS))
                    (writer.enter if entered else writer.leave)(at, regions[kind])


def _steps(events: Iterable[Foreign]) -> Iterator[tuple[float, str, bool]]:
    """When each event is entered and left, in the order of time; each comes before those within it."""
    within: list[Foreign] = []
    for event in events:
        while within and within[-1].end <= event.start:
            yield within[-1].end, within.pop().name, False
        yield event.start, event.name, True
        within.append(event)
    while within:
        yield within[-1].end, within.pop().name, False
