"""Starts the processes of ``keras.distribution`` on JAX: ``keras_processes.py PROCESSES COMMAND...``.

``keras.distribution.initialize()`` reads from its environment who it is and where the first one listens.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _corro_workers


def _environment(addresses: Sequence[str], number: int) -> dict[str, str]:
    """Who a process is, and which GPU is its own where there are any."""
    return {
        "KERAS_DISTRIBUTION_JOB_ADDRESSES": ",".join(addresses),
        "KERAS_DISTRIBUTION_NUM_PROCESSES": str(len(addresses)),
        "KERAS_DISTRIBUTION_PROCESS_ID": str(number),
        "JAX_CUDA_VISIBLE_DEVICES": str(number),
    }


if __name__ == "__main__":
    _corro_workers.main(_environment)
