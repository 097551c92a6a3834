"""Write ``learning_rate=`` where an old script writes ``lr=``.

Why
---
The argument ``lr`` of optimizers is no more: Keras 3 stops at it, and Keras 2.11 to 2.15 goes on with a warning and the
default rate, which is not what the script says.

Before
------
::

    optimizer = keras.optimizers.SGD(lr=0.1)

After
-----
::

    optimizer = keras.optimizers.SGD(learning_rate=0.1)

Source
------
Keras 2.11 release notes, new optimizers; measured with Keras 2.15: ``SGD(lr=0.5)`` has a rate of 0.01.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.source import Replace, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-rates"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each optimizer with the old argument."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        keyword = next((k for k in fact.node.keywords if k.arg == "lr"), None)
        if fact.result.kind is not Kind.OPTIMIZER or fact.receiver is not None or keyword is None or fact.node in seen:
            continue
        seen.add(fact.node)
        start = job.span(keyword).start
        edits = [Replace(Span(start, start + len("lr")), "learning_rate")]
        yield job.change(NAME, "the argument is called learning_rate", keyword, edits)
        yield job.review(
            NAME,
            "newer Keras ignores lr= or stops at it; the program now trains with the rate that is written.",
            keyword,
        )
