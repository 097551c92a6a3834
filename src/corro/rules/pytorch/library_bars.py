"""Show the progress bars of a library that prepares data on rank 0 only.

Why
---
Datasets of Hugging Face show a progress bar for each ``map`` and ``filter``. Every process prepares the data, and N
bars would be written over each other.

Before
------
::

    rows = load_dataset("csv", data_files="reviews.csv")
    rows = rows.map(tokenize, batched=True)

After
-----
::

    if dist.get_rank() != 0:
        datasets.disable_progress_bars()
    rows = load_dataset("csv", data_files="reviews.csv")
    rows = rows.map(tokenize, batched=True)

Source
------
Datasets documentation, "Utilities": ``disable_progress_bars``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.randomness import TABLES
from corro.rules.places import at_start
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "library-bars"


def apply(job: Job) -> Iterable[Answer]:
    """One change, where there is such data."""
    made = next((f for f in job.calls if f.result.kind is Kind.DATASET and f.result.name == TABLES), None)
    if made is None:
        return
    target = job.target
    text = f"if {target.is_other}:\n    {target.library.name('datasets')}.disable_progress_bars()"
    code = Code(text, (target.engine, target.library.imports("datasets")))
    place = made.node if job.file_of(made.node) is job.script else job.first_statement
    yield job.change(NAME, "one progress bar, on rank 0", place, [at_start(job, text, order=-95)], code)
