"""What is expected of N processes: known answers, and what holds for any training."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corro.classes import replace
from corro.forecast.allreduce import RING, Cluster, Link
from corro.forecast.outlook import (
    SCALINGS,
    STRONG,
    WEAK,
    Limit,
    Setting,
    doubled,
    link_of,
    outlook,
    outlooks,
    pays_up_to,
    rate,
    steady,
)
from corro.forecast.profile import Exchange, Gradient, Profile, Share
from corro.forecast.simulate import CYCLE, HOROVOD

MIB = 1 << 20
GRADIENTS = (Gradient("last", 10 * MIB), Gradient("first", 10 * MIB))
NOTHING = Link(0.0, 1e18)
SLOW = Link(0.0, 100.0 * MIB)


def share(batch: int, processes: int = 1, **more: object) -> Share:
    """4 ms a sample: a quarter forward, three quarters backward, nothing that hangs on nothing."""
    parts = (0.001 * batch, 0.001 * batch, 0.001 * batch)
    own = Share(batch, 0.001 * batch, parts, processes, engine=processes > 1)
    return replace(own, **more)  # type: ignore[arg-type]


PROFILE = Profile("train.py", GRADIENTS, (share(64), share(32, 2), share(1, 64)), samples=6400)


def setting(link: Link = NOTHING, **more: object) -> Setting:
    return replace(Setting(Cluster(link, link, 1, RING)), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("processes", [1, 2, 8, 64])
def test_with_nothing_to_wait_for_N_are_N_times_as_fast(processes: int) -> None:
    found = outlook(PROFILE, setting(), processes, STRONG)
    assert found is not None
    assert found.step.value == pytest.approx(0.256 / processes)
    assert found.rate.value == pytest.approx(250 * processes)
    assert found.efficiency.value == pytest.approx(1)
    assert found.exposed == pytest.approx(0, abs=1e-6)
    assert found.total is not None
    assert found.total.value == pytest.approx(100 * 0.256 / processes)


def test_what_a_slow_network_costs() -> None:
    """Backward parts of 32 ms; a bucket of 10 MiB takes 100 ms: the second ends 168 ms after the backward pass."""
    found = outlook(PROFILE, setting(SLOW), 2, STRONG)
    assert found is not None
    assert found.step.value == pytest.approx(0.128 + 0.032 + 0.2 - 0.096)
    assert found.exposed == pytest.approx(0.136 / 0.264, rel=1e-3)


def test_a_batch_that_cannot_be_shared_out() -> None:
    assert outlook(PROFILE, setting(), 3, STRONG) is None
    assert rate(PROFILE, setting(), 3, STRONG) is None
    assert outlook(PROFILE, setting(), 3, WEAK) is not None
    assert [each.processes for each in outlooks(PROFILE, setting(), (1, 2, 3, 64, 128), STRONG)] == [1, 2, 64]


def test_weak_scaling_keeps_the_batch_and_has_fewer_steps() -> None:
    found = outlook(PROFILE, setting(), 4, WEAK)
    assert found is not None
    assert found.batch == 64
    assert found.step.value == pytest.approx(0.256)
    assert found.total is not None
    assert found.total.value == pytest.approx(25 * 0.256)


def test_time_and_cost_to_the_end() -> None:
    """90 passes of 100 steps, each followed by an evaluation of 2 s and a checkpoint of 1 s; 10 s to begin with."""
    shares = tuple(replace(each, passes=2.0, checkpoint=1.0) for each in PROFILE.shares)
    profile = replace(PROFILE, shares=shares, startup=10.0)
    found = outlook(profile, setting(price=3.6, epochs=90), 2, STRONG)
    assert found is not None
    assert found.total is not None
    assert found.cost is not None
    assert found.total.value == pytest.approx(10 + 90 * (12.8 + 3))
    assert found.cost.value == pytest.approx(found.total.value * 2 * 0.001)


def test_without_samples_there_is_no_time_to_the_end() -> None:
    found = outlook(replace(PROFILE, samples=0), setting(price=1.0), 2, STRONG)
    assert found is not None
    assert (found.total, found.cost) == (None, None)


def test_the_slowest_process_is_waited_for() -> None:
    """One step in ten takes twice as long: of 64 processes nearly always one does."""
    steps = (0.256,) * 9 + (0.512,)
    profile = replace(PROFILE, shares=(share(64, steps=steps),))
    one, many = (outlook(profile, setting(), number, WEAK) for number in (1, 64))
    assert one is not None
    assert many is not None
    assert one.step.value < 0.3
    assert many.step.value == pytest.approx(0.512)
    assert many.slowest == pytest.approx(0.5)
    assert many.step.low < many.step.value


def test_what_is_rare_is_not_counted() -> None:
    assert steady([*[1.0] * 39, 50.0]) == [1.0] * 40
    assert steady([]) == []
    assert steady([3.0, 1.0]) == [1.0, 3.0]


def test_where_it_stops_paying() -> None:
    assert pays_up_to(PROFILE, setting(), 64, STRONG) == Limit(64)
    found = pays_up_to(PROFILE, setting(SLOW), 64, STRONG)
    assert (found.last, found.next) == (1, 2)
    assert found.gained == pytest.approx(0.256 / 0.264 - 1, abs=1e-3)
    assert pays_up_to(PROFILE, setting(), 1, STRONG) == Limit(1)
    weak = pays_up_to(PROFILE, setting(SLOW), 3, WEAK)
    assert (weak.last, weak.next) == (2, 3)
    assert weak.gained == pytest.approx(3 * 0.256 / (0.064 + 0.064 + 2 * 2 / 3 * 0.2) - 2 * 0.256 / 0.328, abs=1e-3)


def test_the_numbers_that_are_looked_at() -> None:
    assert list(doubled(1)) == []
    assert list(doubled(8)) == [2, 4, 8]
    assert list(doubled(12)) == [2, 4, 8, 12]


def test_a_network_is_behind_what_a_cpu_takes() -> None:
    with_exchange = replace(PROFILE, exchange=Exchange(1e-4, 1e9))
    assert link_of(PROFILE, None) is None
    assert link_of(PROFILE, SLOW) == SLOW
    assert link_of(with_exchange, None) == Link(1e-4, 1e9)
    assert link_of(with_exchange, SLOW) == Link(1e-4, SLOW.bandwidth)
    assert link_of(with_exchange, Link(1e-5, 1e12)) == Link(1.1e-4, 1e9)


def test_processes_on_one_core_take_turns() -> None:
    """Four at once on two cores, where two at once were measured: everything takes twice as long."""
    both = tuple(replace(each, copies=2) for each in PROFILE.shares)
    profile = replace(PROFILE, shares=(share(64), *both[1:]), cores=2, device="cpu")
    crowded = setting(on_cpu=True, cluster=Cluster(NOTHING, NOTHING, 4, RING))
    found = outlook(profile, crowded, 4, STRONG)
    assert found is not None
    assert found.step.value == pytest.approx(2 * 0.064)


def test_what_the_exchange_takes_of_the_cores() -> None:
    """2 (N - 1) / N of 20 MiB at 10 ns a byte is 0.21 s of a core; where both have one of their own it has to wait."""
    costly = Exchange(0.0, 1e12, cpu_per_byte=1e-8)
    profile = replace(PROFILE, exchange=costly, cores=2, device="cpu")
    pair = setting(on_cpu=True, cluster=Cluster(NOTHING, NOTHING, 2, RING))
    crowded, free = (outlook(replace(profile, cores=cores), pair, 2, STRONG) for cores in (2, 8))
    assert crowded is not None
    assert free is not None
    assert crowded.step.value == pytest.approx(0.128 + 20 * MIB * 1e-8, rel=1e-3)
    assert free.step.value == pytest.approx(0.128, rel=1e-3)


def test_who_waits_for_horovod_keeps_a_core() -> None:
    """Of each message of 0.105 s of work: half of a core is left, before the end of the backward pass and after it."""
    costly = Exchange(0.0, 1e12, cpu_per_byte=1e-8)
    profile = replace(PROFILE, exchange=costly, cores=2, device="cpu")
    pair = setting(on_cpu=True, engine=HOROVOD, cluster=Cluster(NOTHING, NOTHING, 2, RING))
    crowded, free = (outlook(replace(profile, cores=cores), pair, 2, STRONG) for cores in (2, 8))
    assert crowded is not None
    assert free is not None
    assert crowded.step.value == pytest.approx(0.064 + CYCLE / 2 + 2 * 2 * 10 * MIB * 1e-8, rel=1e-3)
    assert free.step.value == pytest.approx(0.128, rel=1e-3)


def test_horovod_copies_what_it_puts_together_and_asks_before() -> None:
    """20 MiB twice, by a nanosecond a byte; a cycle of two messages of 3 ms asks for what is ready."""
    copying = Exchange(0.0, 1e12, copy_per_byte=1e-9)
    at_once = replace(PROFILE.shares[1], backward=(0.096, 0.0, 0.0))
    profile = replace(PROFILE, exchange=copying, cores=8, device="cpu", shares=(PROFILE.alone, at_once))
    near, far = (
        outlook(profile, setting(on_cpu=True, engine=HOROVOD, cluster=Cluster(link, link, 2, RING)), 2, STRONG)
        for link in (NOTHING, Link(0.003, 1e18))
    )
    assert near is not None
    assert far is not None
    assert near.step.value == pytest.approx(0.128 + CYCLE / 2 + 2 * 20 * MIB * 1e-9, rel=1e-3)
    assert far.step.value == pytest.approx(0.128 + 0.003 + 0.006 + 2 * 0.003 + 2 * 20 * MIB * 1e-9, rel=1e-3)


def test_buffers_and_the_scripts_own_collectives_are_waited_for() -> None:
    shares = (share(64), share(32, 2, messages=2.0, message_bytes=2.0 * MIB))
    profile = replace(PROFILE, shares=shares, buffer_bytes=5 * MIB)
    found = outlook(replace(profile, gradients=tuple(Gradient(e.name, 0) for e in GRADIENTS)), setting(SLOW), 2, STRONG)
    assert found is not None
    assert found.step.value == pytest.approx(0.128 + 0.05 + 0.02)


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([2, 4, 16, 64]),
    st.sampled_from(SCALINGS),
    st.floats(1e6, 1e10),
    st.lists(st.floats(0.1, 0.4), min_size=3, max_size=20),
)
def test_what_holds_for_any_training(processes: int, scaling: str, bandwidth: float, steps: list[float]) -> None:
    profile = replace(PROFILE, shares=tuple(replace(each, steps=tuple(steps)) for each in PROFILE.shares))
    found = outlook(profile, setting(Link(1e-5, bandwidth), spread=0.05), processes, scaling)
    assert found is not None
    for each in (found.step, found.rate, found.efficiency, found.total):
        assert each is not None
        assert 0 < each.low <= each.value <= each.high
    assert found.efficiency.value <= 1 + 1e-9
    assert 0 <= found.exposed + found.slowest <= 1
    quicker = outlook(profile, setting(Link(1e-5, 2 * bandwidth)), processes, scaling)
    assert quicker is not None
    assert quicker.rate.value >= found.rate.value * (1 - 1e-9)
