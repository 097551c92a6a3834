"""Lines for a terminal, in colours; as plain lines elsewhere, and where the user asked for none."""

from __future__ import annotations

import os
import re
from typing import IO, Any

_CODES = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}
_CODE = re.compile(r"\x1b\[\d+m")


def style(text: str, colour: str | None, *, bold: bool = False) -> str:
    """A text with the codes of terminals."""
    codes = ([] if colour is None else [_CODES[colour]]) + [1] * bold
    return "".join(f"\x1b[{code}m" for code in codes) + text + "\x1b[0m" if codes else text


def echo(text: str, stream: IO[Any]) -> None:
    """Write a line, and have it seen at once."""
    coloured = stream.isatty() and not os.environ.get("NO_COLOR")
    stream.write((text if coloured else _CODE.sub("", text)) + "\n")
    stream.flush()
