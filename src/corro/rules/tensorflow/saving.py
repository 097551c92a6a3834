"""Let all workers of a loop read together what has a part on each of them (MultiWorkerMirroredStrategy).

Why
---
The result of a metric that training steps update, and the moving averages of batch normalisation, are put together
from all workers when they are read: a collective operation. A chief that reads them alone, in a print or to save them,
waits for the others, who go on with something else. So all workers read a result before the chief prints it. How
models are saved, ``keras-saving`` says.

Before
------
::

    print(train_loss.result())

After
-----
::

    train_loss_result = train_loss.result()
    if strategy.extended.should_checkpoint:
        print(train_loss_result)

Source
------
TensorFlow tutorial, "Custom training loop with Keras and MultiWorkerMirroredStrategy". Measured with TensorFlow 2.15:
the next collective fails when the chief alone saves a checkpoint with batch normalisation in it, or reads a metric.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.effects import EffectKind
from corro.frontends.keras.semantics import BATCHNORM
from corro.rules.once import lifted_parts
from corro.rules.places import uses_inner_names
from corro.source import Before, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.source import Edit

NAME = "tape-saving"

_READS = frozenset({"weights", "variables", "get_weights", "non_trainable_weights", "non_trainable_variables",
                    "state_dict"})  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """One change for each statement on the chief that reads results."""
    if job.strategy is None or not job.has_ranks:
        return
    guarded = _guarded(job)
    yield from _results(job, guarded)
    yield from _averages(job, guarded)


def _guarded(job: Job) -> dict[ast.stmt, EffectKind]:
    """The statements that happen on the chief only."""
    kinds = (EffectKind.REPORT, EffectKind.FILE_WRITE)
    effects = (e for e in job.effects if job.file_of(e.node) is job.script and e.kind not in kinds)
    return {job.statement(effect.node): effect.kind for effect in effects}


def _results(job: Job, guarded: dict[ast.stmt, EffectKind]) -> Iterator[Answer]:
    kept = job.replicated.metrics
    found: dict[ast.stmt, list[ast.Call]] = {}
    lifted = {node for part in lifted_parts(job) for node in ast.walk(part)}
    for fact in job.calls:
        receiver = fact.receiver
        if receiver is None or receiver.kind is not Kind.METRIC or not receiver.sites & kept:
            continue
        if fact.name not in ("result", "reset_state", "reset_states"):
            continue
        calls = [frame.call for frame in fact.context.frame.path() if frame.call is not None]
        hidden = next((c for c in calls if job.file_of(c) is job.script and job.statement(c) in guarded), None)
        here = job.statement(fact.node) if job.file_of(fact.node) is job.script else None
        unsafe = here in guarded and (fact.name != "result" or uses_inner_names(job, fact.node) or fact.node in lifted)
        if hidden is not None or unsafe or not job.is_uniform(fact.context):
            yield job.refuse(
                NAME,
                "a metric that all workers have to read together is read on a path that not all workers take.",
                fact.node,
                "Give the result a name in a statement of its own, which every process runs.",
                effort="one line",
            )
            return
        if here is not None and here in guarded and fact.node not in found.get(here, []):
            found.setdefault(here, []).append(fact.node)
    for statement, nodes in found.items():
        yield _before(job, statement, nodes)


def _before(job: Job, statement: ast.stmt, nodes: list[ast.Call]) -> Answer:
    """The results get names in front of a statement."""
    names: dict[str, str] = {}
    edits: list[Edit] = []
    for node in nodes:
        text = job.segment(node)
        if text not in names:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            word = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "metric")
            names[text] = job.names.fresh(f"{word}_result", set(names.values()))
        edits += replace_node(job.file_of(node), node, names[text])
    lines = "\n".join(f"{name} = {text}" for text, name in names.items())
    edits.append(Before(statement, lines, order=-8))
    return job.change(NAME, "all workers read it together", statement, edits)


def _averages(job: Job, guarded: dict[ast.stmt, EffectKind]) -> Iterator[Answer]:
    """What else on the chief would read the moving averages of batch normalisation, or a metric in a checkpoint."""
    normalises = any(f.result.kind in (Kind.LAYER, Kind.MODULE) and BATCHNORM in f.result.tags for f in job.calls)
    kept = job.replicated.metrics
    tracked = any(_tracks(fact, kept) for fact in job.calls)
    for statement, kind in guarded.items():
        attributes = {n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
        if (normalises and (kind is EffectKind.SAVE or attributes & _READS)) or (tracked and kind is EffectKind.SAVE):
            yield job.refuse(
                NAME,
                "only the chief would read variables that all workers have to read together.",
                statement,
                "Save the weights with model.save_weights(path).",
                effort="one line",
            )
            return


def _tracks(fact: CallFact, kept: frozenset[int]) -> bool:
    """Whether a metric of training steps is given to a checkpoint."""
    given = (*fact.args, *fact.keywords.values())
    return fact.name.endswith("train.Checkpoint") and any(v.sites & kept and v.kind is Kind.METRIC for v in given)
