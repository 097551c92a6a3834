"""What the explorer's page is answered: requests and answers as texts of JSON, whoever carries them.

What cannot be answered is refused with a status of HTTP and the reason.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from corro.compiler import SCALINGS
from corro.explore.pages import page_of
from corro.explore.view import is_notebook
from corro.targets import names

LARGEST = 2**20
"""Bytes of a script."""
LARGEST_NOTEBOOK = 16 * 2**20
"""Bytes of a notebook, which holds pictures."""
LARGEST_REQUEST = 2 * LARGEST_NOTEBOOK + LARGEST
"""JSON writes a character of a script with 6 bytes at most, and one of a notebook, which is JSON already, with 2."""
EMPTY = "train.py"
"""The name of what has none yet."""


class Refused(Exception):
    """What is asked for cannot be answered.

    Args:
        status: the status of HTTP.
        message: why, for the user.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def encoded(value: Any) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def begun(script: Path | None = None) -> dict[str, Any]:
    """What the page begins with.

    Args:
        script: what is shown first.
    """
    text = script.read_bytes().decode("utf-8", "replace") if script is not None else None
    return {
        "name": script.name if script is not None else EMPTY,
        "text": text,
        "scalings": SCALINGS,
        "largest": [LARGEST, LARGEST_NOTEBOOK],
    }


def asked(body: bytes, beside: Path) -> tuple[str, str, str, str]:
    """What ``view`` is given for a request.

    Args:
        body: ``{"text": …, "name": …, "target": …, "scaling": …}``; only the text must be there.
        beside: the file that is shown first, or would be: what is sent is taken as a file in the same folder.

    Raises:
        Refused: it is something else, or too large.
    """
    if len(body) > LARGEST_REQUEST:
        raise Refused(413, f"A file is too large: {LARGEST_NOTEBOOK // 2**20} MB at most.")
    try:
        read = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, "This is no JSON.") from error
    if not isinstance(read, dict):
        raise Refused(400, "An object is expected.")
    defaults = {"text": None, "name": beside.name, "target": "", "scaling": SCALINGS[0]}
    text, name, target, scaling = (read.get(key, default) for key, default in defaults.items())
    if not isinstance(text, str) or target not in ("", *names()) or scaling not in SCALINGS:
        raise Refused(400, "text, target or scaling is not what it should be.")
    path = _path(name, beside)
    kind, largest = ("notebook", LARGEST_NOTEBOOK) if is_notebook(path) else ("script", LARGEST)
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise Refused(400, f"The {kind} is no text: it holds half a character.") from error
    if size > largest:
        raise Refused(413, f"The {kind} is too large: {largest // 2**20} MB at most.")
    return text, path, target, scaling


def _path(name: Any, beside: Path) -> str:
    """The path of a file with this name."""
    try:
        if name in (".", "..") or "\0" in name:
            raise ValueError
        name.encode()
        return str(beside.with_name(name))
    except (AttributeError, TypeError, ValueError) as error:
        raise Refused(400, "The name is not that of a file.") from error


def rule(name: str) -> dict[str, Any]:
    """The page of a rule.

    Raises:
        Refused: there is no such rule.
    """
    found = page_of(name)
    if found is None:
        raise Refused(404, "There is no such rule.")
    return found
