"""Changing the user's own files, all of them or none, where Git can give them back."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from corro.errors import UsageError
from corro.writing import scratch_of, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_ADVICE = "Commit or stash first; or write the program elsewhere with -o, or show it with --diff."


def change(contents: Mapping[Path, bytes]) -> None:
    """Give files new contents.

    Raises:
        UsageError: they are not in a clean work tree of Git.
    """
    _must_be_given_back(list(contents))
    before = {path: path.read_bytes() for path in contents}
    scratches = {path: scratch_of(path) for path in contents}
    try:
        for path, content in contents.items():
            scratches[path].write_bytes(content)
            scratches[path].chmod(path.stat().st_mode & 0o777)
        for path, scratch in scratches.items():
            scratch.replace(path)
    except BaseException:
        for path, content in before.items():
            if path.read_bytes() != content:
                write_atomically(path, content, like=path)
        raise
    finally:
        for scratch in scratches.values():
            scratch.unlink(missing_ok=True)


def _must_be_given_back(paths: Sequence[Path]) -> None:
    for folder in dict.fromkeys(path.parent for path in paths):
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
        if changed is None:
            raise UsageError(f"{folder} is in no work tree of Git: --in-place could not be undone.", advice=_ADVICE)
        if changed:
            first = changed.splitlines()[0][3:]
            raise UsageError(f"the work tree is not clean: {first} has changes of its own.", advice=_ADVICE)
    for path in paths:
        if not _git(path.parent, "ls-files", "--", path.name):
            raise UsageError(f"{path} is not tracked by Git: --in-place could not be undone.", advice=_ADVICE)


def _git(folder: Path, *arguments: str) -> str | None:
    """What Git says; ``None`` where it fails."""
    command = ("git", "--literal-pathspecs", "-C", str(folder), *arguments)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="surrogateescape", check=False)
    except FileNotFoundError as error:
        raise UsageError("--in-place needs git, which is not installed.", advice=_ADVICE) from error
    return done.stdout if done.returncode == 0 else None
