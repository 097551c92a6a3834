"""From cells to a program, and what of it can come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.compiler import Options
from corro.errors import SourceError
from corro.notebook._program import Cells, Prepared, prepared
from corro.notebook._text import Part, in_cells
from corro.plan import Outcome
from notebook_support import DATA, MODEL, TRAIN

PATH = Path("Notebook.ipynb")
LEFT_OVER = "of single batches"


def made(*texts: str, to: str = "ddp", **kernel: str) -> Prepared:
    parts = tuple(Part(number, text) for number, text in enumerate(texts, start=1))
    return prepared(Cells(parts, PATH, kernel), Options(to))


@pytest.mark.parametrize("to", ["ddp", "horovod"])
def test_what_the_cell_binds_and_trains_comes_back(to: str) -> None:
    program = made(DATA, MODEL, f"%%distribute -n 2\n{TRAIN}", to=to, model="state", optimizer="state")
    assert program.names == {"epoch": "new", "total": "new", "model": "state", "optimizer": "state"}
    assert program.left == dict.fromkeys(("x", "y", "loss"), LEFT_OVER)
    assert program.known == ("model", "optimizer")
    assert program.text.splitlines()[program.line_of(3) - 1 :][:2] == ["# %% cell 3", "# Jupyter: %%distribute -n 2"]


def test_what_only_a_later_cell_would_show_is_reduced_too() -> None:
    kept = "losses.append(loss.item())\n        total += "
    cell = TRAIN.replace("total += ", kept).replace("print(epoch, total / len(data))", "pass")
    program = made(DATA, MODEL, "losses = []", cell, losses="in place")
    assert program.names["losses"] == "in place"
    shown = program.text.splitlines()[program.line_of(5) :]
    assert "dist.all_reduce(mean_losses)" in shown
    assert '    print("losses", mean_losses)' in shown
    assert "    dist.all_reduce(total_)" in program.text.splitlines()


def test_what_is_not_whole_does_not_come_back() -> None:
    cell = f"seen = []\n{TRAIN.replace('total += ', 'seen.append(x)' + chr(10) + '        total += ')}"
    program = made(DATA, MODEL, cell)
    assert "seen" not in program.names
    assert "shard" in program.left["seen"]
    assert program.names["total"] == "new"
    assert program.output.text is not None


def test_values_of_evaluation_that_are_kept_make_all_processes_evaluate() -> None:
    evaluation = "found = []\nfor x, y in DataLoader(data, batch_size=32):\n    found.append(model(x).argmax(1))"
    program = made(DATA, MODEL, f"{TRAIN}\n{evaluation}")
    assert program.names["found"] == "new"
    assert "range(dist.get_rank()" not in program.text


def test_only_what_the_cell_may_change_comes_back_from_earlier_cells() -> None:
    cells = (DATA, MODEL, "log, other = [], []\ndef note(x): log.append(x)", f"{TRAIN}\nnote(1)")
    program = made(*cells, log="in place", other="in place", model="state", gone="state")
    assert {name for name, way in program.names.items() if way != "new"} == {"log", "model"}
    assert program.known == ("model",)


def test_imports_functions_and_classes_are_made_by_the_kernel() -> None:
    program = made(DATA, MODEL, f"import math\ndef f(): pass\nclass A: pass\n{TRAIN}")
    assert len(program.definitions) == 3
    assert not {"math", "f", "A"} & set(program.names)


def test_a_refusal_has_no_program() -> None:
    program = made(DATA, MODEL, f"{TRAIN}\n    if torch.rand(1) < 0.1: break")
    assert program.output.plan.outcome is Outcome.REFUSED
    assert not program.names


def test_a_cell_that_is_no_python() -> None:
    with pytest.raises(SourceError) as error:
        made("a = 1", "b = (")
    parts = (Part(4, "a = 1"), Part(7, "b = (", above=2))
    assert in_cells(str(error.value), parts, PATH).startswith("In [7], line 3: syntax error:")


def test_cells_with_a_print_of_their_own() -> None:
    program = made(DATA, MODEL, f"def print(*a): pass\n{TRAIN}", model="state")
    assert program.output.text is not None
    assert not program.names
    assert "print" in program.left["model"]
