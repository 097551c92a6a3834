"""Which arrays go together row by row, as far as the script shows it: columns of one table, inputs and their labels."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.tensorflow1._means import stores

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from corro.rules.tensorflow1._job import Job

_FUNCTIONS = frozenset({"array", "asarray", "float32", "float64", "int32", "int64", "reshape", "expand_dims", "squeeze",
                        "one_hot", "to_categorical", "argmax", "constant", "convert_to_tensor", "cast",
                        "to_float"})  # fmt: skip
_METHODS = frozenset({"astype", "reshape", "copy", "to_numpy", "toarray", "ravel", "flatten", "squeeze"})
_PARTS = frozenset({"values", "data", "target", "images", "labels"})


def rows(job: Job, node: ast.expr) -> frozenset[Hashable]:
    """Marks of what the rows of an array are: arrays that share one have the same rows, in the same order."""
    return frozenset(_marks(job, node, frozenset()))


def _marks(job: Job, node: ast.expr, above: frozenset[ast.AST]) -> Iterator[Hashable]:
    if node in above:
        return
    above = above | {node}
    yield from _imported(job, node, above)
    if isinstance(node, ast.Name):
        yield from _of_name(job, node, above)
    elif isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) > 1:
        yield len(node.elts)
    elif isinstance(node, ast.BinOp):
        yield from _marks(job, node.left, above)
        yield from _marks(job, node.right, above)
    elif isinstance(node, ast.Subscript):
        yield from _of_item(job, node, above)
    elif isinstance(node, ast.Attribute):
        yield ast.unparse(node)
        for target in _fields(job, node):
            yield from _of_target(job, target, above)
        if node.attr in _PARTS:
            yield ast.unparse(node.value)
            yield from _marks(job, node.value, above)
    elif isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in _METHODS and not job.names_of(called).qualified(called):
            yield from _marks(job, called.value, above)
        elif getattr(called, "attr", getattr(called, "id", "")) in _FUNCTIONS and node.args:
            yield from _marks(job, node.args[0], above)


def _of_name(job: Job, node: ast.Name, above: frozenset[ast.AST]) -> Iterator[Hashable]:
    yield node.id, id(job.names_of(node).binding(node))
    for target in stores(job, node):
        yield from _of_target(job, target, above)
    for given in _given(job, node):
        yield from _marks(job, given, above)


def _given(job: Job, node: ast.Name) -> Iterator[ast.expr]:
    """What a function is given for a parameter, in each of its calls."""
    scope = job.names_of(node).binding(node)
    function = scope.node if scope is not None else None
    if not isinstance(function, ast.FunctionDef):
        return
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    names = names[isinstance(job.parent(function), ast.ClassDef) :]
    for call in job.calls_by_function.get(function, ()):
        yield from (given for name, given in zip(names, call.args, strict=False) if name == node.id)
        yield from (keyword.value for keyword in call.keywords if keyword.arg == node.id)


def _imported(job: Job, node: ast.expr, above: frozenset[ast.AST]) -> Iterator[Hashable]:
    """The marks of what a name, or an attribute of a module, is in the project module that it comes from."""
    dotted = job.names_of(node).qualified(node) if isinstance(node, (ast.Name, ast.Attribute)) else ()
    for module, _, name in (each.rpartition(".") for each in dotted):
        for unit in job.units:
            if f".{unit.name}".endswith(f".{module.lstrip('.')}") and module.strip("."):
                yield name, id(unit.names.module)
                stored = (use for use in unit.names.uses(name, unit.names.module) if not isinstance(use.ctx, ast.Load))
                for target in stored:
                    yield from _of_target(job, target, above)


def _fields(job: Job, field: ast.Attribute) -> Iterator[ast.expr]:
    """Where an attribute as ``self.labels`` is given its value."""
    written = ast.unparse(field)
    for node in job.nodes.of(ast.Attribute):
        if not isinstance(node.ctx, ast.Load) and ast.unparse(node) == written:
            yield node


def _of_target(job: Job, target: ast.expr, above: frozenset[ast.AST]) -> Iterator[Hashable]:
    """The marks of what a name is given, alone or with others."""
    statement, holder = job.statement(target), job.parent(target)
    if not isinstance(statement, ast.Assign):
        return
    value = statement.value
    if holder is statement:
        yield from _marks(job, value, above)
    elif isinstance(holder, ast.Tuple):
        place = holder.elts.index(target)
        if holder in statement.targets and isinstance(value, ast.Tuple) and len(value.elts) == len(holder.elts):
            yield from _marks(job, value.elts[place], above)
        elif isinstance(value, ast.Call) and ast.unparse(value.func).endswith("train_test_split"):
            yield id(value), place % 2
        elif len(holder.elts) == 2:  # inputs and labels
            yield id(holder)


def _of_item(job: Job, node: ast.Subscript, above: frozenset[ast.AST]) -> Iterator[Hashable]:
    """Columns have the rows of their table; a part of the rows is another set of them; picked rows are the picks."""
    index = node.slice
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    if isinstance(first, ast.Slice):
        inner = _marks(job, node.value, above)
        whole = first.lower is first.upper is first.step is None
        yield from inner if whole else ((mark, ast.unparse(first)) for mark in inner)
    elif isinstance(first, ast.Name):
        yield from _marks(job, first, above)
    elif (isinstance(first, ast.Constant) and isinstance(first.value, str)) or isinstance(first, ast.List):
        yield ast.unparse(node.value)
        yield from _marks(job, node.value, above)
