"""What ``corro bench`` is asked for, and what has to be right before anything is run."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.cli._about import as_typed
from corro.cli._settings import AUTO, settings_of, suggestion
from corro.cli._terminal import echo
from corro.compiler import SCALINGS, Options, compile_source
from corro.errors import CompilationError, ExecutionError, UsageError
from corro.source import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.bench.accuracy import Goals
    from corro.bench.design import Design, Factor
    from corro.bench.options import Option
    from corro.bench.runs import Subject
    from corro.cli._settings import Settings
    from corro.compiler import Output
    from corro.targets import Target
    from corro.targets.base import Exchange


_REPLICATIONS = 3
_UNITS = {"s": 1, "m": 60, "h": 3600, "": 60}


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    script: str
    arguments: tuple[str, ...]
    to: str | None
    processes: str | None
    threads: str | None
    scaling: str | None
    factors: tuple[str, ...]
    design: str
    seeds: str | None
    equal: tuple[str, ...]
    reach: tuple[str, ...]
    replications: int | None
    seed: int
    steps: int
    warm_up: int
    budget: str | None
    limits: bool
    store: Path | None
    retry: bool
    dry_run: bool
    as_json: bool
    plot: Path | None
    best: bool

    @property
    def goals(self) -> Goals:
        """What is asked of the numbers that the script reports.

        Raises:
            UsageError: it is no number, or runs are ended before there is a result.
        """
        from corro.bench.accuracy import Goals

        if self.steps and not self.best and (self.equal or self.reach):
            raise UsageError(
                "--equal and --reach need whole runs, and --steps ends them early.", advice="Leave --steps out."
            )
        return Goals(_numbers("--equal", self.equal), _numbers("--reach", self.reach))

    @property
    def fewest(self) -> int:
        """So many replications are made where no number is given: one a seed."""
        return len(_listed(self.seeds.partition("=")[2])) if self.seeds else _REPLICATIONS


def _numbers(option: str, given: Sequence[str]) -> dict[str, float]:
    found = {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            found.clear()
        if not name.strip() or not found or found[name.strip()] != found[name.strip()]:
            raise UsageError(f"{option} {text}: that is no number.", advice=f"Write such as {option} accuracy=0.01.")
    return found


def prepared(asked: Asked) -> tuple[Subject, Design, str, dict[str, object]]:
    """See that all can be run; what is measured, the design, its key, and its description.

    Raises:
        UsageError: a factor, level or option is not known, or a batch cannot be shared out.
        CompilationError: the script trains nothing, or cannot be converted.
        ExecutionError: an engine is not installed, or does not work.
    """
    from corro.bench import prepare
    from corro.bench.design import OWN, Factor, designed
    from corro.bench.runs import Subject
    from corro.compiler import program_of
    from corro.launch.launchers import usable_cores

    goals = asked.goals  # what is wrong with them is said before all else
    own = settings_of(asked.script)
    source = read_source(asked.script)
    first = compile_source(source, Options(own.target if asked.to is None else "", assume=True))
    prepare.must_train(first)
    named, options = _factors(asked, program_of(source).files)
    seeds = _seeds(asked, program_of(source).files)
    own_levels = _own_levels(asked, own, named)
    outputs = _compiled(asked, first, own_levels)
    own_levels["target"] = tuple(dict.fromkeys(each.plan.target for each in outputs))  # those that can be had
    own_factors = [Factor(name, own_levels[name]) for name in OWN if name in own_levels]
    factors = [*own_factors, *(each for each in named if each.name not in OWN)]
    cores = usable_cores()
    design = designed(factors, asked.design, asked.seed, cores, limits=asked.limits)
    _must_share_out(asked, outputs, own_levels["processes"])
    subject = Subject(
        script=source.path.absolute(),
        programs={prepare.way_of(each): prepare.program_for(each) for each in outputs},
        options=options,
        seeds=seeds,
        arguments=asked.arguments,
        home=prepare.home(outputs),
        package=program_of(source).package,
        steps=asked.steps,
        warm_up=asked.warm_up,
    )
    machine = prepare.machine()
    texts = [text for each in outputs for text in (each.text or "", *prepare.texts(each))]
    key = design.key(*asked.arguments, repr(seeds), str(asked.steps), str(asked.warm_up), machine, *texts)
    described = {"factors": {each.name: each.levels for each in factors}, "design": design.kind, "seed": asked.seed}
    told = {
        "command": as_typed(),
        "limits": asked.limits,
        "steps": asked.steps,
        "machine": machine,
        "cores": cores,
        "arguments": asked.arguments,
        "seeds": asked.seeds,
    }
    return subject, design, key, {**described, **told, "equal": goals.equal, "reach": goals.reach}


def _factors(asked: Asked, files: Sequence[Any]) -> tuple[list[Factor], dict[str, Option]]:
    """What ``--factor`` names: Corro's own factors, or options of the script."""
    from corro.bench.design import OWN, Factor
    from corro.bench.options import chosen

    factors: list[Factor] = []
    options: dict[str, Option] = {}
    for text in asked.factors:
        name, equals, listed = text.partition("=")
        levels = tuple(filter(None, (level.strip() for level in listed.split(","))))
        name = name.strip().lstrip("-")
        if not name or not equals or not levels:
            raise UsageError(f"--factor {text}: it has no levels.", advice="Write --factor NAME=LEVEL,LEVEL.")
        if any(each.name == name for each in factors):
            raise UsageError(f"--factor {name} is given twice.", advice=f"Write --factor {name}=LEVEL,LEVEL once.")
        if name not in OWN:
            options[name] = chosen(name, files, levels)
            _must_not_be_given(asked, name, options[name])
        factors.append(Factor(name, levels))
    return factors, options


