"""A step that is simulated: known answers, and what holds for any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corro.forecast.simulate import (
    BUCKET,
    CYCLE,
    DDP,
    ENGINES,
    FIRST_BUCKET,
    FUSED,
    HOROVOD,
    Exchanged,
    buckets,
    simulated,
)

MIB = 1 << 20
RATE = 100 * MIB
"""Bytes a second."""


def exchanged(engine: str = DDP, load: float = 0.0) -> Exchanged:
    return Exchanged(engine, lambda size: size / RATE, lambda size: load)


def test_buckets_of_ddp() -> None:
    """The first is closed at 1 MiB, the others at 25; the gradient that fills one is a part of it."""
    sizes = [MIB // 2, MIB // 2, 20 * MIB, 10 * MIB, 3 * MIB, 40 * MIB, MIB]
    assert buckets(sizes) == ((0, 1), (2, 3), (4, 5), (6,))
    assert buckets([]) == ()
    assert buckets([100]) == ((0,),)


def test_messages_go_while_the_backward_pass_computes() -> None:
    """10 MiB after 0.2 s take 0.1 s; 5 MiB at the end of 0.5 s take 0.05 s, and are waited for."""
    step = simulated([10 * MIB, 5 * MIB], [0.2, 0.3, 0.0], exchanged())
    assert step.backward == pytest.approx(0.5)
    assert step.exposed == pytest.approx(0.05)
    assert step.exchange == pytest.approx(0.15)
    assert [each for message in step.messages for each in message] == pytest.approx(
        [0.2, 0.3, 10 * MIB, 0.5, 0.55, 5 * MIB]
    )


def test_a_message_waits_for_the_one_before() -> None:
    step = simulated([50 * MIB, 50 * MIB], [0.1, 0.1, 0.1], exchanged())
    assert [moment for start, end, _ in step.messages for moment in (start, end)] == pytest.approx([0.1, 0.6, 0.6, 1.1])
    assert step.exposed == pytest.approx(0.8)


def test_what_a_message_takes_of_the_cores_makes_the_backward_pass_longer() -> None:
    """A message of 0.1 s takes half a core: of 0.3 s of work 0.05 s are left to do when it is over."""
    step = simulated([10 * MIB, 4], [0.2, 0.3, 0.0], exchanged(load=0.5))
    assert step.backward == pytest.approx(0.55)
    assert simulated([10 * MIB, 4], [0.2, 0.3, 0.0], exchanged(load=1.0)).backward == pytest.approx(0.6)


def test_horovod_puts_together_what_is_ready() -> None:
    """The first goes alone; while it goes three get ready, of which the third does not fit."""
    sizes = [10 * MIB, 10 * MIB, 100 * MIB, 60 * MIB]
    step = simulated(sizes, [0.1, 0.02, 0.02, 0.02, 0.0], exchanged(HOROVOD))
    assert [size for _, _, size in step.messages] == [10 * MIB, 110 * MIB, 60 * MIB]
    assert step.messages[0][0] == pytest.approx(0.1 + CYCLE / 2)
    assert 170 * MIB > FUSED > 110 * MIB


def test_horovod_asks_in_each_cycle_and_copies_what_it_puts_together() -> None:
    """A cycle takes 20 ms where nothing is sent. The second gradient is too late for the next, in which none is."""
    how = Exchanged(HOROVOD, lambda size: size / RATE, asking=0.02, copying=0.1 / (20 * MIB))
    sizes = [10 * MIB, MIB, 10 * MIB, 10 * MIB]
    step = simulated(sizes, [0.1, 0.131, 0.001, 0.0, 0.0], how)
    first = 0.1 + 0.02 / 2 + 0.02
    second = first + 0.1 + 0.02 + 0.02  # it has just begun when the gradient is there
    assert [start for start, _, _ in step.messages] == pytest.approx([first, second])
    assert [end for _, end, _ in step.messages] == pytest.approx([first + 0.1, second + 0.21 + 0.105])
    assert [size for _, _, size in step.messages] == [10 * MIB, 21 * MIB]


GRADIENTS = st.lists(st.tuples(st.integers(0, 60 * MIB), st.floats(0, 0.5)), min_size=1, max_size=12)


@given(GRADIENTS, st.floats(0, 0.5), st.sampled_from(ENGINES), st.floats(0, 1))
def test_what_holds_for_any_step(gradients: list[tuple[int, float]], rest: float, engine: str, load: float) -> None:
    sizes, backward = [size for size, _ in gradients], [*(taken for _, taken in gradients), rest]
    step = simulated(sizes, backward, exchanged(engine, load))
    computed, sent = sum(backward), sum(sizes) / RATE
    assert sum(size for _, _, size in step.messages) == sum(sizes)
    assert step.exchange == pytest.approx(sent)
    assert computed - 1e-9 <= step.backward <= computed + load * sent + 1e-9
    assert step.exposed <= sent + CYCLE * len(sizes) + 1e-9
    assert step.backward + step.exposed <= computed + (1 + load) * sent + CYCLE * len(sizes) + 1e-9
    for (start, end, _), (following, _, _) in zip(step.messages, step.messages[1:], strict=False):
        assert start <= end <= following


@given(GRADIENTS)
def test_a_quicker_network_is_never_slower(gradients: list[tuple[int, float]]) -> None:
    sizes, backward = [size for size, _ in gradients], [*(taken for _, taken in gradients), 0.0]
    slow = simulated(sizes, backward, exchanged())
    quick = simulated(sizes, backward, Exchanged(DDP, lambda size: size / RATE / 3))
    assert quick.backward + quick.exposed <= slow.backward + slow.exposed + 1e-9


@given(st.lists(st.integers(1, 60 * MIB), max_size=30))
def test_each_gradient_is_in_one_bucket_and_each_bucket_is_full_but_the_last(sizes: list[int]) -> None:
    found = buckets(sizes)
    assert [number for own in found for number in own] == list(range(len(sizes)))
    for place, own in enumerate(found[:-1]):
        limit = BUCKET if place else FIRST_BUCKET
        assert sum(sizes[each] for each in own) >= limit > sum(sizes[each] for each in own[:-1])
