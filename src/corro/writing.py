"""Writing files: others see all of a file or nothing of it, and nothing stays of a write that failed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def scratch_of(path: Path) -> Path:
    """Where a file or folder lies until it is whole: beside the place it is meant for."""
    return path.with_name(f".{path.name}.{os.getpid()}")


def write_atomically(path: Path, content: bytes, like: Path | None = None) -> None:
    """Write a file, with the permissions of another one where it is named."""
    scratch = scratch_of(path)
    try:
        scratch.write_bytes(content)
        if like is not None:
            scratch.chmod(like.stat().st_mode & 0o777)
        scratch.replace(path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
