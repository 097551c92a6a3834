"""Refuse what trains in a way that is not understood, or that has no data-parallel meaning.

Why
---
A script is converted when the calls of ``fit`` were followed, and nothing else trains beside them. What is trained by
a loop of its own (gradient tapes, sessions), by an estimator, or in a project module would go on alone on
every process; so would models that a library makes and trains, such as one that searches for hyperparameters. Stateful
layers carry what they saw of one batch to the next, so that batches cannot be sharded.

Before
------
::

    model.add(keras.layers.LSTM(32, stateful=True, batch_input_shape=(32, 10, 1)))
    model.fit(x, y, batch_size=32, shuffle=False)

After
-----
::

    refused: a stateful layer carries its state from batch to batch

Source
------
Horovod documentation, "Horovod with Keras"; TensorFlow guide, "Custom training".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import chosen_backend, only_keras_3, uses_tensorflow
from corro.frontends.keras.semantics import STATEFUL
from corro.rules.keras._abilities import shares_by_engine, shares_by_program
from corro.rules.keras._arguments import FIT, Given
from corro.rules.once import lifted_parts
from corro.rules.places import inner_scopes
from corro.rules.reached import is_mentioned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-training"
GATE = 1

_POLICIES = ("keras.mixed_precision.set_global_policy", "keras.mixed_precision.experimental.set_policy",
             "keras.mixed_precision.LossScaleOptimizer")  # fmt: skip
_PLAYED = frozenset({"gym", "gymnasium", "pettingzoo", "dm_control", "gym_super_mario_bros", "stable_baselines3"})
"""Packages of environments for reinforcement learning."""
_SEARCHES = ("keras_tuner.", "kerastuner.", "scikeras.", "keras.wrappers.", "hyperas.", "talos.", "autokeras.")
"""Packages that train models of the script by themselves, many of them."""
_WITHOUT_EAGER = ("disable_eager_execution", "disable_v2_behavior")
_STEPS = frozenset({"minimize", "get_updates"})
_OF_TRAINING = frozenset({"epochs", "validation_data", "validation_split", "steps_per_epoch", "batch_size"})
"""Arguments by which a call of ``fit`` is known for one of Keras."""
_COMPILED_WITH = frozenset({"optimizer", "loss", "metrics"})
"""Arguments by which a call of ``compile`` is."""


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each way of training."""
    yield from _loops(job)
    yield from _engine(job)
    yield from of_fits(job)
    if job.anatomy.fits or job.anatomy.others:
        yield from unknown(job)
        yield from _by_hand(job)
    if not job.is_strong:
        yield from _weak(job)
    if job.has_ranks:
        yield from played(job, NAME)
    if job.sharing is not None:
        yield from _steps(job)


def of_fits(job: Job) -> Iterator[Answer]:
    """What concerns the calls of fit alone."""
    yield from _stateful(job)
    if job.sharing is not None:
        yield from _open(job)
    if job.has_ranks:
        yield from _inside(job)
        yield from _elsewhere(job)
        yield from _in_graphs(job)


def _loops(job: Job) -> Iterator[Answer]:
    for node in job.anatomy.loops[:1]:
        names = {canonical(fact.name).rpartition(".")[2] for fact in job.calls if fact.node is node}
        tapes, sessions = "GradientTape" in names, any("Session" in name for name in names)
        other = "a tape in a class of its own" if tapes else "a session" if sessions else "an estimator"
        yield job.refuse(
            NAME,
            f"the script trains with {other} beside fit; that is not converted yet.",
            node,
            "Train with model.compile and model.fit.",
        )
    if not job.anatomy.fits and not job.anatomy.loops and not job.anatomy.others:
        yield job.refuse(
            NAME,
            "Corro found no call of fit whose model it can follow.",
            _likely_fit(job.nodes.of(ast.Attribute)) or job.script.tree,
            "Make and fit the model in the script, without wrappers that make it later.",
        )


def _likely_fit(attributes: Sequence[ast.Attribute]) -> ast.AST | None:
    """Where training is likely to be: of what is compiled, or the first."""
    compiled = {ast.dump(n.value) for n in attributes if n.attr == "compile"}
    found = [n for n in attributes if n.attr in ("fit", "fit_generator", "train_on_batch", "minimize")]
    return min(found, key=lambda n: (ast.dump(n.value) not in compiled, n.lineno), default=None)


