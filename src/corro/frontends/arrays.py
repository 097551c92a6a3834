"""How many dimensions arrays have besides the first, where a script says so: see ``corro.flow.depths``.

What a pipeline or a data set is made of tells the depths of its batches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow import depths
from corro.flow.values import MIXED, Value
from corro.frontends import tensors

if TYPE_CHECKING:
    from corro.flow.depths import Depth
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

PUBLISHED = {"mnist": (2, 0), "fashion_mnist": (2, 0), "cifar10": (3, 1), "cifar100": (3, 1), "boston_housing": (1, 0),
             "california_housing": (1, 0)}  # fmt: skip
"""The depths of inputs and of targets in Keras' own data sets."""
LABELLED = frozenset({"MNIST", "FashionMNIST", "KMNIST", "CIFAR10", "CIFAR100", "SVHN", "STL10", "USPS",
                      "ImageFolder"})  # fmt: skip
"""The data sets of torchvision in which each image has a number for its class."""
SPLITS = frozenset({"sklearn.model_selection.train_test_split", "sklearn.cross_validation.train_test_split"})
BUNCH = "bunch"
"""The name of a data set of scikit-learn, with all its parts."""
SCALER = "scaler"
PARTS = {"data": 1, "target": 0, "images": 2}
"""The depths of the parts of a data set of scikit-learn."""
TABLE = (1, 0)
"""The depths of inputs and of targets of scikit-learn's data sets."""
_TABLES = frozenset({"pandas.read_csv", "pandas.read_table", "pandas.read_excel", "pandas.read_parquet",
                     "pandas.DataFrame"})  # fmt: skip
_VIEWS = frozenset({"values", "iloc", "loc"})
"""The attributes of a table, or of a column, that have its shape."""
_DRAWN_BY_SHAPE = frozenset({"rand", "randn", "zeros", "ones", "empty", "random_sample", "standard_normal"})
_SHAPES = frozenset({"size", "shape"})
_MEASURED = frozenset({"zeros", "ones", "empty", "full", "random", "random_sample", "standard_normal", "rand",
                       "randn"})  # fmt: skip
_ONE_NUMBER = frozenset({"randint", "randrange", "uniform", "gauss", "integers", "choice", "random"})
"""What draws one number, where it is told no size."""
_SIZES = frozenset({Kind.TUPLE, Kind.LIST, Kind.SHAPE})
_FIGURES = frozenset({Kind.NUMBER, Kind.UNKNOWN})
_IN_A_ROW = frozenset({"arange", "linspace", "logspace", "randperm"})
_DRAWN = {"randint": 2, "normal": 2, "uniform": 2, "choice": 1, "integers": 2}
"""Functions that are given a shape after what they draw from, and how many arguments come before it."""
_SAME = frozenset({"array", "asarray", "as_tensor", "tensor", "from_numpy", "FloatTensor", "LongTensor", "Tensor",
                   "float32", "float64", "constant", "convert_to_tensor", "cast", "copy", "astype", "numpy", "float",
                   "long", "double", "int", "type", "ascontiguousarray", "clone", "detach", "cpu", "cuda", "to",
                   "shuffle", "permutation", "nan_to_num", "round", "normalize", "contiguous", "to_numpy", "fillna",
                   "dropna", "drop", "sample", "sort_values", "head", "tail"})  # fmt: skip
_OF_NUMBERS = frozenset({"array", "asarray", "as_tensor", "tensor"})
_REDUCING = frozenset({"sum", "mean", "max", "min", "argmax", "argmin", "any", "all", "std", "prod", "norm"})


def data(name: str, call: Call) -> Value | None:
    """What functions of scikit-learn give that make or divide data; ``None`` for others."""
    if name in SPLITS:
        return Value(Kind.TUPLE, items=tuple(_some(each) for each in call.args for _ in range(2)))
    loads = name.startswith(("sklearn.datasets.load_", "sklearn.datasets.fetch_"))
    both = call.keywords.get("return_X_y")
    if name.startswith("sklearn.datasets.make_") or (loads and both is not None and both.const is True):
        return Value(Kind.TUPLE, items=tuple(Value(depth=depths.known(depth)) for depth in TABLE))
    if loads:
        return Value(name=BUNCH)
    if name.startswith("sklearn.preprocessing.") and name.rpartition(".")[2].endswith("Scaler"):
        return Value(name=SCALER)
    return None


def _some(rows: Value) -> Value:
    """Some of the rows of an array: an array of the same library."""
    kind = Kind.TENSOR if rows.kind is Kind.TENSOR and not rows.scalar else Kind.UNKNOWN
    return Value(kind, rows.placement, depth=rows.depth, tags=rows.tags & {tensors.NUMPY, MIXED})


def table(name: str, call: Call) -> Depth:
    """The depth of what a function of pandas gives: a table has columns."""
    return depths.known(1) if name in _TABLES and "squeeze" not in call.keywords else depths.UNKNOWN


def attribute(owner: Value, name: str) -> Depth:
    """The depth of an attribute of an array, a table or a column."""
    return owner.depth if name in _VIEWS else depths.UNKNOWN


