"""What came of each mutant when it was last run (``record.json``), for as long as nothing it depends on is another.

An entry has the key of its trial: a hash of the program, of what is known about it, and of all that runs and judges it.
Where the key of today is another, the entry says nothing, and the mutant is run again.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from trial import of_subjects, running
from trials import BASES, Edits, Mutant, subject

import dependencies
from dependencies import contents, digests, package_version, text

HERE = Path(__file__).resolve().parent
RECORD = HERE / "record.json"
TRIALS = HERE / "trials.py"
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
    """The hash of all that the outcome of a mutant depends on."""
    return key_of(mutant.base, mutant.edits, alone=mutant.alone, hangs=mutant.hangs)


def key_of(name: str, edits: Edits = (), *, alone: bool = True, hangs: bool = False) -> str:
    """The same of any trial of a base: what is run, what carries it out, and the packages that it trains with."""
    base = BASES[name]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        made = replace(subject(base, edits, folder), alone=alone)
        used = text(made.script) + text(made.program)
        parts = [json.dumps([base.prepare, hangs]), *of_subjects([made], folder)]
        parts += contents(folder / "home", root=folder)
    parts += digests(*running(made.hooks, TRIALS))
    parts += [f"{each} {package_version(each)}" for each in sorted(TRAINING & set(re.findall(r"\w+", used)))]
    return dependencies.key(parts)
