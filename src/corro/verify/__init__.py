"""Shows that a distributed program trains the same model as the sequential script.

``runs`` makes the runs, a probe inside each process (``probe``) leaves a record, and ``properties`` judge the records:
values in, a verdict out. ``check`` puts them together.
"""

from __future__ import annotations

import importlib.util
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from corro.errors import CompilationError, UsageError
from corro.verify.verdict import Fault, Result, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corro.compiler import Output
    from corro.source import SourceFile
    from corro.verify.progress import Progress
    from corro.verify.runs import Subject


__all__ = ["Fault", "Result", "Status", "Verdict", "check", "subject_by_hand", "subject_of"]

_STRONG_ONLY = {"keras3": "Keras 3", "tensorflow1": "sessions"}


def check(
    subject: Subject,
    *,
    patience: float | None = None,
    keep: Path | None = None,
    report: Callable[[str], None] = lambda text: None,
    progress: Progress | None = None,
) -> Verdict:
    """Run a distributed program and its script, and judge what they did.

    Args:
        subject: what is verified; see ``subject_of`` and ``subject_by_hand``.
        patience: seconds without a sign of life after which a run is given up.
        keep: an empty folder that keeps the records; without it nothing is kept.
        report: told what is being done.
        progress: told how far that is.

    Raises:
        ExecutionError: the engine is not installed, or the sequential script itself fails.
    """
    from corro.verify.processes import PATIENCE_SECONDS, Launched  # noqa: PLC0415
    from corro.verify.progress import NOBODY  # noqa: PLC0415
    from corro.verify.properties import judge  # noqa: PLC0415
    from corro.verify.runs import gather, scratch  # noqa: PLC0415

    told = progress or NOBODY
    runner = Launched(PATIENCE_SECONDS if patience is None else patience, told)
    with scratch(keep) as folder, _ended_by_signals():
        return judge(gather(subject, runner, folder, report, runner.cancelled.set, told))


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end a verification as Ctrl-C does: with all its runs, and its scratch space removed."""
    import signal  # noqa: PLC0415
    import threading  # noqa: PLC0415

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def subject_of(
    output: Output, processes: int, arguments: tuple[str, ...] = (), *, steps: int = 0, epochs: int = 0
) -> Subject:
    """What is verified of a converted script.

    Args:
        output: of the compiler.
        processes: how many.
        arguments: of the script.
        steps: end after so many optimizer steps; 0 for no limit.
        epochs: end after so many passes over the training loader; 0 for no limit.

    Raises:
        CompilationError: the script was not converted.
    """
    from corro import targets  # noqa: PLC0415
    from corro.compiler import equal_conditions, program_of  # noqa: PLC0415
    from corro.launch import launcher_named, write_program  # noqa: PLC0415
    from corro.verify.origins import announced, converted, equal_decisions, home_of  # noqa: PLC0415
    from corro.verify.runs import Subject  # noqa: PLC0415

    source, plan = output.source, output.plan
    if output.text is None:
        raise CompilationError(f"{source.path} was not converted ({plan.outcome.value}): there is nothing to verify.")
    launcher = launcher_named(targets.get(plan.target, plan.frontend).launcher)
    hooks = launcher.hooks or plan.frontend
    _must_be_observable(source.path, hooks)
    if source.path.suffix == ".ipynb":
        raise UsageError(
            f"{source.path} is a notebook, which cannot be observed.",
            advice=f"Make a script of it and verify that: jupyter nbconvert --to script {source.path}",
        )
    files, script = converted(output), source.path.absolute()
    modules = {module.source.path: module.encode() for module in output.modules}
    weak = plan.scaling == "weak"
    grows = weak and any(change.rule == "learning-rate" for change in plan.changes)
    return Subject(
        script=script,
        program=write_program(source.encode(output.text), script, plan.target, modules),
        launcher=launcher.name,
        processes=processes,
        arguments=arguments,
        hooks=hooks,
        weak=weak,
        growth=float(processes) if grows else 1.0,
        home=home_of(output),
        package=program_of(source).package,
        lines=dict(line for each in files for line in each.lines()),
        devices=launcher.options is None,
        equal_decisions=equal_decisions(files, equal_conditions(source, plan)),
        announced=announced(output),
        steps=steps,
        epochs=epochs,
    )


def _must_be_observable(path: Path, hooks: str) -> None:
    from corro.frontends import frontends  # noqa: PLC0415

    if importlib.util.find_spec(f"corro.verify.probe.{hooks}") is None:
        title = next((each.presence.TITLE for each in frontends() if each.name == hooks), hooks)
        raise CompilationError(
            f"{path} trains with {title}, whose programs cannot be observed yet.",
            advice="corro compile and corro run take it.",
        )


def _framework(source: SourceFile) -> str:
    """The framework of a script that may be none which is converted."""
    from corro.compiler import framework_of  # noqa: PLC0415

    return framework_of(source) or ("keras" if "import tensorflow" in source.text else "pytorch")


def subject_by_hand(
    reference: Path,
    program: Path,
    launcher: str,
    processes: int,
    arguments: tuple[str, ...] = (),
    *,
    weak: bool = False,
    steps: int = 0,
    epochs: int = 0,
) -> Subject:
    """What is verified of a program that was distributed by hand.

    Args:
        reference: the sequential script.
        program: the distributed one.
        launcher: by the name that ``corro.launch`` has for it, such as ``torchrun``.
        processes: how many.
        arguments: of both.
        weak: the batch of each process was kept, and the learning rate multiplied.
        steps: end after so many optimizer steps; 0 for no limit.
        epochs: end after so many passes over the training loader; 0 for no limit.

    Raises:
        UsageError: a file is missing, or the batch of each process was kept by a program of Keras 3 or with sessions.
        CompilationError: programs of its framework cannot be observed.
    """
    from corro.launch import launcher_named  # noqa: PLC0415
    from corro.source.reading import no_file, read_source  # noqa: PLC0415
    from corro.verify.runs import Subject  # noqa: PLC0415

    for path in (reference, program):
        if not path.is_file():
            raise no_file(path)
    hooks = launcher_named(launcher).hooks or _framework(read_source(reference))
    _must_be_observable(reference, hooks)
    if weak and hooks in _STRONG_ONLY:
        raise UsageError(f"weak scaling of {_STRONG_ONLY[hooks]} cannot be observed yet.")
    return Subject(
        script=reference.absolute(),
        program=program.absolute(),
        launcher=launcher,
        processes=processes,
        arguments=arguments,
        hooks=hooks,
        devices=launcher_named(launcher).options is None,
        steps=steps,
        epochs=epochs,
        weak=weak,
        growth=float(processes) if weak else 1.0,
        converted=False,
    )
