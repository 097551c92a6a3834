"""What came of each mutant when it was last run (``record.json``), for as long as nothing it depends on is another.

An entry has the key of its trial: a hash of the program, of what is known about it, and of all that runs and judges it.
Where the key of today is another, the entry says nothing, and the mutant is run again.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path

from trials import BASES, Mutant, subject

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORD = HERE / "record.json"
CORRO = ROOT / "src" / "corro"
VERIFY, PROBE = CORRO / "verify", CORRO / "verify" / "probe"
MAKING = {VERIFY / "__init__.py", VERIFY / "origins.py"}
"""With the compiler they make a subject; the subject itself is in the key."""

RUNNING = (HERE / "trials.py", HERE.parent / "parity" / "forked.py", HERE.parent / "parity" / "server.py")
"""What carries out trials here; ``corro.verify`` and ``corro.launch`` do the rest."""

TRAINING = {"torch", "tensorflow", "keras", "jax", "horovod", "accelerate", "lightning"}


@dataclass(frozen=True)
class Entry:
    """What came of a mutant.

    Args:
        key: of the trial.
        failed: the properties that were found broken.
        shown: the first thing said against it.
    """

    key: str
    failed: tuple[str, ...]
    shown: str


def read() -> dict[str, Entry]:
    """The committed record, by the names of mutants."""
    entries = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return {name: Entry(each["key"], tuple(each["failed"]), each["shown"]) for name, each in entries.items()}


def write(entries: Mapping[str, Entry]) -> None:
    """Replace the record."""
    text = json.dumps({name: asdict(each) for name, each in sorted(entries.items())}, indent=1, ensure_ascii=False)
    RECORD.write_text(text + "\n", encoding="utf-8")


def key(mutant: Mutant) -> str:
    """The hash of all that the outcome of a mutant depends on: its trial, what carries it out, and the packages."""
    base = BASES[mutant.base]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        made = replace(subject(base, mutant.edits, folder), alone=mutant.alone)
        used = _read(made.script) + _read(made.program)
        told = json.dumps([asdict(made), base.prepare, mutant.hangs], default=_plain, sort_keys=True)
        parts = [told.replace(str(folder), ""), *_contents(folder / "home", root=folder)]
    parts += _contents(*machinery(made.hooks), root=ROOT)
    parts += [f"{each} {_version(each)}" for each in sorted(TRAINING & set(re.findall(r"\w+", used)))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _plain(value: object) -> object:
    """A value of a subject as text: a file by what it says."""
    if isinstance(value, Path) and value.is_file():
        return [value.name, _read(value)]
    return sorted(map(str, value)) if isinstance(value, (set, frozenset)) else str(value)


def _contents(*paths: Path, root: Path) -> Iterator[str]:
    """Names and texts of files, and of those in folders."""
    for path in sorted(each for given in paths for each in (given, *given.rglob("*")) if each.is_file()):
        if "__pycache__" not in path.parts:
            yield f"{path.relative_to(root)}\n{_read(path)}"


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "backslashreplace")


@cache
def _version(package: str) -> str:
    return ", ".join(f"{each} {version(each)}" for each in sorted(set(packages_distributions().get(package, ()))))


@cache
def machinery(hooks: str) -> tuple[Path, ...]:
    """All files that take part in running and judging a program whose framework has these hooks."""
    found: set[Path] = set()
    left = [*RUNNING, *(CORRO / "launch").rglob("*.py"), *(PROBE / hooks).rglob("*.py")]
    left += [each for each in VERIFY.rglob("*.py") if each not in MAKING and PROBE not in each.parent.parents]
    while left:
        path = left.pop()
        if path in found or path == VERIFY / "__init__.py":
            continue
        found.add(path)
        if path not in RUNNING:
            left += [file for name in _imported(path) if (file := _file(name))]
    return tuple(sorted(found))


def _imported(path: Path) -> Iterator[str]:
    """The names of Corro's modules that a module imports, for types alone or in order to run."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _file(module: str) -> Path | None:
    path = CORRO.parent / module.replace(".", "/")
    found = (each for each in (path.with_suffix(".py"), path / "__init__.py") if module.startswith("corro."))
    return next((each for each in found if each.exists()), None)
