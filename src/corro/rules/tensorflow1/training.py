"""Refuse what is not understood of graphs and sessions, or has no data-parallel meaning.

Why
---
A script is converted when every training step was followed from its loss to a run of a session that feeds it a batch:
the batch can then be shared out, and the gradients reduced. What reads its data through queues, changes variables
from a part of the data, or trains out of sight would go on alone on every process.

Before
------
::

    estimator = tf.estimator.Estimator(model_fn)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)

After
-----
::

    refused: the script trains with an estimator of TensorFlow 1

Source
------
Horovod documentation, "Horovod with TensorFlow".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.semantics import BATCHNORM
from corro.frontends.tensorflow1.graphs import STATE, TRAINS, normalises_features, races
from corro.frontends.tensorflow1.names import plain
from corro.frontends.tensorflow1.semantics import OPAQUE, SESSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-training"
GATE = 1

_QUEUES = frozenset({"batch", "shuffle_batch", "batch_join", "shuffle_batch_join", "string_input_producer",
                     "slice_input_producer", "range_input_producer", "input_producer", "start_queue_runners",
                     "Coordinator", "QueueRunner", "add_queue_runner", "maybe_batch"})  # fmt: skip
_QUEUE_CLASSES = ("Queue", "Reader", "QueueBase", "ReaderBase")
_DISTRIBUTES = frozenset({"Supervisor", "Server", "ClusterSpec", "replica_device_setter", "SyncReplicasOptimizer",
                          "MonitoredSession", "SingularMonitoredSession"})  # fmt: skip
_NORMS = frozenset({"batch_normalization", "batch_norm", "fused_batch_norm", "batch_norm_with_global_normalization",
                    "moments", "weighted_moments"})  # fmt: skip
_PARTIAL = frozenset({"partial_run", "partial_run_setup", "make_callable"})


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each reason."""
    yield from _others(job)
    yield from _constructs(job)
    yield from _normalised(job)
    yield from _changed(job)
    yield from _beside(job)
    yield from _unseen(job)


def _others(job: Job) -> Iterator[Answer]:
    for node in job.anatomy.loops[:1]:
        yield job.refuse(
            NAME,
            "the script trains with an estimator of TensorFlow 1; that is not converted yet.",
            node,
            "Write the loop with a session that is fed, or train with model.compile and model.fit.",
        )
    for node in [*(site.node for site in job.anatomy.fits), *job.anatomy.others][:1]:
        yield job.refuse(
            NAME,
            "the script trains with fit and with sessions; that is not converted yet.",
            node,
            "Make one script for each way of training.",
        )
    if not job.is_strong:
        first = next(iter((*job.anatomy.updates, *job.anatomy.sessions)), job.script.tree)
        yield job.refuse(
            NAME,
            "weak scaling is not supported for sessions yet.",
            first,
            "Use --scaling strong, which is the default.",
            effort="one line",
        )


def _constructs(job: Job) -> Iterator[Answer]:
    """Ways of getting data and of running graphs that are not converted."""
    seen: set[str] = set()
    for fact in job.calls:
        found = _construct(job, fact)
        if found is not None and found[0] not in seen:
            seen.add(found[0])
            yield job.refuse(NAME, found[0], fact.node, found[1])


def _construct(job: Job, fact: CallFact) -> tuple[str, str] | None:
    if fact.receiver is not None:
        if fact.receiver.name == SESSION and fact.name in _PARTIAL:
            return f"{fact.name} runs the graph in a way that Corro cannot follow.", "Use session.run()."
        return None
    name = plain(fact.name)
    module, _, last = name.rpartition(".")
    if not name.startswith("tensorflow."):
        return None
    if (module == "tensorflow.train" and last in _QUEUES) or (last.endswith(_QUEUE_CLASSES) and last[:1].isupper()):
        return (
            "the graph reads its data through queues; that is not converted yet.",
            "Read the data with NumPy and feed the batches to placeholders.",
        )
    if (last in _DISTRIBUTES and last[:1].isupper()) or last == "replica_device_setter":
        return f"{last} runs the training in a way that is not converted yet.", "Use tf.Session()."
    if last == "control_dependencies" and any(TRAINS in v.tags for v in _held(job, fact)):
        return (
            "the training step is made by an operation that depends on it, which Corro cannot follow.",
            "Fetch the training step itself.",
        )
    return None


