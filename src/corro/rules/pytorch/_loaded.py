"""Shared by rules: what becomes of what a file of PyTorch's gives, followed from the call that loads it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.pytorch._job import Job

_RESHAPING = frozenset({"view", "reshape", "unsqueeze", "squeeze", "repeat", "expand", "transpose", "permute", "T"})
_ON_SAME_DEVICE = _RESHAPING | {"clone", "detach", "float", "double", "half", "long", "contiguous", "requires_grad_"}
"""Attributes and methods of a tensor that give one on the same device."""
_OF_MODELS = frozenset({"eval", "train", "forward"})
"""Methods of a whole model, which is no weights."""
_TAKING = frozenset({"get", "pop", "values", "items", "data"})
"""Those that take something of a dict, or of a tensor."""
_KEEPING = ("torch.save", "torch.utils.", "torch.is_", "torch.tensor", "torch.as_tensor", "torch.from_numpy")
_NOT_COMPUTING = (*_KEEPING, "torch.cuda.", "torch.set_rng_state", "torch.random.")
"""Functions, and modules of them, that take tensors of any device, or none."""

_MADE = (Kind.MODULE, Kind.LAYERS, Kind.OPTIMIZER, Kind.SCHEDULER)
"""What is made of numbers, or is moved after it was made."""


def meets_device(job: Job, loaded: ast.Call) -> bool:
    """Whether something of a loaded file is used as it is where other tensors are: by a model, or in computing.

    A state dict that is loaded, and a tensor that is moved, may be on any device before that.
    """
    pending: list[ast.expr] = [loaded]
    seen: set[ast.expr] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if _is_computed_with(job, node):
            return True
        pending += _next(job, node)
    return False


def _is_computed_with(job: Job, node: ast.expr) -> bool:
    """Whether the expression around a value uses it together with tensors, or as a model."""
    parent = job.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr in _OF_MODELS:
        return True
    if isinstance(parent, ast.Call) and parent.func is node:
        return True
    user = _user(job, node)
    if isinstance(user, ast.Call):
        called = job.value(user.func)
        names = job.names_of(user.func).qualified(user.func)
        of_torch = bool(names) and all(name.startswith("torch.") for name in names)
        computes = of_torch and not any(name.startswith(_NOT_COMPUTING) for name in names)
        return called.kind in (Kind.MODULE, Kind.LOSS) or (computes and job.value(user).kind not in _MADE)
    if isinstance(user, ast.BinOp):
        return job.value(user.right if user.left is node else user.left).kind is Kind.TENSOR
    if isinstance(user, ast.Assign) and user.value is node:
        return any(isinstance(each, ast.Attribute) and _is_of_model(job, each) for each in user.targets)
    return False


def _is_of_model(job: Job, target: ast.Attribute) -> bool:
    """Whether an attribute is that of a model, or the values of one of its parameters."""
    return job.value(target.value).kind is Kind.MODULE or (
        target.attr == "data" and isinstance(target.value, ast.Attribute) and _is_of_model(job, target.value)
    )


def _user(job: Job, node: ast.expr) -> ast.AST | None:
    """What uses a value: what it is an argument of, by itself or in a list, or else what it stands in."""
    inner: ast.AST = node
    above = job.parent(node)
    while isinstance(above, (ast.List, ast.Tuple, ast.Starred, ast.keyword)):
        inner, above = above, job.parent(above)
    if isinstance(above, ast.Call):
        return above if inner is not above.func else None
    return job.parent(node)


def _next(job: Job, node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that a value goes on to: what is taken of it, and the names that it is given."""
    parent = job.parent(node)
    if isinstance(parent, ast.Subscript):
        yield from (parent,) if parent.value is node else ()
    elif isinstance(parent, (ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Tuple, ast.List)):
        yield parent
    elif isinstance(parent, ast.Attribute) and parent.attr in _ON_SAME_DEVICE | _TAKING:
        above = job.parent(parent)
        yield above if isinstance(above, ast.Call) and above.func is parent else parent
    elif isinstance(parent, ast.Return):
        function = next((a for a in job.ancestors(parent) if isinstance(a, (ast.FunctionDef, ast.Lambda))), None)
        calls = ((fact.node, job.value(fact.node.func).obj) for fact in job.calls)
        yield from (call for call, called in calls if function and job.facts.functions.get(called) is function)
    elif isinstance(parent, (ast.Call, ast.keyword)):
        yield from _parameter(job, node)
    for target in _targets(parent, node):
        yield from _uses(job, target)


def _targets(parent: ast.AST | None, node: ast.expr) -> Iterator[ast.expr]:
    """What is bound to a value, or to what is in it, by what it stands in."""
    targets: list[ast.expr] = []
    if isinstance(parent, ast.Assign) and parent.value is node:
        targets = parent.targets
    elif isinstance(parent, ast.NamedExpr) or (
        isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node
    ):
        targets = [parent.target]
    for target in targets:
        yield from target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _uses(job: Job, target: ast.expr) -> Iterator[ast.expr]:
    """Where a name, or an attribute as it is written in the same file, is read."""
    found: Iterable[ast.expr] = ()
    if isinstance(target, ast.Name):
        names = job.names_of(target)
        uses = names.uses(target.id, names.binding(target))
        stores = [use for use in uses if isinstance(use.ctx, ast.Store) and use is not target]
        found = (use for use in uses if not any(_is_anew(job, target, store, use) for store in stores))
    elif isinstance(target, ast.Attribute):
        text, file = job.segment(target), job.file_of(target)
        alike = (each for each in job.nodes.of(ast.Attribute) if each.attr == target.attr)
        found = (each for each in alike if job.file_of(each) is file and job.segment(each) == text)
    yield from (use for use in found if isinstance(getattr(use, "ctx", None), ast.Load))


def _is_anew(job: Job, target: ast.Name, store: ast.Name, use: ast.Name) -> bool:
    """Whether a name that has a value is bound again, in a loop that it was bound in front of, before it is read."""
    place = job.statement(store)
    block = place if isinstance(place, ast.For) and store in set(ast.walk(place.target)) else job.parent(place)
    if not isinstance(block, (ast.For, ast.While)) or block in job.ancestors(target):
        return False
    return block in job.ancestors(use) and job.span(store).start < job.span(use).start


def _parameter(job: Job, node: ast.expr) -> Iterator[ast.expr]:
    """Where a function of the script's own reads what it is given."""
    above = job.parent(node)
    call = job.parent(above) if isinstance(above, ast.keyword) else above
    if not isinstance(call, ast.Call) or call.func is node:
        return
    value = job.value(call.func)
    function = job.facts.functions.get(value.obj)
    if not isinstance(function, ast.FunctionDef):
        return
    places = [*function.args.posonlyargs, *function.args.args][1 if value.items else 0 :]
    if isinstance(above, ast.keyword):
        name = above.arg
    else:
        place = call.args.index(node)
        name = places[place].arg if place < len(places) else None
    names = job.names_of(function)
    if name is not None:
        yield from (use for use in names.uses(name, names.body(function)) if isinstance(use.ctx, ast.Load))