def _seeds(asked: Asked, files: Sequence[Any]) -> tuple[tuple[str, ...], ...]:
    """What each replication adds to the arguments of the script, in turn."""
    from corro.bench.options import chosen

    if not asked.seeds:
        return ()
    name, _, listed = asked.seeds.partition("=")
    name, levels = name.strip().lstrip("-"), _listed(listed)
    if not name or len(set(levels)) < len(levels) or not levels:
        raise UsageError(f"--seeds {asked.seeds}: it has no levels.", advice="Write such as --seeds seed=1,2,3,4,5.")
    option = chosen(name, files, levels)
    _must_not_be_given(asked, name, option)
    return tuple(option.arguments(level) for level in levels)


def _must_not_be_given(asked: Asked, name: str, option: Option) -> None:
    if any(each.partition("=")[0] == option.written for each in asked.arguments):
        raise UsageError(
            f"{option.written} is varied here ({name}), and is among the arguments of the script, too.",
            advice="Leave one of them out.",
        )


def _own_levels(asked: Asked, own: Settings, named: Sequence[Factor]) -> dict[str, tuple[str, ...]]:
    """The levels of Corro's own factors: from their options, from ``--factor``, from the project, or by default."""
    from corro.bench.design import BUCKET_MB, COMPRESSION, OWN
    from corro.launch.launchers import usable_cores

    given = {"target": asked.to, "processes": asked.processes, "threads": asked.threads, "scaling": asked.scaling}
    levels = {name: _listed(text) for name, text in given.items() if text}
    for each in named:
        if each.name in levels:
            raise UsageError(f"{each.name} is given twice: by --factor {each.name}, and by an option of its own.")
        if each.name in OWN:
            levels[each.name] = each.levels
    if "target" in levels:
        levels["target"] = tuple(each for each in levels["target"] if each != "sequential")
        if not levels["target"]:
            raise UsageError(
                "--to names no engine: the sequential run is there in any case.", advice="Write such as --to ddp."
            )
    levels.setdefault("processes", (str(own.processes or 2),))
    if levels["processes"] == (AUTO,):
        from corro.cli._machine import good_number

        levels["processes"] = (str(good_number()[0]),)
    _must_be_levels(levels)
    share = max(1, usable_cores() // max(map(int, levels["processes"])))
    levels.setdefault("threads", (str(share),))
    levels.setdefault("scaling", (own.scaling or SCALINGS[0],))
    if own.compression:
        levels.setdefault(COMPRESSION, (own.compression,))
    if own.bucket_mb:
        levels.setdefault(BUCKET_MB, (str(own.bucket_mb),))
    return levels


def _must_be_levels(levels: dict[str, tuple[str, ...]]) -> None:
    """See that each level is one.

    Raises:
        UsageError: it is not.
    """
    from corro.bench.design import AS_THEY_ARE, BUCKET_MB, BY_ENGINE, COMPRESSION
    from corro.targets.base import COMPRESSIONS

    for name in ("processes", "threads"):
        for level in levels.get(name, ()):
            if not level.isdecimal() or int(level) < 1:
                raise UsageError(f"{name}: {level!r} is no number of {name}.", advice="Write such as 1,2.")
    for name, known in {"scaling": SCALINGS, COMPRESSION: (AS_THEY_ARE, *COMPRESSIONS)}.items():
        for level in levels.get(name, ()):
            if level not in known:
                raise UsageError(f"there is no {name} {level!r}.", advice=suggestion(level, known))
    for level in levels.get(BUCKET_MB, ()):
        if level != BY_ENGINE and not (level.isdecimal() and int(level)):
            raise UsageError(f"{BUCKET_MB}: {level!r} is no number of MiB.", advice=f"Write such as {BY_ENGINE},5,100.")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (each.strip() for each in text.split(","))))


