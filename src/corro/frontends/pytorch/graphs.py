"""Batches of graphs, as PyTorch Geometric makes them: one large graph of parts that nothing connects.

A loader's samples are graphs. A batch has one row for each node or edge of them, so processes have unequal numbers of
rows, of which a mean is not the mean of theirs. What is pooled by the numbers of the graphs has one row for each
sample, as other batches do. Layers pass values along the edges, which stay within a graph.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, elementwise
from corro.flow import depths
from corro.flow.values import UNSET, Value, number
from corro.frontends import tensors
from corro.frontends.pytorch.layers import UNKNOWN as UNKNOWN_LAYER
from corro.frontends.pytorch.modes import NOISE
from corro.frontends.randomness import SHUFFLED

if TYPE_CHECKING:
    from corro.flow.facts import CallFact, Facts
    from corro.flow.semantics import Call

LOADERS = frozenset({"torch_geometric.loader.DataLoader", "torch_geometric.data.DataLoader",
                     "torch_geometric.loader.dataloader.DataLoader"})  # fmt: skip
"""Loaders that put the graphs of their samples together; they hand what they are given to PyTorch's."""
GRAPHS = "a batch of graphs"
"""The tag of such loaders, and of their batches."""
SEED_LOADERS = frozenset(f"torch_geometric.loader.{name}" for name in ("NeighborLoader", "NodeLoader", "HGTLoader"))
"""Loaders whose samples are nodes of one graph: a batch is what is sampled around some of them, which come first."""
SEEDS = "a batch around seed nodes"
"""The tag of such loaders, and of their batches."""
PARTS = frozenset(
    f"torch_geometric.loader.{name}"
    for name in ("ClusterLoader", "GraphSAINTSampler", "GraphSAINTNodeSampler", "GraphSAINTEdgeSampler",
                 "GraphSAINTRandomWalkSampler", "RandomNodeLoader", "IBMBBatchLoader", "IBMBNodeLoader")
)  # fmt: skip
"""Loaders whose batches are parts of one graph, with the edges in them."""
TAGS = frozenset({GRAPHS, SEEDS})
_NUMBERS = "the numbers of the graphs"
"""The tag of what says of each node to which graph it belongs."""
DATASETS = SHUFFLED
"""How the names of data sets begin that are downloaded and prepared when they are made."""
_LAYERS = "torch_geometric.nn."
_PASSING = (_LAYERS, "dgl.nn.")
"""How the names of layers begin that pass values along the edges of a graph."""
_PASSING_MODELS = ("Conv", "GCN", "GAT", "GIN", "PNA", "GraphSAGE", "EdgeCNN", "GAE", "ARGA", "ARGVA", "VGAE",
                   "DeepGraphInfomax", "GraphUNet", "LINKX", "SignedGCN", "LabelPropagation", "CorrectAndSmooth",
                   "RECT_L", "HeteroConv")  # fmt: skip
_PASSES = frozenset({"propagate", "update_all", "multi_update_all", "apply_edges", "edge_updater"})
"""Methods of layers, and of graphs, that do so."""
_ALONG_THE_LAST = ("index", "face")
"""In the names of what has a column for each edge or the like; everything else has rows."""
_NO_ROWS = frozenset({"ptr", "stores", "node_stores", "edge_stores", "node_types", "edge_types", "T"})
_ITEMS = frozenset({"x", "y", "pos", "z", "edge_attr", "edge_weight", "edge_index", "batch"})
"""What may be asked for as an item, too; other names may be those of types of nodes."""
_SIZES = frozenset({"num_features", "num_node_features", "num_edge_features", "num_classes"})
"""What is alike for all graphs."""
_MOVING = frozenset({"to", "cuda", "cpu", "clone", "contiguous", "pin_memory"})
_POOLS = frozenset({"global_add_pool", "global_mean_pool", "global_max_pool", "global_sort_pool"})
_POOLING = ("Aggregation", "Set2Set", "GlobalAttention", "GraphMultisetTransformer", "AttentiveFP", "SchNet",
            "DimeNet", "DimeNetPlusPlus")  # fmt: skip
