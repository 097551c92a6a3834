"""Make the variables of a model with its own ``train_step`` before ``fit`` begins.

Why
---
Keras 3 makes all variables before it runs a step under a strategy. It builds the model by its ``call()``, and
``self.optimizer`` for it. A model that only has a ``train_step``, such as an autoencoder or a GAN of two models, has no
``call()``, and ``fit`` stops: its parts are built, so it is marked as built. Further optimizers, ``self.d_optimizer``,
would make their variables within the step, where a strategy cannot: they are built where the model is given them. With
Keras 2 both lines change nothing.

Before
------
::

    def __init__(self, discriminator, generator):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator

    def compile(self, d_optimizer):
        super().compile()
        self.d_optimizer = d_optimizer

After
-----
::

    def __init__(self, discriminator, generator):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.built = True

    def compile(self, d_optimizer):
        super().compile()
        self.d_optimizer = d_optimizer
        self.d_optimizer.build(self.discriminator.trainable_weights)

Source
------
``Trainer._symbolic_build`` in Keras 3. Measured with Keras 3.15 on TensorFlow 2.21 and with TensorFlow 2.15, 2 devices.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import only_keras_3
from corro.frontends.lineage import base_names, lineage, own_classes
from corro.source import After

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-building"

_INPUTS = frozenset({"Input", "InputLayer", "input_shape", "input_dim", "batch_input_shape", "batch_shape"})


def apply(job: Job) -> Iterable[Answer]:
    """A change for each class that cannot be built by its ``call``, and for each further optimizer."""
    if job.target.scope is None or job.target.needs_keras_2 or job.target.flavour == "tf_keras":
        return
    stepping = [node for node in own_classes(job.facts) if _is_model(job, node) and _method(job, node, "train_step")]
    for node in stepping:
        if not _method(job, node, "call") and not _builds(job, node):
            yield _marked(job, node)
        yield from _optimizers(job, node)


def _is_model(job: Job, node: ast.ClassDef) -> bool:
    return any(canonical(name) == "keras.models.Model" for name in base_names(job.facts, node))


def _method(job: Job, node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    methods = (m for each in lineage(job.facts, node) for m in each.body if isinstance(m, ast.FunctionDef))
    return next((m for m in methods if m.name == name), None)


def _builds(job: Job, node: ast.ClassDef) -> bool:
    """Whether the class says itself that it is built."""
    parts = (n for each in lineage(job.facts, node) for n in ast.walk(each) if isinstance(n, ast.Attribute))
    return any(n.attr == "built" and isinstance(n.ctx, ast.Store) for n in parts)


def _marked(job: Job, node: ast.ClassDef) -> Answer:
    init = _method(job, node, "__init__")
    unbuilt = _unbuilt(job, init)
    if init is None or unbuilt is not None:
        return _stops(
            job,
            f"Keras 3 builds a model before fit under a strategy: {node.name} has no call(), and this part of it has "
            "no input shape.",
            unbuilt or node,
            "Give it one, as in keras.Sequential([keras.Input(shape=...), ...]).",
        )
    return job.change(
        NAME, "Keras 3 must not build it by its call()", init, [After(init.body[-1], "self.built = True")]
    )


def _unbuilt(job: Job, init: ast.FunctionDef | None) -> ast.AST | None:
    """A model or layer that gets its variables from its first batch."""
    for fact in job.calls:
        if canonical(fact.name) == "keras.models.Sequential" and not _has_input(job, fact):
            return fact.node
    for node in ast.walk(init) if init is not None else ():
        kept = node.value if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) else None
        facts = job.calls_of(kept) if isinstance(kept, ast.Call) else []
        if any(f.receiver is None and canonical(f.name).startswith("keras.layers.") for f in facts):
            return kept
    return None


def _has_input(job: Job, made: CallFact) -> bool:
    """Whether layers, or ``add``, say what a model is given; ``build`` does, too."""
    number = job.facts.number(made.node)
    given = [f for f in job.calls if f.receiver is not None and number in f.receiver.sites]
    parts = [part for fact in (made, *given) for part in ast.walk(fact.node)]
    return any(f.name == "build" for f in given) or bool({_word(part) for part in parts} & _INPUTS)


def _word(node: ast.AST) -> str | None:
    if isinstance(node, ast.keyword):
        return node.arg
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def _optimizers(job: Job, node: ast.ClassDef) -> Iterator[Answer]:
    """One change for each optimizer but the model's own that a step applies."""
    step = _method(job, node, "train_step")
    done: set[str] = set()
    for fact in job.calls:
        if fact.name != "apply_gradients" or not any(frame.scope.node is step for frame in fact.context.frame.path()):
            continue
        name = ast.unparse(fact.node.func.value) if isinstance(fact.node.func, ast.Attribute) else ""
        if name == "self.optimizer" or name in done:
            continue
        done.add(name)
        yield _built(job, node, name, fact)


def _built(job: Job, node: ast.ClassDef, name: str, fact: CallFact) -> Answer:
    """The optimizer built for the variables that it is applied to, where the model is given it."""
    variables = _variables(fact.node)
    assigned = [n for each in lineage(job.facts, node) for n in ast.walk(each) if _assigns(n, name)]
    if len(assigned) == 1 and variables.startswith("self."):
        statement = assigned[0]
        assert isinstance(statement, ast.stmt)
        edit = After(statement, f"{name}.build({variables})")
        return job.change(NAME, "an optimizer makes its variables before the step", statement, [edit])
    return _stops(
        job,
        f"the optimizer {name} makes its variables in the first step, which fails in Keras 3 under a strategy.",
        fact.node,
        f"Build it where it is made, under the scope: {name}.build(...trainable_variables).",
    )


def _variables(call: ast.Call) -> str:
    """What ``zip(gradients, variables)`` has on its right; empty where it is written otherwise."""
    pairs = call.args[0] if call.args else None
    zipped = pairs.args if isinstance(pairs, ast.Call) and getattr(pairs.func, "id", "") == "zip" else []
    return ast.unparse(zipped[1]) if len(zipped) > 1 and isinstance(zipped[1], ast.Attribute) else ""


def _assigns(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Assign) and any(ast.unparse(target) == name for target in node.targets)


def _stops(job: Job, message: str, node: ast.AST, advice: str) -> Answer:
    """A refusal where the script needs Keras 3; with Keras 2 it runs."""
    if only_keras_3(job.files):
        return job.refuse(NAME, message, node, advice)
    return job.note(NAME, message, node, advice)
