"""``%%distribute``: run a cell, and those before it, on several processes."""

from __future__ import annotations

import argparse
import shlex
from typing import NoReturn

from corro import targets
from corro.compiler import SCALINGS, Options
from corro.errors import UsageError
from corro.notebook._errors import said
from corro.notebook._session import Session
from corro.notebook._text import Part

_USAGE = "%%distribute -n PROCESSES [--to ENGINE] [--scaling strong|weak] [--assume] [--diff]"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise said(UsageError(f"{message[:1].lower()}{message[1:]}.", advice=f"Usage: {_USAGE}"))


def _parser() -> _Parser:
    parser = _Parser(prog="%%distribute", add_help=False, allow_abbrev=False)
    parser.add_argument("-n", "--processes", type=int, required=True)
    parser.add_argument("--to", default="", choices=["", *targets.names()])
    parser.add_argument("--scaling", default="strong", choices=SCALINGS)
    parser.add_argument("--assume", action="store_true")
    parser.add_argument("--sync-batchnorm", action="store_true")
    parser.add_argument("--uneven", action="store_true")
    parser.add_argument("--diff", action="store_true")
    return parser


class Distribute:
    """The magic of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, line: str, cell: str = "") -> None:
        """Run the cells so far and this one on several processes, and bring back what it has computed.

        Usage: %%distribute -n PROCESSES [--to ENGINE] [--scaling strong|weak] [--assume] [--diff]

        The processes start afresh: they run the cells that were run so far, as after Restart, and then this one.
        Weights and values come back into this kernel. --diff shows what would be changed, and starts nothing.
        """
        asked = _parser().parse_args(shlex.split(line))
        if asked.processes < 1:
            raise said(UsageError(f"there are no {asked.processes} processes.", advice=f"Usage: {_USAGE}"))
        options = Options(asked.to, asked.scaling, asked.sync_batchnorm, assume=asked.assume, uneven=asked.uneven)
        current = self._session.current
        text = current.text if current.text.lstrip().startswith("%%distribute") else f"%%distribute {line}\n{cell}"
        self._session.run(options, asked.processes, [Part(current.number, text)], current, only_show=asked.diff)
