"""The clock sees the steps of each way to train, and the samples where batches come by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.bench.design import Treatment
from corro.bench.runs import Subject, measured

TORCH = """\
import torch
from torch.utils.data import DataLoader, TensorDataset
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = TensorDataset(torch.ones(160, 4), torch.ones(160, 1))
for epoch in range(2):
    for x, y in DataLoader(data, batch_size=16):
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
    for x, y in DataLoader(data, batch_size=80):
        model(x)
print(f"loss: {loss.item():.3f}")
"""
KERAS = """\
import numpy as np
import tensorflow as tf
x, y = np.ones((160, 4), "float32"), np.ones((160, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
FIT = KERAS + "model.fit(x, y, batch_size=16, epochs=2, validation_data=(x, y), verbose=2)\n"
ON_BATCH = KERAS + "for n in range(20):\n    model.train_on_batch(x[:16], y[:16])\n"
TAPE = """\
import tensorflow as tf
data = tf.data.Dataset.from_tensor_slices((tf.ones((160, 4)), tf.ones((160, 1)))).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
{decorator}
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for epoch in range(2):
    for x, y in data:
        step(x, y)
    for x, y in data:
        model(x)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "samples"),
    [
        pytest.param(TORCH, True, id="torch"),
        pytest.param(FIT, False, id="fit"),
        pytest.param(ON_BATCH, True, id="train_on_batch"),
        pytest.param(TAPE.replace("{decorator}", "@tf.function"), True, id="graph"),
        pytest.param(TAPE.replace("{decorator}\n", ""), True, id="tape"),
    ],
)
def test_twenty_steps_are_seen(tmp_path: Path, text: str, samples: bool) -> None:
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    subject = Subject(tmp_path / "train.py", {}, directory=tmp_path, warm_up=2)
    row = measured(subject, Treatment("sequential", 1, 1), 1)
    assert row.failed == ""
    assert row.responses["steps"] == 20
    assert ("samples_per_second" in row.responses) is samples
    assert row.responses["startup_seconds"] > 0
    if samples:
        rates = row.responses["samples_per_second"] / row.responses["steps_per_second"]
        assert rates == pytest.approx(16)


@pytest.mark.slow
def test_steps_end_a_run_and_a_failure_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TORCH, encoding="utf-8")
    subject = Subject(tmp_path / "train.py", {}, directory=tmp_path, steps=7)
    assert measured(subject, Treatment("unconnected", 2, 1), 1).responses["steps"] == 7
    (tmp_path / "train.py").write_text(TORCH + "model.no_such_thing\n", encoding="utf-8")
    failed = measured(subject, Treatment("sequential", 1, 1), 1, limit_seconds=0.0).failed
    assert failed == "it was ended after 0 s"
    whole = Subject(tmp_path / "train.py", {}, directory=tmp_path)
    assert measured(whole, Treatment("sequential", 1, 1), 1).failed.startswith("train.py:14: AttributeError")
