"""A short run of the script as it is, to see what its text does not say.

``observe`` makes the run, in a room, and ends it after a few optimizer steps. ``completed`` compiles a script again
with what such a run has shown: with as little of it as will do, so that the program depends on nothing else.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro import __version__, targets
from corro.anatomy.observations import INSTANCE, UNTAKEN, Observation, Questions, path_of
from corro.arms import refused_in, span_of
from corro.cache import cache_directory
from corro.compiler import Options, Output, compile_source, program_of, questions_of
from corro.errors import CompilationError, ExecutionError
from corro.launch import generated_modules, launcher_named, write_program
from corro.plan import Outcome
from corro.source import read_source
from corro.verify.processes import Launched, Run, Runner
from corro.verify.records import ROOM, Record, read_ranks
from corro.verify.rooms import room
from corro.verify.runs import scratch
from corro.verify.settings import OUTSIDE, Settings
from corro.writing import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corro.program import Program
    from corro.source import SourceFile
    from corro.verify.evidence import Ending

OBSERVED_STEPS = 3
SEEN = "observed.json"
RULE = "observed"
_ROUNDS = 3
"""So many runs are made at most: what one shows may lead to further questions."""


_TRIES = 30
"""So often it is tried, at most, to do with less."""


def completed(
    output: Output,
    options: Options,
    arguments: tuple[str, ...] = (),
    report: Callable[[str], None] = lambda text: None,
    runner: Runner | None = None,
) -> Output:
    """A script that was refused, compiled with what a run of it shows; as it was where that does not help.

    Args:
        output: of the compiler.
        options: it was compiled with.
        arguments: of the script.
        report: told what is being done.
        runner: what carries out a run.

    Raises:
        ExecutionError: the script fails, or trains nothing before it ends.
        CompilationError: its framework, or a notebook, cannot be observed.
    """
    options = replace(options, defaults=False)  # the run shows what its command line leaves out
    asked, found = Questions(), output
    for _ in range(_ROUNDS):
        further = asked | questions_of(output.source, found.plan)
        if further == asked:
            break
        asked = further
        values, arms = _observed(output, asked, arguments, report, runner or Launched())
        found = _answered(output, replace(options, observed=values), arms)
        if _is_better(found, output):
            return _least(found, options)
    return output


def _is_better(found: Output, than: Output) -> bool:
    """Whether less is in the way of a program, or of trusting it."""
    plan, other = found.plan, than.plan
    if plan.outcome is Outcome.REFUSED or other.outcome is Outcome.REFUSED:
        return plan.outcome is not Outcome.REFUSED
    return len(plan.assumptions) < len(other.assumptions)


def _answered(output: Output, options: Options, arms: tuple[Observation, ...]) -> Output:
    """The script compiled with what a run has shown, without that which its program could not see for itself.

    The arms that the run has not taken are left out where something in them is refused, else all of them.
    """
    found = _usable(output, options)
    for everywhere in (False, True):
        while found.plan.outcome is Outcome.REFUSED:
            further = [arm for arm in arms if everywhere or _holds_refusal(found, arm)]
            if not further:
                break
            arms = tuple(arm for arm in arms if arm not in further)
            found = _usable(output, replace(options, observed=(*found.plan.observed, *further)))
    return found


def _usable(output: Output, options: Options) -> Output:
    found = compile_source(output.source, options)
    useless = tuple(each for each in options.observed if _is_useless(found, each))
    kept = tuple(each for each in options.observed if each not in useless)
    return compile_source(output.source, replace(options, observed=kept)) if useless else found


def _is_useless(output: Output, each: Observation) -> bool:
    """Whether a program could not see for itself what was observed."""
    span = span_of(program_of(output.source).files, each)
    refused = refused_in(output.plan, each, span) if span is not None else ()
    return any(finding.rule == RULE and finding.span == span for finding in refused)


def _holds_refusal(output: Output, arm: Observation) -> bool:
    """Whether something is refused within an arm of a condition."""
    span = span_of(program_of(output.source).files, arm)
    return span is not None and bool(refused_in(output.plan, arm, span))


def _least(output: Output, options: Options) -> Output:
    """The same program with no observation that it does without; objects are given up before what makes them."""
    kept = sorted(output.plan.observed, key=lambda each: each.form != INSTANCE)
    size, tries = len(kept), 0
    while size:
        for start in range(0, len(kept), size):
            some, tries = set(kept[start : start + size]), tries + 1
            fewer = tuple(each for each in output.plan.observed if each not in some)
            tried = compile_source(output.source, replace(options, observed=fewer)) if tries <= _TRIES else output
            if not _is_better(output, tried):
                output = tried
        kept = [each for each in kept if each in output.plan.observed]
        size = size // 2 if size > 1 else 0
    return output


# ---------------------------------------------------------------------- the run


def _observed(
    output: Output, asked: Questions, arguments: tuple[str, ...], report: Callable[[str], None], runner: Runner
) -> tuple[tuple[Observation, ...], tuple[Observation, ...]]:
    """What a run shows: of expressions, and of arms of conditions; from an earlier run where nothing has changed."""
    program = program_of(output.source)
    kept = _kept_at(program, asked, arguments)
    told = _read(kept)
    if told is None:
        report(f"the script as it is, for {OBSERVED_STEPS} steps, to see what its text does not say")
        with scratch() as folder:
            told = _run(output, program, asked, arguments, folder, runner)
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(kept, json.dumps(told).encode())
    values = tuple(_observation(each) for each in told["values"])
    arms = (_observation({**each, "form": UNTAKEN}) for each in told["arms"])
    tests = {(path_of(Path(file)), place) for file, place in asked.tests}
    written = (arm for arm in arms if (arm.file, arm.where) in tests and span_of(program.files, arm) is not None)
    return values, tuple(written)


def _observation(told: dict[str, Any]) -> Observation:
    line, column, last_line, end = told.pop("where")
    bases, attributes = tuple(told.pop("bases", ())), tuple((name, value) for name, value in told.pop("attributes", ()))
    return Observation(where=(line, column, last_line, end), bases=bases, attributes=attributes, **told)


def _run(
    output: Output, program: Program, asked: Questions, arguments: tuple[str, ...], folder: Path, runner: Runner
) -> dict[str, Any]:
    """Run a script, and give what was seen, with files by their full paths."""
    script, modules = output.source.path.absolute(), _modules(program, asked)
    job, names = observing(output, program, modules, arguments, folder)
    places = {name: sorted(list(w) for file, w in asked.values if file == str(path)) for path, name in names.items()}
    job = replace(job, settings=replace(job.settings, asked=places))
    ending = runner(job)
    must_have_trained(job, ending, script.name, "to see what its text does not say")
    told: dict[str, Any] = json.loads(Path(job.settings.folder, "rank0", SEEN).read_text())
    files = {name: path_of(path) for path, name in names.items()}
    for each in (*told["values"], *told["arms"]):
        each["file"] = files[each["file"]]
    for each in told["values"]:
        main = each["module"] == "__main__"
        each["own"] = path_of(script) if main else each["own"] and path_of(program.root / each["own"])
    return told


def observing(
    output: Output, program: Program, modules: Sequence[SourceFile], arguments: tuple[str, ...], folder: Path
) -> tuple[Run, dict[Path, str]]:
    """A run of a script as it is, for a few steps, in a room; with the names that files have in it.

    Args:
        output: of the compiler.
        program: the script and its project modules.
        modules: the project modules that are observed.
        arguments: of the script.
        folder: for the room, and for what is seen.

    Raises:
        CompilationError: the framework of the script, or a notebook, cannot be observed.
    """
    plan, script = output.plan, output.source.path.absolute()
    launcher = launcher_named(targets.get(plan.target, plan.frontend).launcher)
    hooks = launcher.hooks or plan.frontend
    if importlib.util.find_spec(f"corro.verify.probe.{hooks}") is None or script.suffix != ".py":
        raise CompilationError(f"{script.name} cannot be observed: it is no script of a framework that can.")
    texts = {file.path: file.encode(file.text) for file in modules}
    text = write_program(output.source.encode(output.source.text), script, "observed", texts)
    place = room(Path.cwd(), script, folder / ROOM)
    above = os.path.relpath(program.root, script.resolve().parent)
    home = os.path.normpath(place.script.parent / above)
    names = {file.path: os.path.relpath(file.path.resolve(), program.root.resolve()) for file in modules}
    names[output.source.path] = script.name
    generated = _generated(text, script)
    settings = Settings(
        folder=str(folder / "seen"),
        hooks=hooks,
        program=str(text),
        script=str(place.script),
        steps=OBSERVED_STEPS,
        rooms=place.folders,
        home=home,
        modules={str(at): names[file] for at, file in generated.items() if file in names},
    )
    job = Run(text, place.script, arguments, place.directory, settings, beside=launcher.name, package=program.package)
    return job, names


def _modules(program: Program, asked: Questions) -> list[SourceFile]:
    """The project modules, those that only a run imports among them."""
    script = program.source.path.name  # as places name it
    known = [
        file for file in program.files[1:] if os.path.relpath(file.path.resolve(), program.root.resolve()) != script
    ]
    others = {Path(file) for file, _ in (*asked.values, *asked.tests)} - {file.path for file in program.files}
    return [*known, *map(read_source, sorted(others))]


def _generated(text: Path, script: Path) -> dict[Path, Path]:
    """The texts that are loaded in the place of project modules, each with the file of that module."""
    return {at: Path(os.path.normpath(script.resolve().parent / file)) for at, file in generated_modules(text).items()}


def must_have_trained(job: Run, ending: Ending, name: str, purpose: str) -> Record:
    """The record of a run that has come to its end, after a step at least.

    Raises:
        ExecutionError: the script failed, or has trained nothing.
    """
    record = next(iter(read_ranks(Path(job.settings.folder))), None)
    error = record.error.strip().splitlines()[-1] if record is not None and record.error else ending.output
    where_ = f"{record.line}: " if record is not None and record.line else ""
    if record is None or record.error or ending.status or ending.stuck:
        said = error[error.index(OUTSIDE) :] if OUTSIDE in error else error or f"exit status {ending.status}"
        said = said.rstrip(".")
        raise ExecutionError(f"{name} was run {purpose}, and failed: {where_}{said}.")
    if record.unseen or not record.steps:
        raise ExecutionError(
            f"{name} was run {purpose}, and has trained nothing{f': {record.unseen}' if record.unseen else ''}.",
            advice="Give it the arguments with which it trains, after --.",
        )
    return record


# ---------------------------------------------------------------------- what was seen before


def _kept_at(program: Program, asked: Questions, arguments: tuple[str, ...]) -> Path:
    """Where it is kept what a run shows: of these files, with these arguments, here, asked for these places."""
    parts = [__version__, str(Path.cwd()), repr(sorted(asked.values)), repr(arguments)]
    parts += [part for file in (program.source, *_modules(program, asked)) for part in (path_of(file.path), file.text)]
    key = hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:24]
    return cache_directory() / "observed" / f"{key}.json"


def _read(kept: Path) -> dict[str, Any] | None:
    """What an earlier run has shown, if the files that it read are as they were."""
    try:
        told: dict[str, Any] = json.loads(kept.read_bytes())
        same = all(zlib.crc32(Path(path).read_bytes()) == sum_ for path, sum_ in told["read"].items())
    except (OSError, ValueError):
        return None
    return told if same else None
