"""``corro bench device``: time single operations on the CPU, on an accelerator and between processes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corro.bench.device import DTYPES, QUEUED, SIZES, TRANSFER, Asked, Timing, accelerator, bandwidth, measured
from corro.bench.device_words import called, conclusions, published, size_of, time_of
from corro.classes import replace
from corro.cli._bench_asked import must_plot, seconds_of
from corro.cli._options import numbers_in
from corro.cli._terminal import echo
from corro.errors import UsageError
from corro.launch.launchers import usable_cores

if TYPE_CHECKING:
    from rich.table import Table

_EPILOG = """
\b
Examples:
  corro bench device                               one minute; the accelerator too, where there is one
  corro bench device --operations matmul --sizes 500,2000 --threads 1,4
  corro bench device --operations all-reduce -n 4 --budget 2m
  corro bench device --plot device.html            a page with a chart, which needs nothing from the net

Sizes are rows of square matrices, images of 3 x 128 x 128, and bytes of a message. Needs PyTorch; a chart needs:
pip install "corro[bench]"
"""
_UNITS = {"matmul": "n", "conv": "images", "all-reduce": "bytes"}
_HEADS = {TRANSFER: "with\ntransfer", QUEUED: "unsyn-\nchronised"}
_GIGA = 1e9


@click.command("device", epilog=_EPILOG)
@click.option("--operations", metavar="NAME,...", default=",".join(SIZES), show_default=True)
@click.option("--sizes", metavar="N,...", help="Of the operation, where --operations names one.")
@click.option("--dtypes", metavar="NAME,...", default=",".join(DTYPES), show_default=True)
@click.option("--threads", metavar="N,...", help="Numbers of threads on the CPU; without it, 1 and all cores.")
@click.option("--device", default="auto", show_default=True, help="auto, cpu, or the accelerator: cuda, cuda:0, mps.")
@click.option("-n", "--processes", type=click.IntRange(min=2), default=2, show_default=True, help="Of an all-reduce.")
@click.option("--budget", metavar="TIME", default="60s", show_default=True, help="What does not fit is left out.")
@click.option("--json", "as_json", is_flag=True, help="All times as JSON.")
@click.option("--plot", type=click.Path(path_type=Path), help="A chart: FILE.html, .png or .svg.")
def command(
    operations: str,
    sizes: str | None,
    dtypes: str,
    threads: str | None,
    device: str,
    processes: int,
    budget: str,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Time products of matrices, convolutions and the exchange between processes.

    On the CPU with several numbers of threads, on an accelerator with and without what is moved there and back, each
    time waiting until the work is done; beside it stands what a clock shows that does not wait.
    """
    must_plot(plot)
    named, seconds = _names("--operations", operations, tuple(SIZES)), seconds_of(budget)
    asked = Asked(
        sizes=_sizes(named, sizes),
        dtypes=_names("--dtypes", dtypes, (*DTYPES, "float16", "float64")),
        threads=numbers_in("--threads", threads) if threads else tuple(sorted({1, usable_cores()})),
        device=device,
        processes=processes,
        seconds=seconds,
    )
    asked = replace(asked, device=accelerator()) if device == "auto" else asked
    with _progress(quiet=as_json) as report:
        timings = tuple(measured(asked, report))
    if as_json:
        click.echo(json.dumps([_as_dict(each, processes) for each in timings], indent=2))
    else:
        _render(timings, processes)
    if plot:
        from corro.bench.device_charts import draw

        draw(timings, plot)
        echo(f"corro: wrote {plot}", sys.stderr)
    sys.exit(int(any(each.problem and not _is_left_out(each) for each in timings)))


