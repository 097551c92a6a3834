"""Rooms: folders of links in which a script finds all its files and can change none of them.

A room is filled with links to what the user's folder holds. The probe puts copies in the place of links before they
are written (``probe/files.py``), so runs see what earlier runs of the user left, and nothing of each other.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Room:
    """Where one run takes place.

    Args:
        directory: its working directory.
        script: the script's place in it.
        folders: all folders it may write to, the working directory first.
    """

    directory: Path
    script: Path
    folders: tuple[str, ...]


def links(real: Path, folder: Path) -> None:
    """Fill a folder with links to all that is in another."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in os.scandir(real):
        if entry.name != "__pycache__":
            (folder / entry.name).symlink_to(os.path.realpath(entry.path))


def room(directory: Path, script: Path, place: Path) -> Room:
    """Make a room for a script that is run in a directory.

    Args:
        directory: where the user would run it.
        script: the script, below that directory or anywhere else.
        place: a folder that does not exist yet.
    """
    real, script = directory.resolve(), Path(os.path.abspath(script))  # noqa: PTH100 (a link stays one)
    links(real, place / "run")
    if script.is_relative_to(real):
        inside = place / "run" / script.relative_to(real)
        folders: tuple[str, ...] = (str(place / "run"),)
    else:
        links(script.parent, place / "script")
        inside = place / "script" / script.name
        folders = (str(place / "run"), str(place / "script"))
    _make_real(inside, Path(folders[-1]))
    return Room(place / "run", inside, folders)


def unfold(link: str) -> None:
    """Put a folder of links in the place of a link to a folder."""
    target, scratch = Path(os.path.realpath(link)), Path(f"{link}.{os.getpid()}")
    links(target, scratch)
    Path(link).unlink()
    scratch.rename(link)


def _make_real(script: Path, root: Path) -> None:
    """The script and the folders above it are no links: ``__file__`` leads to the room, resolved or not."""
    for folder in reversed(script.relative_to(root).parents):
        if (root / folder).is_symlink():
            unfold(str(root / folder))
    original = script.resolve()
    script.unlink()
    shutil.copy2(original, script)
