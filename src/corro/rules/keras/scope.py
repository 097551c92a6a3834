"""Make models, optimizers and metrics under the strategy's scope.

Why
---
A strategy of TensorFlow keeps a copy of each variable on every device. Variables made outside its scope have one copy,
and training fails or goes on on one device. So what makes a model, and ``compile``, stand under the scope; where a
function makes it, its call does. ``fit``, ``evaluate`` and ``predict`` find the strategy by themselves, and share out
batches of the script's own, global, size. Where the parts of a batch are unequal they count alike all the same.

Before
------
::

    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")

After
-----
::

    with strategy.scope():
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(optimizer="adam", loss="mse")

Source
------
Keras guide, "Multi-GPU distributed training with TensorFlow": everything that creates variables should be under the
scope, in general only model construction and ``compile()``. Measured with TensorFlow 2.15: a batch of 3 samples on 2
devices weighs them 1/4, 1/4 and 1/2; the gradient of a batch of one sample is halved.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.fits import FitData
from corro.rules.keras._arguments import Given
from corro.source import Under

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.fits import FitSite
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-scope"

_GAP = 3
"""So many statements between two that belong under the scope go along with them."""
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)
_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Return)


def apply(job: Job) -> Iterable[Answer]:
    """One change for each run of statements."""
    if job.target.scope is None:
        return
    yield from _uneven(job)
    yield from under_scope(job, NAME, job.target.scope, job.anatomy.builds, job.anatomy.uses)


def under_scope(
    job: Job, rule: str, head: str, builds: frozenset[ast.Call], uses: frozenset[ast.Call]
) -> Iterator[Answer]:
    """One change for each run of statements that make variables, in the name of a rule.

    Args:
        job: the script.
        rule: the rule that says it.
        head: the head of the block.
        builds: the calls that make variables.
        uses: calls that run a model, and do not belong under the scope.
    """
    using = paths(job, uses)
    fits = {site.node for site in job.anatomy.fits}
    needed: dict[ast.stmt, None] = {}
    for fact in job.calls:
        if fact.node not in builds or any(frame.call in fits for frame in fact.context.frame.path()):
            continue  # what fit runs is run under the strategy, where no block may begin once more
        if fact.node in using and job.facts.number(fact.node) not in fact.result.sites:
            continue  # a function that also trains what it makes: its own calls say what it makes
        call = _outermost(fact, using)
        needed[_whole(job, job.statement(call), using)] = None
    said = {job.statement(e.node) for e in job.effects} if job.has_ranks else ()
    for statement in needed:
        if statement in said:
            yield job.refuse(
                rule,
                "a model is made in the same statement in which it is printed or written.",
                statement,
                "Assign the model to a name first.",
                effort="one line",
            )
            return
    for run in _runs(job, needed, uses):
        edits = [Under(statement, head) for statement in run]
        yield job.change(rule, "variables are made under the strategy", run[0], edits)


def _uneven(job: Job) -> Iterator[Answer]:
    """TensorFlow gives the parts of a batch the same weight, whatever their sizes."""
    sites = [site for site in job.anatomy.fits if not _drops_rest(job, site)]
    node = next((site.node for site in sites), next(iter(job.anatomy.others), None))
    if node is not None:
        yield job.review(
            NAME,
            "all shards of a batch have the same weight: in a batch that N devices do not divide, such as the last "
            "one of an epoch, samples of a smaller shard count more (of 3 samples on 2 devices 1/4, 1/4 and 1/2), "
            "and fewer than N samples count less.",
            node,
            "Choose sizes that the number of devices divides, or drop the rest: batch(..., drop_remainder=True).",
            differs=("gradient", "metrics"),
        )


def _drops_rest(job: Job, site: FitSite) -> bool:
    """Whether a model is fitted to a pipeline whose batches are all of one size."""
    data = Given.of_fit(job, site).data
    for stage in job.value(data).items if data is not None and site.data is FitData.PIPELINE else ():
        for number in stage.sites if stage.name == "batch" else ():
            node = job.facts.nodes[number]
            drops = Given(job, node, ("batch_size", "drop_remainder")) if isinstance(node, ast.Call) else None
            value = drops.value("drop_remainder") if drops is not None else None
            if value is not None and value.const is True:
                return True
    return False


def paths(job: Job, nodes: Iterable[ast.Call]) -> frozenset[ast.AST]:
    """Some calls, and all calls that lead to them."""
    wanted = frozenset(nodes)
    found: set[ast.AST] = set(wanted)
    for fact in job.calls:
        if fact.node in wanted:
            found |= {frame.call for frame in fact.context.frame.path() if frame.call is not None}
    return frozenset(found)


def _outermost(fact: CallFact, using: frozenset[ast.AST]) -> ast.Call:
    """The outermost call on the way to a call that runs no model."""
    calls = [frame.call for frame in fact.context.frame.path() if frame.call is not None]
    return next((call for call in calls if call not in using), fact.node)


def _whole(job: Job, statement: ast.stmt, using: frozenset[ast.AST]) -> ast.stmt:
    """The largest block around a statement that runs no model."""
    parent = job.parent(statement)
    while isinstance(parent, _BLOCKS) and not any(node in using for node in ast.walk(parent)):
        statement = parent
        parent = job.parent(statement)
    return statement


def _runs(job: Job, needed: Iterable[ast.stmt], uses: frozenset[ast.Call]) -> Iterator[list[ast.stmt]]:
    """Neighbours that stand under one scope, with what stands between them where that is little."""
    by_block: dict[int, tuple[Sequence[ast.stmt], list[ast.stmt]]] = {}
    for statement in needed:
        block = _block(job, statement)
        by_block.setdefault(id(block), (block, []))[1].append(statement)
    guarded = {job.statement(effect.node) for effect in job.effects}
    for block, statements in by_block.values():
        positions = sorted(block.index(statement) for statement in statements)
        run = [positions[0]]
        for position in positions[1:]:
            between = block[run[-1] + 1 : position]
            far = len(between) > _GAP or len({_cell(job, block[i]) for i in range(run[-1], position + 1)}) > 1
            if far or any(_stands_apart(job, each, guarded, uses) for each in between):
                yield [block[i] for i in run]
                run = []
            else:
                run += range(run[-1] + 1, position)
            run.append(position)
        yield [block[i] for i in run]


def _cell(job: Job, statement: ast.stmt) -> int:
    """The cell of a notebook that a statement stands in: a scope ends with it, and what is between may show a value."""
    return job.file_of(statement).part(job.span(statement).start)


def _stands_apart(job: Job, statement: ast.stmt, guarded: set[ast.stmt], uses: frozenset[ast.Call]) -> bool:
    """What does not belong under the scope: definitions, what runs a model, and what is put under a condition."""
    runs = any(node in uses for node in ast.walk(statement))
    return isinstance(statement, _APART) or runs or (job.has_ranks and statement in guarded)


def _block(job: Job, statement: ast.stmt) -> Sequence[ast.stmt]:
    parent = job.parent(statement)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]
