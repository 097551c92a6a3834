"""Rooms: folders in which a script finds all its files and can change none of them.

A room has copies of the small files that the user's folder holds, and links to the others and to what lies above. The
probe puts copies in the place of links before they are written (``probe/files.py``), so runs see what earlier runs of
the user left, and nothing of each other. It sees what Python opens; the copies are for libraries that open files by
themselves.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Room:
    """Where one run takes place.

    Args:
        directory: its working directory.
        script: the script's place in it.
        folders: all folders it may write to, the working directory first; the last is the whole room.
    """

    directory: Path
    script: Path
    folders: tuple[str, ...]


MOST_ENTRIES = 5_000
MOST_BYTES = 256 * 2**20
LARGEST_BYTES = 16 * 2**20
"""What is copied into a room: so many files and folders, so many bytes, of files up to that size."""

MOST_LINKS = 1_000
"""To what lies beside one folder above; a temporary folder may hold very many, and each link takes up to a
millisecond."""

_BESIDE = 0.25
"""The part of that which may be copied of what lies beside a folder."""


def furnish(real: Path, folder: Path, part: float = 1.0) -> None:
    """Fill a folder with what another holds, the nearest first: copies as far as they are small, links to the rest.

    What is there already stays. What is mounted is linked, and so is what cannot be read; what another program removes
    meanwhile is left out.
    """
    entries, space = int(part * MOST_ENTRIES), int(part * MOST_BYTES)
    above = {str(each) for each in folder.resolve().parents}
    waiting = deque([(real, folder)])
    while waiting:
        source, place = waiting.popleft()
        place.mkdir(parents=True, exist_ok=True)
        for entry in _entries(source):
            entries -= 1
            if entry.name == "__pycache__" or os.path.lexists(place / entry.name):
                continue
            if entries > 0 and _is_visited(entry) and os.path.realpath(entry.path) not in above:
                waiting.append((Path(entry.path), place / entry.name))
                continue
            with contextlib.suppress(FileNotFoundError):
                copied = _copy(entry, place, min(LARGEST_BYTES, space)) if entries > 0 else None
                if copied is None:
                    (place / entry.name).symlink_to(os.path.realpath(entry.path))
                space -= copied or 0


def _is_visited(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder whose files may be copied; such as ``/proc`` has files without an end."""
    is_folder = entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
    return is_folder and not os.path.ismount(entry.path) and os.access(entry.path, os.R_OK | os.X_OK)


def _copy(entry: os.DirEntry[str], place: Path, most: int) -> int | None:
    """Copy a file of so many bytes at most; the answer is its size, or ``None`` where it was not copied.

    Raises:
        FileNotFoundError: it is gone.
    """
    copy = place / entry.name
    try:
        size = entry.stat().st_size if entry.is_file(follow_symlinks=False) else most + 1
        if size > most:
            return None
        shutil.copy2(entry.path, copy)
    except FileNotFoundError:
        raise
    except OSError:
        copy.unlink(missing_ok=True)
        return None
    return size


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with contextlib.suppress(FileNotFoundError, PermissionError), os.scandir(folder) as found:
        return sorted(found, key=lambda entry: entry.name)
    return []


def links(real: Path, folder: Path) -> None:
    """Fill a folder with links to all that is in another."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in os.scandir(real):
        if entry.name != "__pycache__":
            (folder / entry.name).symlink_to(os.path.realpath(entry.path))


def room(directory: Path, script: Path, place: Path) -> Room:
    """Make a room for a script that is run in a directory.

    Both are in the room where they are on the disk, so that ``..`` leads from them to what it leads to there: to links
    to all that lies beside them, and beside the folders above.

    Args:
        directory: where the user would run it.
        script: the script, below that directory or anywhere else.
        place: a folder that does not exist yet.
    """
    real, script = directory.resolve(), Path(os.path.abspath(script))  # noqa: PTH100 (a link stays one)
    homes = sorted({real, script.parent}, key=lambda path: -len(path.parts))
    for each in homes:
        furnish(each, _within(place, each))
    surround(homes, place)
    run, inside = _within(place, real), _within(place, script)
    _make_real(inside, place)
    return Room(run, inside, (str(run), str(place)))


def surround(homes: Sequence[Path], place: Path) -> None:
    """Have beside folders of a room what lies beside them on the disk, and links to what lies beside those above them.

    Of a folder with too many entries there is nothing else.
    """
    for nearest in dict.fromkeys(home.parent for home in homes):
        if len(_entries(nearest)) <= MOST_ENTRIES:
            furnish(nearest, _within(place, nearest), _BESIDE)
    for above in dict.fromkeys(each for home in homes for each in home.parents):
        beside = _entries(above)
        if len(beside) <= MOST_LINKS:
            _link(beside, _within(place, above))


def _link(entries: Iterable[os.DirEntry[str]], folder: Path) -> None:
    for entry in entries:
        if not os.path.lexists(folder / entry.name):
            (folder / entry.name).symlink_to(os.path.realpath(entry.path))


def _within(place: Path, path: Path) -> Path:
    return place / path.relative_to(path.anchor)


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
    if script.is_symlink():
        original = script.resolve()
        script.unlink()
        shutil.copy2(original, script)
