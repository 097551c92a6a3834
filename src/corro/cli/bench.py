"""``corro bench``: measure how fast a script trains, sequentially and in parallel."""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corro.cli._bench_asked import Asked, must_plot, prepared, seconds_of
from corro.cli._bench_first import must_have_run, run_first
from corro.cli._bench_kinds import OfBench
from corro.cli._interrupts import interruptible
from corro.cli._terminal import echo
from corro.errors import UsageError

if TYPE_CHECKING:
    from corro.bench.design import Design
    from corro.bench.experiment import Times
    from corro.bench.runs import Subject
    from corro.bench.store import Store

_EPILOG = """
\b
Examples:
  corro bench train.py -n 1,2                        all engines that are here, on 1 and 2 processes, 3 times each
  corro bench train.py -n 2 --to ddp --dry-run       what would be run, and about how long it takes
  corro bench train.py -n 1,2 --factor batch-size=64,128 --budget 20m
                                                     --batch-size is an option of train.py
  corro bench train.py -n 2 --steps 100 -- --data d  each run ends after 100 steps; what follows -- is the script's
  corro bench train.py -n 2 --seeds seed=1,2,3,4,5 --equal accuracy=0.01 --reach accuracy=0.95
                                                     is the accuracy the same, and how soon is it reached?
  corro bench train.py -n 2 --plot speed.html        a page with a chart, which needs nothing from the net
  corro bench --plan experiment.toml                 an experiment that is kept as a file
  corro bench train.py -n 2 --factor compression=none,bf16 --factor bucket-mb=auto,5
                                                     how gradients are exchanged
  corro bench train.py --best --budget 5m            the fastest way to train it as it is, on this machine
  corro bench train.py --best --seeds seed=1,2,3,4,5 --equal accuracy=0.01
                                                     the same, also with rounded gradients if the accuracy is kept
  corro bench device                                 no script: products of matrices, convolutions, exchanges

SCRIPT is run as it is, in folders of its own: no file of yours is changed. Each run is kept in --store the moment it
ends: after Ctrl-C, or a crash, the same command goes on. A run that fails is noted with its reason, and the rest goes
on; the exit status is 1 then. Needs: pip install "corro[bench]"
"""

_MOST_REPLICATIONS = 10


@click.command("bench", cls=OfBench, epilog=_EPILOG)
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--to", metavar="ENGINE,...", help="The engines; without it, all for the script's framework that work.")
@click.option("-n", "--processes", metavar="N,...", help="Numbers of processes (devices, where one has all).")
@click.option(
    "--threads", metavar="N,...", help="Threads of each process; without it, each has its share of the cores."
)
@click.option("--scaling", metavar="strong,weak", help="strong, weak, or both.")
@click.option(
    "--factor",
    "factors",
    multiple=True,
    metavar="NAME=LEVEL,...",
    help="To be varied: an option of SCRIPT, compression, or bucket-mb.",
)
@click.option(
    "--design",
    type=click.Choice(["full", "2k", "fractional"]),
    default="full",
    show_default=True,
    help="All combinations; those of two levels of each factor; half of these.",
)
@click.option("--seeds", metavar="NAME=LEVEL,...", help="An option of SCRIPT with another level in each replication.")
@click.option("--equal", multiple=True, metavar="NAME=MARGIN", help="Test that a number SCRIPT reports stays equal.")
@click.option("--reach", multiple=True, metavar="NAME=VALUE", help="Also take the time until a number reaches a value.")
@click.option("--replications", type=click.IntRange(min=1), help="How often all is run; 3, or once a seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the order of runs.")
@click.option("--steps", type=click.IntRange(min=1), default=None, help="End each run after so many optimizer steps.")
@click.option("--warm-up", type=click.IntRange(min=1), default=5, show_default=True, help="Steps that are not counted.")
@click.option("--budget", metavar="TIME", help="As 90s, 20m or 2h: so many replications as fit, none begun after.")
@click.option("--limits/--no-limits", default=True, help="Also run unconnected processes, and one with all threads.")
@click.option("--store", type=click.Path(path_type=Path), help="The SQLite file of all runs; SCRIPT_bench.sqlite.")
@click.option("--retry", is_flag=True, help="Run again what failed before.")
@click.option("--best", is_flag=True, help="Look for the fastest way instead, and write it into pyproject.toml.")
@click.option("--plan", metavar="FILE", expose_value=False, help="All of it, for several scripts, from a TOML file.")
@click.option("--dry-run", is_flag=True, help="Show the design and its time; SCRIPT is run once, to know it.")
@click.option("--json", "as_json", is_flag=True, help="The analysis as JSON.")
@click.option("--plot", type=click.Path(path_type=Path), help="A chart: FILE.html, .png or .svg.")
def command(**given: Any) -> None:
    """Measure how fast SCRIPT trains sequentially and on several processes.

    A designed experiment: all combinations of engines, processes, threads, scaling and options of SCRIPT, in random
    order, repeated, each in processes of its own; beside the sequential run, as many unconnected processes, and one
    process with all threads.
    """
    from corro.bench import must_have_libraries

    given["steps"] = given["steps"] or 0
    asked = Asked(**given)
    budget = seconds_of(asked.budget) if asked.budget else float("inf")
    must_have_libraries()
    must_plot(asked.plot)
    if asked.best:
        from corro.cli._bench_best import find

        with interruptible():
            sys.exit(find(asked))
    subject, design, key, described = prepared(asked)
    from corro.bench.store import opened

    file = asked.store or Path(f"{Path(asked.script).stem}_bench.sqlite")
    with opened(file, key) as store, interruptible():
        if asked.retry:
            store.forget_failed()
        store.begin(asked.script, described, str(described["machine"]))
        sys.exit(_run(asked, subject, design, store, file, time.monotonic() + budget))


