"""Shared by rules: what nn.DataParallel moves to the GPU by itself, and what a script moves.

Source: ``torch/nn/parallel/data_parallel.py``, ``scatter_kwargs``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.making import PARALLEL
from corro.rules.places import blocks
from corro.rules.pytorch._devices import uses_gpu
from corro.source import After, arguments_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

Conditions = frozenset[tuple[str, object]]
"""Texts of conditions, with what binds the variables that they are."""

_CALLS = frozenset({"", "forward", "__call__"})
_HOOK = """\
{model}.register_forward_pre_hook(
    lambda own, given: tuple(x.to(next(own.parameters()).device) if hasattr(x, "to") else x for x in given)
)"""


def moved_inputs(job: Job, rule: str) -> Iterator[Answer]:
    """Have a model move its inputs where DataParallel did, unless the script does so itself, or can do without.

    A review where that is not all that has to be moved, or no place is found for it.
    """
    wrapped = [node for node in dict.fromkeys(f.node for f in job.calls if f.name in PARALLEL)
               if not _is_for_several_gpus(job, node)]  # fmt: skip
    left = list(_left(job, _conditions(job, wrapped))) if wrapped and uses_gpu(job) else []
    saved = any(fact.name == "torch.save" and _is_model(fact) for fact in job.calls)  # with all that hooks are
    plain = not saved and all(isinstance(x, ast.expr) and job.value(x).kind in _TENSORS for x in left)
    for node in wrapped if left else ():
        statement = job.statement(node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if plain and isinstance(target, (ast.Name, ast.Attribute)):
            edit = After(statement, _HOOK.format(model=job.segment(target)))
            yield job.at(node).change(rule, "the model moves its inputs, as DataParallel did", node, (edit,))
            continue
        message = "DataParallel moved the inputs of the model to the GPU; without it they stay where they are."
        yield job.at(node).review(rule, message, node, "Move them where they are made, as in x = x.to(device).")


_TENSORS = (Kind.TENSOR, Kind.BATCH)


def _is_for_several_gpus(job: Job, node: ast.Call) -> bool:
    """Whether the script does without on one GPU: ``if torch.cuda.device_count() > 1:``."""
    parent = job.parent(job.statement(node))
    test = parent.test if isinstance(parent, ast.If) and job.statement(node) in parent.body else None
    compared = test.comparators[0] if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Gt) else None
    return isinstance(compared, ast.Constant) and compared.value == 1


def _is_model(fact: CallFact) -> bool:
    return bool(fact.args) and any(each.kind is Kind.MODULE for each in (fact.args[0], *fact.args[0].items))


def _conditions(job: Job, wrapped: list[ast.Call]) -> Conditions:
    """The conditions under which the model is wrapped, where these are the same all along."""
    found = [{_condition(job, test) for test in _around(job, node) if _is_settled(job, test, node)} for node in wrapped]
    return frozenset(set.intersection(*found)) if found else frozenset()


def _condition(job: Job, test: ast.expr) -> tuple[str, object]:
    """What tells a condition: its text, and whose variable it is."""
    return job.segment(test), job.names_of(test).binding(test) if isinstance(test, ast.Name) else None


def _around(job: Job, node: ast.AST) -> Iterator[ast.expr]:
    """The conditions that have to hold where something stands."""
    inner = node
    for above in job.ancestors(node):
        if isinstance(above, ast.If) and inner in above.body:
            yield above.test
        inner = above


def _is_settled(job: Job, test: ast.expr, since: ast.Call) -> bool:
    """Whether a condition is a variable that is set once, or an option that is set nowhere but in front of a call."""
    if isinstance(test, ast.Name):
        return _set_to(job, test) is not None
    if not isinstance(test, ast.Attribute) or job.value(test.value).kind is not Kind.NAMESPACE:
        return False
    same = (node for node in job.mentions.get(test.attr, ()) if isinstance(node, ast.Attribute))
    stores = [job.statement(node) for node in same if not isinstance(node.ctx, ast.Load)]
    return not stores or (len(stores) == 1 and _is_before(job, stores[0], since, frozenset()))


def _set_to(job: Job, name: ast.Name) -> ast.expr | None:
    """What a variable is set to that is set once, by a statement of a function or a file itself."""
    names = job.names_of(name)
    stores = [use for use in names.uses(name.id, names.binding(name)) if not isinstance(use.ctx, ast.Load)]
    made = job.parent(stores[0]) if len(stores) == 1 else None
    plain = isinstance(made, ast.Assign) and isinstance(job.parent(made), (ast.Module, ast.FunctionDef))
    return made.value if isinstance(made, ast.Assign) and plain else None


def _asks_for_gpu(job: Job, test: ast.expr) -> bool:
    """Whether a condition is that there is a GPU: without one, DataParallel moves nothing."""
    asked = _set_to(job, test) if isinstance(test, ast.Name) else test
    return isinstance(asked, ast.Call) and "torch.cuda.is_available" in job.names_of(asked.func).qualified(asked.func)


def _left(job: Job, holding: Conditions) -> Iterator[ast.AST]:
    """What models in DataParallel are given that the script does not surely move before."""
    for fact in job.calls:
        owner = fact.receiver
        if owner is not None and owner.kind is Kind.MODULE and "parallel" in owner.tags and fact.name in _CALLS:
            named = {each.value: each for each in fact.node.keywords}
            yield from (named.get(x, x) for x in arguments_of(fact.node) if not _is_moved(job, x, fact.node, holding))


def _is_moved(job: Job, node: ast.expr, call: ast.Call, holding: Conditions) -> bool:
    """Whether an expression is moved to a device, or its variables, by statements in front of a call, on all paths."""
    if not isinstance(node, ast.Name):
        parts = [each for each in walk(node) if isinstance(each, ast.Name) and job.value(each).kind in _TENSORS]
        return _moves(node) or (bool(parts) and all(_is_moved(job, each, call, holding) for each in parts))
    names = job.names_of(node)
    uses = names.uses(node.id, names.binding(node))
    stored = (job.statement(use) for use in uses if isinstance(use.ctx, ast.Store))
    moving = (each for each in stored if isinstance(each, ast.Assign) and _moves(each.value))
    return any(_is_before(job, each, call, holding) for each in moving)


def _is_before(job: Job, statement: ast.stmt, call: ast.Call, holding: Conditions) -> bool:
    """Whether a statement is always carried out before a call: it stands further up in a block around it.

    Or in an ``if`` there that asks for a GPU, or for what holds where the model is wrapped.
    """
    around = {job.statement(call), *job.ancestors(call)}
    above = job.parent(statement)
    block = next((each for each in blocks(above) if statement in each), [])
    if block and any(each in around for each in block[block.index(statement) + 1 :]):
        return True
    if not isinstance(above, ast.If) or statement not in above.body:
        return False
    holds = _condition(job, above.test) in holding
    return (holds or _asks_for_gpu(job, above.test)) and _is_before(job, above, call, holding)


def _moves(node: ast.expr) -> bool:
    """Whether something is moved to a device, or all items of a tuple are, or it is made there."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(map(_moves, node.elts))
    calls = [each for each in walk(node) if isinstance(each, ast.Call)]
    return any(_is_of_device(each) for each in calls)


def _is_of_device(call: ast.Call) -> bool:
    """``x.cuda()``, ``x.to(device)``, ``torch.zeros(n, device=device)``; neither of the CPU nor to another type."""
    keyword = next((each.value for each in call.keywords if each.arg == "device"), None)
    name = getattr(call.func, "attr", "")
    given = keyword or (call.args[0] if name == "to" and call.args else None)
    typed = isinstance(given, ast.Attribute) and getattr(given.value, "id", "") == "torch"
    on_cpu = isinstance(given, ast.Constant) and given.value == "cpu"
    return name == "cuda" or (given is not None and not typed and not on_cpu)
