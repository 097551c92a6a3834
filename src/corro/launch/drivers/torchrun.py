"""torchrun, quiet and with the exit status of the rank that failed first: ``torchrun.py OPTIONS -- COMMAND...``.

PyTorch's own ``torch.distributed.run`` answers any failure with status 1 and forty lines about itself.
"""

from __future__ import annotations

import logging
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _corro_driver


def main(options: list[str], command: list[str]) -> int:
    """Runs the ranks until they end; the answer is the exit status of the run."""
    from torch.distributed import run
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    logging.getLogger("torch.distributed").setLevel(logging.CRITICAL)  # ranks' deaths are told by their own words
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("torch.distributed.elastic")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        logs = os.environ.get("CORRO_RUN")  # else a folder of temporary files stays
        arguments = run.parse_args([*options, *(["--log-dir", logs] if logs else []), "--no-python", command[0]])
        arguments.training_script_args = command[1:]
        run.run(arguments)
    except ChildFailedError as error:
        _, failure = error.get_first_failure()
        for rank, each in error.failures.items():
            _corro_driver.tell_if_killed(rank, each.exitcode)
        status: int = _corro_driver.exit_status(failure.exitcode)
        return status
    except SignalException as error:
        return 128 + int(error.sigval)
    return 0


if __name__ == "__main__":
    _corro_driver.prepare()
    sys.exit(main(*_corro_driver.options_and_command(sys.argv[1:])))
