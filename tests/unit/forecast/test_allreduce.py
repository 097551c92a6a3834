"""Known answers of each formula, for a link of 10 µs and 1 GB/s and a message of 8 MB."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corro.forecast.allreduce import (
    ALGORITHMS,
    AUTO,
    HALVING,
    HIERARCHICAL,
    RING,
    SERVERS,
    TREE,
    Cluster,
    Link,
    broadcast,
    halving,
    hierarchical,
    ring,
    seconds,
    servers,
    tree,
)

LINK = Link(10e-6, 1e9)
FAST = Link(1e-6, 100e9)
SIZE = 8e6


@pytest.mark.parametrize(
    ("processes", "expected"),
    [(2, 2 * (10e-6 + 4e-3)), (4, 6 * (10e-6 + 2e-3)), (8, 14 * (10e-6 + 1e-3))],
)
def test_a_ring(processes: int, expected: float) -> None:
    assert ring(SIZE, processes, LINK) == pytest.approx(expected)


@pytest.mark.parametrize(("processes", "levels"), [(2, 1), (5, 3), (8, 3), (512, 9)])
def test_a_tree(processes: int, levels: int) -> None:
    assert tree(SIZE, processes, LINK) == pytest.approx(2 * levels * 10e-6 + 16e-3)


def test_halving_and_doubling() -> None:
    assert halving(SIZE, 8, LINK) == pytest.approx(6 * 10e-6 + 2 * 7 / 8 * 8e-3)
    assert halving(SIZE, 9, LINK) == pytest.approx(halving(SIZE, 8, LINK) + 2 * (10e-6 + 8e-3))


def test_servers_that_only_add_up() -> None:
    """Without any it is a ring's share, with as many as there are machines half of that: m bytes."""
    assert servers(SIZE, 8, 0, LINK) == pytest.approx(2 * 10e-6 + 2 * 7 / 8 * 8e-3)
    assert servers(SIZE, 8, 8, LINK) == pytest.approx(2 * 10e-6 + 8e-3)
    assert servers(SIZE, 8, 100, LINK) == servers(SIZE, 8, 8, LINK)
    assert servers(SIZE, 1, 4, LINK) == 0


def test_in_levels() -> None:
    expected = ring(SIZE, 4, FAST) + ring(SIZE, 8, LINK)
    assert hierarchical(SIZE, 8, 4, LINK, FAST) == pytest.approx(expected)
    assert seconds(Cluster(LINK, FAST, 4, HIERARCHICAL), 32, SIZE) == pytest.approx(expected)
    assert seconds(Cluster(LINK, FAST, 4, SERVERS, 8), 32, SIZE) == pytest.approx(
        ring(SIZE, 4, FAST) + servers(SIZE, 8, 8, LINK)
    )


def test_a_broadcast() -> None:
    assert broadcast(SIZE, 8, LINK) == pytest.approx(3 * (10e-6 + 8e-3))
    assert broadcast(0, 8, LINK) == broadcast(SIZE, 1, LINK) == 0


def test_processes_of_one_machine_use_its_own_link() -> None:
    cluster = Cluster(LINK, FAST, 8, RING)
    assert seconds(cluster, 8, SIZE) == ring(SIZE, 8, FAST)
    assert seconds(cluster, 16, SIZE) == ring(SIZE, 16, LINK)
    assert (cluster.machines(8), cluster.machines(9)) == (1, 2)


def test_which_is_quickest_hangs_on_the_size() -> None:
    cluster = Cluster(LINK, LINK, 1, AUTO)
    assert seconds(cluster, 512, 100) == tree(100, 512, LINK) < ring(100, 512, LINK)
    assert seconds(cluster, 8, 1e9) == ring(1e9, 8, LINK) < tree(1e9, 8, LINK)


@given(
    st.sampled_from(ALGORITHMS),
    st.integers(2, 600),
    st.floats(1, 1e9),
    st.floats(1, 2),
    st.integers(1, 8),
)
def test_more_bytes_take_longer_and_nothing_beats_what_has_to_be_sent(
    algorithm: str, processes: int, size: float, more: float, per_machine: int
) -> None:
    cluster = Cluster(LINK, LINK, per_machine, algorithm, 4)
    taken = seconds(cluster, processes, size)
    assert seconds(cluster, processes, size * more) >= taken
    if algorithm in (RING, TREE, HALVING):
        assert taken >= 2 * (processes - 1) / processes * size / LINK.bandwidth * (1 - 1e-9)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_one_process_exchanges_nothing(algorithm: str) -> None:
    assert seconds(Cluster(LINK, LINK, 1, algorithm), 1, SIZE) == 0
    assert seconds(Cluster(LINK, LINK, 1, algorithm), 8, 0) == 0
