"""Refuse a script that imports a module nobody can find.

Why
---
Models, losses and helpers in project modules are read and followed. A module that is neither beside the
script nor installed cannot be read: what it trains, writes and prints would happen on every process, unseen.

Before
------
::

    from lib import gan     # on no path that the script sets, and nowhere in the project

After
-----
::

    refused: the module 'lib' is neither beside the script nor installed

Source
------
PacktPublishing/Advanced-Deep-Learning-with-Keras, chapters 4 to 6: models built by a module in another folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-own-modules"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first import of the script that leads nowhere."""
    return missing.refusal(job, NAME)
