"""``corro forecast``: say how N processes would train, from runs of one."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corro.cli import _options
from corro.cli._bench_asked import must_plot
from corro.cli._help import summary as summary_of
from corro.cli._terminal import echo
from corro.errors import UsageError
from corro.forecast.allreduce import ALGORITHMS, AUTO, RING, SERVERS, Cluster, Link
from corro.forecast.network import HERE, network
from corro.forecast.outlook import SCALINGS, Outlook, Setting, doubled, link_of, outlooks, pays_up_to
from corro.forecast.profile import Profile, read, text_of
from corro.forecast.simulate import ENGINES
from corro.forecast.words import lasting, ranged, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_EPILOG = """
\b
Examples:
  corro forecast train.py --to 2,4 --network here         this machine, whose exchange is measured
  corro forecast train.py --to 8,64,512 --network 25gbit  one process on each machine, 25 Gbit/s between them
  corro forecast train.py --to 64 --network 10gbit:50us --per-machine 8 --within nvlink-v100
  corro forecast train.py --to 8,64 --network p4d.24xlarge --epochs 90 --price 4.1
  corro forecast train_forecast.json --to 1024 --network 100gbit   nothing is run again
  corro forecast train.py --to 8 --network 25gbit -- --data d      what follows -- is the script's

SCRIPT is run as it is, in a folder of its own, and its program as the first of several processes in a group without
others. What was measured is kept in -o; such a file may stand in the place of SCRIPT. For PyTorch, with DDP or Horovod.
"""
_DEVICES = ("auto", "cpu", "cuda")
_CPU = "cpu"
_WIDTH = 130
"""Of a table that goes into a file."""


@click.command("forecast", cls=_options.OfScript, epilog=_EPILOG, help=summary_of("forecast"))
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--to", "numbers", metavar="N,...", required=True, help="Numbers of processes.")
@click.option("--network", "between", metavar="NETWORK", default=HERE, show_default=True, help="Between machines.")
@click.option("--within", metavar="NETWORK", help="Within a machine; without it, as it is measured here.")
@click.option("--per-machine", type=click.IntRange(min=1), default=1, show_default=True, help="Processes of a machine.")
@click.option("--all-reduce", type=_options.Named(ALGORITHMS), help="ring on CPUs without it, and else auto.")
@click.option("--servers", type=click.IntRange(min=0), default=0, help="Machines that only add up gradients.")
@click.option("--engine", type=_options.Named(ENGINES), default=ENGINES[0], show_default=True)
@click.option("--device", type=_options.Named(_DEVICES), default=_DEVICES[0], show_default=True)
@click.option("--steps", type=click.IntRange(min=4), default=60, show_default=True, help="End each run after so many.")
@click.option("--warm-up", type=click.IntRange(min=1), default=5, show_default=True, help="Steps that are not counted.")
@click.option("--scaling", type=_options.Named(SCALINGS), help="Without it, both.")
@click.option("--epochs", type=click.IntRange(min=1), help="How many passes over the data the training has.")
@click.option("--price", type=click.FloatRange(min=0), default=0.0, help="Of a process for an hour.")
@click.option("-o", "--output", type=_options.Results(), help="What was measured; SCRIPT_forecast.json.")
@click.option("--plot", type=click.Path(path_type=Path), help="A chart: FILE.html, .png or .svg.")
@click.option("--json", "as_json", is_flag=True, help="The forecast as JSON.")
def command(
    script: str,
    arguments: tuple[str, ...],
    numbers: str,
    between: str,
    within: str | None,
    per_machine: int,
    all_reduce: str | None,
    servers: int,
    engine: str,
    device: str,
    steps: int,
    warm_up: int,
    scaling: str | None,
    epochs: int | None,
    price: float,
    output: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """See above."""
    must_plot(plot)
    wanted = _options.numbers_in("--to", numbers)
    asked = {"--network": between, "--within": within or HERE}
    links = {text: network(text, option).link for option, text in asked.items() if text != HERE}
    if warm_up > steps - 3:
        raise UsageError(f"--warm-up {warm_up}: of --steps {steps} at least three have to be left.")
    per_machine = max(wanted) if between == HERE else per_machine  # this machine has all of them
    if Path(script).suffix == ".json":
        _must_be_alone(arguments, output)
        profile = read(Path(script))
    else:
        from corro.cli._profiling import file_of, profiled

        profile = profiled(script, arguments, wanted, per_machine, device, (steps, warm_up), quiet=as_json)
        _write(profile, output or file_of(script))
    cluster, spread = _cluster(profile, between, within, links, per_machine, all_reduce, servers)
    on_cpu = profile.device == _CPU
    setting = Setting(cluster, engine, spread, on_cpu=on_cpu, price=price, epochs=epochs or 0)
    scalings = (scaling,) if scaling else SCALINGS
    found = {each: outlooks(profile, setting, wanted, each) for each in scalings}
    if as_json:
        click.echo(json.dumps(_as_dict(profile, setting, found, max(wanted)), indent=2))
    else:
        _render(profile, setting, found, wanted, between)
    if plot:
        _draw(profile, setting, tuple(found), wanted, plot, f"corro forecast {script}, {between}")


def _must_be_alone(arguments: tuple[str, ...], output: Path | None) -> None:
    if arguments or output:
        raise UsageError("a profile is not run: it takes neither arguments nor -o.", advice="Leave them out.")


def _write(profile: Profile, file: Path) -> None:
    from corro.writing import write_atomically

    try:
        write_atomically(file, text_of(profile).encode())
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
    echo(f"corro: wrote {file}: it can be given in the place of the script", sys.stderr)


def _cluster(
    profile: Profile,
    between: str,
    within: str | None,
    links: Mapping[str, Link],
    per_machine: int,
    all_reduce: str | None,
    servers: int,
) -> tuple[Cluster, float]:
    """What the processes are connected by, and how far a time of it may be off.

    Raises:
        UsageError: it is not known what those of one machine are connected by, or what adds up.
    """
    algorithm = all_reduce or (RING if profile.device == _CPU else AUTO)
    if (algorithm == SERVERS) != (servers > 0):
        raise UsageError("--servers N and --all-reduce servers belong together.", advice="Give both, or none.")
    known = {name: link_of(profile, links.get(name)) for name in dict.fromkeys((between, within or HERE))}
    outer, inner = known[between], known[within or HERE]
    if outer is None:
        raise UsageError(
            f"the exchange of this machine was not measured for {profile.name}.",
            advice="Say what the processes are connected by: --network 25gbit, for example.",
        )
    if inner is None and per_machine > 1:
        raise UsageError(
            "it is not said what the processes of one machine are connected by.",
            advice="Add --within nvlink-v100, --within pcie3, or its bandwidth.",
        )
    spread = profile.exchange.spread if profile.exchange and between == HERE else 0.0
    return Cluster(outer, inner or outer, per_machine, algorithm, servers), spread


# ---------------------------------------------------------------------- what is shown


def _as_dict(profile: Profile, setting: Setting, found: Mapping[str, Sequence[Outlook]], most: int) -> dict[str, Any]:
    alone = profile.alone
    return {
        "name": profile.name,
        "gradient_bytes": profile.gradient_bytes,
        "batch": alone.batch,
        "step": alone.seconds,
        "cluster": asdict(setting.cluster),
        "forecast": {scaling: [asdict(each) for each in own] for scaling, own in found.items()},
        "pays_up_to": {scaling: asdict(pays_up_to(profile, setting, most, scaling)) for scaling in found},
    }


def _render(
    profile: Profile,
    setting: Setting,
    found: Mapping[str, Sequence[Outlook]],
    wanted: Sequence[int],
    between: str,
) -> None:
    alone = profile.alone
    threads = f", {profile.threads} thread{'s' * (profile.threads > 1)}" if setting.on_cpu else ""
    echo(
        f"{profile.name}: {profile.gradient_bytes / 1e6:,.3g} MB of gradients, {alone.batch} samples a step, "
        f"{alone.seconds * 1000:.3g} ms on one process{threads}",
        sys.stdout,
    )
    link = setting.cluster.between
    echo(
        f"{between}: {link.bandwidth * 8 / 1e9:.3g} Gbit/s, {link.latency * 1e6:.3g} µs; "
        f"{setting.cluster.algorithm} all-reduce, {setting.engine}",
        sys.stdout,
    )
    for scaling, own in found.items():
        if own:
            _table(profile, setting, scaling, own)
        left_out = [str(each) for each in wanted if each not in {one.processes for one in own}]
        if left_out:
            echo(
                f"{scaling}: {alone.batch} samples cannot be shared out equally over {', '.join(left_out)} processes.",
                sys.stdout,
            )
        for line in said(profile, own, pays_up_to(profile, setting, max(wanted), scaling), scaling):
            echo(line, sys.stdout)


def _table(profile: Profile, setting: Setting, scaling: str, own: Sequence[Outlook]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    whole = "training" if setting.epochs or profile.epochs else "a pass"
    titles = [scaling, "batch each", "ms a step", "samples/s", "efficiency", "waiting"]
    titles += [whole] * bool(profile.samples) + ["cost"] * any(each.cost is not None for each in own)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for each in own:
        cells = [
            str(each.processes),
            str(each.batch),
            f"{each.step.value * 1000:.3g}",
            ranged(each.rate, ",.4g" if each.rate.value < 1000 else ",.0f"),
            ranged(each.efficiency, ".0%"),
            f"{each.exposed + each.slowest:.0%}",
        ]
        cells += [lasting(each.total)] if each.total else []
        cells += [ranged(each.cost, ",.2f")] if each.cost else []
        table.add_row(*cells)
    Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False).print(table)


def _draw(
    profile: Profile, setting: Setting, scalings: Sequence[str], wanted: Sequence[int], plot: Path, title: str
) -> None:
    from corro.forecast.charts import draw

    numbers = sorted({1, *doubled(max(wanted)), *wanted})
    draw({each: outlooks(profile, setting, numbers, each) for each in scalings}, plot, title)
    echo(f"corro: wrote {plot}", sys.stderr)
