"""Refuse models that compute with a whole batch.

Why
---
Each process or device has a part of every batch. A model that treats each sample by itself computes the same for it
there. One that brings an average, a maximum or a deviation over the batch back to the samples, or keeps running
averages of its own, does not; nor does a function that is mapped over the batches of a pipeline. Keras' own batch
normalisation is known for it, and only said. In the layers of libraries for graphs a node is given what its neighbours
have, which are samples of the same batch.

Before
------
::

    class Centred(keras.layers.Layer):
        def call(self, inputs):
            return inputs - tf.reduce_mean(inputs, axis=0)

After
-----
::

    refused: here the samples of a batch meet

Source
------
Ioffe, "Batch Renormalization" (2017), on small parts of a batch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.keras.data import BATCHED, SYMBOLIC
from rueda.frontends.keras.names import canonical
from rueda.frontends.keras.semantics import ACROSS
from rueda.rules import outer
from rueda.rules.keras._arguments import Given
from rueda.rules.keras._classes import computing
from rueda.rules.keras._meetings import meeting
from rueda.rules.keras._rearranged import rearranged
from rueda.rules.keras._reductions import called, parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.values import Value
    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job
    from rueda.rules.keras._meetings import IsSample

NAME = "keras-samples"

_BATCHES = frozenset({"batch", "padded_batch"})
_OF_GRAPHS = ("spektral.", "stellargraph.", "tensorflow_gnn.", "dgl.")


def apply(job: Job) -> Iterable[Answer]:
    """One refusal, at the first place."""
    if job.target.backend != "tensorflow":  # one program over all devices: whole batches
        return
    found = next(_meetings(job), None)
    if found is not None:
        yield job.refuse(
            NAME,
            "here the samples of a batch meet, and each process or device has a part of them.",
            found,
            "Compute for each sample by itself, or use a layer of Keras, such as BatchNormalization.",
        )
        return
    along = next((f.node for f in job.calls if f.receiver is None and _is_along(f.result)), None)
    if along is not None:
        yield job.refuse(
            NAME,
            "this layer computes along the samples of a batch, and each process or device has a part of them.",
            along,
            "Leave the first axis out; it counts samples.",
        )
        return
    graph = next((f.node for f in job.calls if f.receiver is None and _is_of_graphs(f.result)), None)
    if graph is not None:
        yield job.refuse(
            NAME,
            "this layer computes with graphs, whose nodes are samples that meet their neighbours; each process or "
            "device would have a part of them.",
            graph,
            "Train on one device.",
        )
        return
    functions = {part for function in computing(job) for part in called(job, function)}
    met = next((m for m in outer.meetings(job) if functions & set(job.source.ancestors(m.node))), None)
    if met is not None:
        yield job.refuse(NAME, met.message, met.node, met.hint)


def _meetings(job: Job) -> Iterator[ast.AST]:
    """Where a value of all samples of a batch is brought back to single ones."""
    for function in (*computing(job), *_mapped(job)):
        yield from meeting(list(ast.walk(function)), _given(function))
    for function in computing(job):
        apart = rearranged(job, function, averages=False)
        if apart is not None:
            yield apart
    yield from meeting(job.source.nodes, lambda name: SYMBOLIC in job.value(name).tags, knows_all=True)


def _is_along(made: Value) -> bool:
    return made.kind is Kind.LAYER and ACROSS in made.tags


def _is_of_graphs(made: Value) -> bool:
    return made.kind is Kind.LAYER and made.name.startswith(_OF_GRAPHS)


def _mapped(job: Job) -> Iterator[ast.AST]:
    """Functions that are mapped over the batches of a pipeline that is trained on."""
    for site in job.anatomy.fits:
        data = Given.of_fit(job, site).data
        stages = job.value(data).items if data is not None else ()
        batched = False
        for stage in stages:
            batched = batched or stage.name in _BATCHES or canonical(stage.name) in BATCHED
            nodes = [job.facts.nodes[number] for number in stage.sites]
            for fact in (f for node in nodes for f in job.calls_of(node) if batched and stage.name == "map"):
                given = fact.argument(0, "map_func")
                if given is not None and given.obj in job.facts.functions:
                    yield job.facts.functions[given.obj]


def _given(function: ast.AST) -> IsSample:
    """Whether a name is what a function is given."""
    names = parameters(function)
    return lambda name: name.id in names
