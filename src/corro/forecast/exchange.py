"""What an all-reduce between two processes of this machine takes: latency, bandwidth, and of the cores; and a copy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

from corro.bench.device import Asked, Timing, measured
from corro.classes import replace
from corro.errors import ExecutionError
from corro.forecast.profile import Exchange

PROCESSES = 2
_SIZES = tuple(2**power for power in range(12, 25, 2))
_SECONDS = 12.0
_COPIED, _COPIES = 16 << 20, 7


def exchange(device: str, report: Callable[[str], None]) -> Exchange:
    """Measure it, with messages of 4 KiB to 16 MiB.

    Args:
        device: as of ``corro bench device``.
        report: told what is measured.

    Raises:
        ExecutionError: it cannot be.
    """
    asked = Asked({"all-reduce": _SIZES}, ("float32",), (1,), device, PROCESSES, _SECONDS, shortest=0.4)
    timings = [each for each in measured(asked, report) if not each.problem]
    if len(timings) < 2:
        raise ExecutionError("the exchange between two processes of this machine could not be measured.")
    return replace(fitted(timings, PROCESSES), copy_per_byte=copied())


def copied() -> float:
    """Processor time of a copy within memory for each byte, in seconds."""
    given, taken = memoryview(b"1" * _COPIED), memoryview(bytearray(_COPIED))
    found = []
    for _ in range(_COPIES):
        start = time.thread_time()
        taken[:] = given
        found.append(time.thread_time() - start)
    return median(found) / _COPIED


def fitted(timings: Sequence[Timing], processes: int) -> Exchange:
    """Latency and bandwidth by which a ring of so many processes takes the measured times.

    The line t = a + b m with the least squares of relative differences.
    """
    sizes = [each.amount for each in timings]
    first, each_byte = _line(sizes, [each.seconds for each in timings])
    cpu_first, cpu_byte = _line(sizes, [each.cpu_seconds for each in timings])
    messages = 2 * (processes - 1)
    off = [abs(each.seconds / (first + each_byte * each.amount) - 1) for each in timings]
    found = Exchange(first / messages, messages / (processes * each_byte), median(off))
    return replace(found, cpu_latency=cpu_first / messages, cpu_per_byte=cpu_byte * processes / messages)


def _line(sizes: Sequence[float], taken: Sequence[float]) -> tuple[float, float]:
    """Weighted by 1 / t^2; neither part is negative."""
    weights = [1 / max(each, 1e-9) ** 2 for each in taken]
    total = sum(weights)
    middle = sum(w * m for w, m in zip(weights, sizes, strict=True)) / total
    mean = sum(w * t for w, t in zip(weights, taken, strict=True)) / total
    squares = sum(w * (m - middle) ** 2 for w, m in zip(weights, sizes, strict=True))
    products = sum(w * (m - middle) * (t - mean) for w, m, t in zip(weights, sizes, taken, strict=True))
    slope = max(products / squares, 1e-15)
    return max(0.0, mean - slope * middle), slope
