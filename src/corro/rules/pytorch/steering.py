"""Make what steers training equal on all processes: options of the optimizer, weights, attributes of layers.

Why
---
All processes must make the same update. An option of the optimizer, a weight or the rate of a dropout layer that is
set from what a process has seen of the data, from its own loss, from the clock or at random differs between them: the
copies of the model part ways, or all follow numbers that are too small. Where the value is a sum or a mean, the
whole is taken.

Before
------
::

    for group in optimizer.param_groups:
        group["lr"] = 0.1 * (1 - seen / total)

After
-----
::

    for group in optimizer.param_groups:
        whole = torch.tensor(seen)
        dist.all_reduce(whole)
        total_seen = whole.item()
        group["lr"] = 0.1 * (1 - total_seen / total)

Refused where no sum or mean makes the value equal.

Source
------
PyTorch documentation, ``DistributedDataParallel`` (parameters are equal at the start, and no longer compared then).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.pytorch.steering import CHANCE, Steered, writes
from corro.rules.pytorch._wrapped import is_after_wrapping
from corro.rules.reducing import differs, is_uniform, leftovers, partial_parts, reduce_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.changes import Effort
    from corro.flow.values import Value
    from corro.frontends.pytorch.steering import Write
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "steering"

_ANYWAY = frozenset({Steered.TRAINABLE, Steered.STRUCTURE})
"""What may not be changed after wrapping, be it equally; see ``changed-parameters``."""
_MADE = frozenset({Steered.MADE, Steered.MADE_LOSS, Steered.MADE_LAYER})
_REDUCED = frozenset({Steered.OPTIONS, *_MADE, Steered.SCHEDULE, Steered.LAYER, Steered.LOSS})
"""What is set to a number."""
_MANY = frozenset({Steered.WEIGHTS, Steered.GRADIENTS})
_LONG = 40
"""Longer texts are not shown in a message."""


def apply(job: Job) -> Iterable[Answer]:
    """Reduce what is written to the whole, or refuse."""
    found: dict[ast.AST, list[Write]] = {}
    for write in writes(job.facts):
        if write.what not in _ANYWAY:
            found.setdefault(write.node, []).append(write)
    for node, written in found.items():
        yield from _answer(job, node, written)


def _answer(job: Job, node: ast.AST, written: list[Write]) -> Iterator[Answer]:
    wrong = next((write for write in written if _is_wrong(job, write)), None)
    if wrong is None:
        return
    statement = job.statement(node)
    parts = _parts(job, statement, written)
    if parts:
        yield reduce_before(job, NAME, statement, parts)
        yield from _reviews(job, wrong, [job.value(part) for part in parts])
    else:
        yield _refused(job, wrong)


def _reviews(job: Job, write: Write, parts: list[Value]) -> Iterator[Answer]:
    """In what the whole may differ from what the sequential script computes."""
    counts = [part.form in (Form.COUNT, Form.SUM) for part in parts]
    if any(counts) and not job.uneven:
        yield job.review(
            NAME,
            f"{_changed(write)} from a number of samples, which counts the up to N-1 samples that each epoch repeats.",
            write.node,
            "Compute it from the numbers of the epoch and the batch if it must not grow beyond the number of samples.",
        )
    if not all(counts) or any(not part.integer for part in parts):
        yield job.review(
            NAME,
            f"{_changed(write)} from a mean or a sum over all processes, which is that of the sequential script up to "
            "rounding.",
            write.node,
            differs=("update",),
        )


def _is_wrong(job: Job, write: Write) -> bool:
    """Whether a write may differ between processes, or rest on a part of the data."""
    tests = () if _is_decision(write) else tuple(test.value for test in write.context.tests)
    if any(differs(job, value) for value in (*write.given, *tests)):
        return True
    if write.what is Steered.WEIGHTS and not is_after_wrapping(job, write.node, write.context):
        return False  # rank 0's are sent to all when the model is wrapped
    return any(value.form is Form.LOCAL for value in (*write.given, *tests))


def _is_decision(write: Write) -> bool:
    """Whether the conditions around a write are those that ``decisions`` looks at."""
    return write.what is Steered.LOADED or (write.what is Steered.SCHEDULE and isinstance(write.node, ast.Call))


def _parts(job: Job, statement: ast.stmt, written: list[Write]) -> list[ast.expr]:
    """What has to be reduced before a statement, so that it writes what is equal; empty where that cannot be done."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else None
    if value is None or any(write.what not in _REDUCED for write in written):
        return []
    if not all(is_uniform(job, write.context) and not _is_partly_local(job, value) for write in written):
        return []
    parts = [node for node, _, is_list in partial_parts(job, value) if not is_list]
    return [] if leftovers(job, value, parts) else parts


