"""Let monitored sessions begin with rank 0's variables, and keep checkpoints and summaries on rank 0.

Why
---
A monitored session initialises or restores variables by itself, so they are sent round when it begins, by Horovod's
hook, in front of all others. What it writes to its folder, rank 0 writes. Hooks count steps, which are equal on all
processes; one that writes is there on rank 0 only. One that looks at a part of the graph looks on every process, so it
is given the whole of it, and must look at the same step everywhere: not by the clock. What the session and its hooks
log appears once: ``tf.app.run`` lets every process log, so the other ranks are told not to.

Before
------
::

    hooks = [tf.train.StopAtStepHook(1000), tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=10)]
    with tf.train.MonitoredTrainingSession(checkpoint_dir="logs", hooks=hooks) as session:

After
-----
::

    hooks = [tf.train.StopAtStepHook(1000), tf.train.LoggingTensorHook({"loss": mean_loss}, every_n_iter=10)]
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir="logs" if hvd.rank() == 0 else None, hooks=[hvd.BroadcastGlobalVariablesHook(0), *hooks]
    ) as session:

Source
------
Horovod, ``examples/tensorflow/tensorflow_mnist.py``; Horovod documentation, "Horovod with TensorFlow", step 5.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.tensorflow1.names import plain
from corro.frontends.tensorflow1.semantics import HOOK
from corro.rules.places import at_start
from corro.rules.tensorflow1.fetches import means_of
from corro.source import Wrap, add_keyword, parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job
    from corro.source import Edit

NAME = "session-monitored"

_KNOWN = frozenset({"checkpoint_dir", "hooks", "config", "save_checkpoint_secs", "save_summaries_steps",
                    "save_summaries_secs", "log_step_count_steps", "save_checkpoint_steps", "summary_dir",
                    "chief_only_hooks", "is_chief", "stop_grace_period_secs"})  # fmt: skip
_APPS = frozenset({"tensorflow.app.run", "absl.app.run"})
_COUNTING = frozenset({"StopAtStepHook", "GlobalStepWaiterHook"})
_WRITING = frozenset({"CheckpointSaverHook", "SummarySaverHook", "StepCounterHook", "ProfilerHook"})
_LOOKING = frozenset({"LoggingTensorHook", "NanTensorHook"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each monitored session, one for each of its hooks; or the first obstacle."""
    for node in job.anatomy.monitored:
        obstacle = _obstacle(job, node)
        if obstacle is not None:
            yield obstacle
            return
        here = job.at(node)
        for place, edits in ((node, _kept(here, node)), _begun(here, node)):
            reason, code = "all processes begin with rank 0's variables", Code("", (job.at(place).target.engine,))
            yield job.change(NAME, reason, place, edits, code)
    yield from _logged(job)
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if fact.receiver is None and fact.result.name == HOOK and fact.node not in seen:
            seen.add(fact.node)
            yield from _hook(job, fact.node, plain(fact.name).rpartition(".")[2])


def _logged(job: Job) -> Iterator[Answer]:
    """Abseil's ``app.run`` sets the level of all loggers that have none of their own to INFO."""
    runs = any(fact.receiver is None and plain(fact.name) in _APPS for fact in job.calls)
    if not job.anatomy.monitored or not runs:
        return
    target = job.target
    logging = f"{target.tf}.logging"
    text = f"if {target.rank} != 0:\n    {logging}.set_verbosity({logging}.WARN)"
    code = Code(text, (target.engine, *target.tf_imports))
    yield job.change(NAME, "logs once", job.first_statement, [at_start(job, text, order=-80)], code)


def _obstacle(job: Job, node: ast.Call) -> Answer | None:
    chief = next((k.value for k in node.keywords if k.arg == "is_chief"), None)
    follows = isinstance(chief, ast.Constant) and chief.value is True
    if node.args or any(k.arg not in _KNOWN for k in node.keywords) or (chief is not None and not follows):
        return job.refuse(
            NAME,
            "Corro cannot follow the arguments of the monitored session.",
            node,
            "Give it checkpoint_dir, hooks and config, by keyword.",
            effort="one line",
        )
    for keyword in node.keywords:
        items = _items(job, keyword.value) if keyword.arg in ("hooks", "chief_only_hooks") else []
        if items is None or any(job.value(item).name != HOOK for item in items):
            return job.refuse(
                NAME,
                "Corro does not know this hook of the monitored session.",
                keyword.value,
                "Use StopAtStepHook, LoggingTensorHook and CheckpointSaverHook, in a list that is written out.",
                effort="one line",
            )
    return None


