"""Shared by the rules for Keras: what code does to the samples of a batch, told from its text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corro.rules.keras._job import Job

_MEANS = frozenset({"mean", "reduce_mean"})
_SUMS = frozenset({"sum", "reduce_sum", "count_nonzero"})
_OTHERS = frozenset({"max", "reduce_max", "min", "reduce_min", "std", "reduce_std", "var", "reduce_variance", "prod",
                     "reduce_prod", "norm", "logsumexp", "reduce_logsumexp", "reduce_euclidean_norm",
                     "moments"})  # fmt: skip
_TOTALS = _SUMS | _OTHERS | {"l2_loss"}
"""What makes something else than an average of all samples."""
REDUCTIONS = _MEANS | _SUMS | _OTHERS | {"any", "reduce_any", "all", "reduce_all"}
"""What makes one value of many, along an axis or of all."""
CUTS = frozenset({"split", "unstack"})
"""What cuts along the samples unless it is given another axis, in the third place."""
WORKS_ALONG = frozenset(
    {
        "l2_normalize",
        "normalize",
        "softmax",
        "log_softmax",
        "argmax",
        "argmin",
        "cumprod",
        "reverse",
        "cumulative_logsumexp",
    }
)
"""What works along the axis that it is given, in the second place."""
_FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
_LINEAR = _MEANS | _SUMS | {"cast", "float", "identity", "constant", "convert_to_tensor", "add", "subtract", "print"}
_POSITION = 2
"""The second argument of a reduction is its axis."""


def no_average(function: ast.AST, given: list[ast.expr], samples: frozenset[str]) -> ast.expr | None:
    """Where values that are computed in a function, or a script, are no averages over samples.

    Args:
        function: the code.
        given: the values; all is looked at that goes into them.
        samples: names of what holds something of each sample.
    """
    whole = _whole_names(function, frozenset())
    for node in sources(function, given):
        if not uses(node, samples):
            continue
        reduces = isinstance(node, ast.Call) and callee(node) in _TOTALS and along_samples(node)
        if reduces or _bends(node, whole, samples):
            return node
    return None


def sources(function: ast.AST, given: list[ast.expr]) -> Iterator[ast.expr]:
    """Some expressions in a function, and what the names in them were assigned, with all parts."""
    assigned = [n for n in ast.walk(function) if isinstance(n, (ast.Assign, ast.AugAssign))]
    pending, seen = list(given), set[ast.AST]()
    while pending:
        expression = pending.pop()
        if expression in seen:
            continue
        seen.add(expression)
        parts = [n for n in ast.walk(expression) if isinstance(n, ast.expr)]
        yield from parts
        names = {variable(n) for n in parts} - {""}
        for node in assigned:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(variable(p) in names for target in targets for p in ast.walk(target)):
                pending.append(node.value)


def called(job: Job, function: ast.AST) -> Iterator[ast.AST]:
    """A function, and those of the script and its modules that it calls, by their names or as methods of itself."""
    pending, seen = [function], set[ast.AST]()
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        yield part
        own = own_functions(job, part)
        for called in (n.func for n in ast.walk(part) if isinstance(n, ast.Call)):
            followed = job.facts.functions.get(job.value(called).obj) if isinstance(called, ast.Attribute) else None
            found = own.get(_own_name(called), followed)
            pending += [found] if found is not None else []


def renamed(job: Job, nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    """The calls of functions that were imported from the framework under names of the script's own.

    Nothing here reads them: operations are told by their names.
    """
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            imported = (name.rpartition(".") for name in job.names_of(node).qualified(node.func))
            if any(_is_operation(module, name) and name != node.func.id for module, _, name in imported):
                yield node


def _is_operation(module: str, name: str) -> bool:
    """Whether this is a function of the framework; those that are layers are not."""
    return module.startswith(_FRAMEWORKS) and name[:1].islower() and not module.endswith(".layers")


def by_another_name(call: ast.Call) -> tuple[str, ast.Call, str]:
    """Why such a call is not converted, where, and what to do."""
    return (
        "this calls an operation of the framework under a name of the script's own: Corro does not know whether it "
        "compares samples of the batch with each other.",
        call,
        "Call it by its own name, such as tf.reduce_mean().",
    )


def own_functions(job: Job, node: ast.AST) -> dict[str, ast.AST]:
    """The functions of the script and its modules by their names; those of the file of a node before others."""
    functions = job.functions_by_file
    files = (*reversed(job.files), job.file_of(node))
    return {name: found for file in files for name, found in functions[file.path].items()}


def _own_name(node: ast.AST) -> str:
    """The name of a function of the script, or of a method of the same object."""
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self":
        return node.attr
    return getattr(node, "id", "")


def variable(node: ast.AST) -> str:
    """A name, an attribute of the same object as ``self.name``, an item as ``state["name"]``; empty for all else."""
    owner = getattr(getattr(node, "value", None), "id", "")
    if isinstance(node, ast.Attribute) and owner == "self":
        return f"self.{node.attr}"
    if isinstance(node, ast.Subscript) and owner and isinstance(node.slice, ast.Constant):
        return f"{owner}[{node.slice.value!r}]"
    return getattr(node, "id", "")


def along_samples(node: ast.Call) -> bool:
    """Whether a reduction has no axis, or goes along the samples."""
    axis = next((k.value for k in node.keywords if k.arg in ("axis", "axes", "reduction_indices")), None)
    if axis is None and len(node.args) >= _POSITION:
        axis = node.args[1]
    if isinstance(axis, (ast.List, ast.Tuple)):
        return any(isinstance(item, ast.Constant) and item.value == 0 for item in axis.elts)
    return axis is None or (isinstance(axis, ast.Constant) and axis.value in (0, None))


def callee(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_own(node: ast.Call) -> bool:
    """Whether a method of the same object is called, which may have the name of an operation."""
    return isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "self"


def _whole_names(function: ast.AST, averages: frozenset[str]) -> frozenset[str]:
    """Names of values that have been computed from all samples, and of functions that give such."""
    return _made_of(function, averages, _is_whole)


def _made_of(
    function: ast.AST, names: frozenset[str], holds: Callable[[ast.AST, frozenset[str]], bool]
) -> frozenset[str]:
    """Some names, and all in a function that are assigned what holds for an expression with such names in it."""
    found = set(names)
    assignments = [n for n in ast.walk(function) if isinstance(n, ast.Assign)]
    for _ in assignments:
        for node in assignments:
            if holds(node.value, frozenset(found)):
                found |= {variable(part) for target in node.targets for part in ast.walk(target)} - {""}
    return frozenset(found)


def _is_whole(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether an average or sum over samples is part of an expression."""
    for part in ast.walk(node):
        if _own_name(part) in names or variable(part) in names:
            return True
        if isinstance(part, ast.Call) and callee(part) in _MEANS | _SUMS and along_samples(part):
            return True
    return False


