"""What each of N processes takes, by the sizes of one."""

from __future__ import annotations

import pytest

from corro.classes import replace
from corro.estimate import Sizes, shares

SIZES = Sizes(
    parameters=100, trained=80, parameter_bytes=400, gradient_bytes=320, buffer_bytes=40, optimizer_bytes=640,
    saved_bytes=6_000, batch=12,
)  # fmt: skip


def test_one_process_exchanges_nothing() -> None:
    (alone,) = shares(SIZES, (1,))
    assert (alone.batch, alone.sent_bytes, alone.gradient_bytes) == (12, 0, 320)
    assert alone.memory_bytes == 440 + 320 + 640 + 6_000


@pytest.mark.parametrize(("number", "sent"), [(2, 320), (4, 480), (8, 560)])
def test_a_ring_sends_all_gradients_nearly_twice(number: int, sent: int) -> None:
    (share,) = shares(SIZES, (number,))
    assert share.sent_bytes == sent + 40
    assert share.gradient_bytes == 640  # with those in the buckets


def test_the_batch_is_shared_out_and_the_model_is_not() -> None:
    two, eight = shares(SIZES, (2, 8))
    assert (two.batch, two.saved_bytes, two.model_bytes) == (6, 3_000, 440)
    assert (eight.batch, eight.model_bytes) == (None, 440)


def test_with_weak_scaling_each_process_keeps_the_batch() -> None:
    (share,) = shares(SIZES, (4,), "weak")
    assert (share.batch, share.saved_bytes) == (12, 6_000)


def test_what_is_not_known_stays_so() -> None:
    (share,) = shares(replace(SIZES, saved_bytes=None, batch=None), (2,))
    assert (share.memory_bytes, share.saved_bytes, share.batch) == (None, None, None)