"""Layers and models that give a row for each graph, told the numbers of the graphs."""
_COARSENING = {"TopKPooling": 6, "SAGPooling": 6, "PANPooling": 6, "ASAPooling": 5}
"""Layers that leave some nodes of each graph, told the numbers of the graphs, and how much they give: nodes, edges,
features of these, the numbers of the graphs, and something of each node that is left."""
_EDGES, _NUMBERED, _LEFT = 1, 3, 4
"""The positions of the edges, of the numbers, and of which nodes are left, in what these give."""
_NEIGHBOURS = {"knn": 2, "radius": 2, "nearest": 2, "knn_graph": 1, "radius_graph": 1, "fps": 1}
"""Functions that choose nodes, or draw edges, within each graph, and for how many sets of nodes they have to be told
the numbers of the graphs."""
_CLUSTERED = ("torch_cluster.", _LAYERS)
_SCATTER = "torch_geometric.utils.scatter"
_BY_GRAPH = frozenset({"GraphNorm", "InstanceNorm", "PairNorm", "MeanSubtractionNorm", "GraphSizeNorm", "DiffGroupNorm",
                       "LayerNorm", "DynamicEdgeConv", "GravNetConv", "XConv"})  # fmt: skip
"""Layers that bring the nodes of a graph together, and without the numbers of the graphs those of all."""
_OF_MODELS = ("MLP", "GCN", "GAT", "GIN", "PNA", "GraphSAGE", "EdgeCNN")
"""Models whose ``norm`` may be one of the batch."""
_NORMALISING = frozenset({"BatchNorm", "GENConv", "XConv"})
"""Layers with statistics of the batch."""
_SIZES_FIRST = 4
"""So many arguments may stand in front of the rate of a dropout, where that has no name."""
_BY_NODE = frozenset({*_OF_MODELS, "Linear", "HeteroLinear", "BatchNorm", "MessageNorm", "JumpingKnowledge"})


def attribute(batch: Value, name: str) -> Value | None:
    """An attribute of a batch of graphs; ``None`` for its methods."""
    if name in _MOVING:
        return None
    given = next((part for part in batch.items if part.const == name), None)
    if given is not None:
        return given.but(const=UNSET)
    if SEEDS in batch.tags:
        return _around_seeds(batch, name)
    if name == "y":
        return Value(Kind.TENSOR, batch.placement, batch_dim=0)
    if name == "batch":
        return _rows(batch, 0, _NUMBERS)
    if name in ("num_graphs", "batch_size"):
        return number(batch.placement.with_form(Form.COUNT), integer=True)
    if name in ("num_nodes", "num_edges"):
        return number(batch.placement.with_form(Form.SUM), integer=True)
    if name in _SIZES:
        return Value()
    if name in _NO_ROWS or name.startswith("_") or name.endswith("_dict"):
        return Value(placement=batch.placement.with_form(Form.UNKNOWN))
    return _rows(batch, int(any(word in name for word in _ALONG_THE_LAST)), *_of_mask(name))


def _around_seeds(batch: Value, name: str) -> Value:
    """An attribute of what is sampled around seed nodes."""
    if name == "batch_size":
        return number(batch.placement.with_form(Form.COUNT), integer=True)
    if name in ("input_id", "seed_time"):
        return Value(Kind.TENSOR, batch.placement, batch_dim=0)
    if name in ("x", "y", "pos", "n_id") or name.endswith("_mask"):
        return _rows(batch, 0, tensors.SEEDS_FIRST, *_of_mask(name))
    if name in ("edge_index", "edge_attr", "edge_weight", "e_id"):
        return _rows(batch, int(name == "edge_index"))
    return Value() if name in _SIZES else Value(placement=batch.placement.with_form(Form.UNKNOWN))


def item(batch: Value, index: Value) -> Value:
    """``data["x"]``; one graph of the batch, or the nodes of one type, are not followed."""
    name = index.const
    known = attribute(batch, name) if isinstance(name, str) and name in _ITEMS else None
    return Value(placement=batch.placement.with_form(Form.UNKNOWN)) if known is None else known


