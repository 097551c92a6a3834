"""Where a generated program lies while it runs, and after: tracebacks name it, so it stays readable."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path

from corro.cache import cache_directory, temporary_directory, write_atomically
from corro.errors import ExecutionError

KEPT = 50


def write_program(content: bytes, script: Path, target: str) -> Path:
    """Writes the generated program of a script into Corro's cache.

    Raises:
        ExecutionError: it cannot be written there, nor into the folder for temporary files.
    """
    key = hashlib.sha256(os.fsencode(script.absolute()) + b"\0" + content).hexdigest()[:12]
    for folder in (cache_directory() / "programs", temporary_directory() / "programs"):
        path = folder / key / f"{script.stem}.{target}.py"
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
            path.parent.touch()
            _forget_old(folder)
            return path
    raise ExecutionError(f"{path} cannot be written.", advice="Set CORRO_CACHE to a folder that can.")


def _forget_old(folder: Path) -> None:
    with contextlib.suppress(OSError):  # another run tidies up at the same time
        for old in sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)[KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
