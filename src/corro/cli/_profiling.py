"""The profile of a script, measured for ``corro forecast``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corro.cli._interrupts import interruptible
from corro.cli._machine import gpus
from corro.cli._observed import must_be_of, or_observed
from corro.cli._settings import settings_of
from corro.cli._verdict import progress
from corro.compiler import Options, compile_source, program_of
from corro.errors import UsageError
from corro.source import read_source

if TYPE_CHECKING:
    from corro.compiler import Output
    from corro.forecast.measure import Way
    from corro.forecast.profile import Profile
    from corro.source import SourceFile

_CPU, _CUDA = "cpu", "cuda"
_SHARES = 3


def profiled(
    script: str,
    arguments: tuple[str, ...],
    numbers: Sequence[int],
    per_machine: int,
    device: str,
    steps: tuple[int, int],
    *,
    quiet: bool,
) -> Profile:
    """Run a script, and its program as one of several processes, for a few steps each.

    Args:
        script: as it was given.
        arguments: of the script.
        numbers: of processes that are to be forecast.
        per_machine: so many of them are on one machine.
        device: ``auto``, ``cpu`` or ``cuda``.
        steps: how many are made, and how many of these are not counted.
        quiet: whether nothing is shown meanwhile.

    Raises:
        CompilationError: the script trains nothing, not with PyTorch, or cannot be converted.
        ExecutionError: a run failed.
        UsageError: there is no such device here.
    """
    from corro.bench import prepare
    from corro.bench.runs import Subject
    from corro.forecast.exchange import exchange
    from corro.forecast.measure import measured
    from corro.forecast.profile import Profile
    from corro.launch.launchers import usable_cores

    if device == _CUDA and not gpus():
        raise UsageError("--device cuda: no GPU was found here.", advice="Leave it out.")
    output = _program(script, arguments, quiet=quiet)
    program = prepare.program_for(output).text
    assert program is not None, "it has just been written"
    on_cpu = device == _CPU or not gpus()
    copies = min(per_machine, max(numbers)) if on_cpu else 1
    threads = max(1, usable_cores() // copies)
    subject = Subject(
        script=output.source.path.absolute(),
        programs={},
        arguments=arguments,
        home=prepare.home([output]),
        package=program_of(output.source).package,
        steps=steps[0],
        warm_up=steps[1],
    )
    with interruptible(), progress("measuring", quiet=quiet) as report:
        ways = chosen(numbers, per_machine if on_cpu else 1)
        found = measured(subject, program, ways, threads, report, _CPU if on_cpu else "")
        between = exchange(_CPU, report) if on_cpu else None
    return Profile(
        name=output.source.path.name,
        gradients=found.gradients,
        shares=found.shares,
        sources=(f"measured: {prepare.machine()}",),
        samples=found.samples,
        epochs=found.epochs,
        buffer_bytes=found.buffer_bytes,
        startup=found.startup,
        threads=threads,
        cores=usable_cores() if on_cpu else 0,
        device=found.device,
        exchange=between,
        text=text_of(output.source),
    )


def chosen(numbers: Sequence[int], per_machine: int) -> Callable[[int], Sequence[Way]]:
    """In which ways a program is run, by the batch of the script.

    With the whole batch, as in weak scaling, and with some of the shares of strong scaling; for each as many at once as
    there would be on a machine.

    Args:
        numbers: of processes that are to be forecast.
        per_machine: so many of them compete for the cores of one machine.
    """
    from corro.forecast.measure import Way

    def ways(batch: int) -> Sequence[Way]:
        several = [each for each in numbers if each > 1] or [2]
        beside = {each: min(each, per_machine) for each in several}
        whole = [Way(1, copies) for copies in sorted(set(beside.values()))]
        parts = [Way(each, beside[each]) for each in several if batch % each == 0]
        if len(parts) > _SHARES:
            parts = [parts[0], parts[len(parts) // 2], parts[-1]]
        return [*whole, *parts]

    return ways


def file_of(script: str) -> Path:
    """Where the profile of a script is kept, if no other place is said."""
    return Path(f"{Path(script).stem}_forecast.json")


def told_of_forecast(source: SourceFile, numbers: Sequence[int], scaling: str, engine: str) -> Iterator[str]:
    """By a profile of a script that was measured on this machine before: which numbers of processes will not pay.

    Args:
        source: the script; of another text than that of the profile nothing is said.
        numbers: of processes.
        scaling: ``strong`` or ``weak``.
        engine: what they are to be started with.
    """
    from corro.forecast.allreduce import RING, Cluster
    from corro.forecast.outlook import Setting, link_of, rate
    from corro.forecast.profile import read
    from corro.forecast.simulate import ENGINES
    from corro.forecast.words import will_not_pay

    file = file_of(str(source.path))
    if engine not in ENGINES or not file.exists():
        return
    try:
        profile = read(file)
    except UsageError:  # somebody else's file
        return
    link = link_of(profile, None)
    if profile.text != text_of(source) or link is None or not profile.cores:
        return
    for number in numbers:
        setting = Setting(Cluster(link, link, number, RING), engine, on_cpu=True)
        own, alone = (rate(profile, setting, each, scaling) for each in (number, 1))
        if number > 1 and own is not None and alone is not None:
            said = will_not_pay(profile, own, alone, number, str(file))
            yield from [said] * bool(said)


def text_of(source: SourceFile) -> str:
    """A checksum of all that the user's program consists of."""
    texts = (file.text for file in program_of(source).files)
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _program(script: str, arguments: tuple[str, ...], *, quiet: bool) -> Output:
    options = Options(sync_batchnorm=settings_of(script).sync_batchnorm, assume=True)  # for DDP, where it is PyTorch
    source = read_source(script)
    with progress("converting", quiet=quiet) as report:
        report(script)
        converted = compile_source(source, options)
    converted = or_observed(converted, options, arguments, quiet=quiet)
    must_be_of({"pytorch": "PyTorch"}, converted, "forecast")
    return converted