def with_attribute(batch: Value, name: str, value: Value) -> Value | None:
    """A batch of graphs that is given something else as an attribute."""
    others = tuple(part for part in batch.items if part.const != name)
    return batch.but(items=(*others, value.but(const=name))) if batch.kind is Kind.BATCH else None


def _of_mask(name: str) -> tuple[str, ...]:
    """The tag of ``train_mask`` and its like, which PyTorch Geometric's data sets have as truth values."""
    return (depths.TRUTH,) if name.endswith("_mask") else ()


def _rows(batch: Value, batch_dim: int, *tags: str) -> Value:
    return Value(Kind.TENSOR, batch.placement, batch_dim=batch_dim, tags=frozenset({tensors.SELECTED, *tags}))


def method(batch: Value, name: str) -> Value:
    """What a method of a batch of graphs gives."""
    return batch if name in _MOVING else Value(placement=batch.placement.with_form(Form.UNKNOWN))


def dataset(data: Value, name: str) -> Value | None:
    """What a method of a data set of graphs gives: some of them, or all in another order."""
    return data if name in ("shuffle", "index_select", "copy") and GRAPHS in data.tags else None


def function(name: str, call: Call) -> Value | None:
    """What a function gives that works within each graph of a batch; ``None`` for others."""
    last = name.rpartition(".")[2]
    if not call.args:
        return None
    if name.startswith(_LAYERS) and last in _POOLS:
        return _of_graphs(call.args[0], call)
    if name == _SCATTER and all(value.const == 0 for value in (call.argument(2, "dim"),) if value is not None):
        return _of_graphs(call.args[0], call)
    return _near(last, call) if name.startswith(_CLUSTERED) and last in _NEIGHBOURS else None


def _near(last: str, call: Call) -> Value:
    """Nodes, or edges to the nearest nodes: of the same graph, if the numbers of the graphs are given."""
    placement = elementwise(value.placement for value in call.values)
    if _numbered(call) < _NEIGHBOURS[last]:
        return Value(Kind.TENSOR, placement.with_form(Form.UNKNOWN) if placement.sources else placement)
    if last == "fps":  # begins with a node that is drawn
        placement = elementwise((placement, Placement(Form.LOCAL)))
    batch_dim = 0 if last in ("fps", "nearest") else 1
    tags = frozenset({tensors.SELECTED, tensors.WHERE, *({NOISE} if last == "fps" else ())})
    return Value(Kind.TENSOR, placement, batch_dim=batch_dim, integer=True, tags=tags)


def _numbered(call: Call) -> int:
    """How many arguments of a call are the numbers of the graphs."""
    return sum(_NUMBERS in value.tags for value in call.values)


def _of_graphs(nodes: Value, call: Call) -> Value:
    """One row for each graph, if the numbers of the graphs are given: without them, all nodes are those of one."""
    placement = nodes.placement
    if not _numbered(call):
        return Value(Kind.TENSOR, placement.with_form(Form.UNKNOWN) if placement.sources else placement)
    tags = nodes.tags & tensors.KEPT_TAGS - {tensors.SELECTED, tensors.SEEDS_FIRST}
    return Value(Kind.TENSOR, placement, batch_dim=0, depth=nodes.depth, tags=tags)


def layer(name: str) -> str:
    """The name of a layer for graphs; empty where a dotted name is none."""
    last = name.rpartition(".")[2]
    return last if name.startswith(_PASSING) and last[:1].isupper() else ""


def tags(name: str, call: Call) -> frozenset[str]:
    """The tags of a layer, by its name and what it is made with."""
    if not name.startswith(_LAYERS):
        return frozenset({UNKNOWN_LAYER, "batchnorm", "noise"})
    last = name.rpartition(".")[2]
    known = last.endswith(("Conv", *_POOLING)) or last in _BY_NODE or last in _BY_GRAPH or last in _COARSENING
    found: set[str] = set() if known else {UNKNOWN_LAYER}
    norm = call.keywords.get("norm")
    if last in _NORMALISING or (last in _OF_MODELS and _may_normalise(last, norm)):
        found.add("batchnorm")
    rate = call.keywords.get("dropout")
    if (rate is not None and not rate.is_zero) or "**" in call.keywords or len(call.args) > _SIZES_FIRST:
        found.add("noise")
    return frozenset(found).union(*(value.tags & {"batchnorm", "noise", UNKNOWN_LAYER} for value in call.values))


