"""``tf.data`` pipelines, by the operations that make their batches."""

from __future__ import annotations

import contextlib
from typing import Any

_NOISY = (b"RandomUniform", b"RandomNormal", b"TruncatedNormal", b"StatelessRandom", b"StatefulUniform", b"RngRead")
_SHUFFLES = (b"ShuffleDataset", b"ShuffleAndRepeat")


def graph(data: Any) -> bytes:
    """The operations; none where they cannot be written down."""
    with contextlib.suppress(Exception):
        return bytes(data._as_serialized_graph().numpy())
    return b""


def shuffles(operations: bytes) -> bool:
    """Whether samples come in another order each time."""
    return any(each in operations for each in _SHUFFLES)


def augments(operations: bytes) -> bool:
    """Whether random numbers go into the samples."""
    return any(each in operations for each in _NOISY)
