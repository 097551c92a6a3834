"""torchrun, quiet and with the exit status of the rank that failed first. Takes the arguments of torchrun.

PyTorch's own ``torch.distributed.run`` answers any failure with status 1 and forty lines about itself.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from types import FrameType


def _leave(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)


def main(arguments: list[str]) -> int:
    """Runs the ranks until they end; the answer is the exit status of the run."""
    from torch.distributed import run
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    logging.getLogger("torch.distributed").setLevel(logging.CRITICAL)
    logging.getLogger("torch.distributed.elastic").setLevel(logging.CRITICAL)
    try:
        run.run(run.parse_args(arguments))
    except ChildFailedError as error:
        _, failure = error.get_first_failure()
        return failure.exitcode if failure.exitcode >= 0 else 128 - failure.exitcode
    except SignalException as error:
        return 128 + int(error.sigval)
    return 0


if __name__ == "__main__":
    sys.path.pop(0)  # this folder: nothing in it is meant to be imported
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    sys.exit(main(sys.argv[1:]))
