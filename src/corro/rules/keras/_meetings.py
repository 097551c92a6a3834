"""Where code brings a value of all samples of a batch back to single ones, told from its text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.tensorflow.semantics import ASSIGNS
from corro.rules.keras._reductions import (
    CUTS,
    REDUCTIONS,
    WORKS_ALONG,
    along_samples,
    axis_of,
    callee,
    is_own,
    variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    IsSample = Callable[[ast.expr], bool]

_MOMENTS = frozenset({"moments", "weighted_moments"})
_CHANGES = ASSIGNS | {"update", "update_add", "update_sub", "add_update", "moving_average_update",
                      "assign_moving_average"}  # fmt: skip
_DISORDERS = frozenset({"shuffle", "random_shuffle"})
_RUNS = frozenset({"cumsum", "cumprod", "l2_normalize"})
"""What goes along the samples, or all dimensions, unless it is given another axis, in the second place."""
_FOLDS = frozenset({"scan", "foldl", "foldr"})
"""What carries something from sample to sample of the batch itself, in the second place."""
_FOREIGN = frozenset({"py_function", "numpy_function", "py_func"})
"""What has Python compute with whole batches, in the second place."""
_SHAPES = frozenset({"shape", "int_shape", "len", "ndim", "rank", "size"})
_APART = frozenset({"add_loss", "add_metric", "update_state", "print", "Model", "function", "gradients", "scalar",
                    "histogram", "append", "compile"})  # fmt: skip
"""What is given values of the batch and of single samples, and does not bring them together."""


def meeting(nodes: Sequence[ast.AST], is_sample: IsSample, *, knows_all: bool = False) -> Iterator[ast.expr]:
    """Each operation that combines the samples of a batch.

    Args:
        nodes: of a function, or a script.
        is_sample: whether a name holds something of each sample of a batch.
        knows_all: whether that is known of all names, not only of what a function is given.
    """
    reading = _Reading(nodes, is_sample, knows_all)
    for node in nodes:
        if isinstance(node, ast.expr) and (_crosses(node, reading.is_each) or _carries(node, is_sample)):
            yield node
            continue
        parts = _operands(node)
        wholes = [part for part in parts if reading.is_whole(part)]
        each = [part for part in parts if reading.is_each(part)]
        decides = isinstance(node, ast.Call) and bool(wholes) and _decides(node, wholes)
        if decides or (_changes(node) and (wholes or each)) or (wholes and each):
            yield (*wholes, *each)[0]


def _changes(node: ast.AST) -> bool:
    """Whether a variable gets another value; the method of a dictionary takes one value, not two."""
    if not isinstance(node, ast.Call) or callee(node) not in _CHANGES or is_own(node):
        return False
    return callee(node) != "update" or len(node.args) == len(("variable", "value"))


def _crosses(node: ast.expr, is_each: Callable[[ast.AST], bool]) -> bool:
    """Whether an operation takes samples along their dimension, chooses them by place, or puts them into another."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult) and _turned((node.left, node.right), is_each)
    if isinstance(node, ast.Subscript):
        first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        new = (isinstance(first, ast.Constant) and first.value is None) or getattr(first, "attr", "") == "newaxis"
        some = isinstance(node.slice, ast.Tuple) and isinstance(first, ast.Slice)
        bounds = some and isinstance(first, ast.Slice) and any((first.lower, first.upper, first.step))
        return (new or bounds) and is_each(node.value)
    if not isinstance(node, ast.Call) or not node.args or is_own(node):
        return False
    name = callee(node)
    if name == "einsum":
        return _mismatched(node, is_each)
    if name in _FOREIGN and len(node.args) > 1:
        return is_each(node.args[1])
    if not is_each(node.args[0]):
        return False
    if name in ("matmul", "dot"):
        return _turned(node.args[:2], is_each)
    if name == "gather":
        return len(node.args) == len(("params", "indices")) and not node.keywords
    along = axis_of(node, 2 if name in CUTS | {"roll"} else 1)
    return (
        name in _DISORDERS
        or _takes_all(node)
        or name.startswith(("segment_", "unsorted_segment_"))
        or (name in _RUNS | CUTS and along in (None, 0))
        or (name in WORKS_ALONG | {"roll", "sort", "argsort", "expand_dims"} and along == 0)
    )


