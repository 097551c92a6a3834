"""Let rank 0 make the files that are missing before the other processes look for them.

Why
---
Many scripts fetch or compute something once and keep it in a file: where the file is there, it is read, else it is
made. N processes that start together all find nothing, or find a file that rank 0 is still writing. Rank 0 goes first,
alone; when it is done the others run the same statement, and find the files. The statement is the innermost one that
both asks for a file and makes it, or the call of the function that does so; or a ``try``, where what could not be had
is fetched and had then. Where something in it needs all processes,
such as random numbers that have to stay equal, or where it may read a file and then write to it, it is refused. What is
used of it afterwards has to be the same for who made the file and for who read it: it is where it is written as it is,
by what is read back to the bit; else that is assumed, and to be verified.

Before
------
::

    if not os.path.exists(path):
        text = requests.get(url, timeout=30).text
        with open(path, "w") as file:
            file.write(text)
    else:
        with open(path) as file:
            text = file.read()

After
-----
::

    if dist.get_rank() != 0:
        dist.barrier()
    if not os.path.exists(path):
        text = requests.get(url, timeout=30).text
        with open(path if dist.get_rank() == 0 else os.devnull, "w") as file:
            file.write(text)
    else:
        with open(path) as file:
            text = file.read()
    if dist.get_rank() == 0:
        dist.barrier()

Source
------
``torch_distributed_zero_first`` of Ultralytics YOLOv5; ``main_process_first`` of Hugging Face Transformers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.left_behind import Left
from corro.source import After, Before
from corro.targets.base import Code

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable

    from corro.rules.base import Answer, Job

NAME = "missing-files"
FRONTENDS = ("keras", "pytorch", "tensorflow")


def apply(job: Job) -> Iterable[Answer]:
    """Two barriers for each statement that makes files where they are missing."""
    for statement in sorted(job.rank_0_first, key=lambda each: job.span(each).start):
        yield _first(job, statement)
        if job.rank_0_first[statement] is Left.ASSUMED:
            message = "rank 0 computes this and the others read it from the file: both are assumed to be equal."
            advice = "Read the file behind this, too, so that all processes go on with what it holds."
            yield job.assume(NAME, message, statement, advice, shown_by="coverage")


def _first(job: Job, statement: ast.stmt) -> Answer:
    here = job.at(statement).ranked
    before = f"if {here.is_other}:\n    {here.barrier}"
    behind = f"if {here.is_first}:\n    {here.barrier}"
    code = Code(f"{before}\n{behind}", (here.engine,))
    edits = (Before(statement, before, order=98), After(statement, behind, order=-98))  # right around the statement
    return job.change(NAME, "rank 0 makes the files that are missing first", statement, edits, code)
