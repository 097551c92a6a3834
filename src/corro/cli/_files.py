"""Writing a program of one file, and what is said where that cannot be done."""

from __future__ import annotations

import os
from pathlib import Path

from corro.errors import UsageError
from corro.writing import write_atomically


def write(path: Path, content: bytes, script: Path, *, force: bool) -> bool:
    """Write the program of a script; whether that was needed.

    Raises:
        UsageError: it would replace the script, or another file without ``force``, or cannot be written.
    """
    try:
        if path.exists() and not _may_replace(path, script, content, force=force):
            return False
        write_atomically(Path(os.path.realpath(path)), content, like=script)
    except OSError as error:
        raise cannot_be_written(path, error) from error
    return True


def cannot_be_written(path: Path, error: OSError) -> UsageError:
    """What is said of a place where nothing can be written."""
    return UsageError(f"{path} cannot be written: {error.strerror or error}.", advice="Choose another place with -o.")


def _may_replace(path: Path, script: Path, content: bytes, *, force: bool) -> bool:
    """Whether a file that is there has to be replaced."""
    if path.samefile(script):
        raise UsageError(f"{path} is the script itself, which is never written over.", advice="Choose another -o FILE.")
    if not path.is_file():
        kind = "a directory" if path.is_dir() else "no regular file"
        raise UsageError(f"{path} is {kind}.", advice="Name a file, or - for standard output.")
    if path.read_bytes() == content:
        return False
    if not force:
        raise UsageError(f"{path} exists and differs.", advice="Replace it with --force, or choose another -o FILE.")
    return True
