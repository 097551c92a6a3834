"""How much is followed: counted in steps, the same on every machine, and refused beyond."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from corro import compiler
from corro.flow.budget import Budget, TooLarge
from corro.flow.facts import Facts, Unit
from corro.flow.interpreter import interpret
from corro.flow.values import UNSET
from corro.frontends.batch_sources import NOTHING, Survey
from corro.frontends.pytorch import recognise
from corro.frontends.pytorch.semantics import PyTorchSemantics
from corro.frontends.pytorch.steps import PYTORCH
from corro.frontends.tensorflow.semantics import TapeSemantics
from corro.names import Names
from corro.plan import Outcome
from corro.source import SourceFile
from unit.flow.interpreting import see

LOOP = ast.parse("for i in x: pass").body[0]
SETTLED = PyTorchSemantics(settled=True)
TRAINING = """
import torch

model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.rand(64, 8), torch.rand(64, 1))
for x, y in torch.utils.data.DataLoader(data, batch_size=8):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""


def unit(text: str) -> Unit:
    file = SourceFile.from_text(text, "script.py")
    return Unit(file, Names(file), "__main__")


def steps(text: str, semantics: PyTorchSemantics | TapeSemantics) -> int:
    budget = Budget(10**9)
    interpret(unit(text), semantics, lambda importer, module: None, budget)
    return 10**9 - budget.left


def doubling(depth: int) -> str:
    """Functions that call the next one twice each."""
    parts = ["def f0(x):\n    return x\n"]
    parts += [f"def f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(x)\n" for i in range(1, depth)]
    return "\n".join([*parts, f"y = f{depth - 1}(1)\n"])


RECURSIVE = """
def plain(value):
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value

made = plain(given)
"""


def test_a_function_that_calls_itself_within_comprehensions_is_followed_once() -> None:
    assert steps(RECURSIVE, PyTorchSemantics()) < 100


NESTED = """
import torch


class Inner(torch.nn.Module):
    def forward(self, t):
{lines}
        return t


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x, t):
        return x * self.inner(t)


outer, x, t = Outer(), torch.zeros(3), torch.ones(3)
for epoch in range(10):
    x = outer(x, t) + 1
"""


def test_a_module_is_followed_once_for_equal_arguments_whatever_those_around_it_are_given() -> None:
    def nested(lines: int) -> int:
        return steps(NESTED.format(lines="\n".join(["        t = t + 1"] * lines)), PyTorchSemantics())

    assert nested(30) - nested(10) == 20 * (1 + 3)


def test_a_step_is_a_statement_or_an_expression() -> None:
    assert steps("x = 1\ny = x + 2\n", PyTorchSemantics()) == 2 + 4


def test_the_same_script_takes_the_same_steps() -> None:
    assert steps(doubling(6), PyTorchSemantics()) == steps(doubling(6), PyTorchSemantics())


@pytest.mark.parametrize("left", [0, -1])
def test_what_is_left_decides(left: int) -> None:
    text = doubling(6)
    budget = Budget(steps(text, PyTorchSemantics()) + left)
    if left == 0:
        interpret(unit(text), PyTorchSemantics(), lambda importer, module: None, budget)
        return
    with pytest.raises(TooLarge):
        interpret(unit(text), PyTorchSemantics(), lambda importer, module: None, budget)


