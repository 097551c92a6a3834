"""``corro bench SCRIPT --best``: look for the fastest way to train a script as it is."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corro.bench.design import AS_THEY_ARE, BUCKET_MB, BY_ENGINE, COMPRESSION
from corro.cli._bench import Lines, interrupted
from corro.cli._bench_asked import Asked, prepared, seconds_of
from corro.cli._bench_equal import Trainings
from corro.cli._machine import gpus
from corro.cli._settings import keep
from corro.cli._terminal import echo, style
from corro.errors import ExecutionError, UsageError
from corro.targets.base import COMPRESSIONS, ON_GPUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.bench.accuracy import Equality
    from corro.bench.design import Design, Treatment
    from corro.bench.runs import Subject
    from corro.bench.search import Best, Round
    from corro.bench.store import Row, Store

_STEPS = 20
_NOT_WITH = {"factors": "--factor", "reach": "--reach", "plot": "--plot"}
_ONLY_WITH_EQUAL = {"seeds": "--seeds", "replications": "--replications"}
_BUCKETS_MB = (BY_ENGINE, "5", "100")
"""Less and more at a time than PyTorch's 25 MiB."""


def find(asked: Asked) -> int:
    """Search, tell what was found, and keep it in the project's settings; the exit status."""
    from corro.bench import search
    from corro.bench.store import opened

    _must_be_as_it_is(asked)
    until = time.monotonic() + seconds_of(asked.budget) if asked.budget else float("inf")
    subject, design, key, described = prepared(_of_all_sizes(asked))
    candidates = search.candidates(replace(design, treatments=_made(design, subject)))
    if asked.dry_run:
        _show_rounds(search.first_round(candidates, asked.steps or _STEPS))
        return 0
    file = asked.store or Path(f"{Path(asked.script).stem}_bench.sqlite")
    trainings = Trainings(asked, subject, file, f"{key}-equal", until)
    try:
        if asked.equal:
            trainings.must_report(design)
        with opened(file, f"{key}-search") as store:
            if asked.retry:
                store.forget_failed()
            store.begin(asked.script, {**described, "search": True}, str(described["machine"]))
            rounds = _search(asked, subject, design, candidates, store, until)
            rows = store.rows()
        found = _best(asked, rounds, rows)
        equal: Sequence[Equality] = ()
        if found.treatment.exchange.compression:
            equal = trainings.tested(found.treatment, design.cores)
            if not all(each.shown for each in equal):
                found = _best(asked, search.without_compression(rounds), rows)
    except KeyboardInterrupt:
        return interrupted(file)
    _tell(asked, found, rounds, rows, equal)
    return int(any(row.failed for row in rows))


def _best(asked: Asked, rounds: Sequence[Round], rows: Sequence[Row]) -> Best:
    """The fastest way.

    Raises:
        ExecutionError: no run could be measured.
    """
    from corro.bench import search

    found = search.best(rounds, rows)
    if found is None:
        raise ExecutionError(
            f"no run of {asked.script} could be measured: {_reason(rows)}.",
            advice="Steps of an optimizer are needed, of --steps at least --warm-up and three more.",
        )
    return found


def _made(design: Design, subject: Subject) -> tuple[Treatment, ...]:
    """Those that there is a program for: not each engine can exchange gradients in each way."""
    return tuple(each for each in design.treatments if not each.distributed or each.program in subject.programs)


def _must_be_as_it_is(asked: Asked) -> None:
    for name, option in _NOT_WITH.items():
        if getattr(asked, name):
            raise UsageError(
                f"--best looks for the fastest way to train a script as it is; {option} has no meaning for it.",
                advice=f"Leave out --best, or {option}.",
            )
    for name, option in _ONLY_WITH_EQUAL.items():
        if getattr(asked, name) and not asked.equal:
            raise UsageError(
                f"--best repeats whole trainings only to test a number; {option} has no meaning without one.",
                advice=f"Leave out {option}, or add such as --equal accuracy=0.01.",
            )
    if asked.scaling and asked.scaling != "strong":
        raise UsageError(
            "--best keeps what is trained, and with weak scaling the batch is another one.",
            advice="Leave out --scaling.",
        )


