"""What becomes of data: arrays, tables, ``tf.data`` pipelines and the generators of ``keras.preprocessing``.

A ``tf.data`` pipeline is a value of kind ``DATASET`` whose items are its stages, the source first: each a value with
the name of the method and the number of the call. Where paths meet that do not agree, the stages are unknown (no
items).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import combine
from corro.flow import depths, python
from corro.flow.values import AVERAGED, NONE, UNKNOWN, Value, number
from corro.frontends import arrays, tensors

if TYPE_CHECKING:
    from corro.anatomy.placement import Placement
    from corro.flow.depths import Depth
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

SYMBOLIC = "symbolic"
"""The tag of a tensor that stands for data in the making of a model."""
OF_TENSORFLOW = "a tensor of TensorFlow"
"""The tag of what cannot be indexed like an array of NumPy."""
BATCHED = frozenset({"keras.utils.image_dataset_from_directory", "keras.utils.text_dataset_from_directory",
                     "keras.utils.timeseries_dataset_from_array", "keras.utils.audio_dataset_from_directory",
                     "keras.preprocessing.image_dataset_from_directory",
                     "keras.preprocessing.text_dataset_from_directory",
                     "keras.preprocessing.timeseries_dataset_from_array"})  # fmt: skip
"""Functions that give a pipeline of batches."""
GENERATOR = "ImageDataGenerator"
RANDOM = "random numbers"
SUMMED = "summed over samples"
"""The tag of a symbolic tensor that is a sum over a whole batch."""
SPARSE = "a sparse matrix"
"""The tag of what has a shape and perhaps no length: of SciPy, or made by one of scikit-learn's transformers."""
UNINDEXED = "a sparse matrix without rows"
"""The tag of what SciPy gives in a form that has no items, or may."""
_INDEXED = frozenset({"csr_matrix", "csr_array", "csc_matrix", "csc_array", "lil_matrix", "lil_array"})
_INTO_ROWS = frozenset({"tocsr", "tocsc", "tolil"})
_MAKING_SPARSE = frozenset({"TfidfVectorizer", "CountVectorizer", "HashingVectorizer", "TfidfTransformer",
                            "DictVectorizer", "FeatureHasher", "OneHotEncoder", "ColumnTransformer",
                            "FeatureUnion", "Pipeline"})  # fmt: skip
_FRAMES = ("pandas.DataFrame", "pandas.read_", "pandas.concat", "pandas.get_dummies", "pandas.Series", "pandas.merge")
_PAIRS = ("sklearn.datasets.make_",)
_REDUCING = frozenset({"sum", "mean", "max", "min"})
_TO_ARRAY = frozenset({"to_numpy", "as_matrix", "numpy", "toarray", "todense", "values"})
_ELEMENTWISE = frozenset({"log", "log1p", "log2", "log10", "exp", "expm1", "sqrt", "square", "abs", "absolute", "sign",
                          "round", "around", "clip", "power", "add", "subtract", "multiply", "divide", "true_divide",
                          "maximum", "minimum", "sin", "cos", "tanh", "negative", "reciprocal"})  # fmt: skip
"""Functions of NumPy that give a table where they are given one."""
_SAME_PARTS = frozenset({"batch", "shuffle", "cache", "prefetch", "repeat", "take", "skip", "shard", "with_options",
                         "filter"})  # fmt: skip
"""Stages of a pipeline after which samples have the shapes that they had."""
_FILE_SYSTEM = frozenset({"tensorflow.io.gfile.exists", "tensorflow.io.gfile.isdir", "tensorflow.io.gfile.glob",
                          "tensorflow.io.gfile.listdir", "tensorflow.train.latest_checkpoint"})  # fmt: skip
_ELSEWHERE = frozenset({"tensorflow.random.set_seed", "numpy.random.seed", "random.seed"})


def call(flow: Flow, name: str, call: Call) -> Value | None:
    """The result of a library function outside Keras."""
    site = frozenset({flow.facts.number(call.node)})
    if name in _FILE_SYSTEM | _ELSEWHERE:
        return python.file_system(flow, call) if name in _FILE_SYSTEM else NONE
    if name in arrays.SPLITS:
        return Value(Kind.TUPLE, items=tuple(_like(part) for part in call.args for _ in range(2)))
    if name.startswith(("sklearn.", "scipy.sparse.")):
        return _scientific(flow, name, call)
    if name.startswith("tensorflow.data."):
        return _source(flow, name, call, site)
    if name in ("tensorflow_datasets.load", "tensorflow_datasets.as_numpy"):
        return _published(call, site)
    if name.startswith(_FRAMES):
        return Value(Kind.TABLE, _placement(flow, call), sites=site, depth=arrays.table(name, call))
    if name.startswith("numpy."):
        return _numpy(flow, name, call)
    if name.startswith("tensorflow."):
        return _tensorflow(flow, name, call)
    return None


