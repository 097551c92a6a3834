"""Lines for a terminal, in colours and with links; as plain lines elsewhere, and where the user asked for none."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import IO, Any

_CODES = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}
_NARROWEST = 20
"""Columns that a word has at least, however far it is indented."""
_CODE = re.compile(r"\x1b\[\d+m|\x1b\]8;;[^\x1b]*\x1b\\")
_LINKING = {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"}
"""Programs that show links, as they call themselves in ``TERM_PROGRAM``."""
_SIGNS = ("KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "DOMTERM", "ALACRITTY_WINDOW_ID")


def style(text: str, colour: str | None, *, bold: bool = False) -> str:
    """A text with the codes of terminals."""
    codes = ([] if colour is None else [_CODES[colour]]) + [1] * bold
    return "".join(f"\x1b[{code}m" for code in codes) + text + "\x1b[0m" if codes else text


def dim(text: str) -> str:
    """A text that is not what one looks for first."""
    return f"\x1b[2m{text}\x1b[0m"


def linked(text: str, where: str) -> str:
    """A text that leads somewhere, in terminals that show links."""
    return f"\x1b]8;;{where}\x1b\\{text}\x1b]8;;\x1b\\" if where and _shows_links() else text


def address(file: str, line: int) -> str:
    """The address of a line of a file."""
    import urllib.parse

    path = urllib.parse.quote(str(Path(file).absolute()))
    if os.environ.get("TERM_PROGRAM") == "vscode":
        return f"vscode://file{path}:{line}"
    return f"file://{os.uname().nodename}{path}#{line}"


def clear_line(stream: IO[Any]) -> str:
    """What takes away the last line of a terminal, such as ^C."""
    return "\r\x1b[K" if stream.isatty() else ""


def echo(text: str, stream: IO[Any]) -> None:
    """Write a line, and have it seen at once."""
    coloured = stream.isatty() and not os.environ.get("NO_COLOR")
    stream.write((text if coloured else _CODE.sub("", text)) + "\n")
    stream.flush()


def folded(text: str, stream: IO[Any], hang: int = 0) -> list[str]:
    """A sentence as lines of a terminal, broken between words; as it is elsewhere, where lines are read by programs.

    Args:
        text: with or without codes.
        stream: where it is to be written.
        hang: by how many blanks the lines after the first one are indented.
    """
    if not stream.isatty():
        return [text]
    try:
        columns = max(os.get_terminal_size(stream.fileno()).columns, hang + _NARROWEST)
    except (AttributeError, OSError):  # it stands in for a terminal
        return [text]
    first, *words = re.split(r"(?<=\S) (?=\S)", text)
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if len(_CODE.sub("", longer)) <= columns:
            lines[-1] = longer
        else:
            lines.append(" " * hang + word)
    return lines


def _shows_links() -> bool:
    """Whether the terminal is known to; ``FORCE_HYPERLINK`` says it of any, as in other tools."""
    wanted = os.environ.get("FORCE_HYPERLINK")
    if wanted:
        return wanted != "0"
    if not sys.stderr.isatty() or os.environ.get("NO_COLOR") or "TMUX" in os.environ:
        return False
    vte = os.environ.get("VTE_VERSION", "")
    known = os.environ.get("TERM_PROGRAM") in _LINKING or any(sign in os.environ for sign in _SIGNS)
    return known or (vte.isdecimal() and int(vte) >= 5000)