def _coarsened(last: str, call: Call, made: Value) -> Value:
    """What is left of the nodes of each graph; without the numbers of the graphs it is some of all nodes."""
    placement = made.placement
    if placement.sources and not _numbered(call):
        placement = placement.with_form(Form.UNKNOWN)
    tags = made.tags - {tensors.SEEDS_FIRST} | {tensors.SELECTED}
    rows = [Value(Kind.TENSOR, placement, batch_dim=0, tags=tags) for _ in range(_COARSENING[last])]
    rows[_EDGES] = rows[_EDGES].but(batch_dim=1)
    rows[_NUMBERED] = rows[_NUMBERED].but(tags=tags | {_NUMBERS}, integer=True)
    rows[_LEFT] = rows[_LEFT].but(tags=tags | {tensors.WHERE}, integer=True)
    return Value(Kind.TUPLE, placement, items=tuple(rows))


def _may_normalise(last: str, norm: Value | None) -> bool:
    """Whether a model normalises: an ``MLP`` does unless it is told not to."""
    return last == "MLP" if norm is None else norm.kind is not Kind.NONE


class Seeds(NamedTuple):
    """The nodes that a loader starts from: of a graph, perhaps of one kind, and which, or all."""

    graph: ast.expr
    kind: ast.expr | None
    nodes: ast.expr | None


def seeds_of(fact: CallFact, facts: Facts) -> Seeds | None:
    """The nodes that a loader starts from, where the call says so; ``None`` where they cannot be told."""
    words = {each.arg: each.value for each in fact.node.keywords}
    graph = fact.node.args[0] if fact.node.args else words.get("data")
    given = words.get("input_nodes")
    elsewhere = given is None and bool(fact.keywords.keys() & {"input_nodes", "**"})
    if elsewhere or not isinstance(graph, (ast.Name, ast.Attribute)):
        return None
    kind: ast.expr | None = None
    if isinstance(given, ast.Tuple) and len(given.elts) == len(("kind", "nodes")):
        kind, given = given.elts
    elif isinstance(given, ast.Constant) and isinstance(given.value, str):
        kind, given = given, None
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        return Seeds(graph, kind, None)
    told = isinstance(given, (ast.Attribute, ast.Subscript, ast.UnaryOp, ast.Compare)) and not _is_own(given, facts)
    return Seeds(graph, kind, given) if told or facts.values.get(given, Value()).kind is Kind.TENSOR else None


def _is_own(node: ast.expr, facts: Facts) -> bool:
    """Whether this is an attribute that the script has set, or an option of its command line: it may be ``None``."""
    owner = facts.values.get(node.value, Value()) if isinstance(node, ast.Attribute) else Value()
    return owner.kind in (Kind.INSTANCE, Kind.NAMESPACE, Kind.MODULE)


def passes_along(fact: CallFact) -> bool:
    """Whether a call passes values of a graph from node to node."""
    return fact.name in _PASSES or (fact.receiver is not None and is_passing(fact.receiver.name))


def is_passing(name: str) -> bool:
    """Whether a layer of this name passes values of a graph from node to node."""
    return name.startswith(_PASSING) and name.endswith(_PASSING_MODELS)


def output(receiver: Value, call: Call, made: Value) -> Value:
    """What a layer gives, where ``made`` is what a layer would that takes each row by itself."""
    last = layer(receiver.name)
    if last.endswith(_POOLING) and call.args:
        return _of_graphs(made, call)
    if last in _COARSENING:
        return _coarsened(last, call, made)
    alone = last in _BY_GRAPH and not _numbered(call)
    return made.but(placement=made.placement.with_form(Form.UNKNOWN)) if alone and made.sources else made
