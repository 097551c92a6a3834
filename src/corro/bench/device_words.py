"""What times of single operations show, in sentences; and the peaks that vendors publish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from corro.bench.device import QUEUED, TRANSFER, Timing, bandwidth

_PEAKS = {
    "H100 80GB HBM3": (67e12, 989e12),
    "H100 PCIe": (51e12, 756e12),
    "H200": (67e12, 989e12),
    "A100": (19.5e12, 312e12),
    "NVIDIA L4": (30.3e12, 121e12),
    "Tesla T4": (8.1e12, None),
}
"""Operations per second in float32 without TensorFloat-32, PyTorch's default, and dense in bfloat16.

Source: NVIDIA's data sheets of these devices.
"""
_NAMES = {"matmul": "matrices of n = {}", "conv": "a batch of {} images", "all-reduce": "{}"}
_CLEAR = 1.1
"""What is so many times as fast is called faster."""


def conclusions(timings: Sequence[Timing], processes: int) -> tuple[str, ...]:
    """What there is to conclude, operation by operation."""
    known = [each for each in timings if not each.problem]
    found: list[str] = []
    for operation in dict.fromkeys(each.operation for each in known):
        own = [each for each in known if each.operation == operation]
        found += _of_processes(own, processes) if operation == "all-reduce" else _of_devices(own)
    return tuple(found)


def published(device: str, dtype: str) -> float | None:
    """The operations per second that a device's maker states, where that is known here."""
    peaks = next((peaks for name, peaks in _PEAKS.items() if name in device), (None, None))
    return peaks[0] if dtype == "float32" else peaks[1] if dtype == "bfloat16" else None


def time_of(seconds: float) -> str:
    """A time in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def called(device: str) -> str:
    """A device, as people say it."""
    return device.replace("cpu", "the CPU")


def size_of(operation: str, size: int) -> str:
    """The size of an operation, as people say it."""
    if operation != "all-reduce":
        return str(size)
    return f"{size // 2**20} MiB" if size >= 2**20 else f"{size // 2**10} KiB" if size >= 2**10 else f"{size} B"


def _named(timing: Timing) -> str:
    return _NAMES[timing.operation].format(size_of(timing.operation, timing.size))


def _threads(number: int) -> str:
    return f"{number} thread{'s' * (number > 1)}"


def _of_devices(own: Sequence[Timing]) -> Iterator[str]:
    first = own[0].dtype
    plain = [each for each in own if each.dtype == first]
    yield from _of_threads([each for each in plain if each.threads])
    yield from _of_accelerator(plain)
    yield from _of_types(own)


def _of_threads(own: Sequence[Timing]) -> Iterator[str]:
    """Whether more threads pay at the largest size that all have."""
    numbers = sorted({each.threads for each in own})
    largest = _largest(own, lambda each: each.threads, numbers)
    if len(numbers) > 1 and largest:
        ratio = largest[0].seconds / largest[-1].seconds
        how = f"{ratio:.1f} times as fast as" if ratio >= _CLEAR else "no faster than"
        yield f"For {_named(largest[0])}, {_threads(numbers[-1])} are {how} {_threads(numbers[0])}."


def _of_accelerator(own: Sequence[Timing]) -> Iterator[str]:
    """From which size on the accelerator is faster than the CPU, and what a clock shows that does not wait."""
    most = max((each.threads for each in own), default=0)
    cpu = {each.size: each for each in own if each.threads == most}
    for how, said in (("synchronised", ""), (TRANSFER, ", with what is moved there and back,")):
        there = {each.size: each for each in own if not each.threads and each.how == how}
        both = sorted(cpu.keys() & there.keys())
        faster = [size for size in both if there[size].seconds < cpu[size].seconds]
        begin = next((size for size in faster if all(each in faster for each in both if each >= size)), None)
        if not both:
            continue
        name, last = there[both[-1]].device, both[-1]
        if begin is None:
            yield f"{name}{said} is not faster than {_threads(most)} of the CPU up to {_named(cpu[last])}."
        else:
            ratio = cpu[last].seconds / there[last].seconds
            yield (
                f"{name}{said} is faster than {_threads(most)} of the CPU from {_named(cpu[begin])} on: "
                f"{_times(ratio)} at {_named(cpu[last])}."
            )
    queued = {each.size: each for each in own if each.how == QUEUED}
    waited = {each.size: each for each in own if not each.threads and each.how == "synchronised"}
    if both := sorted(queued.keys() & waited.keys() & cpu.keys()):
        last = both[-1]
        yield (
            f"Without waiting for it the clock shows {time_of(queued[last].seconds)} for {_named(cpu[last])}, "
            f"{_times(cpu[last].seconds / queued[last].seconds)} as fast as the CPU: that is how long it takes to ask "
            f"for the work. Doing it takes {time_of(waited[last].seconds)}."
        )


def _of_types(own: Sequence[Timing]) -> Iterator[str]:
    """Whether bfloat16 pays, on each device with all of its threads."""
    kinds = list(dict.fromkeys(each.dtype for each in own))
    if len(kinds) < 2:
        return
    most = max(each.threads for each in own)
    for threads in dict.fromkeys(each.threads for each in own if each.threads in (0, most)):
        here = [each for each in own if each.threads == threads and each.how == "synchronised"]
        pair = _largest(here, lambda each: each.dtype, kinds[:2])
        if pair:
            ratio = pair[0].seconds / pair[1].seconds
            how = f"{_times(ratio)} as fast as" if ratio >= _CLEAR else f"{_times(1 / ratio)} as slow as"
            if 1 / _CLEAR < ratio < _CLEAR:
                how = "as fast as"
            yield f"For {_named(pair[0])} on {called(here[0].device)}, {kinds[1]} is {how} {kinds[0]}."


def _of_processes(own: Sequence[Timing], processes: int) -> Iterator[str]:
    largest = max(own, key=lambda each: each.size)
    rate = bandwidth(largest, processes) / 1e9
    yield (
        f"{processes} processes ({called(largest.device)}) add up {_named(largest)} in {time_of(largest.seconds)}: "
        f"{rate:.2g} GB/s on the bus."
    )


def _largest(own: Iterable[Timing], kind: Callable[[Timing], object], kinds: Sequence[object]) -> list[Timing]:
    """The timings of several kinds at the largest size that all of them have; none where there is none."""
    given = tuple(own)
    found = [{each.size: each for each in given if kind(each) == wanted} for wanted in kinds]
    common = set.intersection(*(set(each) for each in found)) if found else set()
    return [each[max(common)] for each in found] if common else []


def _times(ratio: float) -> str:
    return f"{ratio:,.0f} times" if ratio >= 10 else f"{ratio:.1f} times"
