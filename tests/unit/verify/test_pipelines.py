"""What the operations of a pipeline say, as TensorFlow writes them down."""

from __future__ import annotations

import pytest

from corro.verify.probe.fitting.pipelines import shuffles

SHUFFLE = b'\x0a\x12ShuffleDatasetV3*"\x0a\x18reshuffle_each_iteration\x12\x02('


@pytest.mark.parametrize(
    ("operations", "again"),
    [
        (b"RangeDataset", False),
        (SHUFFLE + b"\x01", True),
        (SHUFFLE + b"\x00", False),
        (SHUFFLE + b"\x00" + SHUFFLE + b"\x01", True),
        (b"ShuffleDataset", True),
    ],
)
def test_an_order_that_is_drawn_once_stays(operations: bytes, again: bool) -> None:
    assert shuffles(operations) is again
