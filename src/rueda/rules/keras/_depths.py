"""Where broadcasting brings the samples of a batch together in a loss of the script's own, told from its text.

Keras gives targets as many dimensions as predictions have where those have two (``match_dtype_and_rank`` in
``keras/src/engine/compile_utils.py``, 2.15): targets are ``[B, 1]`` beside predictions of one column, ``y_pred[:, 0]``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.flow import depths
from rueda.frontends.keras.names import canonical
from rueda.frontends.tensors import ELEMENTWISE
from rueda.rules.keras._reductions import REDUCTIONS, callee

if TYPE_CHECKING:
    from rueda.flow.depths import Depth
    from rueda.rules.keras._job import Job

_ALIKE = ELEMENTWISE | {"cast", "identity", "stop_gradient", "convert_to_tensor", "where", "switch", "epsilon", "float"}
_OVER_CLASSES = frozenset({"categorical_crossentropy", "sparse_categorical_crossentropy"})
_CHANGES = {"expand_dims": 1, "squeeze": -1}
_TARGETS, _PREDICTIONS = (0,), (1,)


def product(job: Job, function: ast.AST) -> ast.expr | None:
    """The first operation of a loss in which each sample meets all the others."""
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)):
        return None
    given = [each.arg for each in function.args.args if each.arg != "self"]
    return _Reading(job, dict(zip(given[:2], (depths.of(*_TARGETS), depths.of(*_PREDICTIONS)), strict=False))).read(
        function
    )


class _Reading:
    """The depths of names, from the first line to the last."""

    def __init__(self, job: Job, known: dict[str, Depth]) -> None:
        self._job = job
        self._known = known
        self._met: ast.expr | None = None

    def read(self, function: ast.FunctionDef | ast.Lambda) -> ast.expr | None:
        if isinstance(function, ast.Lambda):
            self._depth(function.body)
            return self._met
        for node in ast.walk(function):  # statements of a body come in their order
            if isinstance(node, ast.Assign):
                self._assign(node.targets[0], node.value)
            elif isinstance(node, (ast.Return, ast.Expr)) and node.value is not None:
                self._depth(node.value)
        return self._met

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            depth = self._depth(value)
            self._known[target.id] = depth & self._known.get(target.id, depth)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for name, part in zip(target.elts, value.elts, strict=True):
                self._assign(name, part)

    def _depth(self, node: ast.expr) -> Depth:
        if isinstance(node, ast.Name):
            return self._known.get(node.id, depths.UNKNOWN)
        if isinstance(node, ast.UnaryOp):
            return self._depth(node.operand)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            return self._together(node, [node.left, node.right])
        if isinstance(node, ast.Compare):
            return self._together(node, [node.left, *node.comparators])
        if isinstance(node, ast.Subscript):
            return self._indexed(node)
        return self._called(node) if isinstance(node, ast.Call) else depths.UNKNOWN

    def _together(self, node: ast.expr, parts: list[ast.expr]) -> Depth:
        found: Depth = frozenset().union(*(self._depth(part) for part in parts))
        if depths.differ(found):
            self._met = self._met or node
            return depths.UNKNOWN
        return found

    def _called(self, node: ast.Call) -> Depth:
        name, given = callee(node), [self._depth(argument) for argument in node.args]
        if self._is_loss(node):
            return self._averaged(node, given)
        if name in REDUCTIONS or name in ("argmax", "argmin"):
            return self._reduced(node, given)
        if name in _CHANGES:
            axis = _number(_axis(node))
            if not given or axis is None or axis < -1 or (axis == 0 and name == "squeeze"):
                return depths.UNKNOWN
            return depths.changed(given[0], _CHANGES[name] if axis else 0)
        if name in _ALIKE or name == "binary_crossentropy":
            return self._together(node, node.args)
        return depths.UNKNOWN

    def _averaged(self, node: ast.Call, given: list[Depth]) -> Depth:
        """What a loss of Keras leaves of targets and predictions."""
        if len(given) < 2:
            return depths.UNKNOWN
        targets = depths.UNKNOWN if callee(node).startswith("sparse") else given[0]
        found = targets | given[1]
        if depths.differ(found):
            self._met = self._met or node
            return depths.UNKNOWN
        return depths.changed(found, -1)

    def _is_loss(self, node: ast.Call) -> bool:
        """Whether a function of Keras averages over the last dimension."""
        names = {canonical(name) for name in self._job.names.qualified(node.func)}
        functions = [n for n in names if n.startswith(("keras.losses.", "keras.metrics."))]
        if any(not n.rpartition(".")[2][:1].isupper() for n in functions):
            return True
        return callee(node) in _OVER_CLASSES and any(n.startswith("keras.") for n in names)

    def _reduced(self, node: ast.Call, given: list[Depth]) -> Depth:
        axis = _axis(node)
        axes = axis.elts if isinstance(axis, (ast.List, ast.Tuple)) else [axis] if axis is not None else []
        numbers = [_number(each) for each in axes]
        keeps = next((k.value for k in node.keywords if k.arg in ("keepdims", "keep_dims")), None)
        kept = isinstance(keeps, ast.Constant) and keeps.value is True
        if not given or not numbers or (keeps is not None and not isinstance(keeps, ast.Constant)):
            return depths.UNKNOWN
        behind = all(number is not None and (number > 0 or number == -1) for number in numbers)
        return depths.changed(given[0], 0 if kept else -len(numbers)) if behind else depths.UNKNOWN

    def _indexed(self, node: ast.Subscript) -> Depth:
        depth = self._depth(node.value)
        if not isinstance(node.slice, ast.Tuple):
            return depth if isinstance(node.slice, ast.Slice) or _is_new(node.slice) else depths.UNKNOWN
        head, *rest = node.slice.elts
        if _is_new(head):
            head, *rest = rest
        leads = isinstance(head, ast.Slice) or (isinstance(head, ast.Constant) and head.value is ...)
        plain = all(isinstance(each, (ast.Slice, ast.Constant, ast.UnaryOp)) or _is_new(each) for each in rest)
        if not leads or not plain:
            return depths.UNKNOWN
        new = sum(_is_new(each) for each in rest)
        change = new - sum(_number(each) is not None for each in rest)
        if isinstance(head, ast.Slice) and len(rest) == 1 and change < 0 and depth == depths.of(*_PREDICTIONS):
            depth |= depths.of(*_TARGETS)
        return depths.changed(depth, change)


def _axis(node: ast.Call) -> ast.expr | None:
    given = next((k.value for k in node.keywords if k.arg in ("axis", "reduction_indices")), None)
    return given if given is not None else node.args[1] if len(node.args) > 1 else None


def _is_new(node: ast.expr) -> bool:
    return (isinstance(node, ast.Constant) and node.value is None) or getattr(node, "attr", "") == "newaxis"


def _number(node: ast.expr | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
