"""Let one process fetch a data set before the others look for it.

Why
---
N processes that fetch to the same place overwrite each other's half-written files. Rank 0 fetches, all wait for it
outside the condition, then all load what is there.

Before
------
::

    (x_train, y_train), (x_test, y_test) = mnist.load_data()

After
-----
::

    if hvd.rank() == 0:
        mnist.load_data()
    hvd.allreduce(0.0)
    (x_train, y_train), (x_test, y_test) = mnist.load_data()

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_keras_mnist.py`` (a file of its own for each process).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.frontends.keras.names import canonical
from rueda.source import Before
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-download"

_FETCHES = ("keras.utils.get_file", "keras.utils.data_utils.get_file", "tensorflow_datasets.load")
_SKLEARN = "sklearn.datasets.fetch_"


def apply(job: Job) -> Iterable[Answer]:
    """One guarded call and one barrier before each statement that fetches."""
    if job.sharing is None:
        return
    target = job.sharing
    seen: set[ast.AST] = set()
    for fact in job.calls:
        name = canonical(fact.name)
        fetches = (
            name in _FETCHES
            or name.startswith(_SKLEARN)
            or (name.startswith("keras.datasets.") and name.endswith(".load_data"))
        )
        if not fetches or fact.receiver is not None or fact.node in seen:
            continue
        seen.add(fact.node)
        if not job.is_own(fact.node):
            yield job.note(NAME, "a module of the script's own fetches data on every process.", fact.node)
            continue
        text = job.source.segment(fact.node)
        statement = job.source.statement(fact.node)
        if not job.is_uniform(fact.context) or isinstance(statement, (ast.If, ast.While, ast.For, ast.FunctionDef)):
            continue
        lines = text.splitlines()
        margin = min((len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()), default=0)
        call = "\n".join(["    " + lines[0], *("        " + x[margin:] for x in lines[1:])])
        code = Code(f"if {target.is_first}:\n{call}\n{target.barrier}", (target.engine,))
        edits = [Before(statement, code.text, order=-30)]
        yield job.change(NAME, "one process fetches first", fact.node, edits, code)
