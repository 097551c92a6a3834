"""Where Corro keeps what it can make again: ``$CORRO_CACHE``, or the platform's place for caches."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def cache_directory() -> Path:
    """The folder of the cache; it need not exist yet."""
    if own := os.environ.get("CORRO_CACHE"):
        return Path(own).expanduser().absolute()
    try:
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "corro"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "corro"
    except RuntimeError:  # a user without a home, as in a container
        return temporary_directory()


def temporary_directory() -> Path:
    """What there is instead of a cache: a folder of this user's own among temporary files; it need not exist yet."""
    return Path(tempfile.gettempdir()) / f"corro-{os.getuid()}"
