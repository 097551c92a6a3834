"""Where a loss works along samples that it has put into another dimension: shared by the rules for losses and metrics.

``tf.reshape(y, [1, -1])``, a transposed batch or a flat one hold the same numbers, so a mean of all of them is still a
mean over samples. What works along one of their dimensions, as a softmax or a sum of each row, meets other samples.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.flow import depths
from corro.frontends.tensors import ELEMENTWISE
from corro.rules.keras._reductions import (
    REDUCTIONS,
    WORKS_ALONG,
    along_samples,
    axis_of,
    called,
    callee,
    goes_back_to_samples,
    own_functions,
    parameters,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corro.rules.keras._job import Job

_ALONG = WORKS_ALONG | {"cumsum", "cumprod", "norm", "logsumexp", "kl_divergence", "kullback_leibler_divergence",
                        "cosine_similarity", "cosine_proximity", "categorical_crossentropy", "categorical_hinge",
                        "categorical_focal_crossentropy", "softmax_cross_entropy_with_logits",
                        "softmax_cross_entropy", "sort", "argsort", "top_k"}  # fmt: skip
"""What works along a dimension, the last one unless it is told another."""
_OBJECTS = frozenset({"kldivergence", "cosinesimilarity", "categoricalcrossentropy", "categoricalhinge"})
"""Losses of Keras, in small letters, that work along the last dimension."""
_MEANS = frozenset({"mean", "reduce_mean"})
_AVERAGED = frozenset({"mse", "mae", "mape", "msle", "meansquarederror", "meanabsoluteerror", "huber", "huberloss",
                       "meanabsolutepercentageerror", "meansquaredlogarithmicerror", "binarycrossentropy", "logcosh",
                       "binaryfocalcrossentropy", "hinge", "squaredhinge", "poisson"})  # fmt: skip
"""Keras' losses that are means over the last dimension, without underscores."""
_SAME = (ELEMENTWISE - _ALONG) | {"cast", "identity", "stop_gradient", "convert_to_tensor", "where", "switch", "float",
                                  "squeeze", "binary_crossentropy", "print", "Print", "logical_xor", "is_nan",
                                  "is_finite", "constant", "check_numerics"}  # fmt: skip
"""What computes with each element, and leaves them where they are."""
_LINEAR = _MEANS | {"cast", "identity", "print", "Print", "float", "convert_to_tensor", "add", "subtract", "squeeze"}
_SHAPES = frozenset({"shape", "int_shape", "len", "ndim", "rank", "size", "get_shape", "zeros_like", "ones_like",
                     "range", "arange", "linspace", "zeros", "ones", "eye", "fill"})  # fmt: skip
"""What gives no value of a sample."""
_TURNS = frozenset({"transpose", "permute_dimensions", "permute", "swapaxes", "moveaxis"})
_FLATTENS = frozenset({"flatten", "ravel"})


@dataclass(frozen=True)
class _Place:
    """Where the samples of a tensor are: in this dimension, the only one if ``flat``; ``None`` for several."""

    dimension: int | None = None
    flat: bool = False
    alone: bool = False
    """The dimensions in front have one place, so that the first item is all there is."""
    rank: int | None = None


_FLAT = _Place(0, flat=True, rank=1)
_Places = dict[str, _Place]


def rearranged(job: Job, function: ast.AST, *, averages: bool = True) -> ast.expr | None:
    """The first place where samples that were put into another dimension meet, in a function and what it calls.

    Args:
        job: the script.
        function: the code.
        averages: whether it gives an average over samples: a loss. Of what a layer calls and is not known, nothing is
            assumed.
    """
    parts = [part for part in called(job, function) if isinstance(part, (ast.FunctionDef, ast.Lambda))]
    given: dict[ast.AST, _Places] = {part: {} for part in parts}
    for _ in parts:
        for part in parts:
            _Reading(job, part, given[part]).pass_on(given)
    readings = (_Reading(job, part, given[part]) for part in parts)
    return next((node for reading in readings for node in reading.meetings(averages=averages)), None)


