"""Batches of graphs, as PyTorch Geometric makes them: one large graph of parts that nothing connects.

A loader's samples are graphs. A batch has one row for each node or edge of them, so processes have unequal numbers of
rows, of which a mean is not the mean of theirs. What is pooled by the numbers of the graphs has one row for each
sample, as other batches do. Layers pass values along the edges, which stay within a graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import UNSET, Value, number
from corro.frontends import tensors
from corro.frontends.pytorch.layers import UNKNOWN as UNKNOWN_LAYER
from corro.frontends.randomness import SHUFFLED

if TYPE_CHECKING:
    from corro.flow.semantics import Call

LOADERS = frozenset({"torch_geometric.loader.DataLoader", "torch_geometric.data.DataLoader",
                     "torch_geometric.loader.dataloader.DataLoader"})  # fmt: skip
"""Loaders that put the graphs of their samples together; they hand what they are given to PyTorch's."""
GRAPHS = "a batch of graphs"
"""The tag of such loaders, and of their batches."""
_NUMBERS = "the numbers of the graphs"
"""The tag of what says of each node to which graph it belongs."""
DATASETS = SHUFFLED
"""How the names of data sets begin that are downloaded and prepared when they are made."""
_LAYERS = "torch_geometric.nn."
_OF_NODES = frozenset({"x", "pos", "z", "normal", "face", "node_type", "edge_attr", "edge_weight", "edge_type",
                       "edge_index", "adj_t"})  # fmt: skip
"""What has a row, or a column, for each node or edge."""
_SIZES = frozenset({"num_features", "num_node_features", "num_edge_features", "num_classes"})
"""What is alike for all graphs."""
_MOVING = frozenset({"to", "cuda", "cpu", "clone", "contiguous", "pin_memory"})
_POOLS = frozenset({"global_add_pool", "global_mean_pool", "global_max_pool", "global_sort_pool"})
_POOLING = ("Aggregation", "Set2Set", "GlobalAttention", "GraphMultisetTransformer")
"""Layers that give a row for each graph, told the numbers of the graphs."""
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
    if name == "y":
        return Value(Kind.TENSOR, batch.placement, batch_dim=0)
    if name in _OF_NODES:
        return _rows(batch, 1 if name == "edge_index" else 0)
    if name == "batch":
        return _rows(batch, 0, _NUMBERS)
    if name in ("num_graphs", "batch_size"):
        return number(batch.placement.with_form(Form.COUNT), integer=True)
    if name in ("num_nodes", "num_edges"):
        return number(batch.placement.with_form(Form.SUM), integer=True)
    return Value() if name in _SIZES else Value(placement=batch.placement.with_form(Form.UNKNOWN))


def with_attribute(batch: Value, name: str, value: Value) -> Value | None:
    """A batch of graphs that is given something else as an attribute."""
    others = tuple(part for part in batch.items if part.const != name)
    return batch.but(items=(*others, value.but(const=name))) if batch.kind is Kind.BATCH else None


def _rows(batch: Value, batch_dim: int, *tags: str) -> Value:
    return Value(Kind.TENSOR, batch.placement, batch_dim=batch_dim, tags=frozenset({tensors.SELECTED, *tags}))


def method(batch: Value, name: str) -> Value:
    """What a method of a batch of graphs gives."""
    return batch if name in _MOVING else Value(placement=batch.placement.with_form(Form.UNKNOWN))


def dataset(data: Value, name: str) -> Value | None:
    """What a method of a data set of graphs gives: some of them, or all in another order."""
    return data if name in ("shuffle", "index_select", "copy") and GRAPHS in data.tags else None


def pooled(name: str, call: Call) -> Value | None:
    """What a function gives that makes a row for each graph of those of its nodes; ``None`` for others."""
    if not name.startswith(_LAYERS) or name.rpartition(".")[2] not in _POOLS or not call.args:
        return None
    return _of_graphs(call.args[0], call)


def _of_graphs(nodes: Value, call: Call) -> Value:
    """One row for each graph, if the numbers of the graphs are given: without them, all nodes are those of one."""
    placement = nodes.placement
    if not any(_NUMBERS in value.tags for value in call.values):
        return Value(Kind.TENSOR, placement.with_form(Form.UNKNOWN) if placement.sources else placement)
    tags = nodes.tags & tensors.KEPT_TAGS - {tensors.SELECTED}
    return Value(Kind.TENSOR, placement, batch_dim=0, depth=nodes.depth, tags=tags)


def layer(name: str) -> str:
    """The name of a layer of this library; empty where a dotted name is none."""
    last = name.rpartition(".")[2]
    return last if name.startswith(_LAYERS) and last[:1].isupper() else ""


def tags(last: str, call: Call) -> frozenset[str]:
    """The tags of a layer, by its name and what it is made with."""
    known = last.endswith(("Conv", *_POOLING)) or last in _BY_NODE or last in _BY_GRAPH
    found: set[str] = set() if known else {UNKNOWN_LAYER}
    norm = call.keywords.get("norm")
    if last in _NORMALISING or (last in _OF_MODELS and _may_normalise(last, norm)):
        found.add("batchnorm")
    rate = call.keywords.get("dropout")
    if (rate is not None and not rate.is_zero) or "**" in call.keywords or len(call.args) > _SIZES_FIRST:
        found.add("noise")
    return frozenset(found).union(*(value.tags & {"batchnorm", "noise", UNKNOWN_LAYER} for value in call.values))


def _may_normalise(last: str, norm: Value | None) -> bool:
    """Whether a model normalises: an ``MLP`` does unless it is told not to."""
    return last == "MLP" if norm is None else norm.kind is not Kind.NONE


def output(receiver: Value, call: Call, made: Value) -> Value:
    """What a layer gives, where ``made`` is what a layer would that takes each row by itself."""
    last = layer(receiver.name)
    if last.endswith(_POOLING) and call.args:
        return _of_graphs(made, call)
    alone = last in _BY_GRAPH and not any(_NUMBERS in value.tags for value in call.values)
    return made.but(placement=made.placement.with_form(Form.UNKNOWN)) if alone and made.sources else made
