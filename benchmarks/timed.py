"""Run a script and note how long its training took: ``python timed.py FOLDER SCRIPT``.

The time runs from the end of the 20th optimizer step, when everything is warm, to the end of the last, with all that
lies between: loading, evaluation, printing. Imports, start of the launcher and connecting are left out.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
from pathlib import Path
from typing import Any

from torch.optim.optimizer import register_optimizer_step_post_hook

WARM_UP = 20

ends: list[float] = []


def stepped(optimizer: Any, args: Any, kwargs: Any) -> None:
    ends.append(time.perf_counter())


def main() -> None:
    folder, script = sys.argv[1:3]
    register_optimizer_step_post_hook(stepped)
    sys.argv = [script]
    sys.path[0] = str(Path(script).resolve().parent)
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        # Horovod's optimizer calls the hook twice a step, within microseconds: count steps, not calls
        twice = "HOROVOD_RANK" in os.environ
        steps = ends[1::2] if twice else ends
        figures = {"steps": len(steps) - WARM_UP, "seconds": steps[-1] - steps[WARM_UP - 1]}
        Path(folder, f"{os.getpid()}.json").write_text(json.dumps(figures))


if __name__ == "__main__":
    main()
