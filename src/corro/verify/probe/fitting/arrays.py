"""Arrays as bits and numbers, and batches as rows: what is known of them in records."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def checksum(plain: Array) -> int:
    """A checksum of the bits; never 0."""
    return zlib.crc32(_bytes(plain)) or 1


def norm(plain: Array) -> float:
    """The Euclidean norm, in double precision."""
    return float(np.linalg.norm(plain.astype(np.float64).ravel())) if plain.dtype.kind != "O" else 0.0


def flat(plain: Array | None) -> Array:
    """Single-precision numbers in one row; none are empty."""
    return np.zeros(0, np.float32) if plain is None else plain.astype(np.float32).ravel()


def rows(arrays: Iterable[Array]) -> list[int]:
    """A checksum for each sample of a batch: of its inputs, targets and weight together."""
    sized = [each for each in arrays if each.ndim]
    size = len(sized[0]) if sized else 0
    aligned = [each for each in sized if len(each) == size]
    return [zlib.crc32(b"".join(_bytes(each[row]) + b"|" for each in aligned)) for row in range(size)]


def joined(parts: Iterable[Array], *, reverse: bool) -> Array:
    """Parts of a batch, one after the other; each turned round if asked for."""
    return np.concatenate([part[::-1] if reverse else part for part in parts])


def _bytes(plain: Array) -> bytes:
    if plain.dtype.kind == "O":
        return b"|".join(each if isinstance(each, bytes) else repr(each).encode() for each in plain.ravel())
    return np.ascontiguousarray(plain).tobytes()
