"""One script: converted, run, judged."""

from __future__ import annotations

import shutil
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Protocol

from corro import compiler
from corro.changes import Finding, Level
from corro.compiler import Output
from corro.plan import Outcome as Planned
from corro.source import read_source
from fuzz import runs
from fuzz.oracle import Announced, Outcome, Verdict, judge
from fuzz.stage import COARSE

SIZES = (2, 3)
UNEVEN = "+uneven"
COMPILE_SECONDS = 20


class Recipe(Protocol):
    """What a script is made of."""

    @property
    def framework(self) -> str:
        """What it trains with."""

    @property
    def text(self) -> str:
        """The script."""

    @property
    def files(self) -> dict[str, str]:
        """The texts of the script and its modules, by the names of the files."""

    def divides(self, size: int) -> bool:
        """Whether each of so many processes trains with as many samples as the others, none of them twice."""


@dataclass(frozen=True)
class Result:
    """What came of a script."""

    outcome: Outcome
    reason: str = ""
    rules: tuple[str, ...] = ()
    text: str = ""
    program: str = ""
    reviews: int = field(default=0)


Asked = Callable[[], bool]


def _always() -> bool:
    return True


def attempt(
    recipe: Recipe, folder: Path, target: str = "ddp", sizes: tuple[int, ...] = SIZES, worth: Asked = _always
) -> Result:
    """Convert, run and judge the script of a recipe; ``folder`` is made and removed.

    A target that ends with ``UNEVEN`` is given shares of unequal size, of batches that are larger by one sample. What
    is converted is run if it is ``worth`` it, which is asked then.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    script = folder / "script.py"
    if target.endswith(UNEVEN):
        recipe = replace(recipe, batch=recipe.batch + 1)
    for name, text in recipe.files.items():
        (folder / name).write_text(text)
    try:
        return _attempt(recipe, script, shown(recipe.files), target, sizes, worth)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _attempt(recipe: Recipe, script: Path, text: str, target: str, sizes: tuple[int, ...], worth: Asked) -> Result:
    try:
        with _limited(COMPILE_SECONDS):
            engine = target.removesuffix(UNEVEN)
            output = compiler.compile_file(script, engine, uneven=engine != target)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        whole = runs.sequential(script, script.parent / "whole", recipe.framework)
        outcome = Outcome.DISCARDED if whole.status else Outcome.INTERNAL
        return Result(outcome, f"{type(error).__name__}: {error} ({where})", text=text)
    if output.plan.outcome is Planned.REFUSED:
        rules = tuple(dict.fromkeys(each.rule for each in output.plan.refusals))
        return Result(Outcome.REFUSED, output.plan.refusals[0].message, rules, text)
    if output.plan.outcome is Planned.TO_VERIFY:
        return Result(Outcome.REFUSED, output.plan.assumptions[0].message, ("to be verified",), text)
    if output.text is None:
        return Result(Outcome.NOTHING, output.plan.outcome.value, text=text)
    if not worth():
        return Result(Outcome.NOTHING, "not run", text=text)
    texts = {**recipe.files, script.name: output.text}
    texts |= {Path(module.source.path).name: module.text for module in output.modules}
    program = script.parent / "program" / script.name
    program.parent.mkdir()
    for name, written in texts.items():
        (program.parent / name).write_text(written)
    whole = runs.sequential(script, script.parent / "whole", recipe.framework)
    if whole.status or whole.hung:
        return Result(Outcome.DISCARDED, whole.error, text=text)
    verdict = _verdict(recipe, output, script, program, whole, target, sizes)
    reviews = sum(each.level is Level.REVIEW for each in output.plan.findings)
    return Result(verdict.outcome, verdict.reason, (), text, shown(texts), reviews)


def shown(texts: dict[str, str]) -> str:
    """The files of a script as one text, to be looked at."""
    return "\n".join(f"# --- {name}\n{text}" if len(texts) > 1 else text for name, text in texts.items())


_WORST = (Outcome.EQUAL, Outcome.UNSTABLE, Outcome.ANNOUNCED, Outcome.SILENT, Outcome.CRASH, Outcome.HANG)


def _verdict(
    recipe: Recipe, output: Output, script: Path, program: Path, whole: runs.Ran, target: str, sizes: tuple[int, ...]
) -> Verdict:
    worst, engine = Verdict(Outcome.EQUAL), target.removesuffix(UNEVEN)

    def jittered(coarse: bool) -> Iterator[runs.Ran]:
        for number in range(COARSE * coarse + 1, COARSE * coarse + 13):
            folder = script.parent / f"jitter{number}"
            shutil.rmtree(folder, ignore_errors=True)
            yield runs.sequential(script, folder, recipe.framework, number)

    for size in sizes:
        ranks = runs.distributed(program, script.parent / f"ranks{size}", size, recipe.framework, engine)
        if ranks.status and "address already in use" in "".join(ranks.errors).lower():
            ranks = runs.distributed(program, script.parent / f"again{size}", size, recipe.framework, engine)
        if engine != target and any("fewer samples than there are processes" in error for error in ranks.errors):
            continue
        alike = engine != target or recipe.divides(size)
        verdict = judge(whole, ranks, tuple(_announced(output, recipe, size)), alike, jittered)
        if _WORST.index(verdict.outcome) > _WORST.index(worst.outcome):
            worst = verdict
        if verdict.outcome.bad:
            break
    return worst


def _announced(output: Output, recipe: Recipe, size: int) -> Iterator[Announced]:
    for finding in output.plan.findings:
        what = set(finding.differs)
        if finding.rule == "replicas" and finding.level is Level.REVIEW:
            what.add("gradient")  # batch normalisation
        if finding.rule == "padded-counts" and finding.level is Level.REVIEW and not recipe.divides(size):
            what.add("metrics")
        if finding.rule == "exchanged-samples":
            what.add("gradient")  # each process draws an order of its own
        if finding.rule == "keras-scope" and recipe.divides(size):
            what.clear()  # parts of a batch that are equal count alike
        if finding.rule == "mixed-precision":
            what.clear()  # in single precision nothing overflows
        if what:
            yield Announced(
                frozenset(what), _lines(output, finding) if finding.only_here else frozenset(), finding.in_files
            )


def _lines(output: Output, finding: Finding) -> frozenset[str]:
    source = read_source(finding.file) if finding.file else output.source
    first, last = (source.place(offset).line for offset in (finding.span.start, finding.span.end))
    return frozenset(f"{source.path.name}:{line}" for line in range(first, last + 1))


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"the compiler takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
