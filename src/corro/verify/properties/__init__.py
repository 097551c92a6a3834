"""The properties: one file each, found by its place.

A file has ``ORDER`` (the place in which it is shown), ``TITLE`` (the property in words) and ``check``, which
takes the evidence and gives what it observed. Its name is the property's name. Nothing here touches a process.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from corro.verify.evidence import Evidence
from corro.verify.records import Record
from corro.verify.verdict import Fault, Observation, Result, Unknown, Verdict


def judge(evidence: Evidence) -> Verdict:
    """Check every property."""
    results = (Result.of(name, module.TITLE, _judged(evidence, name, module)) for name, module in properties())
    return Verdict(tuple(results), tuple(_said(evidence)))


def _judged(evidence: Evidence, name: str, module: ModuleType) -> Iterator[Observation]:
    """What was observed; a fault that the compiler announced is neither a fault nor a pass."""
    if evidence.unseen:
        yield Unknown(evidence.unseen)
        return
    announced = [each for each in evidence.announced if each.name == name]
    files = evidence.reference.files if evidence.reference is not None else {}
    for seen in module.check(evidence):
        line = seen.line if isinstance(seen, Fault) else None
        known = [a for a in announced if not a.lines or line in a.lines or (a.in_files and line in files)]
        known = known if line is not None else []
        yield Unknown(f"announced by the compiler: {known[0].message}") if known else seen


@cache
def properties() -> tuple[tuple[str, ModuleType], ...]:
    """All properties by name, in their order."""
    names = [each.name for each in pkgutil.iter_modules(__path__) if not each.name.startswith("_")]
    found = [(name, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return tuple(sorted(found, key=lambda pair: pair[1].ORDER))


def _said(evidence: Evidence) -> Iterator[str]:
    records: list[Record | None] = [*evidence.ranks, evidence.reference]
    yield from dict.fromkeys(each for record in records if record is not None for each in record.said)
