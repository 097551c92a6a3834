"""What the profilers of TensorFlow and JAX write, read without either of them.

Sources: ``tsl/profiler/protobuf/xplane.proto``, ``xla/service/hlo.proto`` and ``xla/xla_data.proto``, of which the
numbers of the fields are, and "Encoding" of the documentation of Protocol Buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corro.classes import dataclass

_VARINT, _FIXED, _BYTES, _SHORT = 0, 1, 2, 5
_PICOSECONDS, _NANOSECONDS = 1e12, 1e9
_METADATA = "/host:metadata"


@dataclass(frozen=True)
class Event:
    """One event of a thread; times are seconds of the profiler's own clock."""

    line: str
    name: str
    start: float
    end: float
    told: Mapping[str, object]


@dataclass(frozen=True)
class Profile:
    """What a profiler saw.

    Args:
        events: of all threads of the host, and of its devices.
        instructions: of each instruction of XLA, by its module and its name, what it was made for.
    """

    events: tuple[Event, ...]
    instructions: Mapping[tuple[str, str], str]


def read(data: bytes) -> Profile:
    """A profile as it is written to a file ``.xplane.pb``."""
    events: list[Event] = []
    instructions: dict[tuple[str, str], str] = {}
    for number, plane in _fields(memoryview(data)):
        if number == 1 and isinstance(plane, memoryview):
            found = _Plane(plane)
            if found.name == _METADATA:
                instructions.update(found.instructions())
            else:
                events += found.events()
    return Profile(tuple(events), instructions)


class _Plane:
    """``XPlane``: name 2, lines 3, event_metadata 4, stat_metadata 5."""

    def __init__(self, data: memoryview) -> None:
        self.name = ""
        self._lines: list[memoryview] = []
        self._names: dict[int, str] = {}
        self._stats_of: dict[int, memoryview] = {}
        self._stat_names: dict[int, str] = {}
        for number, value in _fields(data):
            if not isinstance(value, memoryview):
                continue
            if number == 2:
                self.name = _text(value)
            elif number == 3:
                self._lines.append(value)
            elif number == 4:
                key, entry = _entry(value)
                self._names[key], self._stats_of[key] = _name(entry), entry
            elif number == 5:
                key, entry = _entry(value)
                self._stat_names[key] = _name(entry)

    def events(self) -> Iterator[Event]:
        for line in self._lines:
            name, display, begun, found = "", "", 0, []
            for number, value in _fields(line):
                if isinstance(value, memoryview):
                    name = _text(value) if number == 2 else name
                    display = _text(value) if number == 11 else display
                    found += [value] if number == 4 else []
                elif number == 3:
                    begun = value
            for each in found:
                yield self._event(each, display or name, begun / _NANOSECONDS)

    def _event(self, data: memoryview, line: str, begun: float) -> Event:
        """``XEvent``: metadata_id 1, offset_ps 2, duration_ps 3, stats 4."""
        name, offset, lasts, told = "", 0, 0, {}
        for number, value in _fields(data):
            if isinstance(value, memoryview):
                if number == 4:
                    key, given = self._stat(value)
                    told[key] = given
            elif number == 1:
                name = self._names.get(value, "")
            elif number == 2:
                offset = value
            elif number == 3:
                lasts = value
        start = begun + offset / _PICOSECONDS
        return Event(line, name, start, start + lasts / _PICOSECONDS, told)

    def _stat(self, data: memoryview) -> tuple[str, object]:
        """``XStat``: metadata_id 1, uint64 3, int64 4, str 5, bytes 6, ref 7."""
        name, given = "", object()
        for number, value in _fields(data):
            if number == 1 and isinstance(value, int):
                name = self._stat_names.get(value, "")
            elif isinstance(value, memoryview):
                given = _text(value) if number == 5 else value
            elif number in (3, 4):
                given = value
            elif number == 7:
                given = self._stat_names.get(value, "")
        return name, given

    def instructions(self) -> dict[tuple[str, str], str]:
        """``XEventMetadata`` of a module has its ``HloProto`` among its stats 5."""
        found: dict[tuple[str, str], str] = {}
        for entry in self._stats_of.values():
            for number, value in _fields(entry):
                if number == 5 and isinstance(value, memoryview):
                    name, given = self._stat(value)
                    if isinstance(given, memoryview) and name.lower().replace(" ", "_") == "hlo_proto":
                        found.update(_instructions(given))
        return found


def _instructions(proto: memoryview) -> Iterator[tuple[tuple[str, str], str]]:
    """``HloProto``: module 1; its name 1 and computations 3; their instructions 2: name 1, metadata 7, op_name 2."""
    for module in _within(proto, 1):
        name = _name(module, 1)
        for computation in _within(module, 3):
            for instruction in _within(computation, 2):
                made_for = next((_name(each, 2) for each in _within(instruction, 7)), "")
                yield (name, _name(instruction, 1)), made_for


# ---------------------------------------------------------------------- Protocol Buffers


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at, end = 0, len(data)
    while at < end:
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield tag >> 3, value
        elif kind == _BYTES:
            size, at = _varint(data, at)
            yield tag >> 3, data[at : at + size]
            at += size
        elif kind in (_FIXED, _SHORT):
            at += 8 if kind == _FIXED else 4
        else:
            raise ValueError(f"no wire type of Protocol Buffers: {kind}")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _within(data: memoryview, wanted: int) -> Iterator[memoryview]:
    return (value for number, value in _fields(data) if number == wanted and isinstance(value, memoryview))


def _entry(data: memoryview) -> tuple[int, memoryview]:
    """An entry of a map: key 1, value 2."""
    key, entry = 0, memoryview(b"")
    for number, value in _fields(data):
        if number == 1 and isinstance(value, int):
            key = value
        elif number == 2 and isinstance(value, memoryview):
            entry = value
    return key, entry


def _name(data: memoryview, wanted: int = 2) -> str:
    return next((_text(value) for value in _within(data, wanted)), "")


def _text(data: memoryview) -> str:
    return bytes(data).decode(errors="replace")
