"""Operations that name dimensions: ``einsum``, and ``rearrange``, ``reduce`` and ``repeat`` of einops."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, elementwise
from corro.flow import depths
from corro.flow.values import Value
from corro.frontends import tensors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corro.flow.depths import Depth
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

FUNCTIONS = frozenset({"einops.rearrange", "einops.reduce", "einops.repeat", "einops.einsum"})
LAYERS = frozenset({"einops.layers.torch.Rearrange", "einops.layers.torch.Reduce"})
_ANY = "..."
_AXIS = re.compile(r"\([^()]*\)|\.\.\.|\w+")
_OF_LETTERS = re.compile(r"\.\.\.|[A-Za-z]")
_LINEAR = {"mean": Form.MEAN, "sum": Form.SUM}
_Term = list[str]


def einsum(flow: Flow, call: Call) -> Value:
    """What ``torch.einsum`` gives, or that of NumPy."""
    equation, operands = (call.args[0] if call.args else Value()), call.args[1:]
    if len(operands) == 1 and operands[0].kind in (Kind.LIST, Kind.TUPLE):
        operands = flow.literal_items(operands[0]) or (flow.element(operands[0]),)
    if not isinstance(equation.const, str):
        return _lost(call.values)
    inputs, arrow, output = equation.const.replace(" ", "").partition("->")
    terms = [_OF_LETTERS.findall(term) for term in inputs.split(",")]
    return contracted(terms, _OF_LETTERS.findall(output) if arrow else _implied(terms), operands)


def function(name: str, call: Call) -> Value:
    """What a function of einops gives."""
    last = name.rpartition(".")[2]
    given = [value for value in call.values if isinstance(value.const, str) and "->" in value.const]
    if not given or not call.args:
        return _lost(call.values)
    inputs, _, output = str(given[0].const).partition("->")
    if last == "einsum":
        return contracted([term.split() for term in inputs.split(",")], output.split(), call.args[:-1])
    how = call.argument(2, "reduction") if last == "reduce" else None
    sizes = {word: value for word, value in call.keywords.items() if value is not given[0] and value is not how}
    first = call.args[0]
    if first.kind is not Kind.TENSOR and not first.placement.is_equal:
        return _lost(call.values)
    return _arranged(first, _AXIS.findall(inputs), _AXIS.findall(output), sizes, how)


def layer(module: Value, given: Value) -> Value:
    """What a layer of einops gives: its items are the pattern and, of ``Reduce``, how."""
    pattern, *how = module.items
    inputs, arrow, output = str(pattern.const).partition("->")
    if not isinstance(pattern.const, str) or not arrow:
        return _lost((given,))
    return _arranged(given, _AXIS.findall(inputs), _AXIS.findall(output), {}, how[0] if how else None)


def contracted(terms: Sequence[_Term], output: _Term, operands: Sequence[Value]) -> Value:
    """A sum over the dimensions that the output has not: of each sample by itself, where it has that of samples.

    All operands that hold samples, and the output, have one name for their dimension.
    """
    placement = elementwise(v.placement for v in operands)
    held = [(term, v) for term, v in zip(terms, operands, strict=False) if v.form is Form.SHARDED]
    names = {_name_at(term, v.batch_dim) for term, v in held}
    name = next(iter(names), "") if len(names) == 1 else ""
    place = output.index(name) if name in output else None
    tags = frozenset(tag for v in operands for tag in v.tags) & tensors.KEPT_TAGS - {depths.TRUTH}
    if not held and len(terms) == len(operands):
        return Value(Kind.TENSOR, placement, tags=tags)
    several = any(term.count(name) > 1 for term, _ in held) or (name == _ANY and not _alike(held))
    if not name or place is None or len(terms) != len(operands) or several:
        return _lost(operands)
    return Value(Kind.TENSOR, placement, batch_dim=place, depth=_behind(output, place), tags=tags)


def _alike(held: Sequence[tuple[_Term, Value]]) -> bool:
    """Whether dots stand for as many dimensions in all terms."""
    counts = {None if (known := depths.dimensions(v)) is None else known - len(term) for term, v in held}
    return len(held) == 1 or (len(counts) == 1 and None not in counts)


def _arranged(first: Value, left: _Term, right: _Term, sizes: Mapping[str, Value], how: Value | None) -> Value:
    """A tensor whose dimensions are put elsewhere, apart, together, or away."""
    if first.form is not Form.SHARDED:
        return _repeated(first, right, sizes)
    name, group = _samples(first, left)
    others = [value for word, value in sizes.items() if word != name]
    if not name or any(not value.placement.is_equal for value in others):
        return _lost((first, *sizes.values()))
    place = next((n for n, axis in enumerate(right) if _axes(axis)[:1] == [name]), None)
    if place is None:
        gone = not any(name in _axes(axis) for axis in right) and how is not None
        form = _LINEAR.get(how.const, Form.UNKNOWN) if gone and how is not None else Form.UNKNOWN
        return Value(Kind.TENSOR, first.placement.with_form(form))
    parted = group or len(_axes(right[place])) > 1
    tags = first.tags & tensors.KEPT_TAGS - {tensors.CUT, tensors.ROWS}
    tags |= {depths.APART} if parted else set()
    placement = first.placement
    if {tensors.CUT, tensors.ROWS} & first.tags or (how is not None and not isinstance(how.const, str)):
        placement = placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, placement, integer=first.integer if how is None else None, batch_dim=place,
                 depth=_behind(right, place), tags=tags)  # fmt: skip


def _samples(first: Value, left: _Term) -> tuple[str, bool]:
    """The name of the dimension of the samples, and whether that is one of several in one; empty where unknown."""
    place = first.batch_dim
    if place is None or place >= len(left) or _ANY in left[:place]:
        return "", False
    axes = _axes(left[place])
    if len(axes) == 1:
        return (axes[0], False) if not axes[0].isdigit() else ("", False)
    # Rows that are parts of samples are put together again; whole ones would be taken for parts.
    return (axes[0], True) if len(axes) > 1 and depths.APART in first.tags and place == 0 else ("", False)


def _repeated(first: Value, right: _Term, sizes: Mapping[str, Value]) -> Value:
    """An array: repeated as often as there are samples, it is one for each of them."""
    counted = [word for word, value in sizes.items() if value.form is Form.COUNT]
    placement = elementwise((first.placement, *(v.placement for v in sizes.values() if v.form is not Form.COUNT)))
    if not counted:
        return Value(Kind.TENSOR, placement)
    place = next((n for n, axis in enumerate(right) if _axes(axis) == counted), None)
    if place is None or not placement.is_array:
        return _lost((first, *sizes.values()))
    sharded = sizes[counted[0]].placement.with_form(Form.SHARDED)
    return Value(Kind.TENSOR, elementwise((placement, sharded)), batch_dim=place, depth=_behind(right, place))


def _axes(axis: str) -> list[str]:
    return axis.strip("()").split()


def _behind(output: _Term, place: int) -> Depth:
    """The depth of what has these dimensions, with the samples in one of them."""
    return depths.UNKNOWN if _ANY in output else depths.known(len(output) - 1 - place)


def _name_at(term: _Term, place: int | None) -> str:
    """The name of a dimension; empty where dots may stand for some before it."""
    if place is None or place >= len(term) or (_ANY in term[:place]):
        return ""
    return term[place]


def _implied(terms: Sequence[_Term]) -> _Term:
    """The dimensions of a result that is not written: dots, and the letters that are there once, in their order."""
    times = Counter(letter for term in terms for letter in term)
    return [*([_ANY] if _ANY in times else []), *sorted(name for name in times if times[name] == 1 and name != _ANY)]


def _lost(given: Sequence[Value]) -> Value:
    placement = elementwise(v.placement for v in given)
    return Value(Kind.TENSOR, placement.with_form(Form.UNKNOWN) if placement.sources else placement)