def _like(value: Value) -> Value:
    """Some of the rows of a value."""
    kept = value.kind in (Kind.TENSOR, Kind.TABLE, Kind.LIST)
    sparse = value.tags & {SPARSE, UNINDEXED}
    return Value(value.kind, depth=value.depth, tags=sparse) if kept else Value(placement=value.placement)


def _scientific(flow: Flow, name: str, call: Call) -> Value | None:
    """What scikit-learn and SciPy make."""
    last = name.rpartition(".")[2]
    if name.startswith(_PAIRS):
        return arrays.pair(*arrays.TABLE)
    if name.startswith(("sklearn.datasets.load_", "sklearn.datasets.fetch_")):
        pair = call.keywords.get("return_X_y")
        if pair is not None and pair.const is True:
            return arrays.pair(*arrays.TABLE)
        return Value(name=arrays.BUNCH)
    if name == "sklearn.utils.shuffle":
        parts = tuple(_like(part) for part in call.args)
        return Value(Kind.TUPLE, items=parts) if len(parts) > 1 else (parts[0] if parts else None)
    if name.startswith("sklearn.") and last[:1].isupper():
        return Value(name="transformer", tags=frozenset({SPARSE}) if last in _MAKING_SPARSE else frozenset())
    if name.rpartition(".")[0] != "scipy.sparse" or last.startswith("is") or last in ("save_npz", "find"):
        return None
    form = call.keywords.get("format")
    indexed = last in _INDEXED or (form is not None and form.const in ("csr", "csc", "lil"))
    return Value(Kind.TENSOR, _placement(flow, call), tags=frozenset({SPARSE} if indexed else {SPARSE, UNINDEXED}))


def _numpy(flow: Flow, name: str, call: Call) -> Value | None:
    last = name.rpartition(".")[2]
    if last in ("load", "genfromtxt", "loadtxt"):
        return Value(Kind.TENSOR)
    if name.startswith("numpy.random.") and last in ("shuffle", "seed", "set_state"):
        return NONE
    if last in ("default_rng", "RandomState"):
        return Value(name=RANDOM)
    if last in ("save", "savez", "savetxt", "set_printoptions"):
        return NONE
    if last in _ELEMENTWISE and any(value.kind is Kind.TABLE for value in call.args):
        return Value(Kind.TABLE, _placement(flow, call))
    if last in ("array_split", "split", "vsplit", "hsplit", "meshgrid", "unique", "histogram", "where"):
        some = Value(Kind.TENSOR, _placement(flow, call))
        return some if last in ("where", "unique") else Value(Kind.ITERATOR, name="iter", items=(some,))
    if last in ("mean", "sum", "std", "var", "max", "min", "argmax", "argmin", "sqrt", "prod", "ceil", "floor"):
        depth = arrays.depth_of(flow, last, call.args, call)
        whole = "axis" not in call.keywords
        return Value(Kind.TENSOR, _placement(flow, call), scalar=whole, depth=depth)
    depth = arrays.depth_of(flow, last, call.args, call)
    return Value(Kind.TENSOR, _placement(flow, call), depth=depth)


def _placement(flow: Flow, call: Call) -> Placement:
    """What all that a call is given will be, the items of lists included."""
    held = (each for value in call.values for each in flow.held(value))
    return combine([*(value.placement for value in call.values), *held])


def _tensorflow(flow: Flow, name: str, call: Call) -> Value | None:
    """Operations on tensors; on those that stand for data they are part of the making of a model."""
    last = name.rpartition(".")[2]
    if name.startswith(("tensorflow.keras", "tensorflow.config", "tensorflow.io", "tensorflow.summary",
                        "tensorflow.saved_model", "tensorflow.train", "tensorflow.compat.v1.", "tensorflow.estimator",
                        "tensorflow.distribute", "tensorflow.feature_column")):  # fmt: skip
        return None
    if last[:1].isupper() or last == "function":
        return Value(name=name) if last in ("GradientTape", "Session", "Variable") else None
    parts = [*call.values, *(flow.element(v) for v in call.values if v.obj or v.items)]
    tags = frozenset(tag for v in parts for tag in v.tags) & {SYMBOLIC} | {OF_TENSORFLOW} | _summed(last, call)
    depth = arrays.depth_of(flow, last, call.args, call)
    return Value(Kind.TENSOR, _placement(flow, call), depth=depth, tags=tags)