def _compiled(asked: Asked, first: Output, levels: dict[str, tuple[str, ...]]) -> list[Output]:
    """The programs of all targets and scalings; of targets that were not asked for, those that can be had."""
    from corro import targets

    frontend, wanted = first.plan.frontend, levels.get("target", ())
    for name in wanted:
        if name not in targets.names():
            raise UsageError(f"there is no target {name!r}.", advice=suggestion(name, targets.names()))
        targets.get(name, frontend)  # raises where it is for another framework
    outputs: list[Output] = []
    names = [name for name in wanted or targets.names(frontend) if wanted or _works(name, frontend)]
    for name in names:
        try:
            outputs += [_program(asked, first, name, *way) for way in _ways(asked, levels, targets.get(name, frontend))]
        except (CompilationError, UsageError) as error:
            if wanted or (name == names[-1] and not outputs):
                raise
            echo(f"corro: without {name}: {error.message}", sys.stderr)
    if wanted:
        _must_work(wanted, frontend)
    if not outputs:
        raise ExecutionError(
            f"no engine for this script works here ({', '.join(targets.names(frontend))}).",
            advice="corro doctor says how to get them.",
        )
    return outputs


def _ways(asked: Asked, levels: dict[str, tuple[str, ...]], target: type[Target]) -> Iterator[tuple[str, Exchange]]:
    """All scalings and exchanges of gradients that are asked for; where the best is looked for, those that can be."""
    from corro.bench.design import AS_THEY_ARE, BUCKET_MB, BY_ENGINE, COMPRESSION, exchange_of

    exchanged = product(levels.get(COMPRESSION, (AS_THEY_ARE,)), levels.get(BUCKET_MB, (BY_ENGINE,)))
    for scaling, (compression, bucket_mb) in product(levels["scaling"], exchanged):
        exchange = exchange_of(compression, bucket_mb)
        if not asked.best or target.can_exchange(exchange):
            yield scaling, exchange


def _works(name: str, frontend: str) -> bool:
    """Whether an engine is here and works; of one that is not, it is said."""
    from corro.bench.prepare import launcher_of
    from corro.engines.health import engine_of, examine_each

    if launcher_of(name, frontend).missing():
        echo(f"corro: without {name}: not installed here; {launcher_of(name, frontend).advice}", sys.stderr)
        return False
    health = next(iter(examine_each([engine_of(name, frontend)])))[0]
    if health.state.value != "works":
        echo(f"corro: without {name}: {health.detail}", sys.stderr)
    return health.state.value == "works"


def _must_work(names: Sequence[str], frontend: str) -> None:
    from corro.bench.prepare import must_work
    from corro.engines.health import engine_of, examine_each

    must_work([health for health, _ in examine_each([engine_of(name, frontend) for name in names])])


def _program(asked: Asked, first: Output, target: str, scaling: str, exchange: Exchange) -> Output:
    from corro.cli._observed import or_observed
    from corro.cli._render import counted_refusals, render_plan
    from corro.plan import Outcome
    from corro.verify.assumptions import held

    sync_batchnorm = settings_of(asked.script).sync_batchnorm
    options = Options(target, scaling, sync_batchnorm, assume=True, exchange=exchange)
    output = or_observed(compile_source(first.source, options), options, asked.arguments, quiet=asked.as_json)
    path = output.source.path
    if output.text is None:
        render_plan(output, sys.stderr)
        raise CompilationError(
            f"{path} cannot be converted for {target}: {counted_refusals(output)}.", advice="Nothing was run."
        )
    if output.plan.outcome is Outcome.TO_VERIFY and held(output, asked.arguments) is None:
        again = shlex.join(["corro", "verify", asked.script, "--to", target, "-n", "2", "--steps", "20"])
        raise CompilationError(
            f"{path}: its program for {target} rests on what was not tested yet.", advice=f"First: {again}"
        )
    return output


def _must_share_out(asked: Asked, outputs: Sequence[Output], processes: Sequence[str]) -> None:
    """See that batches can be shared out, where the text says their size, and strong scaling asks for it."""
    from corro.cli._shares import must_share_out

    again = shlex.join(["corro", "bench", asked.script, "-n", "{}"]).replace("'{}'", "{}")
    for output in outputs:
        for number in processes if output.plan.scaling == "strong" else ():
            must_share_out(output, int(number), again)


def must_plot(path: Path | None) -> None:
    """See that a chart can be written in that form.

    Raises:
        UsageError: it cannot.
    """
    if path is not None and path.suffix not in {".html", ".png", ".svg"}:
        raise UsageError(f"--plot {path}: it can be .html, .png or .svg.")


def seconds_of(text: str) -> float:
    """The seconds of a time such as 90s, 20m or 2h.

    Raises:
        UsageError: it is no time.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if not found or float(found[1]) == 0:
        raise UsageError(f"--budget {text}: that is no time.", advice="Write such as 90s, 20m or 2h.")
    return float(found[1]) * _UNITS[found[2]]
