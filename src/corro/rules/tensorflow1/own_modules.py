"""Refuse a script that imports a module nobody can find.

Why
---
The script's own modules may fetch, write and print, on every process at once, and may run the graph. So they are read
and followed. A module that is neither beside the script nor installed cannot be read.

Before
------
::

    from helper import download_and_extract

After
-----
::

    refused: the module 'helper' is neither beside the script nor installed

Source
------
Python documentation, "The import system"; what each process runs, all processes run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-own-modules"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first import of the script that leads nowhere."""
    return missing.refusal(job, NAME)