# ---------------------------------------------------------------------- Keras' own


def keras(flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
    """The result of a function of Keras that makes or changes data."""
    module, _, last = name.rpartition(".")
    if last == "load_data" and module.startswith("keras.datasets."):
        known = arrays.PUBLISHED.get(module.rpartition(".")[2])
        pair = arrays.pair(*known) if known else Value(Kind.TUPLE, items=(Value(Kind.TENSOR), Value(Kind.TENSOR)))
        return Value(Kind.TUPLE, sites=site, items=(pair, pair))
    if last == "get_word_index":
        return Value(Kind.UNKNOWN)
    if name in BATCHED:
        both = call.keywords.get("subset")
        made = _pipeline(name, call, site)
        return Value(Kind.TUPLE, items=(made, made)) if both is not None and both.const == "both" else made
    if last in ("to_categorical", "pad_sequences", "img_to_array", "normalize", "array_to_img", "load_img"):
        return Value(Kind.TENSOR, depth=arrays.depth_of(flow, last, call.args, call))
    if last == GENERATOR:
        return Value(name=GENERATOR, sites=site)
    if last == "TimeseriesGenerator":
        return Value(Kind.LOADER, sites=site, name=last)
    if last == "get_file":
        return Value(Kind.TEXT)
    if last == "set_random_seed":
        return NONE
    if module.startswith(("keras.backend", "keras.activations", "keras.ops", "keras.random")):
        symbolic = frozenset(tag for v in call.values for tag in v.tags) & {SYMBOLIC}
        return Value(Kind.TENSOR, combine(v.placement for v in call.values), tags=symbolic | _summed(last, call))
    return None


def _summed(name: str, call: Call) -> frozenset[str]:
    """The mark of a sum without an axis."""
    whole = name in ("sum", "reduce_sum") and len(call.args) == 1 and not call.keywords
    return frozenset({SUMMED}) if whole else frozenset()


# ---------------------------------------------------------------------- pipelines


def _source(flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
    last = name.rpartition(".")[2]
    if last in ("AUTOTUNE", "Options"):
        return None
    given = call.args[0] if last == "from_tensor_slices" and call.args else Value()
    parts = (flow.literal_items(given) if given.kind is Kind.TUPLE else None) or ()
    return _pipeline(last, call, site, tuple(Value(depth=part.depth) for part in parts))


def gives_batches(pipeline: Value) -> bool:
    """Whether what a pipeline gives are batches."""
    return any(stage.name in BATCHED | {"batch", "padded_batch"} for stage in pipeline.items)


def parts(pipeline: Value) -> tuple[Value, ...]:
    """What is known of the parts of the batches of a pipeline: what its source is made of, where it stays that."""
    names = [stage.name for stage in pipeline.items]
    same = names.count("batch") == 1 and set(names[1:]) <= _SAME_PARTS
    return pipeline.items[0].items if same else ()


def _pipeline(name: str, call: Call, site: frozenset[int], parts: tuple[Value, ...] = ()) -> Value:
    source = Value(name=name, sites=site, items=parts)
    return Value(Kind.DATASET, sites=site, name="pipeline", items=(source,))


def _published(call: Call, site: frozenset[int]) -> Value:
    """``tfds.load``: one pipeline for each split that is asked for."""
    split = call.argument(1, "split")
    made = _pipeline("tfds.load", call, site)
    data: Value
    if split is None or split.kind is Kind.NONE:
        data = Value(Kind.DATASET, sites=site, name="splits", items=made.items)
    elif split.kind is Kind.TEXT or split.name.startswith("tensorflow_datasets.Split."):
        data = made
    else:
        data = Value(Kind.ITERATOR, name="iter", items=(Value(Kind.TUPLE, items=(made, made)),))
        written = next((k.value for k in call.node.keywords if k.arg == "split"), None)
        if split.kind is Kind.TUPLE:
            data = Value(Kind.TUPLE, items=tuple(made for _ in split.items))
        elif isinstance(written, ast.List) and not any(isinstance(each, ast.Starred) for each in written.elts):
            data = Value(Kind.TUPLE, items=tuple(made for _ in written.elts))
    info = call.keywords.get("with_info")
    if info is not None and info.const is True:
        return Value(Kind.TUPLE, items=(data, Value(name="info")))
    return data


def method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """A method of data."""
    site = frozenset({flow.facts.number(call.node)})
    if receiver.kind is Kind.DATASET:
        return _stage(receiver, name, site)
    if receiver.name == GENERATOR:
        return _flow(name, site, call)
    if receiver.name == RANDOM:
        if name in ("shuffle", "seed"):
            return NONE
        return Value(Kind.TENSOR, depth=arrays.depth_of(flow, name, call.args, call))
    if receiver.name == "transformer":
        placement = combine(v.placement for v in call.values)
        depth = depths.known(name != "predict")
        sparse = receiver.tags & {SPARSE} if name != "predict" else frozenset()
        return Value(Kind.TENSOR, placement, depth=depth, tags=sparse) if _gives(name) else receiver
    if receiver.kind is Kind.TABLE:
        placement = combine((receiver.placement, _placement(flow, call)))
        return _table_method(receiver, name, placement, arrays.depth_of(flow, name, (receiver, *call.args), call))
    if receiver.kind is Kind.TENSOR:
        if name in ("item", "tolist"):
            return number(receiver.placement) if name == "item" else Value(placement=receiver.placement)
        placement = combine([receiver.placement, *(v.placement for v in call.values)])
        tags = receiver.tags - ({OF_TENSORFLOW} if name == "numpy" else set())
        tags -= {UNINDEXED} if name in _INTO_ROWS else {SPARSE, UNINDEXED} if name in _TO_ARRAY | _REDUCING else set()
        return Value(Kind.TENSOR, placement, tags=tags, depth=arrays.depth_of(flow, name, (receiver, *call.args), call))
    return None


def _gives(name: str) -> bool:
    """Whether a method of a transformer of scikit-learn gives data."""
    return "transform" in name or name == "predict"


def _stage(receiver: Value, name: str, site: frozenset[int]) -> Value:
    if name in ("cardinality", "reduce", "__len__"):
        return Value(Kind.TENSOR)
    if name in ("as_numpy_iterator", "make_one_shot_iterator"):
        return Value(name="iterator")
    if name in ("adapt", "get_next"):
        return Value(Kind.TENSOR)
    items = (*receiver.items, Value(name=name, sites=site)) if receiver.items else ()
    return Value(Kind.DATASET, sites=receiver.sites, name=receiver.name, items=items)


def _flow(name: str, site: frozenset[int], call: Call) -> Value | None:
    if name in ("flow", "flow_from_directory", "flow_from_dataframe"):
        return Value(Kind.LOADER, sites=site, name=name)
    return NONE if name == "fit" else Value(Kind.TENSOR)


def _table_method(receiver: Value, name: str, placement: Placement, depth: Depth) -> Value | None:
    if name in _TO_ARRAY:
        return Value(Kind.TENSOR, placement, depth=depth)
    if name in ("std", "unique") or name in _REDUCING:
        return Value(Kind.TENSOR, placement)
    if name in ("to_csv", "to_json", "to_pickle", "plot", "hist", "info"):
        return None
    if name in ("tolist", "to_dict"):
        return Value(placement=placement)
    return Value(Kind.TABLE, placement, sites=receiver.sites, depth=depth)


def attribute(owner: Value, name: str) -> Value | None:
    """An attribute of data."""
    if owner.name == arrays.BUNCH:
        return arrays.array(arrays.PARTS[name]) if name in arrays.PARTS else UNKNOWN
    if owner.kind is Kind.TABLE:
        if name == "values":
            return Value(Kind.TENSOR, owner.placement, depth=arrays.attribute(owner, name))
        if name in ("shape", "columns", "index", "dtypes"):
            return Value(Kind.TUPLE, items=(number(integer=True),) * 2) if name == "shape" else UNKNOWN
        if name in ("T", "iloc", "loc", "at", "iat"):
            return Value(Kind.TABLE, owner.placement, depth=arrays.attribute(owner, name))
        return None
    if owner.kind is Kind.TENSOR and name in ("T", "real"):
        return owner
    if owner.kind is Kind.TENSOR and name in ("shape", "ndim", "size", "dtype"):
        return UNKNOWN
    if owner.kind is Kind.LOADER and name in ("samples", "n", "batch_size", "num_classes"):
        return number(integer=True)
    return None


def subscript(flow: Flow, owner: Value, index: Value) -> Value | None:
    """An item or a slice of data."""
    if owner.kind is Kind.DATASET and owner.name == "splits":
        return owner.but(name="pipeline")
    if owner.name == arrays.BUNCH:
        return Value(Kind.TENSOR)
    if owner.kind is Kind.TENSOR:
        return owner.but(scalar=False, depth=tensors.indexed(owner, index), tags=owner.tags - {AVERAGED})
    if owner.kind is Kind.TABLE:
        return Value(Kind.TABLE, owner.placement, depth=arrays.indexed(owner, index))
    return None
