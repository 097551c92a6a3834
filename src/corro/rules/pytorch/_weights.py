"""Shared by rules: what a process's share of a batch weighs, where shares are of unequal size.

A mean over a share, times the number of samples in it, times the number of processes, divided by the number of samples
in the global batch: the average of these over the processes is the mean over the global batch.
"""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.sites import Role
from corro.classes import dataclass
from corro.rules.reducing import parts_of_dict
from corro.source import After, Before, arguments_of, parenthesised, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import Accumulation
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "weight"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.While)
_BLOCKS = ("body", "orelse", "finalbody")


class Origin(Enum):
    """What a mean over samples is made of: nothing of the kind, this step's, those weighed before, or not known."""

    NONE = "none"
    STEP = "step"
    WEIGHED = "weighed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Weighing:
    """A place where the weight of a share is computed.

    Args:
        statement: the statement that it stands in front of.
        batch: the name of a tensor with the samples of the share.
        behind: whether it stands behind the statement instead.
    """

    statement: ast.stmt
    batch: str
    behind: bool


def shared_unevenly(job: Job) -> frozenset[int]:
    """The numbers of the loaders whose batches are shared out in parts of unequal size."""
    return frozenset(site.number for site in job.training_sites() if site.role is Role.TRAINING)


def is_uneven_mean(job: Job, value: Value) -> bool:
    """Whether this is a mean over a share that may be larger or smaller than those of others."""
    return job.uneven and value.form is Form.MEAN and bool(value.sources & shared_unevenly(job))


def times_weight(job: Job, node: ast.expr, value: Value) -> str | None:
    """The factor for a mean of this step; ``None`` where no tensor tells how many samples it is of."""
    found = _weighing(job, node, value)
    if found is None:
        return None
    job.weighings[found.statement, found.behind] = found
    return job.names_of(node).fresh(NAME)


def weighed_text(job: Job, node: ast.expr) -> str | None:
    """A mean, or a list of means, that is about to be averaged over the processes; ``None`` where that is not exact."""
    text, value = job.segment(node), job.value(node)
    if any(is_uneven_mean(job, part) for part in parts_of_dict(job, node).values()):
        return None
    elements = job.facts.elements.get(node) if value.kind is Kind.LIST else None
    if not is_uneven_mean(job, elements if elements is not None else value):
        return text
    origin = origin_of(job, node)
    if origin is Origin.WEIGHED:
        return text
    factor = times_weight(job, node, value) if origin is Origin.STEP else None
    return None if factor is None else f"{parenthesised(job.file_of(node), node)} * {factor}"


def is_weighed(job: Job, fact: Accumulation) -> bool:
    """Whether a sum over the steps of a pass is one of weighed means."""
    written = ((each.target.replace("'", '"'), each.statement) for each in summands(job))
    found = (statement for name, statement in written if name == fact.variable and _holds(fact.loop, statement))
    return not is_uneven_mean(job, fact.value) or next(found, None) is not None


# ---------------------------------------------------------------------- sums over steps


@dataclass(frozen=True, eq=False)
class Summand:
    """A mean that is added to a variable, or appended to a list, which goes on from step to step.

    Args:
        statement: the statement that does so.
        target: the text of the variable or list.
        mean: the mean.
    """

    statement: ast.stmt
    target: str
    mean: ast.expr


def summands(job: Job) -> tuple[Summand, ...]:
    """All means that are added up over the steps, and can be weighed there."""
    return job.summands


def find_summands(job: Job) -> Iterator[Summand]:
    """See ``summands``."""
    for node in job.nodes.of(ast.AugAssign, ast.Assign, ast.Expr):
        match node:
            case ast.AugAssign(target=target) if _goes_on(job, node, target):
                yield from (Summand(node, job.segment(target), mean) for mean in _added(job, node))
            case ast.Assign(targets=[target], value=ast.BinOp() as added) if _goes_on(job, node, target):
                if job.segment(target) in {job.segment(part) for part in ast.walk(added) if isinstance(part, ast.expr)}:
                    yield from (Summand(node, job.segment(target), mean) for mean in _means(job, added))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[added])):
                if job.value(owner).kind is Kind.LIST and _goes_on(job, node, owner):
                    yield from (Summand(node, job.segment(owner), mean) for mean in _means(job, added))


