"""Programs, and mutants of them (``mutants.toml``), put to the test by ``corro verify``'s own machinery."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forked import Forked

from corro import targets
from corro.compiler import compile_file, framework_of
from corro.source import read_source
from corro.verify import subject_by_hand, subject_of
from corro.verify.processes import Run
from corro.verify.properties import judge
from corro.verify.runs import Subject, gather
from corro.verify.settings import Settings
from corro.verify.verdict import Status, Verdict

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
HANGING_SECONDS = 4.0
"""Programs that are known to hang are given up sooner."""

PARITY = HERE.parent / "parity" / "scripts"

Edits = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Base:
    """A sequential script and a right distributed program: by hand where there is one, else the compiler's.

    Args:
        script: a folder of ``programs`` with ``before.py`` and perhaps ``TARGET.py``, or a script of the parity tests.
        target: the engine.
        processes: how many.
        edits: what is changed in a program by hand.
        weak: whether the batch of each process is kept.
        arguments: of both programs.
        prepare: arguments of a sequential run made beforehand in the same folder.
        unknown: properties that cannot be judged, and a part of the reason.
    """

    script: str
    target: str
    processes: int = 2
    edits: Edits = ()
    weak: bool = False
    arguments: Sequence[str] = ()
    prepare: Sequence[str] | None = None
    unknown: dict[str, str] = field(default_factory=dict)

    @property
    def sequential(self) -> Path:
        """The sequential script."""
        own = PROGRAMS / self.script / "before.py"
        return own if own.exists() else PARITY / f"{self.script}.py"

    @property
    def keras_3(self) -> bool:
        """Whether it runs where Keras 3 is, where no other does."""
        return self.target == "keras-distribution"

    @property
    def by_hand(self) -> Path | None:
        """The hand-written program."""
        path = PROGRAMS / self.script / f"{self.target}.py"
        return path if path.exists() else None


@dataclass(frozen=True)
class Mutant:
    """One fault put into a base.

    Args:
        name: what is wrong, in words.
        base: the name of the base.
        trap: its number in the catalogue of traps.
        edits: texts, each there exactly once, and what takes their place.
        caught: the properties that have to be broken.
        hangs: whether processes wait for ever.
    """

    name: str
    base: str
    trap: int
    edits: Edits
    caught: Sequence[str]
    hangs: bool = False

    def __str__(self) -> str:
        return f"{self.base}: {self.name}"

    @property
    def alone(self) -> bool:
        """Whether one process may tell something: not for Keras and sessions, to save time."""
        return not self.base.startswith(("keras", "session", "jax")) or "alone" in self.caught


def _read() -> tuple[dict[str, Base], list[Mutant]]:
    toml: Any = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    data = toml.loads((HERE / "mutants.toml").read_text(encoding="utf-8"))
    return {name: Base(**base) for name, base in data["bases"].items()}, [Mutant(**each) for each in data["mutants"]]


BASES, MUTANTS = _read()


def changed(text: str, edits: Edits) -> str:
    """A program with a fault in it."""
    for old, new in edits:
        assert text.count(old) == 1, f"{text.count(old)} times in the program: {old!r}"
        text = text.replace(old, new)
    return text


def subject(base: Base, edits: Edits, folder: Path) -> Subject:
    """A base, or a mutant of it, as files in a folder."""
    home, directory = folder / "home", folder / "here"
    by_hand = (f"{target}.py" for target in targets.names())  # horovod.py would be imported in Horovod's place
    shutil.copytree(base.sequential.parent, home, ignore=shutil.ignore_patterns("__pycache__", *by_hand))
    directory.mkdir()
    script = home / base.sequential.name
    if base.by_hand is None:
        output = compile_file(script, base.target, "weak" if base.weak else "strong")
        made = subject_of(output, base.processes, tuple(base.arguments))
        assert output.text is not None
        text = changed(output.text, edits)
        assert text.count("\n") == output.text.count("\n"), "lines of a converted program are led back to the script"
        program = folder / "program.py"
        program.write_text(text)
        return replace(made, program=program, directory=directory)
    program = home / "by_hand.py"
    program.write_text(changed(base.by_hand.read_text(), [*base.edits, *edits]))
    launcher = targets.get(base.target, framework_of(read_source(script)) or "keras").launcher
    made = subject_by_hand(script, program, launcher, base.processes, tuple(base.arguments), weak=base.weak)
    return replace(made, directory=directory)


def verdict(base: Base, edits: Edits, runner: Forked, folder: Path, *, alone: bool = True) -> Verdict:
    """What comes of a base or a mutant; ``alone`` says whether it is also run on one process."""
    checked = replace(subject(base, edits, folder), alone=alone)
    if base.prepare is not None:
        script, rooms = str(checked.script), (str(checked.directory),)
        settings = Settings(str(folder / "prepared"), "pytorch", script, script, rooms=rooms)
        ending = runner(Run(checked.script, checked.script, tuple(base.prepare), checked.directory, settings))
        assert ending.status == 0, ending.output
    return judge(gather(checked, runner, folder / "runs"))


def unexplained(found: Verdict, base: Base) -> list[str]:
    """What is held against a right program, other than the reasons that are stated."""
    said = []
    for result in found.results:
        reasons = [each for each in result.unknown if base.unknown.get(result.name, "?") not in each]
        said += [f"{result.name} {each}" for each in (*result.faults, *reasons)]
        if result.status is Status.PASS and result.name in base.unknown:
            said.append(f"{result.name} is judged after all")
    return said