class _Reading:
    """Which names of a function hold rearranged samples, and which hold averages of them."""

    def __init__(self, job: Job, function: ast.FunctionDef | ast.Lambda, given: Mapping[str, _Place]) -> None:
        self._job, self._function = job, function
        self._places: _Places = dict(given)
        self._data = set(parameters(function))
        self._averages: set[str] = set()
        self._assigned: dict[str, ast.expr] = {}

    def _steps(self) -> Iterator[ast.AST]:
        """The expressions of the function, in order, each with what names hold there."""
        if isinstance(self._function, ast.Lambda):
            yield from ast.walk(self._function.body)
            return
        statements = [node for node in ast.walk(self._function) if isinstance(node, ast.stmt)]
        for statement in sorted(statements[1:], key=lambda each: (each.lineno, each.col_offset)):
            parts = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.expr)]
            yield from (node for part in parts for node in ast.walk(part))
            if isinstance(statement, ast.Assign):
                yield statement
                self._assign(statement, certain=statement in self._function.body)

    def _assign(self, node: ast.Assign, *, certain: bool) -> None:
        names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        if self._holds(node.value):
            self._data |= set(names)
        if self._averages_some(node.value):
            self._averages |= set(names)
        place = self._place(node.value)
        if certain:
            self._places = {name: known for name, known in self._places.items() if name not in names}
            self._assigned.update({t.id: node.value for t in node.targets if isinstance(t, ast.Name)})
        if isinstance(node.targets[0], ast.Name) and place is not None:
            self._places[names[0]] = place
        elif isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            for target, value in zip(node.targets[0].elts, node.value.elts, strict=False):
                inner = self._place(value)
                if isinstance(target, ast.Name) and inner is not None:
                    self._places[target.id] = inner

    def pass_on(self, given: dict[ast.AST, _Places]) -> None:
        """Tell the functions that are called what they are given."""
        for node in self._steps():
            if not isinstance(node, ast.Call):
                continue
            for other, places in given.items():
                if isinstance(other, ast.FunctionDef) and other.name == callee(node):
                    names = [each.arg for each in other.args.args if each.arg != "self"]
                    for name, value in zip(names, node.args, strict=False):
                        place = self._place(value)
                        if place is not None:
                            places[name] = place

    def meetings(self, *, averages: bool) -> Iterator[ast.expr]:
        """Where samples are combined."""
        for node in self._steps():
            if isinstance(node, ast.expr) and self._meet(node, averages):
                yield node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
                place = self._place(node.value) if not isinstance(node.value, ast.Tuple) else None
                if place is not None and place.dimension is None and not place.alone:
                    yield node.value

    def _meet(self, node: ast.expr, averages: bool) -> bool:
        if isinstance(node, ast.Call):
            return self._works_along(node, averages) or (averages and self._bends(node))
        return self._cuts(node) or self._crosses(node)

    # ------------------------------------------------------------------ where samples are

    def _place(self, node: ast.expr) -> _Place | None:
        """Where the samples of an expression are, if they were put somewhere else than into the first dimension."""
        if isinstance(node, ast.Name):
            return self._places.get(node.id)
        if isinstance(node, ast.Attribute) and node.attr == "T":
            return self._turned(node.value, None)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.Call):
            return self._result(node)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp)):
            parts = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
            return self._first(parts)
        return None

    def _first(self, nodes: Iterator[ast.expr] | Sequence[ast.expr]) -> _Place | None:
        found = [place for place in map(self._place, nodes) if place is not None]
        return next((place for place in found if not place.flat), found[0] if found else None)

    def _item(self, node: ast.Subscript) -> _Place | None:
        place = self._place(node.value)
        if _is_new(node.slice) and self._holds(node.value):
            dimension = place.dimension if place is not None else 0
            return _Place(dimension + 1 if dimension is not None else None)
        if place is None and self._is_flat(node):
            return _FLAT
        if place is None or _is_everything(node.slice):
            return place
        if place.alone and _number(node.slice) == 0:
            return _FLAT
        before = _indices(node.slice)[: place.dimension]
        left = (place.dimension or 0) - sum(not isinstance(each, ast.Slice) for each in before)
        fewer = sum(not isinstance(each, ast.Slice) for each in _indices(node.slice))
        return _Place(left, rank=place.rank - fewer if place.rank is not None else None) if left > 0 else None

    def _is_flat(self, node: ast.expr) -> bool:
        """Whether the samples of a batch are known to have no other dimension left."""
        return self._holds(node) and depths.is_flat(self._job.value(node))

    def _result(self, node: ast.Call) -> _Place | None:
        name = callee(node)
        given = [*node.args, *(k.value for k in node.keywords)]
        if not given or name in _SHAPES or isinstance(node.func, ast.Call):
            return None
        first = node.args[0] if node.args else given[0]
        if name in _TURNS:
            return self._turned(first, node)
        if name in _FLATTENS:
            return _FLAT if self._holds(first) else None
        if name == "reshape":
            return self._shaped(first, self._shape(node))
        if name == "squeeze" and self._is_flat(node):
            return _FLAT
        if name in REDUCTIONS:
            return self._reduced(node, self._place(first))
        return self._first(given) if name in _SAME | _ALONG else None

    def _turned(self, first: ast.expr, call: ast.Call | None) -> _Place | None:
        """A tensor with its dimensions in another order."""
        before = self._place(first)
        if not self._holds(first):
            return None
        order = _numbers(_argument(call, 1, ("perm", "axes", "pattern", "dims")))
        if call is not None and callee(call) in ("swapaxes", "moveaxis"):
            moved = 0 in [each.value for each in call.args[1:] if isinstance(each, ast.Constant)]
            return _Place() if moved or before is not None else None
        if order is None:
            return None if before is not None or (call is not None and len(call.args) > 1) else _Place(1, rank=2)
        at = before.dimension if before is not None else 0
        if at is None or at not in order:
            return before or _Place()
        return _Place(order.index(at), rank=len(order)) if order.index(at) else None

    def _shape(self, node: ast.Call) -> ast.expr | None:
        shape = _argument(node, 1, ("shape", "newshape"))
        return self._assigned.get(shape.id, shape) if isinstance(shape, ast.Name) else shape

    def _shaped(self, first: ast.expr, shape: ast.expr | None) -> _Place | None:
        """A tensor of another shape: all samples in one dimension, in several, or each in a row of its own."""
        before = self._place(first)
        if not self._holds(first):
            return None
        if not isinstance(shape, (ast.List, ast.Tuple)) or not shape.elts:
            return _FLAT if _number(shape) == -1 else None
        head = self._known(shape.elts[0])
        if len(shape.elts) == 1:
            return _FLAT if head == -1 else None
        if isinstance(head, int) and head > 0:
            return _Place(alone=head == 1 and len(shape.elts) == len(("one", "all")))
        mixed = before is not None and not before.flat and before.dimension is not None
        return before if mixed else None

    def _known(self, node: ast.expr) -> object:
        number = _number(node)
        return number if number is not None else self._job.value(node).const

    def _reduced(self, node: ast.Call, place: _Place | None) -> _Place | None:
        axes = _axes(node)
        if place is None or place.dimension is None or not axes:
            return None
        axes = [axis % place.rank if place.rank is not None else axis for axis in axes]
        left = place.dimension - sum(0 <= axis < place.dimension for axis in axes)
        return _Place(left) if left and place.dimension not in axes else None

    def _holds(self, node: ast.AST) -> bool:
        """Whether something of each sample is in an expression; shapes, and what all samples give, aside."""
        if isinstance(node, ast.Call) and (
            callee(node) in _SHAPES or (callee(node) in REDUCTIONS and along_samples(node))
        ):
            return False
        if isinstance(node, ast.Attribute) and node.attr in _SHAPES:
            return False
        if isinstance(node, ast.Name):
            return node.id in self._data
        return any(self._holds(child) for child in ast.iter_child_nodes(node))

    # ------------------------------------------------------------------ where they meet

    def _works_along(self, node: ast.Call, averages: bool) -> bool:
        """Whether a call works along a dimension that holds samples, or may do so in a loss."""
        name, given = callee(node), [*node.args, *(k.value for k in node.keywords)]
        made = self._job.value(node.func)
        if made.kind is Kind.LOSS and made.name.lower() in _OBJECTS:
            return any(place is not None and place.flat for place in map(self._place, given))
        if name in _SHAPES | _TURNS | _FLATTENS | {"reshape"} or isinstance(node.func, ast.Call):
            return False
        if name in REDUCTIONS | _ALONG and any(map(self._holds, node.args)) and goes_back_to_samples(self._job, node):
            return True
        place = self._first(given)
        if place is None or self._is_average(node):
            return False
        if name in REDUCTIONS - _MEANS or name in _ALONG:
            return self._is_along(place, _axes(node), averages)
        own = name in own_functions(self._job, node)
        return averages and not (place.flat or own or name in _SAME | _MEANS)

    def _is_along(self, place: _Place, axes: list[int], averages: bool) -> bool:
        if place.dimension is None or place.flat:
            return True
        rank = place.rank
        if rank is None and (not axes or any(axis < 0 for axis in axes)):
            return averages
        return place.dimension in [axis % rank if rank is not None else axis for axis in axes or [-1]]

    def _is_average(self, node: ast.Call) -> bool:
        """Whether a call gives the average of a part of what it is given."""
        made = self._job.value(node.func)
        name = made.name if made.kind is Kind.LOSS else callee(node)
        return callee(node) in _MEANS or name.rpartition(".")[2].lower().replace("_", "") in _AVERAGED

    def _averages_some(self, node: ast.AST) -> bool:
        """Whether an average over rearranged samples is in an expression."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._averages:
                return True
            if isinstance(part, ast.Call) and self._is_average(part) and self._first(part.args) is not None:
                return True
        return False

    def _bends(self, node: ast.Call) -> bool:
        """Whether a call is not linear in an average over rearranged samples."""
        if callee(node) in _LINEAR or self._is_average(node) or not any(map(self._averages_some, node.args)):
            return False
        return callee(node) not in own_functions(self._job, node)

    def _cuts(self, node: ast.expr) -> bool:
        """Whether samples are taken by their place from a tensor that has them elsewhere."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            return False
        place = self._place(node.value)
        if place is None or _is_everything(node.slice) or _is_new(node.slice):
            return False
        if place.alone and _number(node.slice) == 0:
            return False
        indices = _indices(node.slice)
        if place.dimension is None or any(isinstance(each, ast.Constant) and each.value is ... for each in indices):
            return True
        return not all(map(_is_everything, indices[place.dimension : place.dimension + 1]))

    def _crosses(self, node: ast.expr) -> bool:
        """Whether rearranged samples stand beside others in one operation, or their average is no longer one."""
        if not isinstance(node, ast.BinOp):
            return False
        if isinstance(node.op, ast.Pow):
            return self._averages_some(node.left)
        if isinstance(node.op, ast.Div) and self._averages_some(node.right):
            return True
        sides = [self._place(node.left), self._place(node.right)]
        plain = [part for part, place in zip((node.left, node.right), sides, strict=True) if place is None]
        moved = any(place is not None and not place.flat for place in sides)
        return moved and any(self._holds(part) and not self._averages_some(part) for part in plain)