def _carries(node: ast.expr, is_sample: IsSample) -> bool:
    """Whether a call goes from sample to sample."""
    if not isinstance(node, ast.Call) or callee(node) not in _FOLDS or len(node.args) < len(("function", "elements")):
        return False
    return isinstance(node.args[1], ast.Name) and is_sample(node.args[1])


def _decides(node: ast.Call, wholes: Sequence[ast.expr]) -> bool:
    """Whether what is computed goes another way because of all samples."""
    return callee(node) == "cond" and bool(node.args) and node.args[0] in wholes


def _takes_all(node: ast.Call) -> bool:
    """Whether a norm is that of all numbers of a batch."""
    name, given = callee(node), frozenset(k.arg for k in node.keywords)
    if name == "normalize":
        of_linalg = getattr(getattr(node.func, "value", None), "attr", "") == "linalg"
        return of_linalg and "axis" not in given and len(node.args) <= len(("tensor", "ord"))
    clips = name == "clip_by_norm" and "axes" not in given and len(node.args) <= len(("tensor", "norm"))
    return clips or name == "clip_by_global_norm"


def _turned(factors: Sequence[ast.expr], is_each: Callable[[ast.AST], bool]) -> bool:
    """Whether factors are made of samples, one of them with all dimensions reversed."""
    bare = (
        getattr(each, "attr", "") == "T"
        or (isinstance(each, ast.Call) and callee(each) == "transpose" and len(each.args) == 1 and not each.keywords)
        for each in factors
    )
    return all(map(is_each, factors)) and any(bare)


def _mismatched(node: ast.Call, is_each: Callable[[ast.AST], bool]) -> bool:
    """Whether operands of ``einsum`` that are made of samples have them under different letters."""
    text = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
    terms = str(text).replace(" ", "").partition("->")[0].split(",")
    return len({term[:1] for term, each in zip(terms, node.args[1:], strict=False) if is_each(each)}) > 1


def _operands(node: ast.AST) -> list[ast.expr]:
    """What an operation brings together."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Call) and callee(node) not in _APART and not callee(node).startswith("assert"):
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*owner, *node.args, *(k.value for k in node.keywords)]
    return []


class _Reading:
    """Which names of some code hold values of all samples, and which hold something of each."""

    def __init__(self, nodes: Sequence[ast.AST], is_sample: IsSample, knows_all: bool) -> None:
        self._is_sample = is_sample
        self._whole: set[str] = set()
        self._each: set[str] = set()
        assignments = [n for n in nodes if isinstance(n, (ast.Assign, ast.AnnAssign)) and n.value is not None]
        for _ in assignments:
            for node in assignments:
                assert node.value is not None
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {variable(p) for target in targets for p in ast.walk(target)} - {""}
                if self.is_each(node.value):
                    self._each |= set() if knows_all else names
                elif self.is_whole(node.value):
                    self._whole |= names

    def is_whole(self, node: ast.AST) -> bool:
        """Whether a value of all samples is what an expression is made of, and nothing of each sample."""
        if self.is_each(node):
            return False
        return any(variable(part) in self._whole or self._reduces(part) for part in _outside(node))

    def is_each(self, node: ast.AST) -> bool:
        """Whether something of each sample is what an expression is made of."""
        return any(
            isinstance(part, ast.expr) and variable(part) and (variable(part) in self._each or self._is_sample(part))
            for part in _outside(node, self._reduces)
        )

    def _reduces(self, node: ast.AST) -> bool:
        """Whether this is a reduction along the samples of something that each sample has."""
        if not isinstance(node, ast.Call):
            return False
        name = callee(node)
        if name in _MOMENTS:
            axes = (
                node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "axes"), None)
            )
            along = isinstance(axes, (ast.List, ast.Tuple)) and any(getattr(e, "value", None) == 0 for e in axes.elts)
        else:
            along = name in REDUCTIONS and along_samples(node)
        return along and any(self.is_each(part) for part in (node.func, *node.args))


def _outside(node: ast.AST, leave: Callable[[ast.AST], bool] = lambda node: False) -> Iterator[ast.AST]:
    """The parts of an expression; without those of shapes and lengths, which are no values of samples."""
    if leave(node) or (isinstance(node, ast.Call) and callee(node) in _SHAPES):
        return
    if isinstance(node, (ast.Lambda, ast.FunctionDef)) or (isinstance(node, ast.Attribute) and node.attr in _SHAPES):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside(child, leave)
