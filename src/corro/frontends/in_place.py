"""Which calls change an array or a tensor in place, and what it holds then."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.semantics import Call
    from corro.flow.values import Value

_FUNCTIONS = frozenset({"numpy.copyto", "numpy.put", "numpy.place", "numpy.putmask", "numpy.fill_diagonal",
                        "numpy.put_along_axis"})  # fmt: skip
_SHUFFLING = frozenset({"numpy.random.shuffle", "random.shuffle"})
_METHODS = frozenset({"fill", "put", "itemset"})
_OUT = "out"
"""The argument under which functions of NumPy and PyTorch are given where to put their result."""
_COPIES = frozenset({"copy_", "set_", "swap_"})
_SAME = frozenset({"requires_grad_", "detach_", "share_memory_", "resize_", "resize_as_", "rename_"})
"""Methods of tensors that leave what they hold as it is."""
_VIEWS = frozenset({"view", "view_as", "t", "detach", "squeeze", "unsqueeze", "narrow", "select", "transpose",
                    "permute", "diagonal", "expand", "expand_as", "reshape", "ravel", "flatten", "numpy"})  # fmt: skip
_NEW = frozenset({"sum", "mean", "clone", "prod", "norm", "var", "std", "mm", "matmul"})
"""Methods that always give a tensor of its own, which nothing else shows."""
_PARTS = frozenset({"data", "T", "flat"})


def of_numpy(receiver: Value | None, name: str, call: Call) -> Iterator[tuple[ast.expr, Placement]]:
    """The expressions that a call of NumPy changes, and what they are made of then."""
    given = combine(value.placement for value in call.values)
    if receiver is None:
        if call.node.args and (name in _FUNCTIONS or (name.startswith("numpy.") and name.endswith(".at"))):
            yield call.node.args[0], given
        elif name in _SHUFFLING and call.node.args and given.sources and not given.is_equal:
            yield call.node.args[0], given.with_form(Form.UNKNOWN)
    elif name in _METHODS and _is_array(receiver) and isinstance(call.node.func, ast.Attribute):
        yield call.node.func.value, combine((receiver.placement, given))
    for keyword in call.node.keywords:
        if keyword.arg == _OUT:
            yield keyword.value, given


def is_view(method: str) -> bool:
    """Whether what a method of an array or tensor gives shows the same storage."""
    return method in _VIEWS | _SAME or is_in_place(method)


def _is_array(value: Value) -> bool:
    return value.kind in (Kind.TENSOR, Kind.NUMBER) or (value.kind is Kind.UNKNOWN and bool(value.depth))


def of_tensor(receiver: Value, name: str, call: Call, result: Placement) -> Iterator[tuple[ast.expr, Placement]]:
    """The expression that a method of a tensor changes, and what it is made of then.

    Args:
        receiver: the tensor.
        name: of the method; those of PyTorch that change a tensor end with ``_``.
        call: what it is given.
        result: the placement of what the method gives.
    """
    node = call.node.func
    if not is_in_place(name) or not isinstance(node, ast.Attribute):
        return
    base = _base(node.value)
    if isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute) and base.func.attr in _NEW:
        return
    if name in _COPIES and call.args:
        yield base, call.args[0].placement
    elif receiver.placement.is_equal and any(not value.placement.is_equal for value in call.values):
        yield base, combine((receiver.placement, *(value.placement for value in call.values)))
    else:
        yield base, result


def is_in_place(name: str) -> bool:
    """Whether a method of a tensor changes what it holds."""
    return name.endswith("_") and not name.startswith("_") and not name.endswith("__") and name not in _SAME


def _base(node: ast.expr) -> ast.expr:
    """The tensor whose storage an expression shows: ``x`` of ``x.data``, of ``x.view(-1)`` and of ``x.mul_(2)``."""
    while True:
        inner = node.func if isinstance(node, ast.Call) else None
        if isinstance(inner, ast.Attribute) and is_view(inner.attr):
            node = inner.value
        elif isinstance(node, ast.Attribute) and node.attr in _PARTS:
            node = node.value
        else:
            return node
