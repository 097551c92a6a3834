"""What measures a program from inside its process. Runs where the program runs, and only there.

It looks at less than ``corro verify``, so that it costs microseconds a step: when each step ended, how many samples
went into it, and what the script prints. Files are watched as in a verification: none of the user's is changed.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from corro.bench.meter import keras, pytorch, tensorflow
from corro.bench.meter.clock import Meter
from corro.verify.probe import files, output
from corro.verify.probe.session import Stop
from corro.verify.records import RECORD
from corro.verify.settings import Settings

VARIABLE = "CORRO_METER"
_OTHERS_SECONDS = 20.0


def measured(run: Callable[[], None], kind: type[Meter] = Meter) -> None:
    """Run a program, and leave what was measured, however it ends."""
    meter = kind(Settings.read(Path(os.environ[VARIABLE])))
    files.install(meter)
    for framework in (pytorch, keras, tensorflow):
        framework.install(meter)
    output.install(meter)
    record = meter.record
    try:
        run()
    except Stop:
        record.stopped = True
    except SystemExit as end:
        record.status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            record.error = end.code
        raise
    except BaseException as error:
        record.error, record.line = traceback.format_exc(), meter.line_of(error.__traceback__)
        raise
    finally:
        meter.finish()
    if record.stopped:  # the program is in the middle of its work: nothing of it can end in order
        sys.stdout.flush()
        sys.stderr.flush()
        _wait_for_others(meter)
        os._exit(0)


def _wait_for_others(meter: Meter) -> None:
    """Who leaves while others are in the exchange of the last step would have them fail."""
    records = [meter.folder.with_name(f"rank{rank}") / RECORD for rank in range(meter.record.size)]
    deadline = time.monotonic() + _OTHERS_SECONDS
    while time.monotonic() < deadline and not all(each.exists() for each in records):
        time.sleep(0.05)
