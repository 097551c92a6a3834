"""How long tests wait for what they have started: until it has happened, and at most so long that it never will."""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_SECONDS = 900.0
"""On a machine with ten times more to do than cores, two processes of TensorFlow take minutes."""


def until(happened: Callable[[], bool], limit: float = LIMIT_SECONDS) -> bool:
    """Wait for something; whether it has happened."""
    deadline = time.monotonic() + limit
    while not (done := happened()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return done