def _is_partly_local(job: Job, value: ast.expr) -> bool:
    return any(isinstance(n, ast.expr) and job.value(n).form is Form.LOCAL for n in ast.walk(value))


def _differs(job: Job, value: Value) -> bool:
    return value.form is Form.LOCAL or differs(job, value)


def _refused(job: Job, write: Write) -> Answer:
    """What is set, from what, and why that is not equal."""
    if CHANCE in write.given:
        gradients = write.what is Steered.GRADIENTS
        message = f"{write.what.value} are changed at random in the training loop, differently on each process."
        advice = "Leave them as they are." if gradients else "Initialise the model before training."
        return job.refuse(NAME, message, write.node, advice, effort="other training")
    differing = [value for value in write.given if _differs(job, value)]
    if not differing:
        return job.refuse(
            NAME,
            f"{_changed(write)} under a condition that differs between processes.",
            write.node,
            "Make the condition depend on values that are equal on all processes.",
        )
    if write.what is Steered.LOADED:
        message = "which weights are loaded depends on a value that differs between processes."
        return job.refuse(NAME, message, write.node, "Keep weights under a condition that is equal on all processes.")
    by_data = any(differs(job, value) for value in differing)
    reason = "each sees only its shard of the data" if by_data else "it is random or depends on the clock"
    if _is_decision(write):
        message = f"the function given to the scheduler returns what differs between processes: {reason}."
    else:
        message = f"{_changed(write)} from {_cause(job, write)}, which differs between processes: {reason}."
    kept = write.what in (Steered.BUFFER, Steered.MADE_LOSS, Steered.MADE_LAYER)
    effort: Effort = "several lines" if kept else "other training"
    return job.refuse(NAME, message, write.node, _advice(write, differing), effort=effort)


def _changed(write: Write) -> str:
    """The first half of a sentence about a write."""
    if write.name in ("lr", "initial_lr", "base_lrs"):
        return "the learning rate is set"
    if write.what is Steered.OPTIONS:
        return f"the optimizer's {write.name!r} is set" if write.name else f"{write.what.value} is set"
    if write.what in _MADE:
        return f"{write.what.value} is made"
    if write.what is Steered.LAYER and write.name:
        return f"{write.name!r} of a layer is set"
    return f"{write.what.value} {'are computed' if write.what in _MANY else 'is set'}"


def _advice(write: Write, differing: list[Value]) -> str:
    if write.what is Steered.BUFFER:
        return "Compute it outside of the model, in the training loop, where it can be summed over the processes."
    if write.what is Steered.GRADIENTS:
        return "Change them by values that are equal on all processes."
    if write.what is Steered.WEIGHTS:
        return "Change them by gradients, or by values that are equal everywhere."
    if write.what is Steered.MADE_LOSS and write.context.passes:
        return (
            "Compute it from the data set itself, as in loader.dataset; what is computed from each batch can be given "
            "to the function of torch.nn.functional, as in F.cross_entropy(output, target, weight=...)."
        )
    if write.what in (Steered.MADE_LOSS, Steered.MADE_LAYER):
        return "Compute it from the data set itself, as in loader.dataset, which every process has the whole of."
    if any(value.form in (Form.COUNT, Form.SUM, Form.UNKNOWN) for value in differing):
        return "Compute it from the numbers of the epoch and the batch, which are equal on all processes."
    return "Use a scheduler, or a value that is equal on all processes."


def _cause(job: Job, write: Write) -> str:
    """The text of what differs first, within what is written."""
    statement = job.statement(write.node)
    given = (*write.node.args, *write.node.keywords) if isinstance(write.node, ast.Call) else [statement]
    texts = (job.segment(node) for part in given for node in _origins(job, part))
    return next((f"'{text}'" for text in texts if len(text) <= _LONG), "a value")


def _origins(job: Job, node: ast.AST) -> Iterator[ast.expr]:
    """The innermost expressions that are read and differ."""
    inner = [part for child in ast.iter_child_nodes(node) for part in _origins(job, child)]
    yield from inner
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    if not inner and is_read and isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        yield from [node] if _differs(job, job.value(node)) else ()