def _added(job: Job, statement: ast.AugAssign) -> Iterator[ast.expr]:
    return _means(job, statement.value) if isinstance(statement.op, (ast.Add, ast.Sub)) else iter(())


def _means(job: Job, node: ast.expr) -> Iterator[ast.expr]:
    """The largest terms of a sum that are means of this step alone. A mean in a product may be one of a sum."""
    value = job.value(node)
    if is_uneven_mean(job, value) and not value.carry and not value.mixed:
        yield node
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from (*_means(job, node.left), *_means(job, node.right))


def _goes_on(job: Job, statement: ast.stmt, target: ast.expr) -> bool:
    """Whether a variable is kept from one step of a pass to the next: nothing in the pass sets it otherwise."""
    loop = _pass_around(job, statement)
    if loop is None or not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        return False
    text = job.segment(target)
    stores = [
        job.statement(part)
        for part in walk(loop)
        if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript))
        and isinstance(part.ctx, (ast.Store, ast.Del))
        and job.segment(part) == text
    ]
    return all(each is statement or _is_linear(job, each) for each in stores)


def _is_linear(job: Job, statement: ast.stmt) -> bool:
    """Whether a statement adds to a variable what is weighed or needs no weight, or begins anew."""
    if isinstance(statement, ast.Assign):
        parts = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        return all(isinstance(part, ast.Constant) for part in parts)
    if not isinstance(statement, ast.AugAssign):
        return False
    return not is_uneven_mean(job, job.value(statement.value)) or any(_added(job, statement))


def _pass_around(job: Job, node: ast.AST) -> ast.For | ast.While | None:
    """The innermost pass over batches around a node, in its own function."""
    for above in job.ancestors(node):
        if isinstance(above, _FUNCTIONS):
            return None
        if isinstance(above, _LOOPS) and job.anatomy.pass_of(above) is not None:
            return above
    return None


def _step_around(job: Job, node: ast.AST) -> ast.AST | None:
    """The pass around a node, or the function that is called in one."""
    return _pass_around(job, node) or _function(job, node)


# ---------------------------------------------------------------------- what a mean is made of


