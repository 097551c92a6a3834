"""Say what a command line prints that is made of the script's functions.

Why
---
``fire`` and ``argh`` call a function of the script with what stands on the command line, and print what it returns.
That happens in the library, on every process. A result that is equal on all of them is printed once by each, which is
said; one that each has its own part of would be taken for the whole.

Before
------
::

    if __name__ == "__main__":
        fire.Fire(train)

After
-----
::

    # review: each process prints what the command returns

Source
------
Python Fire, "The Python Fire Guide": "the result is printed"; the documentation of argh, ``dispatch``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.commands import PRINTING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer, Job

NAME = "commands"
_ADVICE = "Print it in the function, and return nothing."


def apply(job: Job) -> Iterator[Answer]:
    """One answer for each call that prints what a command returns."""
    for fact in job.calls:
        if not job.has_ranks or fact.name not in PRINTING or fact.result.kind is Kind.NONE:
            continue
        if fact.result.placement.is_equal:
            yield job.review(NAME, "each process prints what the command returns.", fact.node, _ADVICE)
        else:
            message = "each process prints what the command returns, of which it has its own part."
            yield job.refuse(NAME, message, fact.node, _ADVICE)
