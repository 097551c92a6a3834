"""One time for each sample, out of what a recurrent network gives at all times: by number, as TensorFlow 1 has it.

``tf.gather(tf.reshape(outputs, [-1, units]), tf.range(n) * times + time)`` takes the output at one time for each of n
samples. To gather from a batch is to choose samples by their places, which is refused; here each chooses of its own, if
``times`` and ``units`` are the sizes of what is gathered from. They are followed from where the outputs are made.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow import depths
from corro.flow.values import Value
from corro.frontends import tensors
from corro.frontends.tensorflow1.names import plain

if TYPE_CHECKING:
    from corro.flow.semantics import Call
    from corro.flow.state import Flow


def stacked(call: Call) -> Value | None:
    """The outputs at all times in one tensor, with the times first; ``None`` for other stacks."""
    first, axis = call.args[0] if call.args else Value(), call.argument(1, "axis")
    known = tensors.IN_PARTS in first.tags and len(first.items) == 2 and first.batch_dim == 0
    if not known or not (axis is None or axis.is_zero):
        return None
    tags = first.tags - {tensors.IN_PARTS} | {depths.FEATURES, depths.DEEP}
    return first.but(batch_dim=1, tags=tags)


def transposed(flow: Flow, call: Call) -> Value | None:
    """The same with the samples first."""
    first, order = call.args[0] if call.args else Value(), call.argument(1, "perm")
    items = flow.literal_items(order) if order is not None else None
    turned = items is not None and [item.const for item in items] == [1, 0, 2]
    return first.but(batch_dim=0) if turned and first.batch_dim == 1 and len(first.items) == 2 else None


def gathered(flow: Flow, call: Call) -> Value | None:
    """One time of each sample; ``None`` where that is not known."""
    if len(call.node.args) != 2 or call.keywords:
        return None
    rows, places = (_meant(flow, node) for node in call.node.args)
    if not isinstance(rows, ast.Call) or not isinstance(places, ast.BinOp) or not isinstance(places.op, ast.Add):
        return None
    outputs = _flattened(flow, rows)
    if outputs is None:
        return None
    for starts, time in ((places.left, places.right), (places.right, places.left)):
        if _is_of_each(flow, time) and _starts(flow, starts, outputs.items[0]):
            return Value(Kind.TENSOR, outputs.placement, batch_dim=0, tags=frozenset({depths.FEATURES}))
    return None


def _value(flow: Flow, node: ast.AST) -> Value:
    return flow.facts.values.get(node, Value())


def _meant(flow: Flow, node: ast.expr) -> ast.expr:
    """What a name stands for that is given a value once in its function."""
    source = flow.context.frame.unit.source
    if not isinstance(node, ast.Name):
        return node
    inside = [a for a in source.ancestors(node) if isinstance(a, (ast.FunctionDef, ast.Module))]
    named = [n for n in ast.walk(inside[0]) if isinstance(n, ast.Name) and n.id == node.id] if inside else []
    stored = [n for n in named if not isinstance(n.ctx, ast.Load)]
    holder = source.parent(stored[0]) if len(stored) == 1 else None
    return holder.value if isinstance(holder, ast.Assign) and holder.targets == stored else node


def _calls(flow: Flow, node: ast.expr, name: str) -> bool:
    function = _value(flow, node.func) if isinstance(node, ast.Call) else Value()
    return function.kind is Kind.LIBRARY and plain(function.name) == f"tensorflow.{name}"


def _flattened(flow: Flow, node: ast.Call) -> Value | None:
    """The outputs whose times are rows: ``tf.reshape(outputs, [-1, units])``."""
    if not _calls(flow, node, "reshape") or len(node.args) != 2 or not isinstance(node.args[1], ast.List):
        return None
    sizes, outputs = node.args[1].elts, _value(flow, node.args[0])
    known = outputs.form is Form.SHARDED and outputs.batch_dim == 0 and len(outputs.items) == 2
    if not known or len(sizes) != 2 or _value(flow, sizes[0]).const != -1:
        return None
    return outputs if _is_same(_value(flow, sizes[1]), outputs.items[1]) else None


def _starts(flow: Flow, node: ast.expr, times: Value) -> bool:
    """Whether these are the rows that the samples begin at: ``tf.range(0, n) * times``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    for counted, factor in ((node.left, node.right), (node.right, node.left)):
        if isinstance(counted, ast.Call) and _calls(flow, counted, "range") and not counted.keywords:
            bounds = [_value(flow, bound) for bound in counted.args]
            begins = len(bounds) == 1 or (len(bounds) == 2 and bounds[0].is_zero)
            return begins and bounds[-1].form is Form.COUNT and _is_same(_value(flow, factor), times)
    return False


def _is_of_each(flow: Flow, node: ast.expr) -> bool:
    """Whether there is one of these numbers for each sample: lengths, or one less."""
    value = _value(flow, node)
    if value.form is Form.SHARDED and depths.PER_SAMPLE in value.tags:
        return True
    less = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.right, ast.Constant)
    return less and isinstance(node, ast.BinOp) and _is_of_each(flow, node.left)


def _is_same(a: Value, b: Value) -> bool:
    """Whether two numbers are copies of one."""
    return a.kind is b.kind is Kind.NUMBER and len(a.origins) == 1 and a.origins == b.origins
