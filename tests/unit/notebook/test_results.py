"""From the namespace of a process into that of a kernel, by way of files; no framework is needed for that."""

from __future__ import annotations

import ast
import importlib.util
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import corro.launch
from corro.notebook._results import Report, in_words, take, ways_of


class Layer:
    """As a module of PyTorch, as far as that matters here."""

    def __init__(self, weight: float) -> None:
        self.weight = [weight]

    def state_dict(self) -> dict[str, Any]:
        return {"weight": list(self.weight)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        if set(state) != {"weight"}:
            raise RuntimeError("Error(s) in loading state_dict\nmore")
        self.weight[:] = state["weight"]

    def named_parameters(self) -> list[tuple[str, Any]]:
        return [("weight", self.weight)]

    def named_buffers(self) -> list[tuple[str, Any]]:
        return []


class Optimizer(Layer):
    params: list[Any]

    def __init__(self, params: list[Any]) -> None:
        self.params = params


@pytest.fixture(scope="module")
def cell() -> ModuleType:
    drivers = Path(corro.launch.__file__).parent / "drivers"
    spec = importlib.util.spec_from_file_location("_corro_cell", drivers / "_corro_cell.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def played(
    cell: ModuleType,
    folder: Path,
    ways: dict[str, str],
    before: dict[str, Any],
    text: str,
    kernel: dict[str, Any],
    definitions: str = "",
) -> Report:
    """Run the text of a cell in a process's namespace, and take what comes back into the kernel's."""
    namespace = {**before, "Layer": Layer, "Optimizer": Optimizer}
    known = [name for name, value in before.items() if isinstance(value, Layer)]
    results = cell.Results({"folder": str(folder), "names": ways, "known": known}, namespace)
    results.look()
    exec(text, namespace)
    for name, way in ways.items():
        if way != "seen" and name in namespace:
            results.tell(name, namespace[name])
    results.write()
    return take((folder / "results").read_bytes(), ways, ast.parse(definitions).body, kernel)


def test_new_values(cell: ModuleType, tmp_path: Path) -> None:
    kernel: dict[str, Any] = {}
    text = "a, b, c = 1, [1.5, (2, {'x'})], {'k': None}\nd = (i for i in [])\ne = int\nf = object()\nl = [lambda: 1]"
    report = played(cell, tmp_path, dict.fromkeys("abcdeflz", "new"), {}, text, kernel)
    assert kernel == {"a": 1, "b": [1.5, (2, {"x"})], "c": {"k": None}}
    assert report.brought == {"a": "int", "b": "list of 2", "c": "dict of 1"}
    assert report.left == {"d": "a generator", "e": "a type", "f": "a object", "l": "a list", "z": "never set"}


def test_weights_go_into_the_object_that_is_there(cell: ModuleType, tmp_path: Path) -> None:
    model = Layer(0.0)
    kernel: dict[str, Any] = {"model": model}
    ways = {"model": "state", "optimizer": "new"}
    text = "model.weight[0] = 5.0\noptimizer = Optimizer([model.weight])"
    report = played(cell, tmp_path, ways, {"model": Layer(1.0)}, text, kernel)
    assert kernel["model"] is model
    assert model.weight == [5.0]
    assert kernel["optimizer"].params[0] is model.weight, "a new optimizer has the kernel's own parameters"
    assert report.brought == {"optimizer": "Optimizer", "model": "state"}


def test_a_new_model_and_its_optimizer_stay_together(cell: ModuleType, tmp_path: Path) -> None:
    kernel: dict[str, Any] = {"model": Layer(0.0)}
    old: Layer = kernel["model"]
    text = "model = Layer(2.0)\noptimizer = Optimizer([model.weight])"
    played(cell, tmp_path, {"model": "new", "optimizer": "new"}, {"model": Layer(1.0)}, text, kernel)
    assert kernel["model"] is not old
    assert kernel["optimizer"].params[0] is kernel["model"].weight


def test_weights_that_do_not_fit(cell: ModuleType, tmp_path: Path) -> None:
    text = "model.state_dict = lambda: {'other': 1}"
    report = played(cell, tmp_path, {"model": "state"}, {"model": Layer(1.0)}, text, {"model": Layer(0.0)})
    assert report.left == {"model": "RuntimeError: Error(s) in loading state_dict"}


def test_containers_are_filled_where_they_have_changed(cell: ModuleType, tmp_path: Path) -> None:
    log, other = ["kernel"], ["kernel"]
    kernel: dict[str, Any] = {"log": log, "other": other}
    ways = {"log": "in place", "other": "in place", "thing": "seen", "same": "seen"}
    before = {"log": [1], "other": [1], "thing": Layer(1.0), "same": Layer(1.0)}
    report = played(cell, tmp_path, ways, before, "log.append(2)\nthing.weight[0] = 2.0", kernel)
    assert kernel["log"] is log
    assert (log, other) == ([1, 2], ["kernel"])
    assert report.brought == {"log": "list of 2"}
    assert report.left == {"thing": "a Layer, which has changed"}


def test_what_cannot_be_pickled_does_not_keep_the_rest(cell: ModuleType, tmp_path: Path) -> None:
    kernel: dict[str, Any] = {}
    text = "model = Layer(2.0)\nbad = Layer(1.0)\nbad.hook = lambda: 1"
    report = played(cell, tmp_path, {"model": "new", "bad": "new"}, {}, text, kernel)
    assert kernel["model"].weight == [2.0]
    assert report.left == {"bad": "a Layer, which cannot be pickled"}


def test_what_the_kernel_cannot_read_is_said(cell: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel: dict[str, Any] = {}
    made = ModuleType("made_up")
    exec("class Model:\n    def state_dict(self): pass\n    def load_state_dict(self, s): pass", vars(made))
    monkeypatch.setitem(sys.modules, "made_up", made)
    results = cell.Results({"folder": str(tmp_path), "names": {"m": "new"}, "known": []}, {})
    results.tell("m", made.Model())
    results.write()
    monkeypatch.delitem(sys.modules, "made_up")
    report = take((tmp_path / "results").read_bytes(), {"m": "new"}, [], kernel)
    assert report.left == {"m": "ModuleNotFoundError: No module named 'made_up'"}
    assert not kernel


def test_the_kernel_makes_functions_and_imports(cell: ModuleType, tmp_path: Path) -> None:
    kernel: dict[str, Any] = {"width": 3}
    text = "import math\ndef f(x=width): return x\ndef g(x=gone): return x"
    report = played(cell, tmp_path, {}, {}, "", kernel, text)
    assert (kernel["math"].pi > 3, kernel["f"]()) == (True, 3)
    assert report.left == {"g": "NameError: name 'gone' is not defined"}


def test_ways_of_a_kernel() -> None:
    kernel = {"model": Layer(1.0), "Layer": Layer, "log": [], "n": 3, "_": [], "table": {}}
    assert ways_of(kernel) == {"model": "state", "log": "in place", "table": "in place"}


def test_in_words() -> None:
    report = Report({"a": "int", "r": "list of 2"}, {"x": "of single batches", "y": "of single batches", "f": "a type"})
    assert in_words(report, {"r": "the result"}) == [
        "Brought back: a (int), the result (list of 2).",
        "Not brought back: x, y (of single batches); f (a type).",
    ]
    assert in_words(Report(), {}) == ["There was nothing to bring back."]


def test_the_sections_of_a_program(cell: ModuleType) -> None:
    text = "a = 1\n# cell\n@dec\ndef f():\n    print('a', a)\nb = 2\n# results\nif True:\n    print('a', a)\n"
    before, inside, after = cell.sections(ast.parse(text), 2, 7)
    assert [ast.unparse(each).split("\n")[0] for each in (*before, *inside)] == ["a = 1", "@dec", "b = 2"]
    assert ast.unparse(inside[0]).endswith("print('a', a)")
    assert ast.unparse(after[0]).endswith("__corro_tell__('a', a)")


def test_everything_written_is_plain(cell: ModuleType, tmp_path: Path) -> None:
    played(cell, tmp_path, {"a": "new"}, {}, "a = 1", {})
    assert set(pickle.loads((tmp_path / "results").read_bytes())) == {"parts", "left", "unset"}
    assert [path.name for path in tmp_path.iterdir()] == ["results"]
