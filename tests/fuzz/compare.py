"""Where two runs differ: in their lines, files and weights."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_NUMBER = re.compile(r"(?<![A-Za-z_.\d])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf\b|nan\b)")
_CHATTER = re.compile(r"^WARNING:tensorflow|^\[Gloo\]|^\[W|^\[rank\d|Warning|warnings\.warn|^\s*$")


@dataclass(frozen=True)
class Tolerance:
    """How far numbers may be apart; ``counts`` for whole numbers.

    With ``times``, numbers that are far apart are only held to be wrong where one is about so many times the other.
    """

    relative: float = 1e-3
    absolute: float = 1e-4
    counts: float = 0.0
    times: int = 0

    def near(self, a: float, b: float, rounding: float = 0.0) -> bool:
        """Whether two numbers count as equal."""
        if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
            return str(a) == str(b)
        return abs(a - b) <= self.absolute + self.relative * max(abs(a), abs(b)) + rounding

    def excuses(self, a: float, b: float) -> bool:
        """Whether numbers that are far apart are no such multiples."""
        return bool(self.times) and not any(abs(x - self.times * y) < 0.15 * abs(x) for x, y in ((a, b), (b, a)))

    def same_count(self, a: int, b: int) -> bool:
        """Whether two whole numbers count as equal."""
        return abs(a - b) <= (max(4.0, self.counts * abs(a)) if self.counts else 0)


@dataclass(frozen=True)
class Difference:
    """A place where two runs differ: ``line 3``, ``file best.pt`` or ``weights 0``.

    ``numbers``: whether only the values of numbers do.
    """

    place: str
    said: str
    numbers: bool = True

    def __str__(self) -> str:
        return f"{self.place}: {self.said}"


def lines(text: str) -> list[str]:
    """The lines of a script's own."""
    return [line for line in text.splitlines() if not _CHATTER.search(line)]


def between_lines(kind: str, wanted: Sequence[str], got: Sequence[str], near: Tolerance) -> Iterator[Difference]:
    """Differences of lines of text."""
    for number, (a, b) in enumerate(zip(wanted, got, strict=False)):
        found = _line(a, b, near)
        if found is not None:
            yield Difference(f"{kind} {number}", f"{a!r} became {b!r}", found)
    if len(wanted) != len(got):
        longer = wanted if len(wanted) > len(got) else got
        extra = longer[min(len(wanted), len(got))]
        yield Difference(f"{kind}s", f"{len(wanted)} became {len(got)}, the first more is {extra!r}", False)


def _line(a: str, b: str, near: Tolerance) -> bool | None:
    """``None`` where lines agree, else whether only the values of numbers differ."""
    if a == b:
        return None
    if _NUMBER.sub("#", a) != _NUMBER.sub("#", b):
        return False
    pairs = list(zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True))
    if any(_whole(x) != _whole(y) for x, y in pairs):
        return False
    apart = [(float(x), float(y)) for x, y in pairs if not _same_number(x, y, near)]
    return True if apart and not any(near.excuses(x, y) for x, y in apart) else None


def _same_number(a: str, b: str, near: Tolerance) -> bool:
    return near.same_count(int(a), int(b)) if _whole(a) else near.near(float(a), float(b), _rounding(a, b))


def _whole(number: str) -> bool:
    return number.lstrip("+-").isdigit()


def _rounding(*numbers: str) -> float:
    """The last digit that is printed."""
    exact = [len(n.split("e")[0].partition(".")[2]) - int(n.partition("e")[2] or 0) for n in numbers]
    return 1.01 * 10.0 ** -min(exact)


def between_files(wanted: Path, got: Path, near: Tolerance) -> Iterator[Difference]:
    """Differences of the files in two folders."""
    a, b = _files(wanted), _files(got)
    for name in sorted(a.keys() ^ b.keys()):
        yield Difference(f"file {name}", "is missing" if name in a else "is new", False)
    for name in sorted(a.keys() & b.keys()):
        found = next(iter(_contents(a[name], b[name], near)), None)
        if found is not None:
            yield Difference(f"file {name}", found.said, found.numbers)


def _files(folder: Path) -> dict[str, Path]:
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}


def _contents(a: Path, b: Path, near: Tolerance) -> Iterator[Difference]:
    if near.times and a.suffix == ".svg":  # where ticks are depends on all that is drawn
        return
    read = _READERS.get(a.suffix)
    if read is None:
        first, second = (_measured(path) for path in (a, b))
        yield from between_lines("line", first.splitlines(), second.splitlines(), near)
        return
    try:
        ours = read(a)
    except Exception:  # what the sequential script cannot read either is not compared
        return
    try:
        theirs = read(b)
    except Exception as error:
        yield Difference("content", f"cannot be read: {error}", False)
        return
    yield from between_values(ours, theirs, near, "")


