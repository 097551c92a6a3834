"""The explorer without a server: what the static site's worker asks, in a browser's Python.

Only Corro itself and Python's own library are needed.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from corro.explore import answers
from corro.explore.view import view

_FOLDER = Path("/project")
"""No such folder is there: a script has no modules beside it."""


def answer(path: str, body: str = "") -> tuple[int, str]:
    """The status of HTTP and the text that the server would answer.

    Args:
        path: ``start``, ``view`` or ``rule/NAME``.
        body: what is sent, for ``view``.
    """
    try:
        if path == "start":
            return 200, answers.encoded(answers.begun())
        if path == "view":
            return 200, answers.encoded(view(*answers.asked(body.encode(), _FOLDER / answers.EMPTY)))
        return 200, answers.encoded(answers.rule(unquote(path.removeprefix("rule/"))))
    except answers.Refused as error:
        return error.status, answers.encoded({"message": error.message})