def _held(job: Job, fact: CallFact) -> Iterator[Value]:
    for node in fact.node.args:
        yield job.facts.elements.get(node, job.value(node))


def _normalised(job: Job) -> Iterator[Answer]:
    layers = [fact for fact in job.calls if normalised(fact)]
    if layers:
        yield job.review(
            NAME,
            "batch normalisation uses the statistics of each process's shard of the batch, and keeps averages of "
            "them; what does not train shows what rank 0's make.",
            layers[0].node,
            differs=("metrics",),
        )
    known = {fact.node for fact in layers}
    for fact in job.calls:
        if fact.node in known:
            continue
        last = plain(fact.name).rpartition(".")[2] if fact.receiver is None else ""
        passed = any(v.name.rpartition(".")[2] in _NORMS for v in fact.keywords.values())
        layer = BATCHNORM in fact.result.tags and fact.result.kind in (Kind.LAYER, Kind.MODULE)
        if (fact.name.startswith("tensorflow.") and (last in _NORMS or passed)) or layer:
            yield job.refuse(
                NAME,
                "batch normalisation is written here in a way that Corro cannot follow.",
                fact.node,
                "Use tf.layers.batch_normalization() on what comes before, or write the model with Keras.",
            )
            return


def normalised(fact: CallFact) -> bool:
    """Whether a call makes a layer of batch normalisation and applies it to a batch."""
    last = plain(fact.name).rpartition(".")[2] if fact.receiver is None else ""
    return last in ("batch_normalization", "batch_norm") and BATCHNORM in fact.result.tags and _is_layer(fact)


def _is_layer(fact: CallFact) -> bool:
    return plain(fact.name).startswith(("tensorflow.layers.", "tensorflow.contrib.layers.")) and normalises_features(
        fact
    )


def _changed(job: Job) -> Iterator[Answer]:
    """What changes variables from a part of the data."""
    for fact in job.calls:
        if STATE in fact.result.tags and not fact.result.placement.is_equal:
            yield job.refuse(
                NAME,
                "a variable is changed by what differs between processes.",
                fact.node,
                "Change variables by an optimizer, or by values that are equal everywhere.",
            )
            return


def _beside(job: Job) -> Iterator[Answer]:
    """What changes variables in the same run as a training step, before it on one process and after it on another."""
    for site in job.steps():
        parts = [job.part(site, node) for node in site.fetches or ()]
        steps = frozenset(number for v in parts if TRAINS in v.tags for number in v.sites)
        made = (fact for fact in job.calls if fact.name == "minimize" and job.facts.number(fact.node) in steps)
        several = {fact.node for fact in made if fact.argument(2, "var_list") is None}
        if races(parts) or len(several) > 1:
            yield job.refuse(
                NAME,
                "variables are changed twice in one run, in an order that may differ between processes.",
                site.node,
                "Make each change in a run of its own: the training step first, then what cuts or copies variables.",
            )
            return


def _unseen(job: Job) -> Iterator[Answer]:
    """Training steps that no run was seen to make, and runs that are not followed."""
    if job.anatomy.loops:
        return
    for site in job.anatomy.runs:
        facts = job.facts_of(site)
        opaque = site.fetches is None or any(OPAQUE in fact.result.tags for fact in facts)
        mixed = len({TRAINS in fact.result.tags for fact in facts}) > 1
        if opaque or mixed:
            yield job.refuse(
                NAME,
                "this run trains for some of its callers, and evaluates for others."
                if mixed
                else "Corro cannot follow what is fetched here.",
                site.node,
                "Write the parts of the graph that are fetched into the call, as a name or a list of names.",
            )
            return
    fetched = {n for site in job.steps() for node in site.fetches or () for n in job.part(site, node).sites}
    made = [f for f in job.calls if TRAINS in f.result.tags and f.receiver is not None and f.name in _STEPS]
    for fact in made:
        if job.facts.number(fact.node) not in fetched:
            yield job.refuse(
                NAME,
                "Corro found no run of a session that makes this training step.",
                fact.node,
                "Fetch it with session.run().",
            )
            return
    if not any(job.steps()):
        place: ast.AST = next(iter((*job.anatomy.updates, *job.anatomy.sessions)), job.script.tree)
        yield job.refuse(
            NAME,
            "Corro found no run of a session that makes a training step.",
            place,
            "Fetch what optimizer.minimize(loss) gives with session.run().",
        )


_STEPS = frozenset({"minimize", "apply_gradients"})
