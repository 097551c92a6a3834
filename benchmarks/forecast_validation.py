"""How near forecasts are to measured runs, of two and four processes here and over networks that are slowed down.

    sudo python benchmarks/forecast_validation.py [--models mlp,cnn,transformer,wide] [--keep FOLDER] [--write]
    python benchmarks/forecast_validation.py --to horovod [...]

The program of each script in ``benchmarks/forecast/models`` runs on two processes over the loopback interface, and on
two and four that have a network namespace each, connected by a bridge. A token bucket (``tc tbf``) holds back what each
of them sends; its rate is changed in turn. The forecast knows the rate of the bucket, not what was measured over it.

On a machine that others use the same run takes twice as long a minute later. So both sides come from the same
processes, in blocks of four steps (``forecast/alternate.py``): in one block gradients are not exchanged, which is what
the profile of ``corro forecast`` is made of, in the next they are. Needs Linux, root and iproute2.

With ``--to horovod`` the programs are Horovod's, on two processes over the loopback interface: needs neither.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from common import ROOT, machine, publish, table
from forecast.alternate import BLOCK

from corro.bench import prepare
from corro.bench.design import Treatment
from corro.bench.device import Timing
from corro.bench.runs import Subject, failure, launch, times_of
from corro.compiler import Options, compile_source
from corro.forecast import rows
from corro.forecast.allreduce import RING, Cluster
from corro.forecast.exchange import fitted
from corro.forecast.network import network
from corro.forecast.outlook import Setting, link_of, outlook, steady
from corro.forecast.profile import Exchange, Profile, text_of
from corro.launch import LaunchPlan, run
from corro.launch.launchers import usable_cores
from corro.source import read_source
from corro.targets.base import USUAL
from corro.verify.records import read_ranks

HERE = Path(__file__).resolve().parent / "forecast"
MODELS = {"mlp": ("0.1 M", 1600), "cnn": ("1 M", 320), "transformer": ("6.4 M", 112), "wide": ("25 M", 64)}
"""Parameters, and how many steps are made of each."""
LOOPBACK = {"mlp": 640, "cnn": 200, "transformer": 64, "wide": 64}
RATES = {"200mbit": "32kb", "500mbit": "128kb", "2gbit": "256kb"}
"""With the size of the bucket: what it lets through at once is not held back."""
SEGMENT = "16000"
"""Bytes that are sent in one piece: what waits, and is larger than the bucket of a new rate, would wait for ever."""
QUEUE = str(64 << 20)
"""Bytes that may wait: what is thrown away because the rate changes would have to be sent again."""
LATENCY = "20us"
NUMBERS = (2, 4)
WARM_UP = 8
BRIDGE, SUBNET = "corrobr", "10.77.0"
DDP, HOROVOD = "ddp", "horovod"
PHASE_SECONDS, PHASE_STEPS, SETTLES = 2.0, 4 * BLOCK, 0.3


def said(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def hold_back(name: str, rate: str, change: str) -> None:
    """What a namespace sends goes through a bucket of tokens."""
    bucket = ("rate", rate, "burst", RATES[rate], "limit", QUEUE)
    said("ip", "netns", "exec", name, "tc", "qdisc", change, "dev", "eth0", "root", "tbf", *bucket)


@contextlib.contextmanager
def namespaces(processes: int) -> Iterator[list[str]]:
    """A network namespace for each process, all on one bridge."""
    names = [f"corro{number}" for number in range(processes)]
    taken_down(names)  # what a run that was killed has left
    try:
        said("ip", "link", "add", BRIDGE, "type", "bridge")
        said("ip", "link", "set", BRIDGE, "up")
        for number, name in enumerate(names):
            said("ip", "netns", "add", name)
            said("ip", "link", "add", f"cv{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            said("ip", "link", "set", f"cv{number}", "master", BRIDGE, "up")
            inside = ("ip", "netns", "exec", name)
            said(*inside, "ip", "addr", "add", f"{SUBNET}.{number + 1}/24", "dev", "eth0")
            said(*inside, "ip", "link", "set", "eth0", "gso_max_size", SEGMENT, "up")
            said(*inside, "ip", "link", "set", "lo", "up")
            hold_back(name, max(RATES), "add")
        yield names
    finally:
        taken_down(names)


def taken_down(names: Sequence[str]) -> None:
    links = (*(f"cv{number}" for number in range(len(names))), BRIDGE)
    spaces = [("ip", "netns", "del", name) for name in names]
    for command in (*(("ip", "link", "del", link) for link in links), *spaces):
        subprocess.run(command, check=False, capture_output=True)


# ---------------------------------------------------------------------- both sides of a run


def exchanging(ends: Sequence[float]) -> Iterator[int]:
    """The steps in which gradients are exchanged. In the first of a block is what was left from the one before."""
    return (n for n in range(WARM_UP, len(ends)) if n // BLOCK % 2 and n % BLOCK)


def profile_of(name: str, found: list[rows.Run], between: Exchange) -> Profile:
    """What the blocks without an exchange show, as of ``corro forecast``."""
    for each in found:
        counted = [n // BLOCK % 2 == 0 and n % BLOCK > 0 for n in range(len(each.times["ends"]))]
        each.times["whole"] = [bool(whole) and own for whole, own in zip(each.times["whole"], counted, strict=True)]
    order = dict(rows.gradients(found, WARM_UP))
    processes = len(found)
    share = rows.share_of(found, tuple(order), processes, engine=True, warm_up=WARM_UP)
    return Profile(
        name=name,
        gradients=tuple(order.values()),
        shares=(replace(share, batch=share.batch * processes, engine=False, processes=1), share),
        threads=max(1, usable_cores() // processes),
        cores=usable_cores(),
        device="cpu",
        exchange=between,
    )


def expected(profile: Profile, processes: int, rate: str, engine: str) -> dict[str, float]:
    """The step that is forecast, and its interval."""
    link = link_of(profile, network(f"{rate}:{LATENCY}").link if rate else None)
    assert link is not None
    spread = profile.exchange.spread if profile.exchange and not rate else 0.0
    setting = Setting(Cluster(link, link, processes, RING), engine, spread=spread, on_cpu=True)
    found = outlook(profile, setting, processes, "strong")
    assert found is not None
    return {"forecast": found.step.value, "low": found.step.low, "high": found.step.high}


# ---------------------------------------------------------------------- runs


def measured(subject: Subject, names: list[str]) -> tuple[list[rows.Run], dict[str, float], Exchange | None]:
    """Processes in namespaces, or here where the names are empty: what each did, and their step by the rate."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        together = (HOROVOD, "", USUAL) in subject.programs  # Horovod has a launcher for all of them
        folders = [Path(scratch, str(number)) for number in range(1 if together else len(names))]
        outputs = [folder / "output.txt" for folder in folders]
        if together:
            plans = [plan_of_all(subject, len(names), folders[0])]
        else:
            plans = [plan_of(subject, rank, names, folder) for rank, folder in enumerate(folders)]
        with ThreadPoolExecutor(len(plans)) as pool:
            jobs = [pool.submit(run, *each, to_the_last=True) for each in zip(plans, outputs, strict=True)]
            phases = changed(names, jobs, folders[0]) if names[0] else [("", 0.0, float("inf"))]
            statuses = [each.result() for each in jobs]
        records = [record for folder in folders for record in read_ranks(folder)]
        if failed := failure(statuses, records, outputs):
            raise SystemExit(failed)
        times = times_of(records)
        places = [Path(record.folder) for record in records]
        found = [rows.read(place, each, 0.0, whole=False) for place, each in zip(places, times, strict=True)]
        steps = by_rate(times[0]["ends"], times[0]["whole"], phases)
        told: dict[str, Any] = json.loads((places[0] / "exchanges.json").read_text())
        return found, steps, exchange_of(told) if told["taken"] else None


