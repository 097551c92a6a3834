"""The search for the fastest way, on rates that are known."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_support import design, responses, speed
from corro.bench.design import Treatment
from corro.bench.search import PAIRS, Best, Round, best, candidates, rates_of, searched, without_compression
from corro.bench.store import Row
from corro.targets.base import USUAL, Exchange

MADE = design(target=("ddp", "horovod"), processes=("2", "4"), threads=("1", "2"))
EIGHT = replace(MADE, cores=8)


class Machine:
    """Makes runs that are as fast as a rule says, and keeps them."""

    def __init__(self, truth: Callable[[Treatment], float], noise: float = 0.0, seed: int = 0) -> None:
        self.truth, self.noise, self.chance = truth, noise, random.Random(seed)
        self.rows: list[Row] = []
        self.steps: list[int] = []

    def measure(self, block: int, treatment: Treatment, steps: int) -> Row:
        rate = self.truth(treatment) * self.chance.lognormvariate(0, self.noise)
        row = Row(block, treatment, "", responses(rate)) if rate else Row(block, treatment, "out of memory")
        self.rows.append(row)
        self.steps.append(steps)
        return row

    def search(self, found: tuple[Treatment, ...], most: float = float("inf")) -> tuple[Round, ...]:
        return searched(found, 20, 0, self.measure, lambda: self.rows, lambda _: len(self.rows) < most)


def test_the_ways_fill_the_cores_and_no_more() -> None:
    found = candidates(EIGHT)
    assert all(each.processes * each.threads <= 8 for each in found)
    assert {(each.processes, each.threads) for each in found if each.distributed} == {(2, 1), (2, 2), (4, 1), (4, 2)}
    assert [each.threads for each in found if not each.distributed] == [1, 8, 2]


def test_engines_that_need_more_cores_than_there_are_are_better_than_none() -> None:
    found = candidates(replace(MADE, cores=1))
    assert {each.processes for each in found if each.distributed} == {2, 4}


def test_half_goes_on_with_twice_the_steps_and_the_last_two_are_compared() -> None:
    machine = Machine(speed)
    rounds = machine.search(candidates(EIGHT))
    assert [len(each.candidates) for each in rounds] == [11, 6, 3, 2]
    assert [each.steps for each in rounds] == [20, 40, 80, 160]
    assert [each.blocks for each in rounds] == [(1,), (2,), (3,), (4, 5, 6)]
    assert len(machine.rows) == 11 + 6 + 3 + 2 * PAIRS
    assert sorted(set(machine.steps)) == [20, 40, 80, 160]


def test_the_fastest_is_found() -> None:
    def truth(each: Treatment) -> float:
        return 500.0 if (each.target, each.processes, each.threads) == ("horovod", 4, 2) else speed(each)

    machine = Machine(truth, noise=0.05)
    found = best(machine.search(candidates(EIGHT)), machine.rows)
    assert found is not None
    assert (found.treatment.target, found.treatment.processes, found.treatment.threads) == ("horovod", 4, 2)
    assert found.faster is not None
    assert found.faster.low > 1
    assert found.rate == pytest.approx(500, rel=0.1)
    assert found.alone is not None
    assert found.beside_alone == pytest.approx(500 / truth(found.alone), rel=0.3)


def test_one_process_may_be_the_fastest() -> None:
    machine = Machine(lambda each: 10.0 if each.distributed else 100.0)
    found = best(machine.search(candidates(EIGHT)), machine.rows)
    assert found is not None
    assert not found.treatment.distributed


def test_equal_ways_are_not_told_apart() -> None:
    sure = 0
    for seed in range(40):
        machine = Machine(lambda each: 100.0, noise=0.2, seed=seed)
        found = best(machine.search(candidates(EIGHT)), machine.rows)
        assert found is not None
        assert found.faster is not None
        sure += found.faster.low > 1
    assert sure <= 6  # of 40, where 1 is to be expected


SENT = replace(design(compression=("none", "fp16"), bucket_mb=("auto", "5")), cores=2)


def test_what_exchanges_faster_is_compared_with_what_the_engine_does_by_itself() -> None:
    truth = {Exchange("", 0): 100.0, Exchange("", 5): 180.0, Exchange("fp16", 0): 170.0, Exchange("fp16", 5): 300.0}
    machine = Machine(lambda each: truth[each.exchange] if each.distributed else 50.0, noise=0.01)
    rounds = machine.search(candidates(SENT))
    found = best(rounds, machine.rows)
    assert found is not None
    assert (found.treatment.exchange, found.second and found.second.exchange) == (Exchange("fp16", 5), Exchange("", 5))
    assert {each.exchange for each in rounds[-1].candidates} == {Exchange("fp16", 5), Exchange("", 5), USUAL}
    assert found.faster is not None
    assert found.faster.estimate == pytest.approx(300 / 180, rel=0.1)
    plain = best(without_compression(rounds), machine.rows)
    assert plain is not None
    assert not plain.treatment.exchange.compression


def test_another_way_is_not_lost_where_the_exchange_does_not_pay() -> None:
    """One process is about as fast as the engine that is told, and faster than what that does by itself."""
    for seed in range(20):
        machine = Machine(
            lambda each: (90.0 if each.exchange == USUAL else 100.0) if each.distributed else 98.0, 0.1, seed
        )
        rounds = machine.search(candidates(SENT))
        found = best(rounds, machine.rows)
        assert found is not None
        assert len(rounds[-1].blocks) == PAIRS
        last = rates_of(rounds[-1], machine.rows)
        assert found.rate >= max(rate for each, rate in last.items() if each.exchange == USUAL)


def test_what_exchanges_no_faster_is_left_to_the_engine() -> None:
    for seed in range(20):
        machine = Machine(lambda each: 100.0 if each.distributed else 50.0, noise=0.02, seed=seed)
        found = best(machine.search(candidates(SENT)), machine.rows)
        assert found is not None
        assert found.treatment.exchange == USUAL or (found.faster is not None and found.faster.low > 1)


def test_runs_that_were_made_are_not_made_again() -> None:
    whole, parts = Machine(speed), Machine(speed)
    whole.search(candidates(EIGHT))
    for most in (3, 7, 12, 100):
        rounds = parts.search(candidates(EIGHT), most)
    assert [(row.block, row.treatment) for row in parts.rows] == [(row.block, row.treatment) for row in whole.rows]
    assert best(rounds, parts.rows) == best(rounds, whole.rows)


def test_what_fails_does_not_go_on() -> None:
    machine = Machine(lambda each: 0.0 if each.target == "ddp" else speed(each))
    rounds = machine.search(candidates(EIGHT))
    assert all(each.target != "ddp" for one in rounds[1:] for each in one.candidates)
    assert best(rounds, machine.rows) is not None


def test_where_all_fail_there_is_no_best() -> None:
    machine = Machine(lambda each: 0.0)
    rounds = machine.search(candidates(EIGHT))
    assert len(rounds) == 1
    assert best(rounds, machine.rows) is None


def test_a_budget_that_ends_in_a_round_leaves_the_best_so_far() -> None:
    machine = Machine(speed)
    rounds = machine.search(candidates(EIGHT), most=12)
    found = best(rounds, machine.rows)
    assert isinstance(found, Best)
    assert len(machine.rows) == 12


@given(st.lists(st.floats(1, 1000), min_size=2, max_size=11), st.integers(0, 30))
def test_no_run_is_made_twice_and_the_best_of_the_last_round_wins(rates: list[float], most: int) -> None:
    ways = candidates(EIGHT)[: len(rates)]
    machine = Machine(dict(zip(ways, rates, strict=True)).__getitem__)
    rounds = machine.search(ways, most)
    made = [(row.block, row.treatment) for row in machine.rows]
    assert len(set(made)) == len(made) <= most
    found = best(rounds, machine.rows)
    if most >= 30:
        assert found is not None
        assert machine.truth(found.treatment) == max(rates)
