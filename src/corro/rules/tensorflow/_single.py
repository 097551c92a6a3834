"""Shared by rules: a step that is made once, outside of loops, beside a loop that makes the same step.

Such a step is averaged as those of the loop are if its batch is a part of one that all processes take together, each
as many samples as the others: the next batch of the pipeline that the loop passes over, whose samples are dealt out in
equal parts. Anything less sure is no single step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.batch_sources import ROWS
from corro.frontends.keras.semantics import BATCHNORM, NOISE
from corro.frontends.tensorflow.gradients import minimizes, pipelines
from corro.rules.tensorflow.pipelines import Looped
from corro.source import position

if TYPE_CHECKING:
    from corro.flow.facts import CallFact, Context, Frame, Loop
    from corro.flow.values import Value
    from corro.rules.tensorflow._job import Job

_NEXT = frozenset({"next", "builtins.next"})
_ITER = frozenset({"iter", "builtins.iter"})
_LOADS = frozenset({"load_weights", "set_weights", "restore", "adapt"})


def is_single(job: Job, fact: CallFact) -> bool:
    """Whether a gradient is computed once, before a loop that computes it too, from a batch that is shared out."""
    loop = _loop_of(job, fact)
    if loop is None or fact.context.loops or not is_surely_reached(fact.context) or minimizes(fact):
        return False
    if job.sharing is None or not job.is_strong or job.anatomy.fits or job.anatomy.others or job.facts.batches:
        return False
    if any(other.context.passes and other.order < fact.order for other in job.updates):
        return False
    return not _differs_by_itself(job) and _is_dealt_out(job, loop) and _takes_from(job, fact, loop)


def is_surely_reached(context: Context) -> bool:
    """Whether all processes get there: no condition on the way is data-dependent or differs."""
    return all(t.value.placement.is_equal and not t.value.placement.data_dependent for t in context.tests)


def in_frame(node: ast.AST, frame: Frame, wanted: Frame) -> ast.AST:
    """The node itself, or the call in a frame further out through which it is reached."""
    for each in reversed(frame.path()):
        if each is wanted or each.number == wanted.number:
            return node
        if each.call is not None:
            node = each.call
    return node


def frame_of(job: Job, fact: CallFact) -> Frame | None:
    """Where the loop stands that makes the same step, if a single step is reached from there too."""
    loop = _loop_of(job, fact)
    around = [each.number for each in fact.context.frame.path()]
    return loop.frame if loop is not None and loop.frame.number in around else None


def _loop_of(job: Job, fact: CallFact) -> Loop | None:
    """The one loop over batches, in no other one, in which the same gradient is computed."""
    found = [f.context.passes for f in job.updates if f.node is fact.node and f.context.passes]
    loops = {passes[-1].node: passes[-1] for passes in found}
    return next(iter(loops.values())) if len(loops) == 1 and all(len(passes) == 1 for passes in found) else None


def _differs_by_itself(job: Job) -> bool:
    """Whether something goes its own way on each process, by chance or by moving averages, or weights are loaded."""
    for fact in job.calls:
        layer = fact.result.kind in (Kind.LAYER, Kind.MODULE) and bool({BATCHNORM, NOISE} & fact.result.tags)
        if layer or fact.name in _LOADS or ("random" in fact.result.tags and fact.context.passes):
            return True
    return False


def _is_dealt_out(job: Job, loop: Loop) -> bool:
    """Whether the samples of a loop's only pipeline are dealt out before they are batched."""
    found = list(pipelines(loop.iterable))
    known = len(found) == 1 and loop.iterable.name != ROWS
    return known and not Looped(job, loop, found[0], set()).goes_by_batch


def _takes_from(job: Job, fact: CallFact, loop: Loop) -> bool:
    """Whether the step is called as it is in the loop, with what ``next(iter(pipeline))`` gave."""
    frame = frame_of(job, fact)
    inside = next(f for f in job.updates if f.node is fact.node and f.context.passes)
    if frame is None:
        return False
    here, there = (in_frame(fact.node, f.context.frame, frame) for f in (fact, inside))
    if here is fact.node or not isinstance(here, ast.Call) or not isinstance(there, ast.Call):
        return False
    if not _are_alike(job, here, there) or not _are_losses_alike(fact, inside):
        return False
    parts = [each for each in _given(here).values() if job.value(each).sources]
    loss = fact.argument(0, "target")
    sources = frozenset[int]().union(*(job.value(each).sources for each in parts))
    whole = loss is not None and bool(sources) and sources == loss.sources == loop.loaders
    return whole and all(_is_taken(job, each, here, loop) for each in parts)


def _given(call: ast.Call) -> dict[int | str | None, ast.expr]:
    return {**dict(enumerate(call.args)), **{k.arg: k.value for k in call.keywords}}


def _are_alike(job: Job, here: ast.Call, there: ast.Call) -> bool:
    """Whether two calls are of one function, with arguments that are the same kinds of parts of a batch, or equal."""
    ours, theirs = _given(here), _given(there)
    return (
        ast.dump(here.func) == ast.dump(there.func)
        and ours.keys() == theirs.keys()
        and all(_form(job.value(node)) == _form(job.value(theirs[key])) for key, node in ours.items())
    )


def _form(value: Value) -> object:
    return value.placement.form, value.sources, value.batch_dim


def _are_losses_alike(fact: CallFact, inside: CallFact) -> bool:
    ours, theirs = fact.argument(0, "target"), inside.argument(0, "target")
    return ours is not None and theirs is not None and _form(ours) == _form(theirs)


def _is_taken(job: Job, node: ast.expr, call: ast.Call, loop: Loop) -> bool:
    """Whether a name, or a part of what it stands for, is nothing but a batch taken before a call."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        node = node.value
    if not isinstance(node, ast.Name) or job.names_of(node).binding(node) is not job.names_of(call).scope(call):
        return False
    same = (n for n in job.nodes.of(ast.Name) if n.id == node.id)
    own = (
        n
        for n in same
        if not isinstance(n.ctx, ast.Load) and job.names_of(n).binding(n) is job.names_of(node).binding(node)
    )
    stores = [n for n in own if position(n) < position(call)]
    return bool(stores) and all(_takes(job, job.statement(store), loop) for store in stores)


def _takes(job: Job, statement: ast.stmt, loop: Loop) -> bool:
    """``images, labels = next(iter(train))``, which all processes pass."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    for fact in job.calls_of(value) if isinstance(value, ast.Call) else ():
        made = fact.node.args[0] if len(fact.node.args) == 1 else None
        facts = job.calls_of(made) if isinstance(made, ast.Call) else ()
        of_pipeline = [f.args[0] for f in facts if f.name in _ITER and len(f.args) == 1]
        known = bool(of_pipeline) and all(v.kind is Kind.DATASET and v.sites == loop.loaders for v in of_pipeline)
        if fact.name not in _NEXT or not known or fact.context.loops or not is_surely_reached(fact.context):
            return False
    return isinstance(value, ast.Call) and bool(job.calls_of(value))
