"""Where Rueda keeps what it can make again: ``$RUEDA_CACHE``, or the platform's place for caches."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_directory() -> Path:
    """The folder of the cache; it need not exist yet."""
    if own := os.environ.get("RUEDA_CACHE"):
        return Path(own).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rueda"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rueda"


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a file so that others see all of it or nothing."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_bytes(content)
    scratch.replace(path)
