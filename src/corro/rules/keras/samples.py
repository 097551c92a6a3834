"""Refuse models that compute with a whole batch.

Why
---
Each process or device has a shard of every batch. A model that treats each sample by itself computes the same for it
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

    refused: this compares samples of the batch with each other

Source
------
Ioffe, "Batch Renormalization" (2017), on small parts of a batch.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import AVERAGED, Value
from corro.frontends.keras.data import SYMBOLIC, gives_batches
from corro.frontends.keras.recognise import in_layer
from corro.frontends.keras.semantics import ACROSS, MIXING, STARTING
from corro.frontends.tensorflow.semantics import ASSIGNS
from corro.frontends.tensors import PICKED
from corro.rules import outer
from corro.rules.keras._arguments import Given
from corro.rules.keras._classes import computing
from corro.rules.keras._mixing import is_unknown, mixes, place, reached
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-samples"

_CHANGES = frozenset({"update_add", "update_sub", "add_update", "moving_average_update", "assign_moving_average"})
"""Functions of Keras' backend, and methods of layers, that give a variable another value."""
_OF_GRAPHS = ("spektral.", "stellargraph.", "tensorflow_gnn.", "dgl.")


def apply(job: Job) -> Iterable[Answer]:
    """One refusal, at the first place."""
    if job.target.sees_shards:
        yield from islice(_refusals(job), 1)


def _refusals(job: Job) -> Iterator[Answer]:
    functions = {part for function in computing(job) for part in reached(job, function)}
    for met in outer.meetings(job):
        if functions & set(job.ancestors(met.node)):
            yield job.refuse(NAME, met.message, met.node, met.hint)
    for node in _meetings(job):
        yield job.refuse(
            NAME,
            "this compares samples of the batch with each other, but each process or device holds only its shard.",
            node,
            "Treat each sample independently, or use a layer of Keras, such as BatchNormalization; where the number "
            "of dimensions decides, say it with keras.Input.",
            effort="other training",
        )
    for fact in job.calls:
        if fact.receiver is None and fact.result.kind is Kind.LAYER:
            yield from _of_layer(job, fact)


def _of_layer(job: Job, fact: CallFact) -> Iterator[Answer]:
    """Layers of Keras, or around it, that combine samples."""
    last = fact.result.name.rpartition(".")[2]
    if ACROSS not in fact.result.tags:
        pass
    elif last in STARTING:
        yield job.refuse(
            NAME,
            "this layer sets its first weights by the means of the first batch, but each process or device holds "
            "only its shard.",
            fact.node,
            "Give it data_init=False.",
            effort="other training",
        )
    elif last in MIXING:
        yield job.refuse(
            NAME,
            "this layer combines several samples of a batch, but each process or device holds only its shard.",
            fact.node,
            "Treat each sample independently.",
            effort="other training",
        )
    else:
        yield job.refuse(
            NAME,
            "this layer works along the samples of a batch, but each process or device holds only its shard.",
            fact.node,
            "Leave the first axis out; it counts samples.",
        )
    if fact.result.name.startswith(_OF_GRAPHS):
        yield job.refuse(
            NAME,
            "this layer combines the nodes of a graph with their neighbours, but each process or device holds only "
            "its shard of the nodes.",
            fact.node,
            "Train on one device.",
            effort="none",
        )


def _meetings(job: Job) -> Iterator[ast.AST]:
    """Where a value of all samples of a batch is brought back to single ones."""
    for function in dict.fromkeys((*computing(job), *_mapped(job))):
        gives = job.facts.returned.get(function)
        if gives is not None and (mixes(gives) or gives.form in (Form.UNKNOWN, Form.MEAN)):
            node = place(job, function, gives)
            if node is not function and not is_unknown(job, node):
                yield node
    yield from (fact.node for fact in job.calls if _remembers(job, fact))
    yield from _between_layers(job)


def _between_layers(job: Job) -> Iterator[ast.AST]:
    """Where what stands for data in the making of a model is combined along the samples, or chosen by place."""
    combined = [node for node, value in job.facts.values.items() if _is_combined(value)]
    within = {above for node in combined for above in job.ancestors(node)}
    for node in combined:
        if node not in within and not isinstance(node, ast.Name):
            yield _averaged(job, node)
    for fact in job.calls:
        outputs = fact.argument(1, "outputs") if fact.result.kind is Kind.MODULE and fact.receiver is None else None
        if outputs is not None and SYMBOLIC in outputs.tags and outputs.form is not Form.SHARDED:
            yield _averaged(job, fact.node)


def _averaged(job: Job, node: ast.AST) -> ast.AST:
    """Where an average was brought to single samples, if a call was given that; else the place itself."""
    given = arguments_of(node) if isinstance(node, ast.Call) else []
    if not any(AVERAGED in job.value(each).tags for each in given):
        return node
    file, last = job.file_of(node), job.span(node).end
    made = (n for n in file.nodes.of(ast.BinOp, ast.AugAssign) if AVERAGED in job.value(n).tags)
    return max((n for n in made if job.span(n).start < last), key=lambda n: job.span(n).start, default=node)


def _is_combined(value: Value) -> bool:
    """Whether something that stands for data depends on more than one sample, and is no average on its way to a sum."""
    mixed = value.form is Form.UNKNOWN and AVERAGED not in value.tags
    return value.kind is Kind.TENSOR and SYMBOLIC in value.tags and (mixed or bool(value.tags & PICKED))


def _remembers(job: Job, fact: CallFact) -> bool:
    """Whether a variable is given a value that depends on the batch, in a layer or between layers."""
    if fact.name.rpartition(".")[2] not in ASSIGNS | _CHANGES:
        return False
    given = [value for value in (*fact.args, *fact.keywords.values()) if not value.placement.is_equal]
    return bool(given) and (in_layer(fact) or any(SYMBOLIC in value.tags for value in given))


def _mapped(job: Job) -> Iterator[ast.AST]:
    """Functions that are mapped over the batches of a pipeline that is trained on."""
    for site in job.anatomy.fits:
        data = Given.of_fit(job, site).data
        stages = job.value(data).items if data is not None else ()
        for position, stage in enumerate(stages):
            batched = gives_batches(Value(items=stages[:position]))
            nodes = [job.facts.nodes[number] for number in stage.sites]
            for fact in (f for node in nodes for f in job.calls_of(node) if batched and stage.name == "map"):
                given = fact.argument(0, "map_func")
                if given is not None and given.obj in job.facts.functions:
                    yield job.facts.functions[given.obj]