def origin_of(job: Job, node: ast.expr) -> Origin:
    """What the means in an expression are made of."""
    value = job.value(node)
    listed = value.kind is Kind.LIST
    if not listed and not is_uneven_mean(job, value):
        return Origin.NONE
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and job.segment(node) in _weighed_at(job, node):
        return Origin.WEIGHED
    if listed:
        return Origin.UNKNOWN
    if isinstance(node, ast.Name):
        return Origin.STEP if _is_of_step(job, node) else Origin.UNKNOWN
    if isinstance(node, ast.Subscript):
        return Origin.UNKNOWN
    if isinstance(node, ast.Attribute):
        return origin_of(job, node.value) if job.value(node.value).kind is Kind.TENSOR else Origin.UNKNOWN
    inner = {origin_of(job, part) for part in _operands(node)} - {Origin.NONE}
    if len(inner) > 1:
        return Origin.UNKNOWN
    if inner:
        return inner.pop()
    return Origin.STEP if _step_around(job, node) is not None and _is_made_here(job, node) else Origin.UNKNOWN


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        yield from ((node.func.value,) if isinstance(node.func, ast.Attribute) else ())
        yield from arguments_of(node)
    else:
        yield from (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


def _is_made_here(job: Job, node: ast.expr) -> bool:
    """Whether an expression makes a mean of samples, in a function of the script or of a library."""
    operands = list(_operands(node))
    if not any(job.value(part).form is Form.SHARDED for part in operands):
        return False
    function = job.facts.functions.get(job.value(node.func).obj) if isinstance(node, ast.Call) else None
    returned = [part.value for part in walk(function) if isinstance(part, ast.Return)] if function is not None else []
    return all(each is not None and not _is_kept(job, each) for each in returned)


def _is_kept(job: Job, returned: ast.expr) -> bool:
    """Whether a function gives something of an object, which may be of earlier steps."""
    return any(
        is_uneven_mean(job, job.value(part)) and isinstance(part, (ast.Attribute, ast.Subscript))
        and job.value(part.value).kind is not Kind.TENSOR
        for part in walk(returned)
    )  # fmt: skip


def _is_of_step(job: Job, node: ast.Name) -> bool:
    """Whether a name is set anew in each step, before it is read, from means of this step."""
    step = _step_around(job, node)
    if step is None:
        return False
    names = (part for part in walk(step) if isinstance(part, ast.Name) and part.id == node.id)
    values = [job.value(part) for part in names if isinstance(part.ctx, ast.Store)]
    return bool(values) and not any(each.carry or each.mixed for each in values)


def _weighed_at(job: Job, node: ast.expr) -> frozenset[str]:
    """The texts of the variables of weighed sums in the function of a node; attributes count everywhere in a file."""
    here, file = _function(job, node), job.file_of(node)
    return frozenset(
        each.target
        for each in summands(job)
        if job.file_of(each.statement) is file and ("." in each.target or _function(job, each.statement) is here)
    )


def _function(job: Job, node: ast.AST) -> ast.AST | None:
    return next((above for above in job.ancestors(node) if isinstance(above, _FUNCTIONS)), None)


# ---------------------------------------------------------------------- where it is computed


def _weighing(job: Job, node: ast.expr, value: Value) -> Weighing | None:
    """The first place on the way to a node, within its pass, at which a tensor of the share has a name."""
    below: list[ast.AST] = [node]
    for above in job.ancestors(node):
        below.append(above)
        region = isinstance(above, (*_LOOPS, *_FUNCTIONS, ast.Module))
        if not region:
            continue
        found = next(_candidates(job, above, below, value), None)
        if found is not None:
            return found
        if isinstance(above, _LOOPS) and job.anatomy.pass_of(above) is not None:
            return None
    return None


def _candidates(job: Job, region: ast.AST, below: Sequence[ast.AST], value: Value) -> Iterator[Weighing]:
    """The places in a loop or function from which a node, with all above it, is always reached."""
    body: list[ast.stmt] = getattr(region, "body", [])
    first = next((each for each in body if not _is_docstring(each)), body[-1])
    for name in _bound_by(region):
        if _tells(job, name, value):
            yield Weighing(first, name.id if isinstance(name, ast.Name) else name.arg, behind=False)
    for owner in reversed(below):
        if owner is region or (region in job.ancestors(owner) and isinstance(owner, ast.stmt)):
            for block in (getattr(owner, each, None) for each in _BLOCKS):
                inside = next((each for each in block if each in below), None) if isinstance(block, list) else None
                before = block[: block.index(inside)] if isinstance(block, list) and inside is not None else []
                for statement in before:
                    yield from _behind(job, statement, value)


def _behind(job: Job, statement: ast.stmt, value: Value) -> Iterator[Weighing]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    for name in (part for target in targets for part in walk(target) if isinstance(part, ast.Name)):
        if _tells(job, name, value):
            yield Weighing(statement, name.id, behind=True)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _bound_by(region: ast.AST) -> Iterator[ast.Name | ast.arg]:
    """The names that a loop or a function gives values to."""
    if isinstance(region, ast.For):
        yield from (part for part in walk(region.target) if isinstance(part, ast.Name))
    if isinstance(region, _FUNCTIONS):
        yield from (*region.args.posonlyargs, *region.args.args, *region.args.kwonlyargs)


def _tells(job: Job, name: ast.Name | ast.arg, value: Value) -> bool:
    """Whether a name is that of a tensor with a row for each sample of the share, wherever it is read."""
    known = [job.value(name)] if isinstance(name, ast.Name) else _read(job, name)
    return bool(known) and all(
        each.kind is Kind.TENSOR
        and each.form is Form.SHARDED
        and each.batch_dim == 0
        and each.sources == value.sources
        and each.sources <= shared_unevenly(job)
        for each in known
    )


def _read(job: Job, argument: ast.arg) -> list[Value]:
    """What an argument of a function is where it is read first."""
    function = next(above for above in job.ancestors(argument) if isinstance(above, _FUNCTIONS))
    names = [part for part in walk(function) if isinstance(part, ast.Name) and part.id == argument.arg]
    stored = any(isinstance(part.ctx, ast.Store) for part in names)
    return [] if stored else [job.value(part) for part in names]


def _holds(loop: ast.AST, statement: ast.AST) -> bool:
    return any(part is statement for part in walk(loop))


def edit_of(job: Job, weighing: Weighing, function: str) -> Edit:
    """The statement that computes the weight."""
    text = f"{job.names_of(weighing.statement).fresh(NAME)} = {function}({weighing.batch})"
    return After(weighing.statement, text) if weighing.behind else Before(weighing.statement, text, order=-50)
