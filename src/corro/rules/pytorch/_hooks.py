"""Which hooks on a forward pass are gone before any batch comes: a summary of layers by one pass of a made-up input.

Each handle is kept in a name or a list of one function, which removes them all on its way out; what is run meanwhile is
equal on all processes, so what the hook keeps is, too. Everything else about a hook that stays is not known.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.rules.places import handlers, way
from corro.rules.rank_0_first import SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import CallFact, Frame
    from corro.rules.pytorch._job import Job

FORWARD_HOOKS = frozenset({"register_forward_hook", "register_forward_pre_hook"})

_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
"""What leaves a function, for good or for a while."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """Where handles are kept: ``uses`` are all that a function does with the name."""

    function: ast.FunctionDef
    uses: tuple[ast.Name, ...]


def is_brief(job: Job, fact: CallFact) -> bool:
    """Whether a hook is removed by the function that has registered it, and sees only what is equal meanwhile."""
    hooked = fact.receiver is not None and fact.receiver.kind is Kind.MODULE
    kept = _kept(job, fact.node) if hooked and not fact.context.passes and _only_looks(job, fact) else None
    removal = _removal(job, kept) if kept is not None else None
    if kept is None or removal is None or not _are_before(job, fact.node, kept, removal):
        return False
    frames = [frame for frame in fact.context.frame.path() if frame.scope.node is kept.function]
    stays = next(handlers(job, way(fact)), None) is not None  # where what is raised on the way is caught
    return bool(frames) and not stays and all(_is_equal(job, each) for each in frames)


def _only_looks(job: Job, fact: CallFact) -> bool:
    """Whether the hook is a function of the script's own that gives nothing in place of what the module gives."""
    hook = fact.argument(0, "hook")
    known = hook is not None and hook.kind is Kind.FUNCTION and len(fact.args) == 1 and not fact.keywords
    body = job.facts.functions.get(hook.obj) if known and hook is not None else None
    if not isinstance(body, ast.FunctionDef) or body.decorator_list:
        return False
    own = tuple(_own(body))
    given = [node for node in own if isinstance(node, ast.Return) and node.value is not None]
    return not given and not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own)


def _own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What a function runs itself: nothing of the functions in it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))


# ---------------------------------------------------------------------- where handles are


def _kept(job: Job, call: ast.Call) -> _Kept | None:
    """The name that a handle is put into, where a function has it for that alone."""
    holder, names = job.parent(call), job.names_of(call)
    name: ast.AST | None = None
    if isinstance(holder, ast.Assign) and len(holder.targets) == 1:
        name = holder.targets[0]
    elif isinstance(holder, ast.Call) and isinstance(holder.func, ast.Attribute) and holder.func.attr == "append":
        name = holder.func.value if isinstance(job.parent(holder), ast.Expr) else None
    scope = names.binding(name) if isinstance(name, ast.Name) else None
    if not isinstance(name, ast.Name) or scope is None or not isinstance(scope.node, ast.FunctionDef):
        return None
    uses = names.uses(name.id, scope)
    made = [job.parent(use) for use in uses if not isinstance(use.ctx, ast.Load)]
    once = len(scope.values[name.id]) == 1 and all(statement in scope.node.body for statement in made)
    return _Kept(scope.node, uses) if once else None


def _removal(job: Job, kept: _Kept) -> ast.stmt | None:
    """The statement of the function that removes all handles, if nothing else is done with them."""
    found = [statement for name in kept.uses if (statement := _removing(job, name)) is not None]
    others = [name for name in kept.uses if _removing(job, name) is None and not _is_keeping(job, name)]
    if len(found) != 1 or others or found[0] not in kept.function.body:
        return None
    return found[0]


def _removing(job: Job, name: ast.Name) -> ast.stmt | None:
    """``name.remove()``, or a loop over ``name`` that does this and nothing else with each."""
    parent = job.parent(name)
    if isinstance(parent, ast.For) and parent.iter is name and not parent.orelse and len(parent.body) == 1:
        target, only = parent.target, _removed(parent.body[0])
        return parent if isinstance(target, ast.Name) and only is not None and only.id == target.id else None
    statement = next((each for each in job.ancestors(name) if isinstance(each, ast.stmt)), None)
    return statement if statement is not None and _removed(statement) is name else None


def _removed(statement: ast.stmt) -> ast.Name | None:
    """The name in ``name.remove()``."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="remove"), args=[])):
            return name
    return None


def _is_keeping(job: Job, name: ast.Name) -> bool:
    """``name = []``, ``name = module.register_forward_hook(...)`` or ``name.append(...)`` of such a call."""
    parent = job.parent(name)
    if isinstance(parent, ast.Assign) and parent.targets == [name]:
        empty = isinstance(parent.value, ast.List) and not parent.value.elts
        return empty or _registers(parent.value)
    call = job.parent(parent) if isinstance(parent, ast.Attribute) and parent.attr == "append" else None
    return isinstance(call, ast.Call) and call.func is parent and all(map(_registers, call.args))


def _registers(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FORWARD_HOOKS


# ---------------------------------------------------------------------- when they are removed


def _are_before(job: Job, call: ast.Call, kept: _Kept, removal: ast.stmt) -> bool:
    """Whether a hook is registered in front of its removal alone, and nothing leaves the function in between."""
    body = kept.function.body
    before, after = body[: body.index(removal)], body[body.index(removal) :]
    leaving = [node for node in _own(kept.function) if isinstance(node, _LEAVING)]
    if kept.function.decorator_list or not all(_is_in(job, node, after) for node in leaving):
        return False
    inner = next((each for each in job.ancestors(call) if isinstance(each, SCOPES)), None)
    if inner is kept.function:
        return _is_in(job, call, before)
    return isinstance(inner, ast.FunctionDef) and inner in body and _is_run_before(job, inner, before)


def _is_in(job: Job, node: ast.AST, statements: Sequence[ast.stmt]) -> bool:
    return node in statements or any(each in statements for each in job.ancestors(node))


def _is_run_before(job: Job, inner: ast.FunctionDef, before: Sequence[ast.stmt]) -> bool:
    """Whether a function within is only called, or applied to the parts of a module, in some statements."""
    names = job.names_of(inner)
    uses = [name for name in names.uses(inner.name, names.scope(inner)) if isinstance(name.ctx, ast.Load)]
    return not inner.decorator_list and all(_is_in(job, use, before) and _is_run(job, use) for use in uses)


def _is_run(job: Job, use: ast.Name) -> bool:
    call = job.parent(use)
    if not isinstance(call, ast.Call):
        return False
    method = call.func if isinstance(call.func, ast.Attribute) and call.args == [use] else None
    applied = method is not None and method.attr == "apply" and job.value(method.value).kind is Kind.MODULE
    return call.func is use or applied


def _is_equal(job: Job, frame: Frame) -> bool:
    """Whether all that is called in an activation is given, and gives, what is equal on all processes."""
    for fact in job.calls:
        if frame in fact.context.frame.path():
            given = (*fact.args, *fact.keywords.values(), fact.result)
            if fact.context.passes or not all(each.placement.is_equal for each in given):
                return False
            if not all(each.is_equal for each in fact.depends):
                return False
    return True
