"""How near forecasts are to measured runs, of two and four processes here and over networks that are slowed down.

    sudo python benchmarks/forecast_validation.py [--models mlp,cnn,transformer,wide] [--keep FILE] [--write]

Each script of ``benchmarks/forecast`` is profiled as ``corro forecast`` does it. Then its program really runs: on two
processes over the loopback interface, and on two and four that have a network namespace each, connected by a bridge. A
token bucket (``tc tbf``) holds back what each of them sends; while they run, its rate is changed in turn, so that what
the machine does besides hits all rates alike. The forecast knows the rate of the bucket, not what was measured over it.

Of each run, those that are profiled too, the quicker half of the steps is compared: in the others somebody else had the
cores. Needs Linux, root and iproute2.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from common import ROOT, machine, publish, table

from corro.bench import prepare
from corro.bench.design import Treatment
from corro.bench.runs import Program, Subject, failure, launch, times_of
from corro.compiler import Options, compile_source
from corro.forecast import rows
from corro.forecast.allreduce import RING, Cluster
from corro.forecast.exchange import exchange
from corro.forecast.measure import Way, runs
from corro.forecast.network import network
from corro.forecast.outlook import Setting, link_of, outlook
from corro.forecast.profile import Exchange, Profile, text_of
from corro.launch import run
from corro.launch.launchers import usable_cores
from corro.source import read_source
from corro.verify.records import read_ranks

MODELS = {"mlp": ("0.1 M", 1500), "cnn": ("1 M", 240), "transformer": ("6.4 M", 90), "wide": ("25 M", 44)}
"""Parameters, and how many steps are made of each."""
PROFILED = 40
RATES = ("200mbit", "500mbit", "2gbit")
LATENCY = "20us"
NUMBERS = (2, 4)
WARM_UP = 5
BRIDGE, SUBNET = "corrobr", "10.77.0"
TARGET = "ddp"
PHASE_SECONDS, PHASE_STEPS, SETTLES = 2.0, 4, 0.3


def said(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def hold_back(name: str, rate: str, change: str) -> None:
    """What a namespace sends goes through a bucket of tokens."""
    bucket = ("rate", rate, "burst", "256kb", "latency", "100ms")
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
            said(*inside, "ip", "link", "set", "eth0", "up")
            said(*inside, "ip", "link", "set", "lo", "up")
            hold_back(name, RATES[-1], "add")
        yield names
    finally:
        taken_down(names)


def taken_down(names: Sequence[str]) -> None:
    for command in (*(("ip", "netns", "del", name) for name in names), ("ip", "link", "del", BRIDGE)):
        subprocess.run(command, check=False, capture_output=True)


def quick(seconds: Sequence[float]) -> float:
    """The mean of the quicker half."""
    return statistics.fmean(sorted(seconds)[: max(1, len(seconds) // 2)])


# ---------------------------------------------------------------------- forecast


def only_quick(run_: rows.Run) -> rows.Run:
    """A profiled run of which only the quicker half of the steps counts."""
    ends, whole = run_.times["ends"], run_.times["whole"]
    taken = {n: ends[n] - ends[n - 1] for n in range(WARM_UP, len(ends)) if whole[n]}
    limit = statistics.median(taken.values())
    kept = [n in taken and taken[n] <= limit for n in range(len(ends))]
    return replace(run_, times={**run_.times, "whole": kept})


def profile_of(subject: Subject, program: Path, name: str, processes: int, between: Exchange) -> Profile:
    """As ``corro forecast --network here`` makes it for so many processes, with strong scaling."""
    subject, threads = replace(subject, steps=PROFILED), max(1, usable_cores() // processes)
    ways = (Way(0), Way(processes, processes))
    found = [[only_quick(each) for each in runs(subject, program, way, threads, "cpu")] for way in ways]
    order = dict(rows.gradients(found[-1], WARM_UP))
    shares = [
        rows.share_of(own, tuple(order), max(1, way.processes), engine=way.processes > 0, warm_up=WARM_UP)
        for own, way in zip(found, ways, strict=True)
    ]
    return Profile(
        name=name,
        gradients=tuple(order.values()),
        shares=tuple(shares),
        threads=threads,
        cores=usable_cores(),
        device="cpu",
        exchange=between,
    )


def expected(profile: Profile, processes: int, rate: str) -> dict[str, float]:
    """The step that is forecast, and its interval."""
    link = link_of(profile, network(f"{rate}:{LATENCY}").link if rate else None)
    assert link is not None
    spread = profile.exchange.spread if profile.exchange and not rate else 0.0
    setting = Setting(Cluster(link, link, processes, RING), spread=spread, on_cpu=True)
    found = outlook(profile, setting, processes, "strong")
    assert found is not None
    return {"forecast": found.step.value, "low": found.step.low, "high": found.step.high}


# ---------------------------------------------------------------------- measured


def measured(subject: Subject, names: list[str]) -> dict[str, float]:
    """The step of processes that run in namespaces, by the rate; or here, where the names are empty."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folders = [Path(scratch, str(number)) for number in range(len(names))]
        outputs = [folder / "output.txt" for folder in folders]
        plans = [plan_of(subject, rank, names, folder) for rank, folder in enumerate(folders)]
        with ThreadPoolExecutor(len(plans)) as pool:
            jobs = [pool.submit(run, *each, to_the_last=True) for each in zip(plans, outputs, strict=True)]
            phases = changed(names, jobs, folders[0]) if names[0] else [("", 0.0, float("inf"))]
            statuses = [each.result() for each in jobs]
        records = [record for folder in folders for record in read_ranks(folder)]
        if failed := failure(statuses, records, outputs):
            raise SystemExit(failed)
        first = times_of(records)[0]
        return by_rate(first["ends"], first["whole"], phases)


