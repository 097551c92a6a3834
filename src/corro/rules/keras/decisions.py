"""Refuse decisions on what differs between processes: the clock, their own batch normalisation or noise (Horovod).

Why
---
A loop that trains until some time has gone by ends on one process, while the others go on and wait for it for ever.
Weights are equal on all processes, but the moving averages of batch normalisation are those of each process's part of
the data, where nothing makes them equal: after ``train_on_batch``, and where a model has no name at its ``fit``. So
``evaluate`` and ``predict`` come out slightly different everywhere. Shown on rank 0 that does no harm; a decision on it
may let one process leave a training loop that the others go on with, and they wait for it for ever. The metrics that
``fit`` returns are averaged, and good for decisions. Layers that draw random numbers in any case, not only in training,
make other numbers of an evaluation on each process too.

Before
------
::

    model.train_on_batch(x, y)  # with batch normalisation
    if model.evaluate(x_test, y_test) < 0.1:
        break

After
-----
::

    refused: whether training goes on depends on a number that each process computes by itself

Source
------
Horovod documentation, ``MetricAverageCallback``; horovod issue 4027 (early stopping on local metrics).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.rules import noise
from corro.rules.file_tests import looks_at_files
from corro.rules.keras._classes import computing
from corro.rules.keras._statistics import batch_normalisation, computes, unequal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import Test
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-decisions"

_PROBABILITY = "tensorflow_probability.layers."
_DRAWING = ("Flipout", "Reparameterization", "Variational", "VariationalV2")
"""Layers that draw their weights each time they are called."""


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for the clock, and one for batch normalisation or noise."""
    yield from _by_the_clock(job)
    others = job.sharing is not None and bool(job.anatomy.others) and batch_normalisation(job) is not None
    averages = unequal(job) is not None or others
    if not averages and not (job.sharing is not None and _draws_always(job)):
        return
    how = "averages of its own (batch normalisation)" if averages else "random numbers of its own (a layer that draws)"
    names = _computed(job)
    trained = {*(site.node for site in job.anatomy.fits), *job.anatomy.others}
    for node in job.nodes.of(ast.If, ast.While):
        if _depends(node.test, names) and _steers(job, node, trained):
            yield job.refuse(
                NAME,
                f"whether training goes on depends on a number that each process computes with {how}.",
                node.test,
                "Decide on the metrics that fit returns, which are averaged over the processes.",
            )
            return


def _draws_always(job: Job) -> bool:
    """Whether a layer draws random numbers when a model is evaluated, too."""
    of_library = (fact.result.name for fact in job.calls if fact.result.kind is Kind.LAYER)
    if any(name.startswith(_PROBABILITY) and name.endswith(_DRAWING) for name in of_library):
        return True
    always = (function for function in computing(job) if not _is_told(function))
    return any(True for function in always for _ in noise.draws(job, function))


def _is_told(function: ast.AST) -> bool:
    """Whether a function is told if it is called in training."""
    return any(isinstance(node, ast.arg) and node.arg == "training" for node in ast.walk(function))


def _by_the_clock(job: Job) -> Iterator[Answer]:
    """A call of fit under a condition on the clock or on chance, or in a loop that is left by one."""
    if not job.has_ranks:
        return
    trained = {site.node for site in job.anatomy.fits}
    fits = [fact for fact in job.calls if fact.node in trained]
    loops = {loop.node for fact in fits for loop in fact.context.loops}
    leaving = [leave for leave in job.facts.exits if any(loop.node in loops for loop in leave.context.loops)]
    places = [(fact.node, fact.context) for fact in fits] + [(leave.node, leave.context) for leave in leaving]
    for node, context in places:
        if any(_differs(job, test) for test in context.tests):
            yield job.refuse(
                NAME,
                "whether training goes on depends on what differs between processes, such as the clock.",
                node,
                "Count epochs instead.",
                effort="other training",
            )
            return


def _differs(job: Job, test: Test) -> bool:
    """Whether a condition differs; what is on disk is equal where it is asked for before training, as are errors."""
    condition = getattr(test.node, "test", None)
    return test.value.form is Form.LOCAL and condition is not None and not looks_at_files(job, condition)


def _computed(job: Job) -> frozenset[str]:
    """Names and attributes that hold what a model has computed, directly or not."""
    found: set[str] = set()
    statements = job.nodes.of(ast.Assign, ast.AugAssign, ast.AnnAssign)
    while True:
        before = len(found)
        for statement in statements:
            if statement.value is not None and _depends(statement.value, frozenset(found)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                found |= {name for target in targets for part in ast.walk(target) if (name := _name(part))}
        if len(found) == before:
            return frozenset(found - {"self"})


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _depends(node: ast.AST, names: frozenset[str]) -> bool:
    for part in ast.walk(node):
        if computes(part):
            return True
        if isinstance(part, (ast.Name, ast.Attribute)) and _name(part) in names:
            return True
    return False


def _steers(job: Job, node: ast.If | ast.While, trained: set[ast.Call]) -> bool:
    """Whether a branch trains, or ends training."""
    if isinstance(node, ast.While):
        return any(part in trained for part in ast.walk(node))
    for part in ast.walk(node):
        if part in trained or (isinstance(part, ast.Attribute) and part.attr == "stop_training"):
            return True
        loops = any(isinstance(above, (ast.For, ast.While)) for above in job.ancestors(part))
        if isinstance(part, (ast.Break, ast.Return, ast.Raise)) and loops:
            return True
    return False
