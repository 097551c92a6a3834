"""Whether a ``collate_fn`` makes one row of each sample: lists that grow by more, or leave samples out, have others.

The mean of a loss over such rows is one over as many as the samples of a process have happened to give. This is read
from the text of the function, as how often a list grows is no value of its items.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.flow.values import PARTIAL
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.state import Flow
    from corro.flow.values import Value

_Function = ast.FunctionDef | ast.Lambda
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)
_GROWING = frozenset({"append", "extend", "insert"})
_LEAVING = (ast.Continue, ast.Break)


def function_of(flow: Flow, collate: Value) -> _Function | None:
    """The function of the script that puts batches together, or the method by which an object is called."""
    if collate.name == PARTIAL and collate.items:
        return function_of(flow, collate.items[0])
    node = flow.facts.functions.get(collate.obj) or flow.method_node(collate, "__call__")
    return node if isinstance(node, (ast.FunctionDef, ast.Lambda)) else None


def parts_with_other_rows(function: _Function) -> frozenset[object] | None:
    """The positions or keys of what it returns whose rows are not one for each sample; ``None`` stands for all."""
    batch = _batch_of(function)
    if batch is None:
        return frozenset()
    body: list[ast.stmt] = function.body if isinstance(function, ast.FunctionDef) else [ast.Return(function.body)]
    grown = _derived(body, set(_grown(body, batch)))
    returned = [node.value for each in body for node in walk(each) if isinstance(node, ast.Return) and node.value]
    found: set[object] = set()
    for value in returned:
        for key, part in _parts(value):
            if _names(part) & grown or any(map(_is_uneven, _over(part, {batch, *grown}))):
                if key is None:
                    return None
                found.add(key)
    return frozenset(found)


def _batch_of(function: _Function) -> str | None:
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args) if each.arg not in ("self", "cls")]
    return names[0] if names else None


def _parts(value: ast.expr) -> Iterator[tuple[object, ast.expr]]:
    """What is returned, by positions or keys; under ``None`` where it is one thing."""
    if isinstance(value, (ast.Tuple, ast.List)):
        yield from enumerate(value.elts)
    elif isinstance(value, ast.Dict):
        yield from ((getattr(key, "value", None), part) for key, part in zip(value.keys, value.values, strict=True))
    else:
        yield None, value


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _derived(body: Iterable[ast.stmt], grown: set[str]) -> set[str]:
    """With the names that are given something made of them."""
    assigned = [node for each in body for node in walk(each) if isinstance(node, ast.Assign)]
    count = -1
    while count != len(grown):
        count = len(grown)
        for node in assigned:
            if _names(node.value) & grown:
                grown.update(part.id for target in node.targets for part in walk(target) if isinstance(part, ast.Name))
    return grown


def _grown(body: list[ast.stmt], batch: str) -> Iterator[str]:
    """The names of lists that are made of the batch, and do not have an item for each sample."""
    nodes = [node for each in body for node in walk(each)]
    for loop in (node for node in nodes if isinstance(node, ast.For) and _goes_over(node.iter, batch)):
        added_to = {node.target for node in walk(loop) if isinstance(node, ast.AugAssign)}
        stored = (part for part in walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        own = {part.id for part in stored if part not in added_to}
        yield from (name for name, uneven in _growing(loop.body, own) if uneven and name not in own)
    for node in nodes:
        if isinstance(node, ast.Assign) and any(map(_is_uneven, _over(node.value, {batch}))):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _goes_over(node: ast.expr, batch: str) -> bool:
    """Whether a loop goes over the samples: ``batch``, ``enumerate(batch)``, ``range(len(batch))``."""
    if isinstance(node, ast.Name):
        return node.id == batch
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and any(_goes_over(each, batch) for each in node.args if not isinstance(each, ast.Starred))
    )


def _over(node: ast.AST, names: set[str]) -> list[ast.AST]:
    """The comprehensions and filters in an expression that go over one of these names."""
    found: list[ast.AST] = []
    for part in walk(node):
        if isinstance(part, _COMPREHENSIONS) and _names(part.generators[0].iter) & names:
            found.append(part)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "filter":
            found += [part] if len(part.args) > 1 and _names(part.args[1]) & names else []
    return found


def _is_uneven(node: ast.AST) -> bool:
    """Whether it leaves items out, or makes several of one."""
    return not isinstance(node, _COMPREHENSIONS) or len(node.generators) > 1 or bool(node.generators[0].ifs)


def _growing(body: Iterable[ast.stmt], own: set[str]) -> Iterator[tuple[str, bool]]:
    """The lists that grow in a round of a loop, and whether by other than one item; ``own``: the names of the round."""
    left_out = False
    for statement in body:
        if isinstance(statement, (ast.For, ast.While)):
            yield from ((name, True) for name, _ in _growing(statement.body, own))
        elif isinstance(statement, ast.If):
            of_sample = bool(_names(statement.test) & own)
            arms = [dict(_growing(arm, own)) for arm in (statement.body, statement.orelse)]
            for name in arms[0].keys() | arms[1].keys():
                only_here = of_sample and (name in arms[0]) is not (name in arms[1])
                yield name, left_out or only_here or any(arm.get(name, False) for arm in arms)
            left_out = left_out or (of_sample and any(isinstance(node, _LEAVING) for node in walk(statement)))
        elif isinstance(statement, (ast.With, ast.Try)):
            tried = isinstance(statement, ast.Try)
            yield from ((name, uneven or left_out or tried) for name, uneven in _growing(statement.body, own))
        else:
            yield from ((name, uneven or left_out) for name, uneven in _of_statement(statement))


def _of_statement(statement: ast.stmt) -> Iterator[tuple[str, bool]]:
    """A list that a statement puts something into: ``a.append(x)``, ``a.extend(b)``, ``a += b``, ``a += [x]``."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))) if method in _GROWING:
            yield name, method == "extend"
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Name() | ast.ListComp()):
            yield name, True
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.List()):
            yield name, False
