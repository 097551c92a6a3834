"""Give tensors that are made for a batch as many rows as a process has of it.

Why
---
The batch size of the script is that of the global batch, of which each of N processes has 1/N. Noise, labels or a view
that are made with it in the training loop need 1/N of the rows. Tensors made with it outside keep all rows, which is
right as long as they are not computed with together with a process's shard of a batch. Labels that are alike for all
samples need 1/N of the rows wherever they are made, as long as they do nothing but meet the batch in a loss.

Before
------
::

    for images, _ in loader:
        noise = torch.randn(batch_size, 64)

After
-----
::

    for images, _ in loader:
        noise = torch.randn(batch_size // dist.get_world_size(), 64)

Source
------
PyTorch documentation, ``DistributedDataParallel``: the batch is divided, here by its size for each process.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.steps import body_of
from corro.frontends.pytorch import batch_sizes
from corro.frontends.pytorch.global_batch import is_of_batch_size
from corro.frontends.pytorch.steering import PARAMETER
from corro.rules.pytorch._by_themselves import meets_no_batch
from corro.rules.pytorch._fills import resets
from corro.rules.reducing import sharded_sources
from corro.source import Wrap, arguments_of, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "batch-shapes"
EVEN_SHARES = True
GATE = 1

_ADVICE = "Take the size from the batch itself, as in x.size(0), or use --scaling weak."


def apply(job: Job) -> Iterable[Answer]:
    """One change for each size in the training loop; refused is the first that cannot be that of a shard."""
    origins = batch_sizes.of_loaders(job.facts, job.anatomy.trained_on) if job.is_strong else frozenset()
    if not origins:
        return
    found: dict[ast.Call, list[CallFact]] = {}
    for fact in job.calls:
        if batch_sizes.is_shaping(fact) and any(v.origins & origins for v in (*_parts(fact), *_listed(job, fact))):
            found.setdefault(fact.node, []).append(fact)
    made = frozenset().union(*(each.makers for each in job.fills))
    wrong = [*(n for n, facts in found.items() if n not in made and not _is_right(job, facts)), *_alike(job, origins)]
    if wrong:
        yield _refused(job, wrong[0], "as the shape of a tensor")
        return
    for node, facts in found.items():
        if node in made or (_is_trained_on(job, facts[0]) and not all(_is_whole(job, fact) for fact in facts)):
            yield from _shared(job, node, origins)
    yield from _cutting(job, origins)


def _is_right(job: Job, facts: list[CallFact]) -> bool:
    """Whether a shape is that of a shard each time, or never meets one.

    A function that is given the batch size by one call, and another number by another one, is not.
    """
    if all(_is_whole(job, fact) for fact in facts):
        return True
    each_time = len(facts) == len(job.calls_of(facts[0].node))
    if each_time and all(
        batch_sizes.is_of_rows(f) and f.result.form is Form.SHARDED and _is_trained_on(job, f) for f in facts
    ):
        return all(_is_written(job, size) for size in _sizes(job, facts[0].node, _origins(job)))
    if all(not _may_be_of_shards(job, fact) for fact in facts):
        return True
    return not any(fact.context.passes for fact in facts) and not _mixes(job)


def _is_whole(job: Job, fact: CallFact) -> bool:
    """Whether a shape is that of the global batch, and meets nothing else."""
    if fact.receiver is not None and fact.receiver.placement.whole:
        return True
    return job.value(fact.node).placement.whole and is_of_batch_size(job.facts, fact.node)


def _alike(job: Job, origins: frozenset[int]) -> Iterator[ast.Call]:
    """Shapes in training that begin with another number which is equal to the batch size, and may stand for it."""
    made = [fact for site in job.training_loaders() for fact in job.calls_of(site.node)]
    sizes = {size.const for fact in made if (size := fact.argument(1, "batch_size")) is not None and size.is_const}
    for fact in job.calls:
        first = next(_parts(fact), None) if fact.receiver is None and batch_sizes.is_shaping(fact) else None
        head = first.items[0] if first is not None and first.kind is Kind.TUPLE and first.items else first
        alike = head is not None and head.is_const and head.const in sizes - {1} and not head.origins & origins
        alike = alike and not any(part.form is Form.COUNT for part in _parts(fact))  # the rows are another size
        if alike and _is_trained_on(job, fact) and not (_is_whole(job, fact) or meets_no_batch(job, fact.node)):
            yield fact.node


def _origins(job: Job) -> frozenset[int]:
    return batch_sizes.of_loaders(job.facts, job.anatomy.trained_on)


def _is_trained_on(job: Job, fact: CallFact) -> bool:
    passed = frozenset().union(*(loop.loaders for loop in fact.context.passes))
    return bool(passed) and passed <= job.anatomy.trained_on


def _may_be_of_shards(job: Job, fact: CallFact) -> bool:
    """Whether a shape may be that of a shard; where every process evaluates everything, batches are whole."""
    shared = sharded_sources(job)
    if fact.receiver is not None and fact.receiver.sources:
        return bool(fact.receiver.sources & shared)
    passed = frozenset().union(*(loop.loaders for loop in fact.context.passes))
    return not passed or bool(passed & shared)


def _mixes(job: Job) -> bool:
    """Whether somewhere a shard is computed with together with a tensor that is no shard of a batch."""
    for node, value in job.facts.values.items():
        if isinstance(node, (ast.BinOp, ast.Compare)) and value.form is not Form.REPLICATED:
            parts = (node.left, *(node.comparators if isinstance(node, ast.Compare) else (node.right,)))
            if _is_mixed([job.value(part) for part in parts]):
                return True
    return any(fact.context.passes and _is_mixed(_given(fact)) for fact in job.calls)


def _given(fact: CallFact) -> list[Value]:
    """The tensors that a call is given."""
    owner = () if fact.receiver is None or fact.receiver.kind is not Kind.TENSOR else (fact.receiver,)
    return [*owner, *_parts(fact)]


def _is_mixed(given: list[Value]) -> bool:
    shards = any(v.form is Form.SHARDED for v in given)
    others = (v for v in given if v.placement.is_equal or v.form is Form.LOCAL)
    return shards and any(v.kind is Kind.TENSOR and not v.scalar and PARAMETER not in v.tags for v in others)


# ---------------------------------------------------------------------- shares of sizes


def _sizes(job: Job, call: ast.Call, origins: frozenset[int]) -> Iterator[ast.expr]:
    """The expressions in a call that are the batch size."""
    given = arguments_of(call)
    parts = (part for each in given for part in (each.elts if isinstance(each, (ast.Tuple, ast.List)) else [each]))
    yield from (part for part in parts if job.value(part).origins & origins)


def _is_written(job: Job, size: ast.expr) -> bool:
    """Whether a size is that of the global batch as the script has it, and no attribute of a loader."""
    return not (isinstance(size, ast.Attribute) and job.value(size.value).kind is Kind.LOADER)


def _shared(job: Job, call: ast.Call, origins: frozenset[int]) -> Iterator[Answer]:
    here = job.at(call)
    code = Code("", (here.target.engine,))
    for size in _sizes(job, call, origins):
        edit = Wrap(here.span(size), "", f" // {here.target.world_size}")
        yield job.change(NAME, "as many rows as a process has of the batch", size, [edit], code)


# ---------------------------------------------------------------------- cuts


def _cutting(job: Job, origins: frozenset[int]) -> Iterator[Answer]:
    """The batch size as a bound, or in a comparison."""
    for node in _in_step(job):
        value = job.facts.values.get(node)
        if value is not None and value.kind is Kind.NUMBER and value.origins & origins and isinstance(node, ast.expr):
            parent = job.parent(node)
            if any(isinstance(each, ast.Subscript) and job.value(each.value).placement.whole
                   for each in job.ancestors(node)):  # fmt: skip
                continue
            sliced = isinstance(parent, (ast.Slice, ast.Compare, ast.Subscript))
            if isinstance(parent, ast.Compare) and resets(job, parent, job.fills):
                continue  # right by the rows of all processes, see decisions, and right by those of one
            if sliced or (isinstance(parent, ast.Call) and getattr(parent.func, "id", "") == "range"):
                yield _checked(job, node) if isinstance(parent, ast.Compare) else _refused(job, node, "to cut a batch")
                return


def _in_step(job: Job) -> Iterator[ast.AST]:
    """The training loop's own expressions."""
    for step in job.anatomy.steps:
        for statement in body_of(step.loop):
            yield from walk(statement)


def _refused(job: Job, node: ast.AST, how: str) -> Answer:
    message = f"the batch size is used {how}; each process has only its share of it."
    return job.refuse(NAME, message, node, _ADVICE, effort="one line")


def _checked(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "the batch size is used to check a batch; each process has only its share of it.",
        node,
        "Give the DataLoader drop_last=True if a last batch that is too short is to be left out.",
        effort="one line",
    )


def _parts(fact: CallFact) -> Iterator[Value]:
    for value in (*fact.args, *fact.keywords.values()):
        yield value
        yield from value.items


def _listed(job: Job, fact: CallFact) -> Iterator[Value]:
    """What lists among the arguments hold: ``torch.ones([batch_size, 1])``."""
    elements = job.facts.elements
    yield from (elements[node] for node in arguments_of(fact.node) if node in elements)