def exchange_of(told: dict[str, Any]) -> Exchange:
    """As ``corro forecast`` fits it."""
    found = fitted([timing(int(size), taken) for size, taken in told["taken"].items()], 2)
    return replace(found, copy_per_byte=statistics.median(told["copies"]))


def timing(size: int, taken: list[tuple[float, float]]) -> Timing:
    own = {
        "seconds": statistics.median(each for each, _ in taken),
        "cpu_seconds": statistics.median(e for _, e in taken),
    }
    return Timing("all-reduce", size, "float32", "cpu", **own)


def plan_of_all(subject: Subject, processes: int, folder: Path) -> LaunchPlan:
    plan = launch(subject, Treatment(HOROVOD, processes, max(1, usable_cores() // processes)), folder)
    own = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29610", "EXCHANGES": "1", "CORRO_FORECAST": "0"}
    options = plan.command[: plan.command.index("--") + 1]
    command = (*options, sys.executable, str(HERE / "alternate.py"), str(subject.programs[HOROVOD, "", USUAL].text))
    return replace(plan, command=command, environment=dict(plan.environment) | own)


def plan_of(subject: Subject, rank: int, names: list[str], folder: Path) -> LaunchPlan:
    plan = launch(subject, Treatment(DDP, 1, max(1, usable_cores() // len(names))), folder)
    place = {"RANK": rank, "LOCAL_RANK": 0, "WORLD_SIZE": len(names), "LOCAL_WORLD_SIZE": 1, "CORRO_FORECAST": 0}
    name = names[rank]
    found = {"MASTER_ADDR": f"{SUBNET}.1" if name else "127.0.0.1", "MASTER_PORT": str(29_600 + len(names))}
    own = {"GLOO_SOCKET_IFNAME": "eth0" if name else "lo", "CORRO_PLACE": "RANK WORLD_SIZE"}
    environment = {**plan.environment, **{key: str(value) for key, value in place.items()}, **found, **own}
    environment |= {} if name else {"EXCHANGES": "1"}
    inside = ("ip", "netns", "exec", name) if name else ()
    program = str(subject.programs[DDP, "", USUAL].text)
    command = (*inside, sys.executable, str(HERE / "alternate.py"), program)
    return replace(plan, command=command, environment=environment)


def changed(names: list[str], jobs: Sequence[Future[int]], folder: Path) -> list[tuple[str, float, float]]:
    """Change the rate in turn until the run ends; from when to when each was in force, by the monotonic clock."""
    phases: list[tuple[str, float, float]] = []
    while steps_in(folder) < 1 and not any(job.done() for job in jobs):
        time.sleep(0.1)
    while not any(job.done() for job in jobs):
        for rate in RATES:
            for name in names:
                hold_back(name, rate, "change")
            begun, made = time.monotonic(), steps_in(folder)
            while not any(job.done() for job in jobs) and (
                time.monotonic() < begun + PHASE_SECONDS or steps_in(folder) < made + PHASE_STEPS
            ):
                time.sleep(0.05)
            phases.append((rate, begun + SETTLES, time.monotonic()))
    return phases


def steps_in(folder: Path) -> int:
    """How many steps the first process has made."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / "rank0" / "beat").read_text())
    return 0


def by_rate(ends: list[float], whole: list[int], phases: list[tuple[str, float, float]]) -> dict[str, float]:
    """The step with its exchange, for each rate: the mean, as forecast."""
    found: dict[str, list[float]] = {}
    for n in exchanging(ends):
        for rate, begun, ended in phases:
            if whole[n] and begun <= ends[n - 1] and ends[n] <= ended:
                found.setdefault(rate, []).append(ends[n] - ends[n - 1])
    return {rate: statistics.fmean(steady(taken)) for rate, taken in found.items()}


# ---------------------------------------------------------------------- both


def validated(model: str, engine: str, keep: Path | None) -> Iterator[dict[str, Any]]:
    """The rows of one model."""
    script = HERE / "models" / f"{model}.py"
    output = compile_source(read_source(str(script)), Options(engine, assume=True))
    program = prepare.program_for(output)
    subject = Subject(script, {(engine, "", USUAL): program}, home=prepare.home([output]), warm_up=WARM_UP)
    found, steps, between = measured(replace(subject, steps=LOOPBACK[model]), ["", ""])
    assert between is not None
    print(json.dumps(asdict(between)), flush=True)
    yield from compared(model, engine, profile_of(model, found, between), steps, keep)
    for processes in NUMBERS if engine == DDP else ():
        with namespaces(processes) as names:
            found, steps, _ = measured(replace(subject, steps=MODELS[model][1]), names)
        yield from compared(model, engine, profile_of(model, found, between), steps, keep)


def compared(
    model: str, engine: str, profile: Profile, steps: dict[str, float], keep: Path | None
) -> Iterator[dict[str, Any]]:
    processes = profile.shares[-1].processes
    if keep is not None:
        (keep / f"{model}_{engine}_{processes}_{len(steps)}.json").write_text(text_of(profile))
    for rate, seconds in steps.items():
        row = {"model": model, "processes": processes, "rate": rate, "measured": seconds}
        yield row | expected(profile, processes, rate, engine) | {"alone": profile.shares[-1].seconds}


def ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def written(found: list[dict[str, Any]]) -> str:
    """A table, with the medians where there are several rounds."""
    lines = []
    for model, processes, rate in dict.fromkeys((row["model"], row["processes"], row["rate"]) for row in found):
        own = [row for row in found if (row["model"], row["processes"], row["rate"]) == (model, processes, rate)]
        taken, value, low, high, alone = (
            statistics.median(row[key] for row in own) * 1000
            for key in ("measured", "forecast", "low", "high", "alone")
        )
        shown = f"{ms(value)} ({ms(low)}–{ms(high)})"
        name = f"{model}, {MODELS[model][0]}"
        network_ = rate or "loopback"
        off = f"{value / taken - 1:+.0%}"
        lines.append([name, str(processes), network_, ms(alone), ms(taken), shown, off])
    header = ["model", "processes", "network", "without exchange, ms", "measured ms", "forecast ms (95 %)", "off"]
    return table(header, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--to", choices=(DDP, HOROVOD), default=DDP)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="A folder for profiles.")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    where = machine()
    found: list[dict[str, Any]] = []
    for _ in range(asked.rounds):
        for model in asked.models.split(","):
            for row in validated(model, asked.to, asked.keep):
                print(json.dumps(row), flush=True)
                found.append(row)
    page = ROOT / "docs" / "forecast.md"
    name, title = ("forecast", "Measured") if asked.to == DDP else ("forecast-horovod", "Measured with Horovod")
    publish(name, title, f"{where}.\n\n{written(found)}", asked.write, page)


if __name__ == "__main__":
    main()