def test_readings_of_the_same_script_share_a_budget() -> None:
    text, nowhere = doubling(6), lambda importer, module: None
    budget = Budget(steps(text, PyTorchSemantics()) * 3 // 2)
    interpret(unit(text), PyTorchSemantics(), nowhere, budget)
    with pytest.raises(TooLarge):
        interpret(unit(text), PyTorchSemantics(), nowhere, budget)


def test_a_reading_that_would_be_alike_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    readings: list[object] = []

    def reading(*given: Any) -> Facts:
        readings.append(given)
        return interpret(*given)

    monkeypatch.setattr(compiler, "interpret", reading)
    monkeypatch.setattr(recognise, "again", lambda known, facts: None if known.settled else SETTLED)
    output = compiler.compile_source(SourceFile.from_text(TRAINING, "script.py"), compiler.Options("ddp"))
    assert (output.plan.outcome, len(readings)) == (Outcome.CONVERTED, 1)


def test_going_back_and_forth_between_two_outcomes_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    there, back = PyTorchSemantics(), PyTorchSemantics(settled=True)
    monkeypatch.setattr(recognise, "again", lambda known, facts: there if known is back else back)
    monkeypatch.setattr(compiler, "Budget", lambda *_: Budget(2000))
    output = compiler.compile_source(SourceFile.from_text(TRAINING, "script.py"), compiler.Options("ddp"))
    assert [finding.rule for finding in output.plan.findings] == ["too-large"]


@pytest.mark.parametrize(
    ("more", "alike"),
    [
        ({"settled": True}, True),
        ({"gathers": True}, True),
        ({"preparing": frozenset()}, False),
        ({"batch_sources": NOTHING}, True),
        ({"batch_sources": Survey(PYTORCH, {})}, False),
        ({"reduced": frozenset({LOOP})}, False),
        ({"preparing": frozenset({LOOP})}, False),
        ({"no_peeks": frozenset({LOOP})}, False),
        ({"assumed": frozenset({LOOP})}, False),
        ({"pooled": frozenset({LOOP})}, False),
    ],
)
def test_a_script_is_read_alike_unless_something_is_asked_that_matters(more: dict[str, Any], alike: bool) -> None:
    assert PyTorchSemantics(**more).reads_like(PyTorchSemantics()) is alike
    assert PyTorchSemantics().reads_like(PyTorchSemantics(**more)) is alike


def test_what_is_gathered_matters_where_something_is_reduced() -> None:
    reduced = frozenset({LOOP})
    summed, gathered = PyTorchSemantics(reduced=reduced), PyTorchSemantics(reduced=reduced, gathers=True)
    assert not summed.reads_like(gathered)


def test_a_script_beyond_the_budget_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    small = compiler.compile_source(SourceFile.from_text(TRAINING + doubling(4), "script.py"), compiler.Options("ddp"))
    assert small.plan.outcome is Outcome.CONVERTED
    source = SourceFile.from_text(TRAINING + doubling(20), "script.py")
    monkeypatch.setattr(compiler, "Budget", lambda *_: Budget(2000))
    output = compiler.compile_source(source, compiler.Options("ddp"))
    (finding,) = output.plan.findings
    assert (output.plan.outcome, output.text, finding.rule) == (Outcome.REFUSED, None, "too-large")
    assert source.text[finding.span.start :].startswith("def f0"), "the function that is followed most often"
    assert "2,000 steps" in finding.message, "how much was read"
    assert "20 functions" in finding.message
    assert "its first reading" in finding.message
    assert "times" in finding.message
    assert finding.advice


def test_what_is_nested_too_deeply_is_refused() -> None:
    source = SourceFile.from_text(f"{TRAINING}\nx = {' + '.join(['1'] * 600)}\n", "script.py")
    output = compiler.compile_source(source, compiler.Options("ddp"))
    (finding,) = output.plan.findings
    assert (output.plan.outcome, finding.rule, finding.span.start > 0) == (Outcome.REFUSED, "too-large", True)
    assert "deep" in finding.message


def test_squares_of_squares_are_not_computed() -> None:
    text = "x = 10\n" + "x = x * x\n" * 64
    assert see(f"{text}probe(x)").const() is UNSET


def layers(count: int) -> str:
    """A model of layers that hold models of the library, as blocks of residual networks do."""
    head = """
        import tensorflow as tf

        data = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64,)))).batch(8)
        """
    classes = "".join(
        f"""
        class Block{i}(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.inner = tf.keras.Sequential([tf.keras.layers.Dense(4)])

            def call(self, x):
                return self.inner(x) + x
        """
        for i in range(count)
    )
    made = ", ".join(f"Block{i}()" for i in range(count))
    tail = f"""
        model = tf.keras.Sequential([{made}])
        for x, y in data:
            model(x)
        """
    return "\n".join(textwrap.dedent(part) for part in (head, classes, tail))


def test_layers_of_a_model_are_asked_once_each() -> None:
    few, many = (steps(layers(count), TapeSemantics()) for count in (3, 6))
    assert many <= 2 * few, "twice the layers are at most twice the work"