def _is_everything(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and not any((index.lower, index.upper, index.step))


def _indices(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _is_new(index: ast.expr) -> bool:
    """Whether an index makes a dimension in front of all others: ``x[None, :]``."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return (isinstance(first, ast.Constant) and first.value is None) or getattr(first, "attr", "") == "newaxis"


def _argument(node: ast.Call | None, position: int, names: tuple[str, ...]) -> ast.expr | None:
    if node is None:
        return None
    named = next((k.value for k in node.keywords if k.arg in names), None)
    return named if named is not None else next(iter(node.args[position : position + 1]), None)


def _number(node: ast.expr | None) -> object:
    """A number that is written, perhaps with a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value if isinstance(node.operand.value, int) else None
    return node.value if isinstance(node, ast.Constant) else None


def _numbers(node: ast.expr | None) -> list[int] | None:
    numbers = [_number(each) for each in node.elts] if isinstance(node, (ast.List, ast.Tuple)) else []
    return [each for each in numbers if isinstance(each, int)] if numbers and None not in numbers else None


def _axes(node: ast.Call) -> list[int]:
    """The dimensions that a call is told; none where they are not written."""
    given = axis_of(node, 1)
    written = given if isinstance(given, ast.expr) else None
    found = _number(written) if written is not None else given
    return [found] if isinstance(found, int) else _numbers(written) or []
