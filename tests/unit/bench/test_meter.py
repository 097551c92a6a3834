"""The clock sees the steps of each way to train, and their samples."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corro.bench import prepare
from corro.bench.design import Treatment
from corro.bench.meter.clock import TIMES, UNKNOWN, Meter
from corro.bench.meter.counter import Counter, length
from corro.bench.meter.sessions import fed
from corro.bench.runs import Subject, launch, measured
from corro.bench.store import Row
from corro.compiler import Options, compile_source
from corro.launch import run
from corro.source import read_source
from corro.verify.probe.session import Stop
from corro.verify.settings import Settings

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
FIT = """\
import numpy as np
import tensorflow as tf
x, y = np.ones((161, 4), "float32"), np.ones((161, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=3, validation_data=(x, y), verbose=2)
"""
FITS = """\
import numpy as np
import tensorflow as tf
x, y = np.ones((40, 4), "float32"), np.ones((40, 1), "float32")
def parts():
    while True:
        yield x[:7], y[:7]
        yield x[:5], y[:5]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=2, validation_data=(x, y), verbose=2)
model.compile("sgd", "mse", steps_per_execution=3)
model.fit(x, y, batch_size=10, validation_split=0.1, verbose=0)
model.compile("sgd", "mse", jit_compile=True)
model.fit(parts(), steps_per_epoch=3, verbose=0)
model.compile("sgd", "mse", run_eagerly=True)
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(30), verbose=0)
model.train_on_batch(x[:3], y[:3])
"""
FITS_3 = (
    FITS.replace("import tensorflow as tf", "import keras")
    .replace("tf.keras", "keras")
    .replace("tf.data.Dataset.from_tensor_slices((x, y)).batch(30)", "x, y, batch_size=30")
)
FIT_3 = FIT.replace("import tensorflow as tf", "import keras").replace("tf.keras", "keras").replace("161", "176")
SESSION = """\
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
data = np.ones((161, 4), "float32")
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(3):
        for start in range(0, 161, 16):
            session.run(train, {x: data[start : start + 16], y: data[start : start + 16, :1]})
        print("loss:", session.run(loss, {x: data, y: data[:, :1]}))
"""
FED = SESSION.replace("161", "40")
TAKEN = """\
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
iterator = tf.data.make_initializable_iterator(tf.data.Dataset.from_tensor_slices(np.ones((40, 4))).batch(16))
loss = tf.reduce_mean(tf.square(tf.layers.dense(iterator.get_next(), 1)))
train = tf.group(tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_or_create_global_step()))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.graph.finalize()
    for epoch in range(2):
        session.run(iterator.initializer)
        try:
            while True:
                session.run(train)
                session.run(tf.train.get_global_step())
        except tf.errors.OutOfRangeError:
            pass