def _items(job: Job, node: ast.expr) -> list[ast.expr] | None:
    """The hooks in a list that is written in the script."""
    display: ast.AST | None = node
    if not isinstance(node, ast.List):
        value = job.value(node)
        display = job.facts.made.get(value.obj) if value.kind is Kind.LIST else None
        elements = job.facts.elements.get(node)
        if elements is None or elements.name != HOOK:
            return None
    return list(display.elts) if isinstance(display, ast.List) else None


def _begun(job: Job, node: ast.Call) -> tuple[ast.expr, tuple[Edit, ...]]:
    """The hook in front of all others, and the place where it is given."""
    hook = job.target.broadcast_hook
    given = next((k.value for k in node.keywords if k.arg == "hooks"), None)
    if given is None:
        return node, add_keyword(job.file_of(node), node, "hooks", f"[{hook}]")
    if isinstance(given, ast.List) and not given.elts:
        return given, replace_node(job.file_of(given), given, f"[{hook}]")
    items = _items(job, given)
    if not items:
        return node, ()
    hook, first = job.at(items[0]).target.broadcast_hook, items[0]
    line = job.file_of(first).text[: job.span(first).start].rpartition("\n")[2]
    between = f",\n{line}" if not line.strip() else ", "
    return first, (Wrap(job.span(first), f"{hook}{between}", ""),)


def _kept(job: Job, node: ast.Call) -> Iterator[Edit]:
    """Folders that only rank 0 has."""
    for keyword in node.keywords:
        if keyword.arg in ("checkpoint_dir", "summary_dir"):
            if isinstance(keyword.value, ast.Constant) and keyword.value.value is None:
                continue
            text = parenthesised(job.file_of(keyword.value), keyword.value)
            yield from replace_node(
                job.file_of(keyword.value), keyword.value, f"{text} if {job.target.is_first} else None"
            )


def _hook(job: Job, node: ast.Call, name: str) -> Iterator[Answer]:
    job = job.at(node)
    if name in _WRITING:
        yield from _writing(job, node)
    elif name in _LOOKING:
        yield from _looking(job, node)
    elif name not in _COUNTING:
        yield job.refuse(NAME, f"{name} is not converted yet.", node, "Leave it out, or write it into the loop.")


def _writing(job: Job, node: ast.Call) -> Iterator[Answer]:
    """A hook that writes is left out on the other ranks."""
    parent = job.parent(node)
    if not isinstance(parent, ast.List):
        yield job.refuse(
            NAME,
            "a hook that writes is made outside the list of hooks.",
            node,
            "Make it in the list.",
            effort="one line",
        )
        return
    before, after = "*([", f"] if {job.target.is_first} else [])"
    edits = [Wrap(job.span(node), before, after)]
    yield job.change(NAME, "writes once", node, edits, Code("", (job.target.engine,)))


def _looking(job: Job, node: ast.Call) -> Iterator[Answer]:
    """A hook that looks at parts of the graph looks at the whole, at the same step on each process."""
    if any(k.arg == "every_n_secs" for k in node.keywords):
        yield job.refuse(
            NAME,
            "a hook runs by the clock, so at different steps on each process.",
            node,
            "Use every_n_iter.",
            effort="one line",
        )
        return
    given = next((k.value for k in node.keywords if k.arg in ("tensors", "loss_tensor")), None)
    given = given if given is not None else node.args[0] if node.args else None
    parts = _parts(job, given) if given is not None else None
    if parts is None:
        yield job.refuse(
            NAME,
            "Corro cannot follow what a hook reads.",
            node,
            "Write a list or a dict of parts of the graph into the call.",
            effort="one line",
        )
        return
    summed = next((part for part in parts if job.value(part).form is Form.SUM), None)
    wholly = any(job.is_monitored(f) for site in job.anatomy.runs if not site.trains for f in job.facts_of(site))
    if summed is not None and wholly:
        yield job.refuse(
            NAME,
            "a hook shows a sum. It is summed over the processes, so it is N times too large in a run that every "
            "process feeds with the whole batch.",
            summed,
            "Show the mean.",
            effort="one line",
        )
        return
    yield from means_of(job, NAME, [part for part in parts if not job.value(part).placement.is_equal])


def _parts(job: Job, given: ast.expr) -> list[ast.expr] | None:
    if isinstance(given, ast.Dict):
        parts = list(given.values)
    elif isinstance(given, (ast.List, ast.Tuple)):
        parts = list(given.elts)
    elif job.value(given).kind is Kind.DICT and isinstance(made := job.facts.made.get(job.value(given).obj), ast.Dict):
        parts = list(made.values)
    else:
        parts = [given]
    return parts if all(job.value(part).kind is Kind.TENSOR for part in parts) else None
