"""Assumptions put to the test: what a verification says of them, and what held in an earlier one.

A property that fails where an assumption does not hold is named by it (``Finding.shown_by``). What held is kept in
Corro's cache, under a hash of the program's files, of what the script was compiled with, and of the versions that ran;
a change of any of them asks for another test.
"""

from __future__ import annotations

import hashlib
import json
import os
from enum import Enum
from importlib import metadata
from typing import TYPE_CHECKING

from corro import __version__, targets
from corro.cache import cache_directory
from corro.classes import dataclass
from corro.verify.verdict import Status
from corro.writing import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corro.changes import Finding
    from corro.compiler import Output
    from corro.verify.verdict import Verdict


class Standing(str, Enum):
    """What a verification says of an assumption."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNTESTED = "not tested"


_STANDINGS = {Status.PASS: Standing.HOLDS, Status.FAIL: Standing.FAILS, Status.ABSTAIN: Standing.UNTESTED}


@dataclass(frozen=True)
class Tested:
    """An assumption, and what came of the property that shows it."""

    assumption: Finding
    standing: Standing


def conclude(output: Output, verdict: Verdict, arguments: tuple[str, ...]) -> tuple[Tested, ...]:
    """What a verification of a program says of each of its assumptions; that all of them hold is remembered.

    Args:
        output: of the compiler.
        verdict: of the verification.
        arguments: of the script.
    """
    assumed = output.plan.assumptions
    found = tuple(Tested(each, _STANDINGS[verdict.of(each.shown_by).status]) for each in assumed)
    if found and not verdict.failed and all(each.standing is Standing.HOLDS for each in found):
        _remember(output, arguments)
    return found


def _remember(output: Output, arguments: tuple[str, ...]) -> None:
    path = _path(output)
    runs = [*(run for run in _runs(path) if run != list(arguments)), list(arguments)]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(runs).encode())


def held(output: Output, arguments: tuple[str, ...] | None = None) -> tuple[str, ...] | None:
    """The arguments with which all assumptions of a program were last seen to hold; ``None`` where they never were.

    Args:
        output: of the compiler.
        arguments: only a verification with these counts; with any where there are none.
    """
    runs = [tuple(run) for run in _runs(_path(output)) if arguments is None or tuple(run) == arguments]
    return runs[-1] if runs else None


def _runs(path: Path) -> list[list[str]]:
    try:
        runs: list[list[str]] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return []
    return runs


def _path(output: Output) -> Path:
    key = hashlib.sha256("\0".join(_named(output)).encode(errors="surrogatepass")).hexdigest()[:24]
    return cache_directory() / "held" / f"{key}.json"


def _named(output: Output) -> Iterator[str]:
    """All that a test of the assumptions rests on."""
    from corro.compiler import program_of  # noqa: PLC0415

    plan = output.plan
    yield from (__version__, plan.target, plan.scaling, str(plan.uneven), *map(repr, plan.observed))
    for package in targets.get(plan.target, plan.frontend).installation.modules:
        yield f"{package} {_version(package)}"
    for file in sorted(program_of(output.source).files, key=lambda file: str(file.path)):
        yield from (os.fspath(file.path.absolute()), file.text)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"
