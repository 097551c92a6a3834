"""Make random numbers equal again between one training and the next.

Why
---
In training each process draws its own noise, so their generators part ways. What is drawn afterwards for a further
training (a split, samples, first weights that are not sent around) would be another thing on each process. Rank 0's
generators are taken over by all in front of it, which leaves one process alone as it was. Models, loaders and
optimizers of each training are wrapped and shared out as those of a single one; Horovod wraps optimizers only where
none but one ever steps a model, because their hooks stay on it.

Before
------
::

    for lr in rates:
        train_set, test_set = random_split(data, [800, 200])
        train(train_set, lr)

After
-----
::

    for lr in rates:
        state = torch.get_rng_state()
        dist.broadcast(state, src=0)
        torch.set_rng_state(state)
        train_set, test_set = random_split(data, [800, 200])
        train(train_set, lr)

Source
------
PyTorch documentation, "Reproducibility"; Lightning issues 7727 and 18638 (splits that differ).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.places import way
from corro.rules.pytorch._joins import drawn, joins
from corro.rules.pytorch._states import rank_0s
from corro.rules.pytorch._trainings import is_between, is_repeated
from corro.source import Before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "several-trainings"

_BY_ROUND = ("ShuffleSplit", "RepeatedKFold", "RepeatedStratifiedKFold")
"""Splits of scikit-learn that draw for each round of the loop over them."""


def apply(job: Job) -> Iterable[Answer]:
    """One change for each statement in front of which numbers have to be equal again."""
    problem = next(_problems(job), None) if is_repeated(job) else None
    if problem is not None:
        yield problem
        return
    for statement, libraries in joins(job).items():
        yield _joined(job.at(statement), statement, libraries)


def _joined(job: Job, statement: ast.stmt, libraries: Iterable[str]) -> Answer:
    code = rank_0s(job, libraries)
    edit = Before(statement, code.text, order=-95)
    return job.change(NAME, "what is drawn between trainings must be equal on all processes", statement, [edit], code)


def _problems(job: Job) -> Iterator[Answer]:
    for library, fact in drawn(job):
        if fact.name.endswith(_BY_ROUND) or (is_between(job, fact) and _is_by_round(job, fact)):
            yield job.refuse(
                NAME,
                "a loop around the training draws random numbers for each of its rounds, when processes have different "
                "ones.",
                fact.node,
                "Give it a generator or random_state of its own, or draw all of it in front of the loop.",
                effort="one line",
            )
        device = fact.keywords.get("device")
        if library == "torch" and is_between(job, fact) and device is not None and device.const != "cpu":
            yield job.refuse(
                NAME,
                "random numbers are drawn on a device between two trainings, when processes have different ones there.",
                fact.node,
                "Draw them on the CPU and move them to the device, or draw them before the first training.",
                effort="one line",
            )


def _is_by_round(job: Job, fact: CallFact) -> bool:
    """Whether a call is made by a generator of the script's own, which goes on whenever it is asked for more."""
    functions = [frame.scope.node for frame in fact.context.frame.path()]
    functions += [above for node in way(fact) for above in job.ancestors(node) if isinstance(above, ast.GeneratorExp)]
    return any(isinstance(body, ast.GeneratorExp) or _hands_on(body) for body in functions)


def _hands_on(function: ast.AST) -> bool:
    parts = ast.walk(function) if isinstance(function, ast.FunctionDef) else ()
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in parts)
