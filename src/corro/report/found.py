"""The files that other commands leave: which belong to a script, and what is in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corro.bench import kept
from corro.bench.kept import Experiment
from corro.errors import UsageError
from corro.forecast import profile as profiles
from corro.forecast.profile import Profile

SCRIPTS = (".py", ".ipynb")
_MOST = 2**28
"""Bytes of a file that is read."""

Told = Mapping[str, Any]
"""What a file of JSON has; ``about`` says what it is of."""


@dataclass(frozen=True)
class Found:
    """What there is of one script.

    Args:
        script: as the commands named it.
        experiments: of ``corro bench``: the one with the newest run, of each of its files.
        older: how many other experiments these files have.
        traces: of ``corro trace``.
        verdicts: of ``corro verify``.
        profiles: of ``corro forecast``.
    """

    script: str
    experiments: tuple[Experiment, ...] = ()
    older: int = 0
    traces: tuple[Told, ...] = ()
    verdicts: tuple[Told, ...] = ()
    profiles: tuple[Profile, ...] = ()


def files_of(script: Path, folder: Path) -> list[Path]:
    """The files with results of a script in a folder, by their names: ``train_bench.sqlite``, ``train_trace*.json``."""
    kinds = (*(f"{kind}*.json" for kind in ("trace", "verify", "forecast")), "bench*.sqlite")
    found = sorted(each for kind in kinds for each in folder.glob(f"{_literal(script.stem)}_{kind}") if each.is_file())
    return found


def _literal(name: str) -> str:
    return "".join(f"[{each}]" if each in "*?[" else each for each in name)


def found(names: Sequence[str], folder: Path) -> tuple[Found, ...]:
    """What there is of scripts, and in files with results; one for each script, in the order they are first named.

    Args:
        names: scripts, or files with results.
        folder: where results of scripts are looked for.

    Raises:
        UsageError: a file cannot be read, has no results, or there are none of a script.
    """
    paths: list[Path] = []
    for name in names:
        path = Path(name)
        if path.suffix not in SCRIPTS:
            paths.append(path)
            continue
        own = files_of(path, folder)
        if not own:
            raise UsageError(
                f"there are no results of {name} here: no {path.stem}_bench.sqlite, and no trace or verification.",
                advice=f"Make some first: corro bench {name} -n 2",
            )
        paths += own
    known: dict[str, Found] = {}
    for path in dict.fromkeys(each.resolve() for each in paths):
        for one in _read(path):
            script = next((each for each in known if Path(each).name == one.script), one.script)
            known[script] = _together(known.get(script, Found(script)), one)
    return tuple(known.values())


def _together(one: Found, other: Found) -> Found:
    return Found(
        one.script,
        (*one.experiments, *other.experiments),
        one.older + other.older,
        (*one.traces, *other.traces),
        (*one.verdicts, *other.verdicts),
        (*one.profiles, *other.profiles),
    )


def _read(path: Path) -> Iterable[Found]:
    try:
        with path.open("rb") as file:
            head = file.read(len(kept.HEAD))
            content = head if head == kept.HEAD else head + file.read(_MOST)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    return _of_runs(path) if content == kept.HEAD else [_of_json(path, content)]


def _of_runs(path: Path) -> list[Found]:
    experiments = kept.read(path)
    if not experiments:
        raise UsageError(f"{path} has no runs that could be compared.", advice="corro bench goes on with it.")
    scripts = dict.fromkeys(each.script for each in experiments)
    own = {script: [each for each in experiments if each.script == script] for script in scripts}
    return [Found(script, (of_it[0],), len(of_it) - 1) for script, of_it in own.items()]


def _of_json(path: Path, content: bytes) -> Found:
    try:
        told = json.loads(content)
        if "shares" in told:  # it tells the name of its script, without a folder
            profile = profiles.read(path)
            return Found(profile.name, profiles=(profile,))
        about = told.get("about") or told["otherData"]
        kind, script = about["corro"], str(about["script"])
        if kind == "trace":
            return Found(script, traces=({**told, "about": about},))
        if kind == "verify":
            return Found(script, verdicts=(told,))
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise UsageError(
        f"{path} has no results of corro bench, trace, verify or forecast.",
        advice="corro verify keeps its verdict with -o FILE.json, the others do by themselves.",
    )
