"""Records ``docs/demo.svg``: a real session in a terminal, as a picture that moves on a page without a script.

    python tools/recording.py

The commands run in a pseudo-terminal, in a folder that has nothing but the script of ``docs/start/pytorch.md``. Waiting
is cut short; what is printed is what was printed. The picture is a film: each state of the screen is a frame, one below
the other, and a CSS animation shows one at a time. Rows that are equal are drawn once.
"""

from __future__ import annotations

import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fcntl import ioctl
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import pyte

from corro.writing import write_atomically

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "demo.svg"
PAGE = ROOT / "docs" / "start" / "pytorch.md"

SESSION = (
    "corro compile train.py --diff",
    "corro run train.py -n 2",
    "corro verify train.py -n 2 --steps 30",
)
COLUMNS, ROWS = 100, 26
KEY, LINE, WAIT, READ = 0.045, 0.06, 3.0, 2.6
"""Seconds: for a key, for a printed line, for all that a command is waited for, and to read what it has said."""
SHORTEST = 0.09
"""Seconds that a frame is seen at least."""
WIDE, HIGH, EDGE = 8.4, 18, 14
"""Pixels of a character, of a row, and around the screen."""

BACKGROUND, PLAIN = "#1f2430", "#d7dae0"
COLOURS = {
    "default": PLAIN, "black": "#6b7280", "red": "#ff7b85", "green": "#8fd694", "brown": "#f2c96d",
    "blue": "#7ab8ff", "magenta": "#d9a5f3", "cyan": "#6fd6d6", "white": "#f3f4f6",
}  # fmt: skip


@dataclass(frozen=True)
class Run:
    """Characters of a row that look the same, from a column on."""

    column: int
    text: str
    colour: str
    bold: bool


Row = tuple[Run, ...]
Frame = tuple[Row, ...]


# ---------------------------------------------------------------------- the session


def played(folder: Path) -> Iterator[tuple[float, str]]:
    """What the terminal is sent, each with the seconds that it is seen before the next."""
    for command in SESSION:
        yield 0.4, "\x1b[32m$\x1b[0m "
        yield from ((KEY, key) for key in command)
        yield 0.4, "\r\n"
        printed = list(_printed(command, folder))
        shorter = min(1.0, WAIT / sum(waited for waited, _ in printed))
        for waited, text in printed:
            if str(folder) in text or str(ROOT) in text:
                raise SystemExit(f"{command} prints a path of this machine: {text!r}")
            yield waited * shorter, ""
            yield from ((LINE * line.endswith("\n"), line) for line in text.splitlines(keepends=True))
        yield READ, ""


def _printed(command: str, folder: Path) -> Iterator[tuple[float, str]]:
    """Run a command in a pseudo-terminal: what it prints, each with the seconds before it."""
    ours, its = pty.openpty()
    ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "TERM": "xterm-256color", "FORCE_HYPERLINK": "0"}
    process = subprocess.Popen(command.split(), cwd=folder, env=environment, stdin=its, stdout=its, stderr=its)
    os.close(its)
    rest, before = b"", time.monotonic()
    while chunk := _read(ours, process):
        now = time.monotonic()
        rest, text = _decoded(rest + chunk)
        yield now - before, text
        before = now
    os.close(ours)
    if process.wait() != 0:
        raise SystemExit(f"{command} ends with exit status {process.returncode}")


def _read(terminal: int, process: subprocess.Popen[bytes]) -> bytes:
    """What comes next; nothing when the command has ended."""
    while True:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                return os.read(terminal, 65536)
            except OSError:  # Linux: all of the other end is closed
                return b""
        if process.poll() is not None:
            return b""


def _decoded(data: bytes) -> tuple[bytes, str]:
    """Bytes at the end that are the beginning of a character, and the text before them."""
    try:
        return b"", data.decode()
    except UnicodeDecodeError as error:
        return data[error.start :], data[: error.start].decode()


# ---------------------------------------------------------------------- the frames


