"""Scale the learning rate with the global batch (weak scaling only).

Why
---
Weak scaling keeps the batch size of each process, so the global batch grows N-fold and there are N times fewer steps.
The learning rate grows with it, from the script's own rate in the first epochs to N times it (warm-up), or accuracy
is lost. With strong scaling the global batch, and so the learning rate, stay as they are.

Before
------
::

    optimizer = optim.SGD(model.parameters(), lr=0.01)

After
-----
::

    optimizer = optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())

Source
------
Goyal et al., "Accurate, Large Minibatch SGD", arXiv 1706.02677; horovod issue 478 (82 % instead of 91 % without).
"""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.steps import head_of
from corro.frontends.pytorch.making import ANY_OPTIMIZER
from corro.frontends.pytorch.steering import Steered, writes
from corro.frontends.pytorch.steps import loss_of
from corro.rules import parting
from corro.rules.pytorch._warmup import warm_up
from corro.source import Edit, add_keyword, parenthesised, replace_node, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.frontends.pytorch.steering import Write
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "learning-rate"

_DEFAULTS = {"Adam": "0.001", "AdamW": "0.001", "NAdam": "0.002", "RAdam": "0.001", "Adamax": "0.002", "SGD": "0.001",
             "Adadelta": "1.0", "Adagrad": "0.01", "RMSprop": "0.01", "Rprop": "0.01", "ASGD": "0.01",
             "SparseAdam": "0.001"}  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """Scale every rate the optimizer is given; refuse rates and schedules that are counted in steps or set by hand."""
    if job.is_strong:
        return
    losses = (fact for each in job.anatomy.backwards for fact in job.calls_of(each.node))
    summed = next((fact for fact in losses if loss_of(fact).form is Form.SUM), None)
    if summed is not None:
        yield job.review(
            NAME,
            "the loss is a sum over samples: its gradient already grows with the global batch, so the learning rate "
            "stays.",
            summed.node,
        )
        return
    yield from _by_hand(job)
    for site in job.anatomy.optimizers:
        yield _scaled(job.at(site.node), site.node)
    yield from _absolute_schedules(job)
    yield from _loaded(job)
    yield from warm_up(job)


def _scaled(job: Job, node: ast.Call) -> Answer:
    world = job.target.world_size
    edits: list[Edit] = []
    given = [k.value for k in node.keywords if k.arg == "lr"] + list(node.args[1:2])
    for rate in (*given, *_group_rates(node)):
        edits += replace_node(job.file_of(rate), rate, f"{parenthesised(job.file_of(rate), rate)} * {world}")
    if not given:
        name = job.calls_of(node)[0].result.name
        if name == ANY_OPTIMIZER:
            message = "the optimizer's class is chosen by a name, and what rate it has by default is not known."
            return job.refuse(NAME, message, node, "Give it a learning rate.", effort="one line")
        edits += add_keyword(job.file_of(node), node, "lr", f"{_DEFAULTS.get(name, '0.001')} * {world}")
    return job.change(NAME, "the rate grows with the global batch", node, edits, Code("", (job.target.engine,)))


def _loaded(job: Job) -> Iterator[Answer]:
    """An optimizer's state brings its own rate, which takes the place of the scaled one."""
    for fact in job.calls:
        if fact.name == "load_state_dict" and fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER:
            yield job.review(
                NAME,
                "the loaded state of the optimizer brings the learning rate it was saved with, and the warm-up begins "
                "again.",
                fact.node,
                "Resume from checkpoints of runs with as many processes; one of a sequential run keeps its small rate.",
            )
            return


_RATES = {"OneCycleLR": {"max_lr": 1}, "CyclicLR": {"base_lr": 1, "max_lr": 2}}


def _absolute_schedules(job: Job) -> Iterator[Answer]:
    """Schedulers that are given rates of their own, which take the place of the optimizer's."""
    for fact in job.calls:
        rates = _RATES.get(fact.result.name) if fact.result.kind is Kind.SCHEDULER else None
        if rates is None:
            continue
        world = job.at(fact.node).target.world_size
        edits: list[Edit] = []
        for keyword, position in rates.items():
            given = [k.value for k in fact.node.keywords if k.arg == keyword] + list(
                fact.node.args[position : position + 1]
            )
            for rate in given:
                edits += replace_node(job.file_of(rate), rate, f"{parenthesised(job.file_of(rate), rate)} * {world}")
        if edits:
            yield job.change(NAME, "the rate grows with the global batch", fact.node, edits)


def _group_rates(node: ast.Call) -> Iterator[ast.expr]:
    """The rates in a literal list of parameter groups."""
    for argument in node.args[:1]:
        for part in ast.walk(argument):
            if isinstance(part, ast.Dict):
                for key, value in zip(part.keys, part.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "lr":
                        yield value


def _by_hand(job: Job) -> Iterator[Answer]:
    by_hand = next((write for write in writes(job.facts) if _sets_rate(job, write)), None)
    if by_hand is not None:
        yield job.refuse(
            NAME,
            "the learning rate is written by hand, so it cannot be scaled safely.",
            by_hand.node,
            "Use a scheduler, or --scaling strong.",
            effort="one line",
        )
        return
    counted = next(chain(parting.after_steps(job), _numbered(job)), None)
    if counted is not None:
        yield parting.too_many(job, NAME, counted)
        return
    for fact in job.calls:
        if (
            fact.receiver is not None
            and fact.receiver.kind is Kind.SCHEDULER
            and fact.name == "step"
            and fact.context.passes
        ) and not _counts_batches(job, fact):
            yield job.refuse(
                NAME,
                "the scheduler counts batches, of which weak scaling makes N times fewer.",
                fact.node,
                "Step it once an epoch, derive its length from len(loader), or use --scaling strong.",
                effort="one line",
            )
            return


def _numbered(job: Job) -> Iterator[ast.AST]:
    """Loops that say themselves how many batches they take of a loader."""
    for step in job.anatomy.steps:
        if any(source.begins_elsewhere for source in step.sources):
            values = [job.value(part) for part in walk(head_of(step.loop))]
            ranges = any(value.kind is Kind.RANGE for value in values)
            some = any(value.kind is Kind.ITERATOR and value.name == "islice" for value in values)
            by_length = any(value.form is Form.STEP or "batches" in value.tags for value in values)
            if isinstance(step.loop, ast.While) or some or (ranges and not by_length):
                yield step.loop


def _sets_rate(job: Job, write: Write) -> bool:
    """Whether a write gives the learning rate a value of its own; to multiply it keeps the scale."""
    option = write.what is Steered.OPTIONS and write.name in ("lr", "initial_lr", "")
    if not option and not (write.what is Steered.SCHEDULE and write.name == "base_lrs"):
        return False
    statement = job.statement(write.node)
    return not (isinstance(statement, ast.AugAssign) and isinstance(statement.op, (ast.Mult, ast.Div)))


def _counts_batches(job: Job, fact: CallFact) -> bool:
    """Whether the scheduler was made with ``len(loader)``, which shrinks by itself."""
    assert fact.receiver is not None
    for number in fact.receiver.sites:
        for node in ast.walk(job.facts.nodes[number]):
            if isinstance(node, ast.Call) and "batches" in job.value(node).tags:
                return True
    return False