def indexed(owner: Value, index: Value) -> Depth:
    """The depth of an item or a slice of an array or a table, of which a name takes one column."""
    if index.kind is Kind.TEXT:
        return depths.changed(owner.depth, -1)
    return owner.depth if index.kind is Kind.LIST else tensors.indexed(owner, index)


def pair(of_inputs: int, of_targets: int) -> Value:
    """Inputs and targets."""
    return Value(Kind.TUPLE, items=(array(of_inputs), array(of_targets)))


def array(depth: int) -> Value:
    """An array of a depth."""
    return Value(Kind.TENSOR, depth=depths.known(depth))


def depth_of(flow: Flow, name: str, operands: tuple[Value, ...], call: Call) -> Depth:
    """The depth of what a function or a method makes: of arrays (the receiver first), or of a shape."""
    shaped, first = shape_of(name, operands, call), operands[0] if operands else Value()
    if shaped is not None:
        return _of_shape(flow, shaped)
    if name in _IN_A_ROW or (name == "permutation" and first.kind is Kind.NUMBER):
        return depths.known(0)
    if name in _ONE_NUMBER and all(v.kind is Kind.NUMBER for v in (*operands, *call.keywords.values())):
        return depths.known(-1)
    if first.kind is Kind.NUMBER:
        return depths.known(-1) if name in _OF_NUMBERS else depths.UNKNOWN
    if name in _SAME:
        return _of_list(flow, first) if first.kind in (Kind.LIST, Kind.TUPLE) else first.depth
    if name == "pop":
        return depths.changed(first.depth, -1)
    if name in ("reshape", "view"):
        return _reshaped(flow, operands[1:])
    if name in ("flatten", "ravel"):
        return depths.known(0) if not operands[1:] and not call.keywords else depths.UNKNOWN
    if name in ("expand_dims", "unsqueeze"):
        axis = next((v for v in (*operands[1:2], *(call.keywords.get(k) for k in ("axis", "dim"))) if v), Value())
        return depths.changed(first.depth, 1) if isinstance(axis.const, int) else depths.UNKNOWN
    if name in ("to_categorical", "one_hot"):
        return depths.changed(first.depth, 1)
    if name in _REDUCING:
        axis = next((v for v in (*operands[1:2], *(call.keywords.get(k) for k in ("axis", "dim"))) if v), Value())
        keeps = tensors.keeps_dimensions(operands[2:], call)
        if first.kind is Kind.TENSOR and not operands[1:] and not call.keywords:
            return depths.known(-1)
        along = isinstance(axis.const, int) and axis.const in (1, -1)
        return depths.changed(first.depth, 0 if keeps else -1) if along and keeps is not None else depths.UNKNOWN
    return depths.together(operands) if name in tensors.ELEMENTWISE else depths.UNKNOWN


def is_drawn(name: str) -> bool:
    """Whether a method of a generator of random numbers gives an array of them."""
    return name in _DRAWN or name in _DRAWN_BY_SHAPE & _MEASURED - {"zeros", "ones", "empty"}


def shape_of(name: str, operands: tuple[Value, ...], call: Call) -> Value | None:
    """The shape that a function is given for what it makes, as a number or several; ``None`` where it is not known.

    Random numbers have it after the bounds, or as the first list of sizes.
    """
    first = operands[0] if operands else Value()
    shaped = next((call.keywords[k] for k in _SHAPES if k in call.keywords), None)
    if shaped is None and name in _DRAWN:
        numbers = all(v.kind in _FIGURES for v in operands) and len(operands) > _DRAWN[name]
        listed = next((v for v in operands[:0:-1] if v.kind in _SIZES), None)
        shaped = listed if listed is not None else operands[_DRAWN[name]] if numbers else None
    if shaped is None and first.kind is Kind.NUMBER and name in _DRAWN_BY_SHAPE:
        return Value(Kind.TUPLE, items=operands)
    return first if shaped is None and name in _MEASURED and first.kind in (Kind.NUMBER, *_SIZES) else shaped


def _of_list(flow: Flow, values: Value) -> Depth:
    """The depth of an array that is made of a list."""
    element = flow.element(values)
    return depths.known(0) if element.kind is Kind.NUMBER else depths.changed(element.depth, 1)


def _of_shape(flow: Flow, shape: Value) -> Depth:
    if shape.kind is Kind.NUMBER:
        return depths.known(0)
    items = flow.literal_items(shape) if shape.kind in (Kind.TUPLE, Kind.LIST) else None
    return depths.known(len(items) - 1) if items else depths.UNKNOWN


def _reshaped(flow: Flow, shape: tuple[Value, ...]) -> Depth:
    if len(shape) == 1:
        return _of_shape(flow, shape[0])
    return depths.known(len(shape) - 1) if shape else depths.UNKNOWN


def batch(owner: Value, position: object) -> Depth:
    """The depth of a part of a batch, which stands for itself where the arrays are not known."""
    if not isinstance(position, int):
        return depths.UNKNOWN
    if len(owner.items) > position >= 0 and owner.items[position].depth:
        return owner.items[position].depth
    return depths.of(*sorted(owner.sources), position)
