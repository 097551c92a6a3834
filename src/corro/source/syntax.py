"""From text to tree, with errors that say what the reader can do."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import TYPE_CHECKING

from corro.errors import Place, SourceError
from corro.source.span import LINE_END
from corro.source.tokens import reuses_quotes

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"
_PYTHON_2_MESSAGES = (
    "Missing parentheses in call to 'print'",
    "Missing parentheses in call to 'exec'",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
)
_PYTHON_2_LINES = (
    r"^\s*(?:print\s+[\"'\w]|print\s*>>|exec\s+[\"'\w]|raise\s+[\w.]+\s*,)|except\s+[\w.]+\s*,\s*\w+\s*:|`[^`]+`|<>"
    r"|\b0[0-7]+[lL]?\b|\b\d+[lL]\b|\bur[\"']"
)
_NEWER = (
    ((3, 11), r"^\s*except\s*\*", "`except*`"),
    ((3, 12), r"^\s*type\s+\w+\s*(?:\[[^]]*\])?\s*=", "a `type` statement"),
    ((3, 12), r"^\s*(?:async\s+def|def|class)\s+\w+\s*\[", "type parameters"),
    ((3, 14), r"(?i:\bt|\btr|\brt)[\"']", "a template string"),
)


def parse(text: str, file: str) -> ast.Module:
    """Parse a module.

    Raises:
        SourceError: with the place and, for Python 2 and for syntax newer than the running Python, with advice.
    """
    if "\0" in text:
        raise SourceError("it holds NUL characters, so it is no Python script", place=Place(file, 1, 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise _explained(error, text, file) from error
    except (RecursionError, MemoryError) as error:
        raise SourceError("it is nested too deeply to be parsed", place=Place(file, 1, 1)) from error
    except ValueError as error:
        raise SourceError(f"it cannot be parsed: {error}", place=Place(file, 1, 1)) from error


def _explained(error: SyntaxError, text: str, file: str) -> SourceError:
    number = max(error.lineno or 1, 1)
    lines = LINE_END.split(text)
    line = lines[number - 1] if number <= len(lines) else ""
    place = Place(file, number, max(error.offset or 1, 1))
    if error.msg.startswith(_PYTHON_2_MESSAGES) or re.search(_PYTHON_2_LINES, line):
        return SourceError(
            f"this is Python 2 ({error.msg}).",
            place=place,
            advice="Convert it to Python 3 first, for example with `2to3 -w`.",
        )
    for version, name in _newer(line, error.msg):
        if sys.version_info < version:
            wanted = ".".join(map(str, version))
            return SourceError(
                f"{name} here needs Python {wanted} or newer, and this is Python {_RUNNING} ({error.msg}).",
                place=place,
                advice=f"Run corro with Python {wanted} or newer.",
            )
    return SourceError(f"{error.msg} (read with Python {_RUNNING})", place=place)


def _newer(line: str, message: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The younger parts of the language that a line seems to use, and the versions they came with."""
    for version, pattern, name in _NEWER:
        if re.search(pattern, line):
            yield version, name
    if reuses_quotes(line) or message.startswith("f-string expression part cannot include"):
        yield (3, 12), "an f-string with quotes, backslashes or comments in its fields"
