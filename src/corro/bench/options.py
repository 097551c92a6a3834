"""Which options a script has, as far as its text says it: what a factor of the experiment can be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from corro.errors import Place, UsageError
from corro.source import SourceFile

ON, OFF = ("on", "true", "yes"), ("off", "false", "no")
_FLAGS = {"store_true", "store_false", "BooleanOptionalAction"}
_BEYOND_TEXT = {"absl", "hydra", "fire", "typer", "tyro", "jsonargparse", "simple_parsing", "transformers", "docopt"}
"""Libraries that make options of what is not their text: names of functions' arguments, fields, files."""
_READING = {*_BEYOND_TEXT, "argparse", "click", "optparse", "getopt"}


@dataclass(frozen=True)
class Option:
    """An option of a script: how it is written, and whether it has no value."""

    written: str
    is_flag: bool = False

    def arguments(self, level: str) -> tuple[str, ...]:
        """What is given to the script for a level."""
        if not self.is_flag:
            return self.written, level
        return (self.written,) if level.lower() in ON else ()


def options_of(files: Iterable[SourceFile]) -> dict[str, Option]:
    """The options that a program reads, by their names without dashes in front and with ``-`` for ``_``."""
    calls = (node for file in files for node in file.nodes.of(ast.Call))
    found = (option for call in calls for option in _options(call))
    return {_plain(option.written): option for option in found}


def chosen(name: str, files: Sequence[SourceFile], levels: Sequence[str]) -> Option:
    """The option that a factor of this name varies.

    Raises:
        UsageError: the script has none of this name, or the option cannot have the levels.
    """
    known = options_of(files)
    option = known.get(_plain(name))
    if option is not None:
        wrong = [level for level in levels if option.is_flag and level.lower() not in (*ON, *OFF)]
        if wrong:
            raise UsageError(
                f"{option.written} has no value, and {wrong[0]!r} is given.", advice=f"Write --factor {name}=off,on."
            )
        return option
    imported = {name for file in files for name in _imported(file)}
    if imported & _BEYOND_TEXT:
        return Option(f"--{name}")
    path = str(files[0].path)
    if not known and not imported & _READING:
        place, what = _constant(name, files)
        raise UsageError(
            f"{name!r} is no factor: {path} reads no options from its command line{what}.",
            place=place,
            advice=f"Make it one, such as by argparse: parser.add_argument('--{name}').",
        )
    near = get_close_matches(_plain(name), known, n=1, cutoff=0.5)
    meant = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(sorted(known))}."
    raise UsageError(f"{name!r} is no factor: {path} has no option --{name}.", advice=meant)


def _options(call: ast.Call) -> Iterator[Option]:
    """Those that a call of ``add_argument`` or ``option`` makes, by whatever name."""
    texts = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if function.lower() not in {"add_argument", "add_option", "option"}:
        return
    keywords = {each.arg: ast.unparse(each.value) for each in call.keywords}
    action = keywords.get("action", "").strip("'\"").rpartition(".")[2]
    is_flag = action in _FLAGS or keywords.get("is_flag") == "True"
    yield from (Option(text.split("/")[0], is_flag) for text in texts if re.match(r"--\w", text))


def _imported(file: SourceFile) -> Iterator[str]:
    for node in file.nodes.of(ast.Import, ast.ImportFrom, ast.Attribute):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Attribute) and node.attr == "argv":
            yield "getopt"  # it reads them by itself


def _constant(name: str, files: Sequence[SourceFile]) -> tuple[Place | None, str]:
    """Where a number of this name stands in the text instead."""
    for file in files:
        for node in file.nodes.of(ast.Assign):
            if not isinstance(node.value, ast.Constant):
                continue
            if any(isinstance(each, ast.Name) and _plain(each.id) == _plain(name) for each in node.targets):
                place = Place(str(file.path), node.lineno, node.col_offset + 1)
                return place, f"; here the number stands in its text: {ast.unparse(node)}"
    return None, ""


def _plain(name: str) -> str:
    return name.lstrip("-").replace("_", "-").lower()
