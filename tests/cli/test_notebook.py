"""Notebooks on the command line: what is written, where findings are, and how the program is started."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from notebook_support import TRAINING, sources, write
from waiting import LIMIT_SECONDS

MAGICS = ("#md # Training", TRAINING[0], "%matplotlib inline\n!echo a line", *TRAINING[1:], "total")


def corro(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corro", *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"CORRO_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )


def test_a_notebook_is_written_beside_a_notebook(tmp_path: Path) -> None:
    path = write(tmp_path / "train.ipynb", *MAGICS)
    before = path.read_bytes()
    done = corro("compile", "train.ipynb", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "wrote train_ddp.ipynb" in done.stderr
    assert "corro run train.ipynb -n N" in done.stderr
    cells = sources((tmp_path / "train_ddp.ipynb").read_bytes())
    assert cells[0].endswith("`torchrun --nproc-per-node=N --no-python ipython train_ddp.ipynb`")
    assert cells[1] == "# Training"
    assert cells[3] == "%matplotlib inline\nif dist.get_rank() == 0:\n    !echo a line\ndist.barrier()"
    assert cells[-2:] == ["total", "del ddp_model\ndist.destroy_process_group()"]
    assert path.read_bytes() == before
    assert corro("compile", "train_ddp.ipynb", folder=tmp_path).returncode == 0, "distributed already"


def test_a_script_is_written_where_one_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "train.ipynb", *MAGICS)
    done = corro("compile", "train.ipynb", "-o", "train.py", folder=tmp_path)
    assert done.returncode == 0
    assert "one process" not in done.stderr
    text = (tmp_path / "train.py").read_text()
    ast.parse(text)
    assert text.startswith("import subprocess\n\n# %% cell 1 [markdown]\n# # Training\n\n# %% cell 2\nimport torch\n")
    assert corro("compile", "train.ipynb", "-o", "-", folder=tmp_path).stdout == text
    diff = corro("compile", "train.ipynb", "--diff", folder=tmp_path)
    assert '+dist.init_process_group("gloo")' in diff.stdout.splitlines()


def test_a_notebook_with_modules_is_written_as_a_folder(tmp_path: Path) -> None:
    head, body = TRAINING[0].split("\n\n")
    (tmp_path / "feed.py").write_text(
        f"{head}\n\n\ndef make():\n{textwrap.indent(body, '    ')}\n    return data, loader\n"
    )
    write(tmp_path / "train.ipynb", f"{head}\nfrom feed import make\ndata, loader = make()", *TRAINING[1:])
    done = corro("compile", "train.ipynb", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "DistributedSampler(" in (tmp_path / "train_ddp" / "feed.py").read_text()
    assert "init_process_group" in "".join(sources((tmp_path / "train_ddp" / "train.ipynb").read_bytes()))
    assert "corro run train.ipynb -n N" in done.stderr
    assert "torchrun" not in done.stderr


def test_a_script_becomes_no_notebook(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("\n".join(TRAINING) + "\n")
    done = corro("compile", "train.py", "-o", "train.ipynb", folder=tmp_path)
    assert done.returncode == 2
    assert "would be a notebook" in done.stderr
    assert not (tmp_path / "train.ipynb").exists()


def test_findings_name_the_cell(tmp_path: Path) -> None:
    left = TRAINING[2].replace(
        "        optimizer.step()",
        "        optimizer.step()\n        if torch.rand(1) < 0.1: break",
    )
    write(tmp_path / "train.ipynb", "#md x", *TRAINING[:2], "x = 1", left)
    done = corro("compile", "train.ipynb", folder=tmp_path)
    assert done.returncode == 1
    assert "train.ipynb:cell 5:8:33: refused: the training loop is left" in done.stderr
    plan = json.loads(corro("compile", "train.ipynb", "--json", folder=tmp_path).stdout)
    refused = next(each for each in plan["findings"] if each["level"] == "refused")
    assert refused["at"] == {"cell": 5, "line": 8, "column": 33}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "train.ipynb:1:2: syntax error: it is no notebook"),
        ('{"nbformat": 3, "worksheets": []}', "jupyter nbconvert"),
        ('{"nbformat": 4, "cells": []}', "the notebook has no code"),
        ('{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}, "cells": []}', "its code is R, not Python"),
    ],
)
def test_bad_notebooks(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "train.ipynb").write_text(text)
    for command in (["compile"], ["run", "-n", "2"]):
        done = corro(*command, "train.ipynb", folder=tmp_path)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["train.ipynb"]


def test_the_annotations_of_a_notebook(tmp_path: Path) -> None:
    write(tmp_path / "train.ipynb", *MAGICS)
    assert corro("compile", "train.ipynb", "--annotate", folder=tmp_path).returncode == 0
    cells = sources((tmp_path / "train_ddp.ipynb").read_bytes())
    assert cells[3].splitlines()[1:3] == ["if dist.get_rank() == 0:  # corro: effects", "    !echo a line"]
    assert cells[4].startswith("model =")


def test_a_script_is_compiled_without_what_notebooks_need(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("\n".join(TRAINING) + "\n")
    code = (
        "import sys; from corro.compiler import compile_file; compile_file('train.py');"
        "print(sorted({'json', 'nbformat', 'corro.source.notebook', 'corro.source.jupyter'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_a_notebook_runs_on_two_processes(tmp_path: Path) -> None:
    write(tmp_path / "train.ipynb", *MAGICS, "import os\nprint(os.path.basename(os.getcwd()), 'end')")
    done = corro("run", "train.ipynb", "-n", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["a", "0", "1", tmp_path.name]
    write(tmp_path / "done.ipynb", "import torch.distributed as dist\ndist.init_process_group('gloo')",
          "print(dist.get_world_size())\ndist.destroy_process_group()")  # fmt: skip
    done = corro("run", "done.ipynb", "-n", "2", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "2\n2\n"), done.stderr
