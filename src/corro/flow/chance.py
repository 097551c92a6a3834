"""What is decided by chance, each process for itself: which parameters get gradients must not hang on it."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.source import arguments_of, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.state import Flow
    from corro.flow.values import Value

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
_OFTEN_OR_NOT = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.IfExp, ast.BoolOp)
"""What is in these may be done several times, or never."""
_TRAINED = (Kind.MODULE, Kind.LAYERS, Kind.PARAMETERS)


def may_train(flow: Flow, *arms: ast.AST) -> bool:
    """Whether something is called that may compute with parameters: which of them get gradients hangs on it."""
    return any(not _is_plain(flow, part) for part in _calls(*arms)) or _uses_weights(flow, *arms)


def trains_alike(flow: Flow, node: ast.AST) -> bool:
    """Whether both arms of a condition call the same models as often, and nothing else that computes with parameters.

    Each call of a model is made whenever its arm is run, and is given no other option than in the other arm. A function
    of the script's own is looked into, but not what it calls of them.
    """
    if not isinstance(node, ast.If) or not node.orelse:
        return False
    found = [_models_called(flow, arm) for arm in (node.body, node.orelse)]
    alike = found[0] is not None and found[0] == found[1]
    return alike and not _uses_weights(flow, *node.body, *node.orelse)


def _models_called(flow: Flow, arm: Sequence[ast.stmt]) -> Counter[object] | None:
    """The models that are called in an arm, and how; ``None`` where something else may train."""
    called: Counter[object] = Counter()
    for statement in arm:
        once = isinstance(statement, _SIMPLE) and not any(isinstance(part, _OFTEN_OR_NOT) for part in walk(statement))
        for call in _calls(statement):
            value = flow.now(call.func)
            if value.kind is Kind.MODULE and once:
                called[value.sites, value.obj, _options(flow, call)] += 1
            elif value.kind is not Kind.LOSS and not _is_plain(flow, call) and not _computes_only(flow, value):
                return None
    return called


def _options(flow: Flow, call: ast.Call) -> object:
    """What a model is given besides tensors."""
    given = [("", each) for each in call.args] + [(k.arg or "", k.value) for k in call.keywords]
    values = ((name, flow.now(each)) for name, each in given)
    return tuple((name, None if value.kind is Kind.TENSOR else value) for name, value in values)


def _computes_only(flow: Flow, value: Value) -> bool:
    """Whether a function of the script's own calls nothing but what is plain."""
    function = flow.facts.functions.get(value.obj) if value.kind is Kind.FUNCTION and not value.items else None
    return isinstance(function, ast.FunctionDef) and not may_train(flow, *function.body)


def _calls(*arms: ast.AST) -> Iterator[ast.Call]:
    return (part for arm in arms for part in walk(arm) if isinstance(part, ast.Call))


def _uses_weights(flow: Flow, *arms: ast.AST) -> bool:
    """Whether parameters stand in the text by themselves."""
    named = (part for arm in arms for part in walk(arm) if isinstance(part, (ast.Name, ast.Attribute)))
    return any(flow.now(part).tags & flow.semantics.weight_tags for part in named)


def _is_plain(flow: Flow, call: ast.Call) -> bool:
    value = flow.now(call.func)
    if value.kind is Kind.METHOD:
        return all(part.kind in (Kind.TENSOR, Kind.NUMBER) for part in value.items[:1])
    given = arguments_of(call)
    return value.kind is Kind.LIBRARY and all(flow.now(each).kind not in _TRAINED for each in given)
