"""Put files into one order on all processes, in scripts with a loop of their own.

Why
---
A folder is listed in the order of its disk, which is another one on each machine. Samples are shared out by position,
and classes are numbered by it: processes on two machines would share out different samples, and give one class
different numbers. So what lists files is sorted where its order shows; it is left alone where only the number of files
or their names count, where the script sorts by itself, and where rank 0 alone uses them.

Before
------
::

    files = list(pathlib.Path("data").glob("*.png"))
    data = tf.data.Dataset.from_tensor_slices([load(file) for file in files]).batch(32)

After
-----
::

    files = sorted(pathlib.Path("data").glob("*.png"))
    data = tf.data.Dataset.from_tensor_slices([load(file) for file in files]).batch(32)

Source
------
Python's documentation of ``os.listdir`` and ``glob``: "the list is in arbitrary order"; ``torchvision`` and Keras sort
what their own functions list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import listings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-file-order"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place that takes files in the order of the disk."""
    return listings.answers(job, NAME)
