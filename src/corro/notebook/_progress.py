"""One line in the cell that says how far things are; it is replaced as they go on."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


class Progress:
    """A line of a notebook, with a bar as long as it moves; in a terminal, lines for what is new."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shown: Any = None
        self._in_notebook = hasattr(shell, "kernel")
        self._step = ""

    def say(self, text: str) -> None:
        """What is being done."""
        if self._in_notebook:
            bar = '<progress style="vertical-align:middle"></progress>'
            self._show([text], f"{bar} <span>Corro: {html.escape(text)}</span>")
        elif (step := text.partition(",")[0]) != self._step:
            self._step = step
            print(f"corro: {step}", file=sys.stderr)

    def end(self, lines: Sequence[str]) -> None:
        """What came of it."""
        if self._in_notebook:
            self._show(lines, "<br>".join(html.escape(line) for line in lines))
        else:
            for line in lines:
                print(f"corro: {line}", file=sys.stderr)

    def _show(self, lines: Sequence[str], as_html: str) -> None:
        from IPython.display import display  # noqa: PLC0415

        bundle = {"text/plain": "\n".join(f"corro: {line}" for line in lines), "text/html": as_html}
        if self._shown is None:
            show: Any = display
            self._shown = show(bundle, raw=True, display_id=True)
        else:
            self._shown.update(bundle, raw=True)


@contextmanager
def progress(shell: InteractiveShell) -> Iterator[Progress]:
    """The line of a cell."""
    yield Progress(shell)
