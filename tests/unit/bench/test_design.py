"""Designs are balanced, their order is random and can be repeated."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from bench_support import design, factors
from corro.bench.design import Treatment, designed
from corro.errors import UsageError

FOUR: dict[str, Any] = {
    "target": ("ddp", "horovod"),
    "processes": ("1", "2"),
    "threads": ("1", "2"),
    "batch_size": ("64", "128"),
}


def test_all_combinations_and_what_they_are_compared_with() -> None:
    made = design(target=("ddp", "horovod"), processes=("1", "2"))
    names = Counter(each.target for each in made.treatments)
    assert names == {"ddp": 2, "horovod": 2, "sequential": 2, "unconnected": 1}
    assert {each.threads for each in made.treatments if each.target == "sequential"} == {1, 2}
    assert len(set(made.treatments)) == len(made.treatments)


def test_without_limits_sequential_runs_stay() -> None:
    made = design(limits=False)
    assert [each.target for each in made.treatments] == ["sequential", "ddp"]


def test_each_level_stands_as_often_as_the_others() -> None:
    cells = design(**FOUR).cells
    assert len(cells) == 16
    for factor in ("target", "processes", "threads", "batch-size"):
        assert set(Counter(each.level(factor) for each in cells).values()) == {8}


def test_half_of_the_combinations_are_balanced_too_and_pairs_of_factors_are() -> None:
    made = design("fractional", **FOUR)
    assert len(made.cells) == 8
    for one, other in combinations(("target", "processes", "threads", "batch-size"), 2):
        pairs = Counter((each.level(one), each.level(other)) for each in made.cells)
        assert set(pairs.values()) == {2}
        assert len(pairs) == 4
    assert "batch-size cannot be told from target × processes × threads" in made.said[-1]


def test_half_of_too_few_factors_would_tell_nothing() -> None:
    with pytest.raises(UsageError, match="3 factors with two levels, and 2 are varied"):
        design("fractional", processes=("1", "2"), threads=("1", "2"))


def test_two_levels_are_the_lowest_and_the_highest() -> None:
    made = design("2k", processes=("4", "1", "2"))
    assert sorted({each.processes for each in made.cells}) == [1, 4]
    assert "of processes the lowest and the highest level are used" in made.said[0]


def test_a_level_that_stands_twice() -> None:
    with pytest.raises(UsageError, match="processes has a level twice: 2,2"):
        design(processes=("2", "2"))


def test_each_block_has_all_treatments_once_in_an_order_of_its_own() -> None:
    made = design(**FOUR)
    orders = [made.block(number) for number in range(1, 9)]
    assert all(sorted(order, key=str) == sorted(made.treatments, key=str) for order in orders)
    assert len(set(orders)) == len(orders)


def test_the_order_is_that_of_the_seed() -> None:
    assert design(**FOUR).block(3) == design(**FOUR).block(3)
    assert design(**FOUR).block(3) != design(seed=1, **FOUR).block(3)


def test_first_places_are_given_to_all_treatments_alike() -> None:
    made = design(limits=False)
    firsts = Counter(made.block(number)[0].target for number in range(1, 401))
    assert 160 <= firsts["ddp"] <= 240  # of 400; beyond once in 10,000 seeds


def test_a_treatment_is_found_again_by_its_key() -> None:
    made = Treatment("ddp", 2, 1, "strong", (("batch-size", "64"),))
    assert Treatment.of_key(made.key) == made


def test_how_gradients_are_exchanged_may_be_varied() -> None:
    made = design(compression=("none", "fp16"), bucket_mb=("auto", "5"))
    found = {(each.exchange.compression, each.exchange.bucket_mb): each for each in made.cells}
    assert found.keys() == {("", 0), ("", 5), ("fp16", 0), ("fp16", 5)}
    assert [each.name for each in made.varied] == ["compression", "bucket-mb"]
    assert {(each.level("compression"), each.level("bucket-mb")) for each in made.cells} == {
        ("none", "auto"), ("none", "5"), ("fp16", "auto"), ("fp16", "5")
    }  # fmt: skip
    assert all(Treatment.of_key(each.key) == each for each in found.values())
    assert {each.sequential for each in made.cells} == {Treatment("sequential", 1, 1)}


def test_another_number_of_replications_is_the_same_design() -> None:
    own = factors(processes=("1", "2"))
    assert designed(own, "full", 0, 2).key("text") == designed(own, "full", 0, 2).key("text")
    assert designed(own, "full", 0, 2).key("text") != designed(own, "full", 0, 2).key("other text")
