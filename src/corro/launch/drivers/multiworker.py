"""Starts the workers of ``tf.distribute.MultiWorkerMirroredStrategy``: ``multiworker.py WORKERS COMMAND...``.

A worker learns from ``TF_CONFIG`` who it is and where the others listen. Worker 0 is the chief.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _corro_workers


def _environment(addresses: Sequence[str], number: int) -> dict[str, str]:
    """Who a worker is, and which GPU is its own where there are any."""
    task = {"type": "worker", "index": number}
    return {
        "TF_CONFIG": json.dumps({"cluster": {"worker": addresses}, "task": task}),
        "CORRO_DEVICES": f"{number}:{number + 1}",
    }


if __name__ == "__main__":
    _corro_workers.main(_environment)
