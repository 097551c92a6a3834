"""Let all workers save a model, and keep the chief's file (MultiWorkerMirroredStrategy).

Why
---
Reading some variables, such as the moving averages of batch normalisation, is a collective operation: a chief that
saves alone waits for the others, who go on with something else. So every worker saves, all but the chief to a place
that nobody looks at.

Before
------
::

    model.save("model.keras")

After
-----
::

    model.save("model.keras" if strategy.extended.should_checkpoint else
               os.path.join(tempfile.mkdtemp(), os.path.basename("model.keras")))

Source
------
TensorFlow tutorial, "Multi-worker training with Keras", model saving and loading; measured with TensorFlow 2.15: the
next collective of the others fails when the chief saves alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras.effects import keras_effects, saving_arguments
from corro.rules.keras._arguments import Given
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-saving"
FRONTENDS = ("keras", "tensorflow")


def apply(job: Job) -> Iterator[Answer]:
    """One change for each call that saves a model."""
    if not job.target.saves_together:
        return
    seen: set[ast.AST] = set()
    for effect in keras_effects(job.calls):
        names = saving_arguments(effect)
        if not names or effect.node in seen:
            continue
        seen.add(effect.node)
        given = Given(job, effect.node, names)
        path = given.text(names[-1])
        if path is None:
            yield job.refuse(
                NAME,
                "a model is saved where the path cannot be changed.",
                effect.node,
                "Give the path as first argument.",
                effort="one line",
            )
            continue
        here = job.at(effect.node)
        library = here.target.library
        os, tempfile = library.name("os"), library.name("tempfile")
        elsewhere = f"{os}.path.join({tempfile}.mkdtemp(), {os}.path.basename({path}))"
        edits = given.set(names[-1], f"{path} if {here.ranked.is_first} else {elsewhere}")
        code = Code("", (library.imports("os"), library.imports("tempfile")))
        yield job.change(NAME, "all workers save, the chief's file is kept", effect.node, edits, code)