def _names(option: str, text: str, known: Sequence[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(each.strip() for each in text.split(",")))
    for name in names:
        if name not in known:
            raise UsageError(f"{option} {name}: it can be {', '.join(known[:-1])} or {known[-1]}.")
    return names


def _sizes(operations: Sequence[str], text: str | None) -> Mapping[str, tuple[int, ...]]:
    if text is None:
        return {name: SIZES[name] for name in operations}
    if len(operations) > 1:
        raise UsageError("--sizes is for one operation.", advice="Name it: --operations matmul")
    return {operations[0]: numbers_in("--sizes", text)}


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Say what is timed: a line that is overwritten on a terminal, nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("timing") as status:
        yield lambda said: status.update(f"timing {said}")


def _is_left_out(timing: Timing) -> bool:
    return "budget" in timing.problem


def _rate(timing: Timing, processes: int) -> float:
    """GFLOP/s; of an all-reduce GB/s on the bus."""
    if timing.operation == "all-reduce":
        return bandwidth(timing, processes) / _GIGA
    return timing.amount / timing.seconds / _GIGA


def _as_dict(timing: Timing, processes: int) -> dict[str, Any]:
    rate = _rate(timing, processes)
    unit = "GB/s" if timing.operation == "all-reduce" else "GFLOP/s"
    found = {key: value for key, value in asdict(timing).items() if not (isinstance(value, float) and isnan(value))}
    return found if isnan(rate) else {**found, unit: rate}


# ---------------------------------------------------------------------- the terminal


def _render(timings: Sequence[Timing], processes: int) -> None:
    from rich.console import Console

    console = Console()
    for operation in dict.fromkeys(each.operation for each in timings):
        for dtype in dict.fromkeys(each.dtype for each in timings if each.operation == operation):
            own = [each for each in timings if (each.operation, each.dtype) == (operation, dtype)]
            unit = "GB/s on the bus" if operation == "all-reduce" else "GFLOP/s"
            console.print(f"{operation}, {dtype}: time, and {unit}")
            console.print(_table(operation, own, processes))
    for said in (*_problems(timings), *conclusions(timings, processes), *_peaks(timings)):
        echo(said, sys.stdout)


def _table(operation: str, own: Sequence[Timing], processes: int) -> Table:
    """A row for each size, a column for each way it was timed."""
    from rich import box
    from rich.table import Table

    ways = list(dict.fromkeys((each.device, each.threads, each.how) for each in own if not each.problem))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_UNITS[operation], justify="right")
    for device, threads, how in ways:
        place = f"{threads} thread{'s' * (threads > 1)}" if threads else device.removeprefix("NVIDIA ")
        table.add_column(_HEADS.get(how, place), justify="right")
    for size in dict.fromkeys(each.size for each in own if not each.problem):
        known = {(each.device, each.threads, each.how): each for each in own if each.size == size and not each.problem}
        table.add_row(size_of(operation, size), *(_cell(known.get(way), processes) for way in ways))
    return table


def _cell(timing: Timing | None, processes: int) -> str:
    if timing is None:
        return ""
    shown = time_of(timing.seconds)
    if timing.how in (TRANSFER, QUEUED):
        return shown
    rate = _rate(timing, processes)
    return f"{shown}  {rate / 1000:,.3g}k" if rate >= 9999.5 else f"{shown}  {rate:.{4 if rate >= 1000 else 3}g}"


def _problems(timings: Sequence[Timing]) -> Iterator[str]:
    """What has no time, and why; one line for each operation and device."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for each in timings:
        if each.problem:
            sizes = found.setdefault((each.operation, each.device, each.problem), {})
            sizes[size_of(each.operation, each.size)] = None
    for (operation, device, problem), sizes in found.items():
        yield f"{operation} on {called(device)}, {', '.join(sizes)} ({_UNITS[operation]}): {problem}."


def _peaks(timings: Sequence[Timing]) -> Iterator[str]:
    """How near the highest rate of each accelerator is to the one that its maker states."""
    plain = [e for e in timings if not e.problem and e.how == "synchronised" and e.operation == "matmul"]
    for device, dtype in dict.fromkeys((each.device, each.dtype) for each in plain):
        stated = published(device, dtype)
        if stated is not None:
            best = max(e.amount / e.seconds for e in plain if (e.device, e.dtype) == (device, dtype))
            yield f"{device}, {dtype}: {best / stated:.0%} of the {stated / 1e12:g} TFLOP/s that its maker states."
