"""Divide what a training pass has summed up by the number of samples that it has seen.

Why
---
A ``DistributedSampler`` repeats up to N-1 samples, so that all processes make the same number of steps, and sums over
a training pass count them. Divided by the length of the data set, an accuracy could exceed 100 %. The sampler knows
how many samples it gives to all processes together; on one process that is the length of the data set.

Before
------
::

    train_accuracy = correct / len(train_loader.dataset)

After
-----
::

    train_accuracy = correct / train_loader.sampler.total_size

Source
------
PyTorch, ``torch/utils/data/distributed.py``: ``total_size = num_samples * num_replicas``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.sites import Role
from corro.changes import Change, Finding
from corro.classes import replace
from corro.flow.store import OPTIONAL
from corro.flow.values import Value
from corro.frontends.pytorch.loaders import SAMPLES, is_sampler
from corro.frontends.pytorch.streams import is_stream
from corro.rules.pytorch._samplers import told_apart
from corro.source import replace_node, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import Accumulation, CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "padded-counts"

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SUMS = frozenset({Form.SUM, Form.COUNT})


def apply(job: Job) -> Iterable[Answer]:
    """Write the sampler's number for each length of the training data that divides a sum over a training pass."""
    sums = _sums(job)
    for file in job.files:
        for node in file.nodes.of(ast.BinOp, ast.AugAssign):
            divided = _division(node)
            if divided is not None and divided[1] in job.facts.values:
                loaders = _summed_over(job, divided[0], sums)
                if not loaders or _is_under_way(job, node):
                    continue
                lengths = list(_lengths(job, divided[1]))
                for length in lengths:
                    yield from _answer(job, node, length, loaders)
                if not lengths and _is_fixed(job, divided[1]):
                    yield _review(job, divided[1], "may count each once")
    yield from _counted_apart(job)


def _counted_apart(job: Job) -> Iterator[Finding]:
    """What is summed up or averaged over training data in a comprehension, which trains on none of it."""
    trained = _trained(job)
    for node, loops in job.facts.loops.items():
        if not isinstance(node, ast.comprehension) or not any(loop.loaders & trained for loop in loops):
            continue
        around = next(each for each in job.ancestors(node) if isinstance(each, ast.expr))
        outer = job.parent(around)
        summed = job.value(outer) if isinstance(outer, ast.Call) else None
        parts = (summed, job.facts.elements.get(around))
        if any(part is not None and part.placement.is_partial and part.scalar for part in parts):
            yield job.review(
                NAME,
                "training data is counted with the sampler for training, which may count up to N-1 samples twice.",
                around,
                "Count with a DataLoader of its own, or take the length of the data set, for the exact number.",
                differs=("metrics",),
            )