def _of_all_sizes(asked: Asked) -> Asked:
    """With the numbers of processes that the cores allow for, each with its share of threads, and ways of exchange."""
    from corro.forecast.outlook import doubled
    from corro.launch.launchers import usable_cores

    cores = usable_cores()
    processes = asked.processes or ",".join(map(str, doubled(max(2, cores))))
    numbers = [int(each) for each in processes.split(",") if each.strip().isdecimal() and int(each) > 0]
    shares = dict.fromkeys(max(1, cores // each) for each in numbers)
    threads = asked.threads or ",".join(map(str, shares)) or None
    able = [each for each in COMPRESSIONS if each not in ON_GPUS or gpus()] if asked.equal else []
    compressions = (AS_THEY_ARE, *able)
    exchanged = (f"{BUCKET_MB}={','.join(_BUCKETS_MB)}", f"{COMPRESSION}={','.join(compressions)}")
    steps = asked.steps or _STEPS
    return replace(asked, processes=processes, threads=threads, steps=steps, scaling="strong", factors=exchanged)


def _show_rounds(first: Round) -> None:
    from corro.bench.words import counted, named

    echo(f"{counted(len(first.candidates), 'way')} to train it, {first.steps} steps each at first:", sys.stdout)
    for each in first.candidates:
        echo(f"  {named(each)}", sys.stdout)
    echo(
        "In each round the faster half goes on, with twice the steps. Nothing was run.",
        sys.stdout,
    )


def _search(
    asked: Asked, subject: Subject, design: Design, candidates: Sequence[Treatment], store: Store, until: float
) -> tuple[Round, ...]:
    from corro.bench import search
    from corro.bench.experiment import Times, one
    from corro.bench.runs import attempted

    told = Lines(quiet=asked.as_json)

    def measure(block: int, treatment: Treatment, steps: int) -> Row:
        make = partial(attempted, replace(subject, steps=steps))
        return one(treatment, block, store, make, told, Times(design, store.rows()), 0)

    def may_go_on(_: Round) -> bool:
        longest = max((row.wall_seconds for row in store.rows()), default=0.0)
        return time.monotonic() + longest <= until

    rounds = search.searched(candidates, subject.steps, asked.seed, measure, store.rows, may_go_on)
    if time.monotonic() + max((row.wall_seconds for row in store.rows()), default=0.0) > until:
        echo("corro: the budget is used up; the same command goes on where it has stopped.", sys.stderr)
    return rounds


def _reason(rows: Sequence[Row]) -> str:
    return next((row.failed for row in rows if row.failed), "no steps were seen")


def _tell(asked: Asked, found: Best, rounds: Sequence[Round], rows: Sequence[Row], equal: Sequence[Equality]) -> None:
    from corro.bench.words import of_equality

    command = _command(asked, found.treatment)
    if asked.as_json:
        ways = [
            {"steps": one.steps, "rates": [{**asdict(each), "rate": rate} for each, rate in _rates(one, rows)]}
            for one in rounds
        ]
        told = {"best": asdict(found), "rounds": ways, "equal": [asdict(each) for each in equal], "command": command}
        click.echo(json.dumps(told, indent=2))
    else:
        _show(rounds, rows)
        for each in equal:
            echo(of_equality(each), sys.stdout)
        if equal and not found.treatment.exchange.compression:
            echo("So gradients are sent as they are.", sys.stdout)
        for said in _said(found):
            echo(style(said, None, bold=True), sys.stdout)
        echo(f"Start it: {command}", sys.stdout)
    if found.treatment.distributed:
        best, exchange = found.treatment, found.treatment.exchange
        settings: dict[str, str | int | None] = {
            "target": best.target,
            "processes": best.processes,
            "compression": exchange.compression or None,
            "bucket-mb": exchange.bucket_mb or None,
        }
        file = keep(asked.script, settings)
        echo(
            f"corro: wrote {_listed(name for name, value in settings.items() if value)} into [tool.corro] of "
            f"{os.path.relpath(file)}: corro run {shlex.quote(asked.script)} is enough now.",
            sys.stderr,
        )


def _listed(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}"


def _rates(one: Round, rows: Sequence[Row]) -> list[tuple[Treatment, float]]:
    from corro.bench.search import rates_of

    return sorted(rates_of(one, rows).items(), key=lambda each: -each[1])


def _show(rounds: Sequence[Round], rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    from corro.bench.words import named

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in (("round", "right"), ("steps", "right"), ("way", "left"), ("samples/s", "right")):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    for number, one in enumerate(rounds, 1):
        rates = dict(_rates(one, rows))
        for each in sorted(one.candidates, key=lambda each: -rates.get(each, 0.0)):
            shown = f"{rates[each]:,.0f}" if each in rates else "not measured"
            table.add_row(str(number), str(one.steps), named(each), shown)
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)


def _said(found: Best) -> Sequence[str]:
    from corro.bench.words import counted, named, times

    best, next_, faster = found.treatment, found.second, found.faster
    if not best.distributed:
        said = [f"The fastest way here is one process with {counted(best.threads, 'thread')}: more are not faster."]
    else:
        beside = (
            f", {found.beside_alone:.2f} times the rate of one process with {counted(found.alone.threads, 'thread')}"
            if found.alone is not None
            else ""
        )
        said = [f"The fastest way here is {named(best)}{beside}."]
    if next_ is not None and faster is not None:
        if faster.known and faster.low > 1:
            said.append(f"It has {times(faster)} times the rate of the next, {named(next_)}.")
        else:
            said.append(f"It is not shown that it is faster than the next, {named(next_)}: {times(faster)} times.")
    return said


def _command(asked: Asked, best: Treatment) -> str:
    """What starts it; of threads only where they are not those that a process has by itself."""
    from corro.launch.launchers import usable_cores

    own = ["--", *asked.arguments] if asked.arguments else []
    if not best.distributed:
        return f"OMP_NUM_THREADS={best.threads} {shlex.join(['python', asked.script, *asked.arguments])}"
    share = max(1, usable_cores() // best.processes)
    threads = f"OMP_NUM_THREADS={best.threads} " if best.threads != share else ""
    exchange = best.exchange
    exchanged = ["--compression", exchange.compression] * bool(exchange.compression)
    exchanged += ["--bucket-mb", str(exchange.bucket_mb)] * bool(exchange.bucket_mb)
    line = ["corro", "run", asked.script, "-n", str(best.processes), "--to", best.target, *exchanged, *own]
    return f"{threads}{shlex.join(line)}"