def unknown(job: Job) -> Iterator[Answer]:
    """What is fitted as models of Keras are, beside training that is known: each process would train its own."""
    compiling = (f for f in job.calls if f.name == "compile" and job.target.sees_shards)
    compiled = {_owner(f.node) for f in compiling if len(f.args) > 1 or _COMPILED_WITH & {*f.keywords}}
    for fact in job.calls:
        trains = fact.name in ("fit_generator", "train_on_batch") or (
            fact.name == "fit" and (_OF_TRAINING & {*fact.keywords} or _owner(fact.node) in compiled)
        )
        if trains and fact.receiver is not None and fact.receiver.kind is Kind.UNKNOWN:
            yield job.refuse(
                NAME,
                "Corro does not know whether this is a model of Keras: a library has made it, or it could not be "
                "followed.",
                fact.node,
                "Train it in a script of its own.",
            )
            return


def _owner(node: ast.Call) -> str:
    """What a method is called of, as it is written."""
    return ast.dump(node.func.value) if isinstance(node.func, ast.Attribute) else ""


def _by_hand(job: Job) -> Iterator[Answer]:
    """An optimizer whose steps a session or a function of Keras' backend runs, or that takes them without a tape."""
    for fact in job.calls:
        if fact.name in _STEPS and fact.receiver is not None and fact.receiver.kind in (Kind.OPTIMIZER, Kind.UNKNOWN):
            yield job.refuse(
                NAME,
                "an optimizer makes steps outside of fit, which each process would make independently.",
                fact.node,
                "Train with model.compile and model.fit, or in a script of its own.",
            )
            return


def _engine(job: Job) -> Iterator[Answer]:
    """What the engine cannot do with this version of Keras, or its backend."""
    reason = job.target.needs_keras_2
    if reason and only_keras_3(job.files):
        advice = job.or_target("Write the script for Keras 2", lambda target: not target.needs_keras_2)
        yield job.refuse(NAME, f"the script is for Keras 3: {reason}.", _place(job), advice)
    reason = job.target.needs_keras_3
    if reason and job.target.flavour != "keras":
        yield job.refuse(
            NAME,
            f"the script has its Keras from {job.target.flavour}: {reason}.",
            _place(job),
            job.or_target("Import keras itself, version 3", lambda target: not target.needs_keras_3),
            effort="one line",
        )
    backend = chosen_backend(job.files)
    node = uses_tensorflow(job.files) if not backend and job.target.backend != "tensorflow" else None
    if node is not None:
        yield job.refuse(
            NAME,
            f"the model computes with TensorFlow's own operations, and {job.target.title} needs {job.target.backend}.",
            node,
            job.or_target("Use keras.ops in their place", lambda target: target.backend == "tensorflow"),
        )
    if backend and backend != job.target.backend:
        yield job.refuse(
            NAME,
            f"the script runs Keras on {backend}, and {job.target.title} needs {job.target.backend}.",
            _place(job),
            job.or_target(f"Use the backend {job.target.backend}", lambda target: target.backend == backend),
            effort="one line",
        )


def _place(job: Job) -> ast.AST:
    imports = (n for n in job.script.tree.body if isinstance(n, (ast.Import, ast.ImportFrom)))
    return next(imports, job.anatomy.fits[0].node if job.anatomy.fits else job.script.tree)


def _stateful(job: Job) -> Iterator[Answer]:
    for fact in job.calls:
        if fact.result.kind is Kind.LAYER and STATEFUL in fact.result.tags and fact.receiver is None:
            yield job.refuse(
                NAME,
                "a stateful layer carries its state from batch to batch, so that batches cannot be sharded.",
                fact.node,
                "Leave stateful=True out, and give the model whole sequences.",
                effort="other training",
            )
            return


def _weak(job: Job) -> Iterator[Answer]:
    """What keeps the batch of a process, and what does not."""
    if job.sharing is None:
        yield job.refuse(
            NAME,
            f"weak scaling is not supported for {job.target.title} yet.",
            _place(job),
            job.or_target("Leave out --scaling weak", shares_by_program),
            effort="one line",
        )
    for node in job.anatomy.others[:1]:
        yield job.refuse(
            NAME,
            "a loop around train_on_batch sets the number of steps itself, but weak scaling needs N times fewer.",
            node,
            "Use --scaling strong, or train with model.fit.",
            effort="one line",
        )