def _bends(node: ast.expr, names: frozenset[str], samples: frozenset[str]) -> bool:
    """Whether an operation on what is computed from all samples is not linear in it."""
    if isinstance(node, ast.Call):
        given = [*node.args, *(k.value for k in node.keywords)]
        return callee(node) not in _LINEAR | names and any(_is_whole(part, names) for part in given)
    if not isinstance(node, ast.BinOp):
        return False
    left, right = _is_whole(node.left, names), _is_whole(node.right, names)
    if isinstance(node.op, ast.Mult):
        return (left and uses(node.right, samples)) or (right and uses(node.left, samples))
    if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)):
        return right or (left and uses(node.right, samples))
    return isinstance(node.op, ast.Pow) and (left or right)


def sample_names(function: ast.AST) -> frozenset[str]:
    """Names that hold what a function is given, samples among it, or what it makes of that."""
    return _made_of(function, parameters(function), uses)


def parameters(function: ast.AST) -> frozenset[str]:
    """The names of what a function is given; settings by default are not among them."""
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)):
        return frozenset()
    given = [*function.args.posonlyargs, *function.args.args]
    required = given[: len(given) - len(function.args.defaults)]
    return frozenset(each.arg for each in required) - {"self", "training"}


def uses(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether one of some names is in an expression."""
    return any(variable(part) in names for part in ast.walk(node))


def axis_of(node: ast.Call, position: int) -> object:
    """The axis that a call is given; ``None`` where there is none, the node where it is no number."""
    given = next((k.value for k in node.keywords if k.arg in ("axis", "dim")), None)
    if given is None and len(node.args) > position:
        given = node.args[position]
    if isinstance(given, (ast.List, ast.Tuple)) and len(given.elts) == 1:
        given = given.elts[0]
    return given.value if isinstance(given, ast.Constant) else given