def frames(sent: Iterable[tuple[float, str]]) -> list[tuple[float, Frame]]:
    """The states of the screen, each with the seconds that it is seen."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    found: list[tuple[float, Frame]] = []
    pending = 0.0
    for seconds, text in sent:
        stream.feed(text)
        pending += seconds
        if pending < SHORTEST:
            continue
        frame = tuple(_row(screen, number) for number in range(ROWS))
        if found and found[-1][1] == frame:
            found[-1] = (found[-1][0] + pending, frame)
        else:
            found.append((pending, frame))
        pending = 0.0
    return found


def _row(screen: pyte.Screen, number: int) -> Row:
    cells = [screen.buffer[number][column] for column in range(COLUMNS)]
    runs, column = [], 0
    for (colour, bold), same in groupby(cells, key=lambda cell: (COLOURS.get(cell.fg, PLAIN), cell.bold)):
        text = "".join(cell.data for cell in same)
        if text.strip():
            start = len(text) - len(text.lstrip())
            runs.append(Run(column + start, text.strip(), colour, bold))
        column += len(text)
    return tuple(runs)


# ---------------------------------------------------------------------- the picture


def picture(film: list[tuple[float, Frame]]) -> str:
    """The film as SVG."""
    width, height = COLUMNS * WIDE, ROWS * HIGH
    rows = {
        row: f"r{number}" for number, row in enumerate(dict.fromkeys(row for _, each in film for row in each if row))
    }
    total = sum(seconds for seconds, _ in film)
    defined = "".join(f'<g id="{name}">{_drawn(row)}</g>\n' for row, name in rows.items())
    shown = "".join(_frame(frame, rows, number * height) for number, (_, frame) in enumerate(film))
    title = "A session: " + ", ".join(SESSION)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 2 * EDGE:g} {height + 2 * EDGE:g}" role="img">
<title>{escape(title)}</title>
<style>
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }}
.film {{ animation: film {total:.2f}s steps(1, end) infinite; }}
@keyframes film {{
{_keys(film, total, height)}}}
@media (prefers-reduced-motion: reduce) {{
  .film {{ animation: none; transform: translateY({-(len(film) - 1) * height}px); }}
}}
</style>
<defs>
{defined}</defs>
<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>
<svg x="{EDGE}" y="{EDGE}" width="{width:g}" height="{height}">
<g class="film">
{shown}</g>
</svg>
</svg>
"""


def _keys(film: list[tuple[float, Frame]], total: float, height: int) -> str:
    lines, begins = [], 0.0
    for number, (seconds, _) in enumerate(film):
        lines.append(f"  {100 * begins / total:.3f}% {{ transform: translateY({-number * height}px); }}\n")
        begins += seconds
    return "".join([*lines, f"  100% {{ transform: translateY({-(len(film) - 1) * height}px); }}\n"])


def _frame(frame: Frame, rows: dict[Row, str], top: int) -> str:
    uses = (f'<use href="#{rows[row]}" y="{number * HIGH}"/>' for number, row in enumerate(frame) if row)
    return f'<g transform="translate(0 {top})">{"".join(uses)}</g>\n'


def _drawn(row: Row) -> str:
    """The runs of a row, each as wide as its characters are in a terminal, whatever the font."""
    return "".join(map(_run, row))


def _run(run: Run) -> str:
    weight = ' font-weight="bold"' if run.bold else ""
    place = f'x="{run.column * WIDE:g}" y="{HIGH - 5}" textLength="{len(run.text) * WIDE:g}"'
    return f'<text {place} fill="{run.colour}"{weight}>{escape(run.text)}</text>'


def main() -> None:
    """Play the session, and write the picture."""
    script = re.search(r'```python title="train.py"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    if script is None:
        raise SystemExit(f"{PAGE.name} shows no train.py.")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "train.py").write_text(script[1], encoding="utf-8")
        film = frames(played(Path(folder)))
    drawn = picture(film)
    write_atomically(PICTURE, drawn.encode())
    seconds = sum(each for each, _ in film)
    print(f"{PICTURE.name}: {len(film)} frames, {seconds:.0f} s, {len(drawn) // 1000} kB")


if __name__ == "__main__":
    main()