def _division(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """What is divided, and by what, in ``a / b`` and ``a /= b``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return node.left, node.right
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
        return node.target, node.value
    return None


def _is_under_way(job: Job, node: ast.AST) -> bool:
    """Whether this stands in a pass, of which the end fills up the last batch, or in a function that passes call."""
    around = list(job.ancestors(node))
    if any(job.anatomy.pass_of(each) is not None for each in around):
        return True
    functions = (each for each in around if isinstance(each, _FUNCTIONS))
    called = next(filter(None, (_called(job, function) for function in functions)), [])
    return bool(called) and all(fact.context.passes for fact in called)


def _called(job: Job, function: ast.AST) -> list[CallFact]:
    """The calls in a function, and those of it."""
    inside = [fact for part in walk(function) for fact in job.calls_of(part)]
    return inside or [f for f in job.calls if job.facts.functions.get(job.value(f.node.func).obj) is function]


def _sums(job: Job) -> dict[tuple[int, str], Accumulation]:
    """What passes over training data sum up over samples, by loop and variable."""
    trained = _trained(job)
    return {
        key: each
        for key, each in job.facts.accumulations.items()
        if each.form in _SUMS and each.value.sources & trained
    }


def _trained(job: Job) -> frozenset[int]:
    """What samples are trained from that are repeated: by samplers that drop none, or to fill up a short batch."""
    if job.uneven:
        return frozenset()
    made = {fact.source.number: fact.source for fact in job.facts.batches.values()}
    sites = (site for site in job.anatomy.loaders if site.role is Role.TRAINING and not _drops_last(job, site.node))
    return frozenset(site.number for site in sites if site.number not in made or made[site.number].may_end_short)


def _drops_last(job: Job, node: ast.expr) -> bool:
    given = (fact.argument(8, "drop_last") for fact in job.calls_of(node))
    return any(each is not None and (each.const is not False or OPTIONAL in each.tags) for each in given)


def _summed_over(job: Job, node: ast.expr, sums: dict[tuple[int, str], Accumulation]) -> frozenset[int]:
    """The training loaders that a sum within an expression goes over; none where there is none."""
    found: frozenset[int] = frozenset()
    trained = _trained(job)
    for part in ast.walk(node):
        value = job.value(part)
        for key in value.pending & sums.keys() if isinstance(part, (ast.Name, ast.Call)) else ():
            found |= sums[key].value.sources
        if value.form in _SUMS and value.sources and value.sources <= trained:
            found |= value.sources
    return found


def _lengths(job: Job, node: ast.expr) -> Iterator[ast.expr]:
    """Lengths of data sets in a divisor, and what holds one."""
    for part in ast.walk(node):
        if isinstance(part, ast.expr) and (SAMPLES in job.value(part).tags or _is_of_sampler(job, part)):
            yield part


def _is_of_sampler(job: Job, node: ast.expr) -> bool:
    """Whether this is the length of a sampler that the script gave its loader."""
    value = job.value(node.args[0]) if isinstance(node, ast.Call) and node.args else Value()
    return is_sampler(value) and any(told_apart(job, number) is not None for number in value.sites)


def _is_fixed(job: Job, node: ast.expr) -> bool:
    """Whether a divisor is a number that no pass has counted: it may be that of the samples, written down."""
    values = [job.value(part) for part in ast.walk(node) if isinstance(part, ast.expr)]
    known = all(value.form is Form.REPLICATED and not value.pending and not value.sources for value in values)
    counted = any(value.placement.data_dependent or "batches" in value.tags for value in values)
    return known and not counted and job.value(node).const not in (0, 1)


def _review(job: Job, length: ast.expr, counts: str) -> Finding:
    return job.review(
        NAME,
        f"the sum counts up to N-1 samples twice, which fill up the last batch, and {job.segment(length)} {counts}.",
        length,
        "Divide by the number of samples that the loop counts, as in total += len(labels).",
    )


def _answer(job: Job, node: ast.AST, length: ast.expr, loaders: frozenset[int]) -> Iterator[Answer]:
    said = _review(job, length, "counts each once")
    made = {fact.source.number for fact in job.facts.batches.values()}
    drawn = any(told_apart(job, number) is not None for number in loaders)
    if drawn or not isinstance(length, ast.Call) or loaders & made or loaders - _trained(job):
        yield said
        return
    data = job.value(length.args[0])
    if not all(_is_data_of(job, number, data, length) for number in loaders):
        return
    loader = _loader(job, node, length, loaders)
    if loader is None:
        yield said
        return
    if job.file_of(loader) is not job.file_of(length):
        yield said
        return
    edits = replace_node(job.file_of(length), length, _counted(job, job.segment(loader), loaders))
    change = job.change(NAME, "the sum counts samples that fill up the last batch", length, edits)
    yield replace(change, otherwise=said) if isinstance(change, Change) else change


def _counted(job: Job, loader: str, loaders: frozenset[int]) -> str:
    """How many samples all processes train on together, those that fill up the last batch included."""
    if any(is_stream(job.facts, number) for number in loaders):
        return f"(len({loader}.dataset) * {job.target.world_size})"
    return f"{loader}.sampler.total_size"


def _is_data_of(job: Job, number: int, data: Value, length: ast.Call) -> bool:
    """Whether a data set is the one that a training loader goes over."""
    argument = length.args[0]
    if isinstance(argument, ast.Attribute) and job.value(argument.value).kind is Kind.LOADER:
        return number in job.value(argument.value).sites
    made = job.calls_of(job.facts.nodes[number])
    given = [each for fact in made if (each := fact.argument(0, "dataset")) is not None]
    return bool(data.sites) and any(each.sites == data.sites for each in given)


def _loader(job: Job, node: ast.AST, length: ast.Call, loaders: frozenset[int]) -> ast.expr | None:
    """An expression that gives the training loader at a place: the one in the length, or that of the pass."""
    argument = length.args[0]
    if isinstance(argument, ast.Attribute) and job.value(argument.value).kind is Kind.LOADER:
        return argument.value if job.value(argument.value).sites <= loaders else None
    here = _function(job, node)
    for site in job.anatomy.passes:
        if site.loaders <= loaders and _function(job, site.loop) is here:
            for part in ast.walk(site.loop.iter) if isinstance(site.loop, ast.For) else ():
                named = isinstance(part, (ast.Name, ast.Attribute))
                if named and isinstance(part, ast.expr) and job.value(part).kind is Kind.LOADER:
                    return part
    return None


def _function(job: Job, node: ast.AST) -> ast.AST | None:
    return next((a for a in job.ancestors(node) if isinstance(a, (ast.FunctionDef, ast.Module))), None)
