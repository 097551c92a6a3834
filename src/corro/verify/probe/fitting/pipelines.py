"""``tf.data`` pipelines, by the operations that make their batches."""

from __future__ import annotations

import contextlib
from typing import Any

_NOISY = (b"RandomUniform", b"RandomNormal", b"TruncatedNormal", b"StatelessRandom", b"StatefulUniform", b"RngRead")
_SHUFFLES = (b"ShuffleDataset", b"ShuffleAndRepeat")


_AGAIN, _ONCE = (b"reshuffle_each_iteration\x12\x02(" + each for each in (b"\x01", b"\x00"))
"""An attribute of a shuffle as it is written down: a boolean, which is field 5 of an ``AttrValue``."""


def graph(data: Any) -> bytes:
    """The operations; none where they cannot be written down."""
    with contextlib.suppress(Exception):
        return bytes(data._as_serialized_graph().numpy())
    return b""


def shuffles(operations: bytes) -> bool:
    """Whether samples come in another order each time."""
    fixed = _ONCE in operations and _AGAIN not in operations
    return not fixed and any(each in operations for each in _SHUFFLES)


def augments(operations: bytes) -> bool:
    """Whether random numbers go into the samples."""
    return any(each in operations for each in _NOISY)
