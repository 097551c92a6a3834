"""``corro trace`` of Keras and TensorFlow on real processes: compiled steps have parts, with the line of the script."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from corro.cli import main
from corro.trace.summary import watched

SEEN = watched(20, 5)
"""Steps that other tracers see."""
FITTED = """\
import numpy as np
from {keras} import Sequential, layers, utils

utils.set_random_seed(0)
x = np.random.rand(640, 64).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = Sequential([layers.Dense(512, activation="relu"), layers.Dense(512, activation="relu"), layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x[:512], y[:512], batch_size=64, epochs=3, validation_data=(x[512:], y[512:]), verbose=0)
"""
LOOP = """\
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x = np.random.rand(512, 64).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(512, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01)
loss_object = tf.keras.losses.MeanSquaredError()


@tf.function
def train_step(a, b):
    with tf.GradientTape() as tape:
        loss = loss_object(b, model(a, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(3):
    for a, b in data:
        train_step(a, b)
"""
SESSION = """\
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
data = np.random.rand(64, 4)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(10):
        session.run(step, feed_dict={x: data})
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def traced(home: Path, capsys: pytest.CaptureFixture[str], text: str, target: str) -> dict[str, Any]:
    """What a trace of a script for a target shows, of 20 steps of two processes or devices."""
    (home / "train.py").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["trace", "train.py", "-n", "2", "--to", target, "--steps", "20", "--json"])
    told = capsys.readouterr()
    assert not ended.value.code, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found


def shown(home: Path) -> list[dict[str, Any]]:
    """The pieces of work in the file."""
    events = json.loads((home / "train_trace.json").read_text(encoding="utf-8"))["traceEvents"]
    return [each for each in events if each["ph"] == "X"]


def parts_lie_within_their_step(home: Path, line: int) -> None:
    """Each part of a compiled step that the profiler saw has its line, and lies within it."""
    work = [each for each in shown(home) if each["cat"] == "training"]
    parts = {"forward", "backward", "optimizer"}
    profiled = [each for each in work if each["name"] == "compiled step" and each["args"]["step"] in range(2, SEEN)]
    assert profiled
    for step in profiled:
        assert step["args"]["line"] == f"train.py:{line}"
        end = step["ts"] + step["dur"] + 1
        own = [each for each in work if each["pid"] == step["pid"] and step["ts"] <= each["ts"] and
               each["ts"] + each["dur"] <= end and each["name"] in parts]  # fmt: skip
        assert {each["name"] for each in own} == parts
        assert {each["args"]["line"] for each in own} == {f"train.py:{line}"}


@pytest.mark.slow
@pytest.mark.parametrize(("target", "ranks"), [("horovod", 2), ("multiworker", 2), ("mirrored", 1)])
def test_a_fit_of_keras(target: str, ranks: int, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = traced(home, capsys, FITTED.format(keras="tensorflow.keras"), target)
    assert len(found["ranks"]) == ranks
    assert {"forward", "backward", "optimizer", "compiled step", "evaluation"} <= set(found["seconds"])
    assert any(note.startswith("The profile of TensorFlow is merged") for note in found["notes"])
    parts_lie_within_their_step(home, 9)
    if target == "horovod":
        assert any(note.startswith("Horovod's own timeline is merged into rank 0") for note in found["notes"])
        exchanges = [each for each in shown(home) if each["name"] == "GLOO_ALLREDUCE"]
        assert {each["pid"] for each in exchanges} == {0}
    if target == "multiworker":
        assert found["seconds"]["waiting for others"][0] > 0


@pytest.mark.slow
def test_a_loop_around_a_tape(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = traced(home, capsys, LOOP, "horovod")
    assert {"data loading", "forward", "backward", "optimizer", "compiled step"} <= set(found["seconds"])
    parts_lie_within_their_step(home, 24)
    loading = [each for each in shown(home) if each["name"] == "data loading"]
    assert {each["args"].get("line") for each in loading} >= {"train.py:23"}


@pytest.mark.slow
@pytest.mark.keras3
def test_a_fit_of_keras_3(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", os.environ.get("KERAS_BACKEND", "jax"))
    found = traced(home, capsys, FITTED.format(keras="keras"), "keras-distribution")
    assert {"data loading", "forward", "backward", "optimizer", "compiled step", "evaluation"} <= set(found["seconds"])
    assert found["hidden"] is not None
    assert any(note.startswith("The profile of JAX is merged") for note in found["notes"])
    parts_lie_within_their_step(home, 9)


def test_a_session_of_tensorflow_1_is_not_traced(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "train.py").write_text(SESSION, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["trace", "train.py", "-n", "2"])
    told = capsys.readouterr().err
    assert ended.value.code == 1
    assert "trains with tensorflow1, and only PyTorch, Keras and TensorFlow 2 are traced" in told
    assert "corro bench" in told
