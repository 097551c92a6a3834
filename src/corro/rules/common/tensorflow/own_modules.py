"""Refuse a script that imports a module nobody can find.

Why
---
A model that comes from a project module is trained like any other, and a helper may write files, on every
process at once. So such modules are read and followed. One that is neither beside the script nor installed cannot be
read: of two models of a GAN one would be distributed, and the other not.

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
PacktPublishing/Advanced-Deep-Learning-with-Keras, chapters 4 to 6: discriminators built by a module in another folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer, Job

NAME = "keras-own-modules"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the imports of the script that lead nowhere."""
    yield from missing.run_again(job, NAME)
    yield from missing.refusal(job, NAME)