def _measured(path: Path) -> str:
    """The text of a file, in which the numbers of a drawing are no whole ones, though they may be written so."""
    text = path.read_text()
    return _NUMBER.sub(lambda n: f"{n[0]}.0" if _whole(n[0]) else n[0], text) if path.suffix == ".svg" else text


def _json(path: Path) -> Any:
    return json.loads(path.read_text())


def _array(path: Path) -> Any:
    return np.load(path, allow_pickle=True)


def _saved(path: Path) -> Any:
    import torch

    return torch.load(path, weights_only=False)


def _arrays_of(path: Path) -> Any:
    return dict(np.load(path))


def _weights(path: Path) -> Any:
    import h5py

    found: dict[str, Any] = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if hasattr(item, "dtype") else None)
    return list(found.values())  # names are counted on


_READERS = {
    ".json": _json,
    ".npy": _array,
    ".npz": _arrays_of,
    ".pkl": _array,
    ".pt": _saved,
    ".pth": _saved,
    ".h5": _weights,
}


def between_values(a: Any, b: Any, near: Tolerance, where: str) -> Iterator[Difference]:
    """Differences of values as files hold them; a number is one whether it is Python's or NumPy's."""
    a, b = (each.item() if isinstance(each, np.generic) else each for each in (a, b))
    if type(a) is not type(b):
        yield Difference(where, f"{where}: {type(a).__name__} became {type(b).__name__}: {a!r:.50} {b!r:.50}", False)
    elif isinstance(a, dict):
        if list(map(str, a)) != list(map(str, b)):
            yield Difference(where, f"{where}: keys {list(a)!r:.80} became {list(b)!r:.80}", False)
        for key in a.keys() & b.keys():
            yield from between_values(a[key], b[key], near, f"{where}[{key!r}]")
    elif isinstance(a, (list, tuple)):
        if len(a) != len(b):
            yield Difference(where, f"{where}: length {len(a)} became {len(b)}", False)
        for number, (x, y) in enumerate(zip(a, b, strict=False)):
            yield from between_values(x, y, near, f"{where}[{number}]")
    elif hasattr(a, "shape"):
        yield from _arrays(np.asarray(_plain(a)), np.asarray(_plain(b)), near, where)
    elif not _same(a, b, near):
        yield Difference(where, f"{where}: {a!r:.60} became {b!r:.60}", isinstance(a, (int, float)))


def _same(a: Any, b: Any, near: Tolerance) -> bool:
    """Whether two plain values count as equal; what is not known does."""
    if isinstance(a, float):
        return near.near(a, b) or near.excuses(a, b)
    if isinstance(a, int) and not isinstance(a, bool):
        return near.same_count(a, b)
    return not isinstance(a, (str, bool)) or a == b


def _plain(value: Any) -> Any:
    return value.detach().numpy() if hasattr(value, "detach") else value


def _arrays(a: np.ndarray, b: np.ndarray, near: Tolerance, where: str) -> Iterator[Difference]:
    if a.shape != b.shape:
        yield Difference(where, f"{where}: shape {a.shape} became {b.shape}", False)
    elif a.dtype.kind in "fiub" and a.size and not (near.times and a.size > 1):
        x, y = a.astype(float), b.astype(float)
        diverged = ~np.isfinite(x) & ~np.isfinite(y)  # into infinity or nan, as rounding decides
        with np.errstate(invalid="ignore"):
            limit = near.absolute + near.relative * np.maximum(np.abs(x), np.abs(y)) + near.counts * np.abs(x)
            beyond = np.where(diverged, -1.0, np.nan_to_num(np.abs(x - y) - limit, nan=np.inf))
        if np.any(beyond > 0):
            worst = np.unravel_index(np.argmax(beyond), a.shape)
            yield Difference(where, f"{where}{list(map(int, worst))}: {a[worst]:.6g} became {b[worst]:.6g}")


def between_weights(wanted: Sequence[np.ndarray], got: Sequence[np.ndarray], near: Tolerance) -> Iterator[Difference]:
    """Differences of trained parameters."""
    if len(wanted) != len(got):
        yield Difference("weights", f"{len(wanted)} parameters became {len(got)}", False)
        return
    for number, (a, b) in enumerate(zip(wanted, got, strict=True)):
        for found in _arrays(a, b, near, ""):
            yield Difference(f"weights {number}", found.said, found.numbers)
