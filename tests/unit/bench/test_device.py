"""Times of single operations: what they amount to, what they show, and how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import pytest

from corro.bench.device import QUEUED, TRANSFER, Timing, bandwidth
from corro.bench.device_charts import draw, points
from corro.bench.device_words import conclusions, published, size_of, time_of

GPU = "NVIDIA H100 80GB HBM3"


def products(device: str, times: dict[int, float], threads: int = 0, **more: str) -> list[Timing]:
    """Products of matrices of some sizes, with the seconds they take."""
    given = {"dtype": "float32", "how": "synchronised", **more}
    return [
        Timing("matmul", size, given["dtype"], device, threads, given["how"], seconds, 0.0, 5)
        for size, seconds in times.items()
    ]


def said(timings: Iterable[Timing]) -> str:
    return "\n".join(conclusions(tuple(timings), 2))


def test_what_an_operation_amounts_to() -> None:
    assert Timing("matmul", 100, "float32", "cpu").amount == 2e6
    assert Timing("conv", 2, "float32", "cpu").amount == 2 * 2 * 3 * 3 * 3 * 32 * 128 * 128
    message = Timing("all-reduce", 2**20, "float32", "cpu, gloo", seconds=0.5)
    assert bandwidth(message, 2) == 2**20 / 0.5
    assert bandwidth(message, 4) == pytest.approx(1.5 * 2**20 / 0.5)


def test_from_which_size_an_accelerator_is_faster() -> None:
    cpu = products("cpu", {50: 1e-6, 500: 1e-3, 5000: 1.0}, 2)
    text = said([*cpu, *products(GPU, {50: 1e-5, 500: 5e-4, 5000: 0.01})])
    assert f"{GPU} is faster than 2 threads of the CPU from matrices of n = 500 on: 100 times" in text


def test_one_size_that_is_faster_by_chance_is_no_beginning() -> None:
    cpu = products("cpu", {50: 1e-4, 500: 1e-3, 5000: 1.0}, 1)
    text = said([*cpu, *products(GPU, {50: 1e-5, 500: 2e-3, 5000: 0.5})])
    assert "from matrices of n = 5000 on: 2.0 times" in text


def test_what_is_moved_may_take_all_that_is_gained() -> None:
    cpu = products("cpu", {500: 1e-3}, 1)
    there = products(GPU, {500: 1e-4})
    text = said([*cpu, *there, *products(GPU, {500: 5e-3}, how=TRANSFER)])
    assert f"{GPU}, with what is moved there and back, is not faster than 1 thread of the CPU" in text


def test_a_clock_that_does_not_wait_shows_the_asking() -> None:
    cpu = products("cpu", {10000: 6.3}, 1)
    text = said([*cpu, *products(GPU, {10000: 0.04}), *products(GPU, {10000: 2e-4}, how=QUEUED)])
    assert "Without waiting for it the clock shows 200 µs" in text
    assert (
        "31,500 times as fast as the CPU: that is how long it takes to ask for the work. Doing it takes 40 ms" in text
    )


def test_threads_and_types_are_compared_at_the_largest_common_size() -> None:
    one, two = products("cpu", {100: 1.0, 200: 8.0}, 1), products("cpu", {100: 0.5}, 2)
    assert "For matrices of n = 100, 2 threads are 2.0 times as fast as 1 thread." in said([*one, *two])
    slow = products("cpu", {100: 0.98}, 2)
    assert "2 threads are no faster than 1 thread" in said([*one, *slow])
    halves = products("cpu", {100: 4.0}, 1, dtype="bfloat16")
    assert "For matrices of n = 100 on the CPU, bfloat16 is 4.0 times as slow as float32." in said([*one, *halves])


def test_what_has_no_time_counts_for_nothing() -> None:
    assert said([Timing("matmul", 100, "float32", "cpu", 1, problem="CUDA out of memory")]) == ""


def test_processes_are_told_of_by_the_largest_message() -> None:
    sent = [Timing("all-reduce", size, "float32", "cpu, gloo", seconds=s) for size, s in ((1024, 1e-4), (2**26, 0.04))]
    assert said(sent) == "2 processes (the CPU, gloo) add up 64 MiB in 40 ms: 1.7 GB/s on the bus."


def test_numbers_as_people_say_them() -> None:
    assert [time_of(each) for each in (2.5, 0.0412, 3e-5, 2e-9)] == ["2.5 s", "41.2 ms", "30 µs", "2 ns"]
    assert [size_of("all-reduce", each) for each in (512, 2048, 2**24)] == ["512 B", "2 KiB", "16 MiB"]
    assert published(GPU, "float32") == 67e12
    assert published("NVIDIA H100 PCIe", "bfloat16") == 756e12
    assert published("some other device", "float32") is None


@pytest.mark.parametrize(("suffix", "sign"), [(".html", b"vega"), (".png", b"PNG"), (".svg", b"<svg")])
def test_the_chart_is_written(suffix: str, sign: bytes, tmp_path: Path) -> None:
    timings = [*products("cpu", {50: 1e-6, 500: 1e-3}, 2), Timing("conv", 20, "float32", "cpu", 1, problem="none")]
    assert [each["on"] for each in points(timings)] == ["cpu, 2 threads, float32"] * 2
    path = tmp_path / f"device{suffix}"
    draw(timings, path)
    assert sign in path.read_bytes()


def test_a_timing_without_a_time_says_so() -> None:
    assert math.isnan(Timing("conv", 20, "float32", "cpu").seconds)
