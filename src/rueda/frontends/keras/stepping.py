"""What Keras' calls mean in scripts whose models may have a ``train_step`` of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form, combine, sharded
from rueda.flow.semantics import Call
from rueda.flow.values import Value
from rueda.frontends import arrays
from rueda.frontends.keras import data
from rueda.frontends.keras.semantics import KerasSemantics
from rueda.frontends.tensorflow.semantics import TapeSemantics

if TYPE_CHECKING:
    from rueda.flow.state import Flow

_FITS = frozenset({"fit", "fit_generator"})
_UNPACKS = ("unpack_x_y_sample_weight",)
_LOSSES = frozenset({"compiled_loss", "compute_loss"})


class FitSemantics(KerasSemantics):
    """``fit`` calls the model's own ``train_step`` with the share of a batch."""

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        if receiver.kind is Kind.MODULE and name in _FITS and flow.has_method(receiver, "train_step"):
            given = call.argument(0, "x") or Value()
            parts = data.parts(given) if given.kind is Kind.DATASET else (given, call.argument(1, "y") or Value())
            batch = Value(Kind.BATCH, sharded(frozenset({flow.facts.number(call.node)})), batch_dim=0, items=parts)
            previous, flow.semantics = flow.semantics, _StepSemantics()
            flow.call_method(receiver, "train_step", Call(call.node, (batch,)))
            flow.semantics = previous
        return super().method(flow, receiver, name, call)


class _StepSemantics(TapeSemantics):
    """The meaning of TensorFlow in a ``train_step``."""

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        if name.endswith(_UNPACKS) and call.args:
            part = Value(Kind.TENSOR, call.args[0].placement, batch_dim=0)
            parts = tuple(part.but(depth=arrays.batch(call.args[0], position)) for position in range(3))
            return Value(Kind.TUPLE, part.placement, items=parts)
        return super().call(flow, name, call)

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """What models have of ``compile``: their loss, which is a mean, and their metrics."""
        if receiver.kind is Kind.MODULE and name in _LOSSES:
            placement = combine(v.placement for v in call.values)
            form = Form.MEAN if placement.sources and placement.form is not Form.LOCAL else placement.form
            shares = (v.form is Form.SHARDED or v.placement.is_equal for v in call.values)
            return Value(Kind.TENSOR, placement.with_form(form if all(shares) else Form.UNKNOWN), scalar=True)
        if receiver.kind is Kind.MODULE and name in ("compiled_metrics", "compute_metrics"):
            return Value()
        if name == "train_step":
            return Value()
        return super().method(flow, receiver, name, call)
