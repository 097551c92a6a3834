"""The work of the rules grows as a script does, not as its square: counted, not timed."""

from __future__ import annotations

import pytest

from corro.compiler import Options, compile_source
from corro.flow.facts import CallFact
from corro.frontends.tensorflow import gradients
from corro.plan import Outcome
from corro.rules.tensorflow import _job
from corro.source import SourceFile

HEAD = """
import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = (x.sum(axis=1) > 2).astype("int64")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)
"""
LOOP = """
for inputs, targets in data:
    with tf.GradientTape() as tape:
        loss = cross_entropy(targets, model(inputs))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""


def test_updates_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[CallFact] = []

    def computes(fact: CallFact) -> bool:
        asked.append(fact)
        return gradients.computes(fact)

    monkeypatch.setattr(_job, "computes", computes)
    script = SourceFile.from_text(HEAD + "print(len(x))\n" * 50 + LOOP, "script.py")
    assert compile_source(script, Options("horovod")).plan.outcome is Outcome.CONVERTED
    assert asked
    assert len(asked) == len(set(asked)), "a call was asked twice"
