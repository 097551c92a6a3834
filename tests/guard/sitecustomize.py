"""In every Python process that a quick test starts: none of them is to import what trains.

Python imports this file by its name, found through ``PYTHONPATH``; ``tests/conftest.py`` puts it there.
"""

import os
import sys

TRAINING = {"torch", "tensorflow", "keras", "jax", "horovod"}
STARTED = "CORRO_TESTS_STARTED"
"""The variable with the file that takes the command lines of processes that would train."""


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event == "import" and arguments[0] in TRAINING:
        line = f"{' '.join(sys.orig_argv)}: imports {arguments[0]}"
        with open(os.environ[STARTED], "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        raise ImportError(f"a quick test starts a process that trains: {line}")


if STARTED in os.environ:
    sys.addaudithook(_refuse)