def plan_of(subject: Subject, rank: int, names: list[str], folder: Path):  # type: ignore[no-untyped-def]
    plan = launch(subject, Treatment(TARGET, 1, max(1, usable_cores() // len(names))), folder)
    place = {"RANK": rank, "LOCAL_RANK": 0, "WORLD_SIZE": len(names), "LOCAL_WORLD_SIZE": 1}
    name = names[rank]
    found = {"MASTER_ADDR": f"{SUBNET}.1" if name else "127.0.0.1", "MASTER_PORT": str(29_600 + len(names))}
    own = {"GLOO_SOCKET_IFNAME": "eth0" if name else "lo", "CORRO_PLACE": "RANK WORLD_SIZE"}
    environment = {**plan.environment, **{key: str(value) for key, value in place.items()}, **found, **own}
    inside = ("ip", "netns", "exec", name) if name else ()
    return replace(plan, command=(*inside, *plan.command), environment=environment)


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
    found: dict[str, list[float]] = {}
    for n in range(WARM_UP, len(ends)):
        for rate, begun, ended in phases:
            if whole[n] and begun <= ends[n - 1] and ends[n] <= ended:
                found.setdefault(rate, []).append(ends[n] - ends[n - 1])
    return {rate: quick(taken) for rate, taken in found.items()}


# ---------------------------------------------------------------------- both


def validated(model: str, between: Exchange, keep: Path | None) -> Iterator[dict[str, object]]:
    """The rows of one model."""
    script = ROOT / "benchmarks" / "forecast" / f"{model}.py"
    output = compile_source(read_source(str(script)), Options(TARGET, assume=True))
    program = prepare.program_for(output).text
    assert program is not None
    home = prepare.home([output])
    subject = Subject(script, {(TARGET, ""): Program(program)}, home=home, steps=MODELS[model][1], warm_up=WARM_UP)
    for processes in NUMBERS:
        profile = profile_of(subject, program, model, processes, between)
        if keep is not None:
            (keep / f"{model}_{processes}.json").write_text(text_of(profile))
        found = measured(replace(subject, steps=PROFILED), [""] * processes) if processes == 2 else {}
        with namespaces(processes) as names:
            found |= measured(subject, names)
        for rate, seconds in found.items():
            row = {"model": model, "processes": processes, "rate": rate, "measured": seconds}
            yield row | expected(profile, processes, rate)


def written(found: list[dict[str, object]]) -> str:
    """A table: for each configuration the medians over the rounds."""
    lines = []
    for model, processes, rate in dict.fromkeys((row["model"], row["processes"], row["rate"]) for row in found):
        own = [row for row in found if (row["model"], row["processes"], row["rate"]) == (model, processes, rate)]
        taken, value, low, high = (
            statistics.median(float(str(row[key])) for row in own) * 1000
            for key in ("measured", "forecast", "low", "high")
        )
        shown = f"{value:.3g} ({low:.3g}–{high:.3g})"
        name = f"{model}, {MODELS[str(model)][0]}"
        lines.append(
            [name, str(processes), str(rate) or "loopback", f"{taken:.3g}", shown, f"{value / taken - 1:+.0%}"]
        )
    return table(["model", "processes", "network", "measured ms", "forecast ms (95 %)", "off"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="A folder for rows and profiles.")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    where = machine()
    found: list[dict[str, object]] = []
    for _ in range(asked.rounds):
        between = exchange("cpu", lambda text: None)
        print(json.dumps(asdict(between)), flush=True)
        for model in asked.models.split(","):
            for row in validated(model, between, asked.keep):
                print(json.dumps(row), flush=True)
                found.append(row)
    publish("forecast", "Forecasts and measured runs", f"{where}.\n\n{written(found)}", asked.write)


if __name__ == "__main__":
    main()
