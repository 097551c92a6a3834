"""Read the script's own modules; refuse a script whose modules are not there.

Why
---
What a model, a data set or a helper does decides what may be shared out. Modules beside the script are read and
followed. A module that is neither beside the script nor installed cannot be read, and the script would not run either.

Before
------
::

    from mydata.reader import Spectra     # there is no mydata

After
-----
::

    refused: the module 'mydata' is neither beside the script nor installed

Source
------
Counted in 640 public PyTorch training files: 28 % import modules of their own (63 % of repositories).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "own-modules"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first import of the script that leads nowhere."""
    return missing.refusal(job, NAME)