def _run(asked: Asked, subject: Subject, design: Design, store: Store, file: Path, until: float) -> int:
    """Make the runs that are missing, and say what they show; the exit status."""
    from corro.bench.experiment import End, Times, conduct
    from corro.bench.runs import attempted, tidy
    from corro.cli._bench import Board, interrupted, render_design

    measure = partial(attempted, subject)
    tidy()
    _warn_of_load(design.cores)
    with Board(design, asked.replications or asked.fewest, quiet=asked.as_json) as board:
        board.show(store.rows())
        try:
            run_first(asked, design, store, measure, board, until)
        except KeyboardInterrupt:
            return interrupted(file)
    must_have_run(asked, store)
    times = Times(design, store.rows())
    replications = _replications(asked, times, until)
    if asked.dry_run:
        _warn_of_forecast(asked.script, design)
        render_design(design, times, replications, as_json=asked.as_json)
        return 0
    if not asked.as_json:
        render_design(design, times, replications, short=True)
    with Board(design, replications, quiet=asked.as_json) as board:
        board.show(store.rows())
        end = conduct(design, store, measure, replications, board, until=until)
    if end is End.INTERRUPTED:
        return interrupted(file)
    if end is End.BUDGET:
        echo("corro: the budget is used up; the same command goes on where it has stopped.", sys.stderr)
    return _told(asked, design, store, file)


def _replications(asked: Asked, times: Times, until: float) -> int:
    """How many replications are made: as many as are asked for, or as fit into the budget."""
    from corro.bench.experiment import affordable
    from corro.bench.words import counted
    from corro.cli._bench import duration

    if not asked.budget:
        return asked.replications or asked.fewest
    wanted = asked.replications or _MOST_REPLICATIONS
    fit = affordable(times, wanted, until - time.monotonic())
    if fit == 0:
        count, one_block = len(times.design.treatments), duration(times.block_seconds())
        raise UsageError(
            f"--budget {asked.budget} is too small: one replication, of {count} runs, takes about {one_block}.",
            advice="Give more, fewer levels, --no-limits, --design fractional, or end each run early: --steps 100.",
        )
    if asked.replications and fit < asked.replications:
        echo(f"corro: {fit} of {asked.replications} replications fit into --budget {asked.budget}.", sys.stderr)
    elif fit < asked.fewest:
        echo(
            f"corro: --budget {asked.budget} is enough for {counted(fit, 'replication')} only: intervals will be wide.",
            sys.stderr,
        )
    return fit


def _told(asked: Asked, design: Design, store: Store, file: Path) -> int:
    from corro.bench.analysis import analysed
    from corro.bench.plain import as_dict
    from corro.cli._bench import render

    rows = store.rows()
    analysis = analysed(design, rows, early=bool(asked.steps), goals=asked.goals)
    if asked.as_json:
        click.echo(json.dumps({"store": str(file), **as_dict(analysis)}, indent=2))
    else:
        render(analysis, file)
    if asked.plot:
        from corro.bench.charts import draw

        draw(analysis, asked.plot, f"corro bench {asked.script}")
        echo(f"corro: wrote {asked.plot}", sys.stderr)
    return int(any(row.failed for row in rows))


def _warn_of_forecast(script: str, design: Design) -> None:
    """Say which numbers of processes will not pay, where a forecast of this script shows it."""
    from corro.cli._profiling import told_of_forecast
    from corro.source import read_source

    cells = sorted({(each.target, each.scaling, each.processes) for each in design.cells})
    for target, scaling, number in cells:
        for line in told_of_forecast(read_source(script), (number,), scaling, target):
            echo(f"corro: {line}", sys.stderr)


def _warn_of_load(cores: int) -> None:
    import os

    load = os.getloadavg()[0]
    if load > cores / 2:
        echo(
            f"corro: this machine is busy (load {load:.1f} on {cores} cores): what others do goes into the times.",
            sys.stderr,
        )
