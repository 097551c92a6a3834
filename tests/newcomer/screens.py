"""The screens that a new user sees, as texts.

    PYTHONPATH=tests python -m newcomer.screens --write [NAME ...]

plays the scenes again and writes what is seen into ``screens/``: read it by eye, then commit it. A file has all lines
of a session; ``WINDOW`` stands where the window of 24 rows begins, if more was written. What varies is evened out.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from newcomer.scenes import HERE, SCENES, Scene
from newcomer.terminal import ROWS, Terminal

SCREENS = HERE / "screens"
WINDOW = "~" * 30 + " the window of 24 rows begins here"
_BAR = re.compile(r"[━╸╺]+ +\d+% step \S+( and \S+)? \S+$")


@contextmanager
def new_home() -> Iterator[Path]:
    """A new folder, as a user's home."""
    with tempfile.TemporaryDirectory(prefix="newcomer-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


def played(scene: Scene, home: Path) -> str:
    """Play a scene: its screen as a text, and what it has left.

    Raises:
        AssertionError: a process outlives the scene, or a temporary file does.
    """
    terminal = Terminal(home)
    for path in scene.files:
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, terminal.work / path.name)
    before = set(terminal.work.rglob("*"))
    parts, statuses = [], []
    known: set[str] = set()
    for each in scene.typed:
        found = re.compile(each.until, re.MULTILINE)
        moment = (lambda rows, found=found: found.search("\n".join(rows)) is not None) if each.until else None
        statuses.append(terminal.types(each.command, moment, each.key))
        left = left_by(terminal) - known
        assert not left or not each.command.startswith("corro"), f"{each.command} leaves {left}"
        known |= left
    for moment in terminal.moments:
        parts += [*moment, "~" * 30 + " a key is pressed"]
    lines = [line for line in terminal.all() if not _BAR.search(line)]  # an interrupt may leave one, or not
    if len(lines) > ROWS:
        lines.insert(len(lines) - ROWS, WINDOW)
    new = sorted(path.relative_to(terminal.work).as_posix() for path in set(terminal.work.rglob("*")) - before)
    end = f"exit status: {', '.join(map(str, statuses))}; new files: {', '.join(new) or 'none'}"
    return evened_out("\n".join([*parts, *lines]), trains=scene.trains) + f"\n\n{'=' * 30} {end}\n"


def evened_out(text: str, *, trains: bool) -> str:
    """A screen without what is another one on each machine, or at each time."""
    if not trains:
        return text
    text = re.sub(r"(interrupted at \S+:)\d+", r"\1#", text)
    text = re.sub(r"^(\[rank)\d+", r"\1#", text, flags=re.MULTILINE)
    text = "\n".join(_BAR.sub("━━━━━━━━ ##% step # #:##", line) for line in text.split("\n"))
    text = re.sub(r"(/site-packages/[^\n]*line )\d+", r"\1#", text)
    return re.sub(r"\b\d+\.(\d+)(e-\d+)?\b", lambda number: f"#.{'#' * len(number[1])}", text)


def left_by(terminal: Terminal) -> set[str]:
    """Processes and temporary files that commands have left; PyTorch keeps one folder for each user by itself."""
    home = f"HOME={terminal.home}".encode()
    left = {path.name for path in terminal.temporary.iterdir() if not path.name.startswith("torchinductor_")}
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if home in path.read_bytes().split(b"\0"):
                left.add(f"process {path.parent.name}")
        except OSError:
            continue
    return left


def main() -> None:
    """Play scenes, and write what is seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the screens; else they are printed")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of scenes; all without one")
    asked = parser.parse_args()
    if unknown := set(asked.names) - {scene.name for scene in SCENES}:
        parser.error(f"there is no scene {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for scene in SCENES:
        if asked.names and scene.name not in asked.names:
            continue
        with new_home() as home:
            text = played(scene, home)
        if asked.write:
            (SCREENS / f"{scene.name}.txt").write_text(text, encoding="utf-8")
        else:
            print(text)
        print(scene.name, file=sys.stderr)


if __name__ == "__main__":
    main()
