"""An experiment as a file: TOML whose keys are the options of ``corro bench``, and the scripts they are for.

A plan is no second way to say what an experiment is: it becomes command lines, which are checked as all are.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from corro.errors import Place, UsageError

SCRIPTS, ARGUMENTS = "scripts", "arguments"
LISTS = {"to": "--to", "processes": "-n", "threads": "--threads", "scaling": "--scaling"}
"""Keys whose value is a list of levels."""
TABLES = {"factors": "--factor", "seeds": "--seeds", "equal": "--equal", "reach": "--reach"}
"""Keys whose value is a table of names, each with a level or several."""
VALUES = {each: f"--{each}" for each in ("design", "replications", "seed", "steps", "warm-up", "budget")}
_EXAMPLES = {
    "factors": "batch-size = [32, 64]",
    "seeds": "seed = [1, 2, 3, 4, 5]",
    "equal": "accuracy = 0.01",
    "reach": "accuracy = 0.95",
}
FLAGS = {"limits": ("--limits", "--no-limits")}
KEYS = (SCRIPTS, *LISTS, *TABLES, *VALUES, *FLAGS, ARGUMENTS)


def command_lines(path: Path, more: Sequence[str] = ()) -> list[list[str]]:
    """What a plan asks for: for each of its scripts what stands behind ``corro bench``.

    Args:
        path: the plan; its scripts are found from its folder.
        more: options that are added to each line; they go before those of the plan.

    Raises:
        UsageError: it cannot be read, is no TOML, or has a key or value that it cannot have.
    """
    text = _text(path)
    plan = _parsed(path, text)
    try:
        scripts = [str(path.parent / each) for each in _several(SCRIPTS, plan.get(SCRIPTS, []))]
        options = [each for key, value in plan.items() for each in _options(key, value)]
        own = _several(ARGUMENTS, plan.get(ARGUMENTS, []))
    except _Wrong as wrong:
        raise UsageError(wrong.message, place=_place(path, text, wrong.key), advice=wrong.advice) from None
    if not scripts:
        raise UsageError(f"{path} names no script.", advice='Write such as scripts = ["train.py"].')
    return [[script, *options, *more, *(["--", *own] if own else [])] for script in scripts]


class _Wrong(Exception):
    """What is wrong with a key."""

    def __init__(self, key: str, message: str, advice: str) -> None:
        super().__init__(message)
        self.key, self.message, self.advice = key, message, advice


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the plan {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the plan {path} is no text in UTF-8.") from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415
    else:
        import tomli as tomllib  # noqa: PLC0415
    try:
        found: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the plan {path} is no TOML: {error}.") from error
    return found


def _options(key: str, value: object) -> Iterator[str]:
    """A key as options of the command."""
    if key in LISTS:
        yield from (LISTS[key], _levels(key, value))
    elif key in TABLES:
        yield from _named(key, value)
    elif key in FLAGS:
        if not isinstance(value, bool):
            raise _Wrong(key, f"{key} = {value!r} is not what it can be.", "It is true or false.")
        yield FLAGS[key][not value]
    elif key in VALUES:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise _Wrong(key, f"{key} = {value!r} is not what it can be.", f"It is the value of {VALUES[key]}.")
        yield f"{VALUES[key]}={value}"
    elif key not in {SCRIPTS, ARGUMENTS}:
        near = get_close_matches(key.lower().replace("_", "-"), KEYS, n=1, cutoff=0.5)
        advice = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(KEYS)}."
        raise _Wrong(key, f"a plan has no key {key!r}.", advice)


def _named(key: str, value: object) -> Iterator[str]:
    if not isinstance(value, Mapping):
        raise _Wrong(key, f"{key} = {value!r} is no table.", f"Write [{key}], and below it {_EXAMPLES[key]}.")
    for name, levels in value.items():
        yield from (TABLES[key], f"{name}={_levels(name, levels)}")


def _levels(key: str, value: object) -> str:
    levels = _several(key, value)
    if not levels or any("," in each for each in levels):
        raise _Wrong(key, f"{key} = {value!r} has no levels.", f"Write such as {key} = [1, 2].")
    return ",".join(levels)


def _several(key: str, value: object) -> list[str]:
    """A list of texts or numbers, or one of them."""
    found = value if isinstance(value, list) else [value]
    if any(isinstance(each, bool) or not isinstance(each, (str, int, float)) for each in found):
        raise _Wrong(key, f"{key} = {value!r} is not what it can be.", "It is a list of texts or numbers.")
    return [str(each) for each in found]


def _place(path: Path, text: str, key: str) -> Place | None:
    found = re.search(rf"^[ \t]*[\[\"']*{re.escape(key)}\b", text, re.MULTILINE)
    return Place(str(path), text.count("\n", 0, found.start()) + 1, 1) if found else None