"""
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
    "text",
    [
        pytest.param(TORCH, id="torch"),
        pytest.param(ON_BATCH, id="train_on_batch"),
        pytest.param(TAPE.replace("{decorator}", "@tf.function"), id="graph"),
        pytest.param(TAPE.replace("{decorator}\n", ""), id="tape"),
    ],
)
def test_twenty_steps_are_seen(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    subject = Subject(tmp_path / "train.py", {}, directory=tmp_path, warm_up=2)
    row = measured(subject, Treatment("sequential", 1, 1), 1)
    assert row.failed == ""
    assert row.responses["steps"] == 20
    assert row.responses["startup_seconds"] > 0
    assert row.responses["samples_per_second"] / row.responses["steps_per_second"] == pytest.approx(16)


def times(tmp_path: Path, text: str) -> dict[str, Any]:
    """What the clock leaves of a sequential run."""
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    plan = launch(
        Subject(tmp_path / "train.py", {}, directory=tmp_path), Treatment("sequential", 1, 1), tmp_path / "run"
    )
    assert run(plan, tmp_path / "output.txt", lambda: False) == 0, (tmp_path / "output.txt").read_text()
    (file,) = (tmp_path / "run").glob(f"*/{TIMES}")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


@pytest.mark.slow
def test_each_step_of_fit_has_the_samples_that_it_is_given(tmp_path: Path) -> None:
    """Of arrays, of a generator, of a pipeline; a smaller one at the end of each pass; none of an evaluation."""
    found = times(tmp_path, FITS)
    arrays = [16, 16, 8, 16, 16, 8]
    together = [10, 10, 10, 6]  # calls of three steps, and of one
    assert found["samples"] == [*arrays, *together, 7, 5, 7, 30, 10, 3]
    assert found["whole"] == [0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1]


@pytest.mark.keras3
@pytest.mark.slow
def test_each_step_of_fit_of_keras_3_has_its_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    found = times(tmp_path, FITS_3)
    assert found["samples"] == [*[16, 16, 8] * 2, 10, 10, 10, 6, 7, 5, 7, 30, 10, 3]


@pytest.mark.keras3
@pytest.mark.slow
def test_samples_of_two_devices_are_counted_once(tmp_path: Path) -> None:
    row = on_two(tmp_path, FIT_3, "keras-distribution")
    assert row.responses["steps"] == 33
    assert row.responses["samples_per_second"] / row.responses["steps_per_second"] == pytest.approx(16)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "samples", "whole"),
    [
        pytest.param(FED, [16, 16, 8] * 3, [0, 1, 1] * 3, id="fed"),
        pytest.param(TAKEN, [16, 16, 8] * 2, [0, 1, 1] * 2, id="taken"),
    ],
)
def test_runs_of_a_session_that_train_are_steps(
    tmp_path: Path, text: str, samples: list[int], whole: list[int]
) -> None:
    """What runs beside most of them is a part of them, beside few it is an evaluation."""
    found = times(tmp_path, text)
    assert (found["samples"], found["whole"]) == (samples, whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "target"), [(FIT, "horovod"), (FIT, "mirrored"), (FIT, "multiworker"), (SESSION, "horovod")]
)
def test_samples_of_two_processes_are_counted_once(tmp_path: Path, text: str, target: str) -> None:
    """Ten steps of 16 in each of three passes, and a last one of 1, which only one process has."""
    row = on_two(tmp_path, text, target)
    assert row.responses["steps"] == 33
    of_a_step = row.responses["samples_per_second"] / row.responses["steps_per_second"]
    assert of_a_step == pytest.approx(14.5, rel=0.05)  # nine of 16, the last of 1, without the first of each pass


def on_two(tmp_path: Path, text: str, target: str) -> Row:
    """A measured run on two processes, or devices, that has not failed."""
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    output = compile_source(read_source(str(tmp_path / "train.py")), Options(target, assume=True))
    treatment = Treatment(target, 2, 1, scaling="strong")
    programs = {treatment.program: prepare.program_for(output)}
    home = prepare.home([output])
    subject = Subject(tmp_path / "train.py", programs, directory=tmp_path, home=home, warm_up=0)
    row = measured(subject, treatment, 1)
    assert row.failed == ""
    return row


def clock(tmp_path: Path, steps: int = 0) -> Meter:
    settings = {"folder": str(tmp_path), "hooks": "", "program": "train.py", "script": "train.py"}
    return Meter(Settings(**settings, steps=steps))  # type: ignore[arg-type]


def left(meter: Meter) -> dict[str, Any]:
    meter.finish()
    found: dict[str, Any] = json.loads((meter.folder / TIMES).read_text())
    return found


def test_steps_of_one_call_share_its_samples(tmp_path: Path) -> None:
    meter = clock(tmp_path, steps=6)
    meter.gave(8)
    meter.stepped()
    meter.gave(10)
    meter.gave(None)
    meter.stepped(3)
    meter.stepped()
    meter.gave(0)
    with pytest.raises(Stop):
        meter.stepped()
    found = left(meter)
    assert found["samples"] == [8, 3, 3, 4, UNKNOWN, 0]
    assert found["whole"] == [0, 1, 1, 1, 1, 1]
    ends = found["ends"]
    assert ends[2] - ends[1] == pytest.approx(ends[3] - ends[2], abs=1e-9)  # of a clock of some hours


def test_what_is_beside_each_step_belongs_to_it(tmp_path: Path) -> None:
    meter = clock(tmp_path)
    for number in range(9):
        if number % 3 == 2:
            meter.aside(begins=number == 5)
        meter.stepped()
    assert left(meter)["whole"] == [0, 1, 0, 1, 1, 0, 1, 1, 0]
    meter = clock(tmp_path)
    for _ in range(3):
        meter.aside()
        meter.stepped()
    assert left(meter)["whole"] == [0, 1, 1]


class Array(SimpleNamespace):
    """It has a shape."""


def test_batches_of_python_are_counted() -> None:
    counter = Counter()
    batches = [({"a": None, "b": Array(shape=(5, 2))}, Array(shape=(7,))), (Array(shape=(3,)),)]
    assert list(counter.given(iter(batches))) == batches
    assert counter.since() == (2, 8)
    assert list(counter.given(iter([Array(shape=()), "text", [], None]))) == [Array(shape=()), "text", [], None]
    assert counter.since() == (0, 0)
    assert length([Array(shape=(None, 3))]) is None


def test_an_array_of_several_processes_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    together = Array(shape=(7, 2), is_fully_addressable=False)
    found = []
    for number in range(2):
        own = SimpleNamespace(process_index=lambda number=number: number, process_count=lambda: 2)
        monkeypatch.setitem(sys.modules, "jax", own)
        found.append(length((together, None)))
    assert found == [3, 4]


class Graph:
    """Its tensors are known by their names."""

    def as_graph_element(self, key: str, allow_operation: bool = True) -> Any:
        sizes: dict[str, list[int | None] | None] = {
            "images": [None, 8],
            "labels": [None],
            "rate": [],
            "noise": [10, 2],
            "anything": None,
        }
        dims = sizes[key]
        shape = SimpleNamespace(dims=None if dims is None else [SimpleNamespace(value=each) for each in dims])
        return SimpleNamespace(shape=shape)


@pytest.mark.parametrize(
    ("feeds", "samples"),
    [
        ({"rate": 0.1, "images": Array(shape=(6, 8)), "labels": [0] * 6}, 6),
        ({"noise": Array(shape=(10, 2)), "labels": [0] * 6}, 6),
        ({"noise": Array(shape=(10, 2)), "rate": Array(shape=())}, 10),
        ({"anything": [[1.0], [2.0]]}, 2),
        ({"rate": 0.1}, None),
        ({"of another graph": [1]}, None),
        ({}, None),
    ],
)
def test_samples_that_a_session_is_fed(feeds: dict[str, Any], samples: int | None) -> None:
    assert fed(Graph(), feeds) == samples


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
