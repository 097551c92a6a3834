"""Scores of scikit-learn that are averages over the samples they are given, or sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, elementwise
from corro.flow.values import Value
from corro.frontends import tensors

if TYPE_CHECKING:
    from corro.flow.semantics import Call

_MODULE = "sklearn.metrics."
_COUNTING = frozenset({"accuracy_score", "zero_one_loss"})
"""Averages of what is true or false of each sample: with ``normalize=False`` its sum."""
_AVERAGES = _COUNTING | {"hamming_loss", "mean_squared_error", "mean_absolute_error", "mean_squared_log_error",
                         "mean_absolute_percentage_error"}  # fmt: skip
"""What is computed of each sample by itself, and averaged; others compare samples, or ask which classes there are."""
_GIVEN = ("y_true", "y_pred")


def of_samples(name: str, call: Call) -> Value | None:
    """The score of a batch; ``None`` where it is not known to be an average over its samples, or their sum."""
    last = name.rpartition(".")[2]
    pair = [call.argument(position, word) for position, word in enumerate(_GIVEN)]
    options = {word: value for word, value in call.keywords.items() if word not in _GIVEN}
    if not name.startswith(_MODULE) or last not in _AVERAGES or len(call.args) > len(_GIVEN):
        return None
    given = [value for value in pair if value is not None and tensors.has_each(value)]
    if len(given) < len(_GIVEN) or not options.keys() <= ({"normalize"} if last in _COUNTING else set()):
        return None
    normalize = options.get("normalize")
    if normalize is not None and not isinstance(normalize.const, bool):
        return None
    form = Form.SUM if normalize is not None and normalize.const is False else Form.MEAN
    placement = elementwise(value.placement for value in given).with_form(form)
    return Value(Kind.NUMBER, placement, scalar=True, integer=form is Form.SUM or None)