def _inside(job: Job) -> Iterator[Answer]:
    """A call of fit in what rank 0 alone prints or writes, or where nothing can stand in front of it."""
    lifted = {node for call in lifted_parts(job) for node in ast.walk(call)}
    for node in (*(site.node for site in job.anatomy.fits), *job.anatomy.others):
        if job.sharing is not None and next(inner_scopes(job, node), None) is not None:
            yield job.refuse(
                NAME,
                "the model is trained in a comprehension or a lambda, where nothing can be put in front of the call.",
                node,
                "Write a loop, or a function with def.",
            )
            return
        if node in lifted:
            yield job.refuse(
                NAME,
                "the model is trained inside a larger statement.",
                node,
                "Put the call on a line of its own.",
                effort="one line",
            )
            return


def _open(job: Job) -> Iterator[Answer]:
    for site in job.anatomy.fits:
        if Given(job, site.node, FIT).is_open:
            yield job.refuse(
                NAME, "fit is given arguments by * or **.", site.node, "Write them into the call.", effort="one line"
            )
            return


def _elsewhere(job: Job) -> Iterator[Answer]:
    """Models that are trained beside the calls of fit that were followed: by a library, or in functions it is given."""
    if not job.anatomy.fits and not job.anatomy.others:
        return
    searches = (f.node for f in job.calls if f.receiver is None and canonical(f.name).startswith(_SEARCHES))
    node = next(searches, None) or next(_not_followed(job), None)
    if node is not None:
        yield job.refuse(
            NAME,
            "models are trained here in a way that Corro cannot follow: each process would train its own, and go on "
            "with its own result.",
            node,
            "Run the search in a separate script, and write its result into this one.",
        )


def _in_graphs(job: Job) -> Iterator[Answer]:
    graph = next((f for f in job.calls if f.receiver is None and f.name.endswith(_WITHOUT_EAGER)), None)
    if graph is not None:
        yield job.refuse(
            NAME,
            "without eager execution the calls by which processes wait for each other, or share a number, do nothing.",
            graph.node,
            "Remove this call.",
            effort="one line",
        )


def _not_followed(job: Job) -> Iterator[ast.AST]:
    """Calls of fit in functions that are used, and that nobody was seen to call."""
    for node in job.nodes.of(ast.Call):
        if not isinstance(node.func, ast.Attribute) or node in job.facts.units:
            continue
        keras = node.func.attr == "fit" and any(k.arg in _OF_TRAINING for k in node.keywords)
        if not keras and node.func.attr not in ("fit_generator", "train_on_batch"):
            continue
        above = [a for a in job.ancestors(node) if isinstance(a, (ast.FunctionDef, ast.ClassDef))]
        functions = [a for a in above if isinstance(a, ast.FunctionDef)]
        classes = {a.name for a in above if isinstance(a, ast.ClassDef)}
        used = {n.id for n in job.nodes.of(ast.Name)} if classes else classes
        followed = bool(functions) and functions[0].body[0] in job.facts.units
        if functions and not followed and classes <= used and all(is_mentioned(job, each) for each in functions):
            yield node


def played(job: Job, rule: str) -> Iterator[Answer]:
    """Reinforcement learning, in the name of a rule."""
    for node in job.nodes.of(ast.Import, ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        if any(name.split(".")[0] in _PLAYED for name in names):
            yield job.refuse(
                rule,
                "the script trains in an environment (reinforcement learning), which would take another course, and "
                "another number of steps, on each process.",
                node,
                "Collect the data first, and train on it in a separate script.",
            )
            return


def _steps(job: Job) -> Iterator[Answer]:
    """What Horovod's optimizer does not see."""
    for fact in job.calls:
        name = canonical(fact.name) if fact.receiver is None else ""
        if name in _POLICIES:
            yield job.refuse(
                NAME,
                "mixed precision wraps Horovod's optimizer into one of its own; that is not converted yet.",
                fact.node,
                job.or_target("", shares_by_engine),
                effort="one line",
            )
            return
