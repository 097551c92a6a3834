"""Which frontend a script belongs to, and which targets serve it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from corro import targets
from corro.compiler import Options, make_plan
from corro.errors import UsageError
from corro.frontends import frontends
from corro.plan import Outcome, Plan
from corro.source import SourceFile

TORCH = """
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    data = DataLoader(TensorDataset(torch.ones(8, 2), torch.ones(8, 1)), batch_size=4)
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in data:
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
"""
KERAS = """
    import numpy as np
    from tensorflow import keras

    net = keras.Sequential([keras.layers.Dense(1)])
    net.compile("sgd", "mse")
    net.fit(np.ones((8, 2)), np.ones(8))
"""
KERAS_3 = """
    import keras
    import numpy as np

    x = keras.ops.ones((8, 2))
    net = keras.Sequential([keras.layers.Dense(1)])
    net.compile("sgd", "mse")
    net.fit(x, np.ones(8))
"""


def plan(text: str, target: str = "") -> Plan:
    return make_plan(SourceFile.from_text(textwrap.dedent(text), Path("train.py")), Options(target))


def test_frontends_are_found_by_their_folders() -> None:
    assert {"keras", "pytorch"} <= {frontend.name for frontend in frontends()}
    assert all(frontend.presence.TITLE and frontend.presence.SIGN for frontend in frontends())


@pytest.mark.parametrize(
    ("text", "frontend", "target"),
    [
        pytest.param(TORCH, "pytorch", "ddp", id="PyTorch"),
        pytest.param(KERAS, "keras", "horovod", id="Keras 2"),
        pytest.param(KERAS_3, "keras", "keras-distribution", id="Keras 3"),
    ],
)
def test_a_script_has_the_default_target_of_its_framework(text: str, frontend: str, target: str) -> None:
    found = plan(text)
    assert (found.frontend, found.target, found.outcome) == (frontend, target, Outcome.CONVERTED)


def test_a_script_of_two_frameworks_is_refused() -> None:
    found = plan(TORCH + KERAS)
    assert found.outcome is Outcome.REFUSED
    assert [finding.message for finding in found.refusals] == ["the script trains with Keras and PyTorch."]


@pytest.mark.parametrize(("text", "target"), [(TORCH, "mirrored"), (KERAS, "ddp")])
def test_a_target_of_another_framework_is_wrong_usage(text: str, target: str) -> None:
    with pytest.raises(UsageError, match=f"{target!r} is for"):
        plan(text, target)


def test_one_engine_can_serve_several_frontends() -> None:
    assert targets.served("horovod") == ("keras", "pytorch", "tensorflow", "tensorflow1")
    spelt = {targets.get("horovod", frontend) for frontend in targets.served("horovod")}
    assert len(spelt) == len(targets.served("horovod"))


def test_a_target_that_does_not_exist_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="there is no target 'mpi'"):
        plan(KERAS, "mpi")


@pytest.mark.parametrize(
    "line",
    ["import tensorflow as tf", "re.compile('x').match('x')", "from sklearn.svm import SVC\nSVC().fit([[1]], [1])"],
)
def test_a_mention_of_a_framework_is_no_training(line: str) -> None:
    assert plan(f"import re\nimport tensorflow\n{line}\n").outcome is Outcome.NOTHING
