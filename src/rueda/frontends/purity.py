"""Which calls may happen on one process only: those that change nothing and wait for nobody.

A call that trains, evaluates, draws random numbers or changes an object must happen on every process, also when only
rank 0 prints its result.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.effects import effects
from rueda.frontends.randomness import draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.flow.facts import CallFact, Facts

_PURE = frozenset(
    {"len", "round", "str", "int", "float", "bool", "abs", "min", "max", "sum", "sorted", "list", "tuple",
     "dict", "set",
     "range", "zip", "enumerate", "reversed", "format", "repr", "type", "isinstance", "hasattr", "getattr",
     "vars", "id",
     "any", "all", "divmod", "pow", "ord", "chr", "hex", "map", "filter", "dir", "callable", "hash", "bin", "slice"}
)  # fmt: skip
_PURE_LIBRARIES = ("torch.", "numpy.", "math.", "time.", "datetime.", "os.path.", "os.getcwd", "os.environ.get",
                   "json.dumps", "platform.", "statistics.", "string.", "textwrap.", "itertools.", "collections.",
                   "operator.", "functools.", "torchvision.utils.", "sklearn.metrics.", "os.cpu_count", "os.getpid",
                   "pathlib.", "pprint.pformat", "copy.", "matplotlib.", "sys.")  # fmt: skip
_CHANGING = frozenset(
    {"pop", "popitem", "popleft", "append", "appendleft", "extend", "insert", "remove", "update", "add",
     "clear", "sort",
     "reverse", "setdefault", "read", "readline", "readlines", "write", "send", "step", "backward", "close", "put",
     "get_nowait", "recv", "__next__", "zero_grad", "load_state_dict", "fit", "train", "eval", "download", "seek"}
)  # fmt: skip

_RUNNING = frozenset({"evaluate", "predict", "predict_on_batch", "test_on_batch", "train_on_batch", "fit_generator"})
"""Methods by which a library runs a whole model: processes may have to do it together."""


def impure_calls(facts: Facts, node: ast.AST) -> Iterator[ast.Call]:
    """The outermost calls within an expression that must happen on every process."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Lambda):
            continue
        if isinstance(child, ast.Call) and not is_pure(facts, child):
            yield child
        else:
            yield from impure_calls(facts, child)


def is_pure(facts: Facts, node: ast.Call) -> bool:
    """Whether a call, in all its contexts, changes nothing and waits for nobody; arguments are judged apart."""
    found = [fact for fact in facts.calls if fact.node is node]
    return bool(found) and all(_is_pure(facts, fact) for fact in found)


def _is_pure(facts: Facts, fact: CallFact) -> bool:
    target = facts.values.get(fact.node.func)
    if target is not None and target.kind in (Kind.FUNCTION, Kind.CLASS):
        return _is_pure_function(facts, fact)
    receiver = fact.receiver
    if receiver is not None and fact.name:
        runs = receiver.kind is Kind.MODULE and fact.name in _RUNNING
        return fact.name not in _CHANGING and not runs and receiver.kind is not Kind.INSTANCE
    if receiver is not None:
        return receiver.kind is Kind.LOSS
    if draws(fact) is not None or fact.name == "next":
        return False
    return fact.name in _PURE or fact.name.startswith(_PURE_LIBRARIES)


def _is_pure_function(facts: Facts, fact: CallFact) -> bool:
    """A function of the script: nothing it does, at any depth, changes or waits."""
    target = facts.values.get(fact.node.func)
    if target is None or not _is_pure_body(facts.functions.get(target.obj)):
        return False
    for loops in facts.loops.values():
        if any(loop.loaders and any(f.call is fact.node for f in loop.frame.path()) for loop in loops):
            return False
    inside = (inner for inner in facts.calls if any(f.call is fact.node for f in inner.context.frame.path()))
    return all(_is_harmless(facts, inner) and _is_pure_body(inner.context.frame.scope.node) for inner in inside)


def _is_pure_body(node: ast.AST | None) -> bool:
    """Whether a function assigns to nothing but its own variables, and changes only what it has made."""
    if node is None:
        return False
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for part in ast.walk(node):
        if isinstance(part, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
            return False
        changes = isinstance(part, ast.Attribute) and part.attr in _CHANGING
        owner = part.value if isinstance(part, ast.Attribute) else None
        if changes and not (isinstance(owner, ast.Name) and owner.id in own):
            return False
    return True


def _is_harmless(facts: Facts, inner: CallFact) -> bool:
    target = facts.values.get(inner.node.func)
    if target is not None and target.kind in (Kind.FUNCTION, Kind.CLASS):
        return True
    local = inner.receiver is not None and inner.name in ("append", "extend", "update", "add", "insert", "sort")
    return (local or _is_pure(facts, inner)) and not any(effects([inner]))
