"""The places of messages, and what a waiting process says of itself."""

from __future__ import annotations

import io
import logging
import os
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corro.compiler import compile_file, equal_conditions
from corro.launch import generated_modules
from corro.verify import processes, subject_of
from corro.verify.evidence import Stuck
from corro.verify.origins import converted, equal_decisions
from corro.verify.probe import output
from corro.verify.processes import Run, Watchdog, place, waits
from corro.verify.records import Record
from corro.verify.settings import VARIABLE, Settings

SCRIPT = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(8, 2), torch.zeros(8, 1))
loader = DataLoader(data, batch_size=4, shuffle=True)
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 9.0
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if total < best:
        best = total
        torch.save(model.state_dict(), "best.pt")
"""


def test_places_of_the_program_lead_back_to_the_script(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    output = compile_file(script, "ddp")
    assert output.text is not None
    files = converted(output)
    lines = dict(files[0].lines())
    text = output.text.splitlines()
    for line in ("optimizer.zero_grad()", "total += loss.item()", "if total < best:", "best = 9.0"):
        number = next(at for at, each in enumerate(text, 1) if each.strip() == line)
        assert lines[f"train.py:{number}"] == f"train.py:{SCRIPT[: SCRIPT.index(line)].count(chr(10)) + 1}"
    number = next(at for at, each in enumerate(text, 1) if each.strip() == "if total < best:")
    found = equal_decisions(files, equal_conditions(output.source, output.plan))
    assert found == {f"train.py:{number}:{text[number - 1].index('total')}": "train.py:17"}


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        (
            "if not os.path.exists('out'):\n    try:\n        os.makedirs('out')\n    except OSError:\n        pass\n",
            False,
        ),
        ("if os.path.exists('best.pt'):\n    model.load_state_dict(torch.load('best.pt'))\n", True),
    ],
)
def test_processes_may_find_a_directory_that_one_of_them_made(tmp_path: Path, asked: str, counts: bool) -> None:
    script = tmp_path / "train.py"
    script.write_text("import os\n" + SCRIPT.replace("best = 9.0\n", f"{asked}best = 9.0\n"))
    output = compile_file(script, "ddp")
    found = [output.source.text[span.start : span.end] for _, span in equal_conditions(output.source, output.plan)]
    assert any("exists" in each for each in found) is counts
    assert "total < best" in found


def test_places_in_modules_lead_back_to_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRO_CACHE", str(tmp_path / "cache"))
    module = "import torch\n" + textwrap.indent(SCRIPT, "    ").replace("    import torch", "def main():", 1)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "engine.py").write_text(module)
    (tmp_path / "train.py").write_text("from lib.engine import main\nmain()\n")
    output = compile_file(tmp_path / "train.py", "ddp")
    (text,) = (each.text.splitlines() for each in output.modules)
    files = converted(output)
    number = next(at for at, each in enumerate(text, 1) if each.strip() == "if total < best:")
    wanted = next(at for at, each in enumerate(module.splitlines(), 1) if each.strip() == "if total < best:")
    assert dict(files[1].lines())[f"lib/engine.py:{number}"] == f"lib/engine.py:{wanted}"
    place = f"lib/engine.py:{number}:{text[number - 1].index('total')}"
    assert equal_decisions(files, equal_conditions(output.source, output.plan))[place] == f"lib/engine.py:{wanted}"
    subject = subject_of(output, 2)
    (generated,) = generated_modules(subject.program)
    settings = Settings("", "pytorch", "", "/room/train.py", modules={str(generated): "lib/engine.py"})
    assert settings.name_of(str(generated)) == settings.name_of("/room/lib/engine.py") == "lib/engine.py"


STACK = """\
Current thread 0x00007f0000000000 (most recent call first):
  File "/env/site-packages/torch/distributed/distributed_c10d.py", line 4000 in barrier
  File "/env/site-packages/torch/distributed/c10d_logger.py", line 83 in wrapper
  File "{frame}", line 12 in train
  File "/room/run/train.py", line 40 in <module>
"""


def _job(tmp_path: Path, program: str = "/cache/program.py") -> Run:
    settings = Settings(str(tmp_path), "pytorch", program, "/room/run/train.py")
    return Run(Path(program), Path("/room/run/train.py"), ("--lr", "1"), Path("/room/run"), settings, 2, "torchrun", 2)


@pytest.mark.parametrize(
    ("frame", "line"),
    [
        ("/cache/program.py", "train.py:12"),
        ("/room/run/lib/engine.py", "lib/engine.py:12"),
        ("/other.py", "train.py:40"),
    ],
)
def test_where_a_process_waits(frame: str, line: str, tmp_path: Path) -> None:
    assert place(_job(tmp_path), 1, STACK.format(frame=frame)) == Stuck(1, "barrier", line)


def test_where_a_process_waits_outside_of_the_engine(tmp_path: Path) -> None:
    stack = (
        '  File "/env/site-packages/torch/autograd/graph.py", line 3 in g\n  File "/room/run/train.py", line 5 in f\n'
    )
    assert place(_job(tmp_path), 0, stack) == Stuck(0, "a call that does not return", "train.py:5")
    assert place(_job(tmp_path), 0, "") == Stuck(0, "a call that does not return", "")


def test_only_the_innermost_call_tells_whether_a_process_waits_for_others() -> None:
    assert waits(STACK.format(frame="/room/run/train.py"))
    assert waits('  File "/env/horovod/torch/mpi_ops.py", line 9 in synchronize\n')
    inside = (
        '  File "/room/run/net.py", line 9 in forward\n  File "/env/torch/nn/parallel/distributed.py", line 1 in f\n'
    )
    assert not waits(inside)
    assert not waits("")
    beneath = (
        '  File "/env/tensorflow/python/eager/execute.py", line 53 in quick_execute\n  File "<string>", line 1 in op\n'
    )
    assert waits(f'{beneath}  File "/env/horovod/tensorflow/mpi_ops.py", line 9 in _allreduce\n')
    assert not waits(f'{beneath}  File "/room/run/train.py", line 9 in <module>\n')


def test_a_run_is_told_what_makes_it_repeatable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    job = _job(tmp_path)
    plan = job.plan()
    assert plan.environment[VARIABLE] == str(job.told)
    assert plan.environment["PYTHONHASHSEED"] == "0"
    assert plan.environment["CUDA_VISIBLE_DEVICES"] == ""
    assert plan.directory == Path("/room/run")
    assert plan.command[-2:] == ("--lr", "1")
    assert processes.commands([job]) == [plan.describe()]


class Machine:
    """Time and the processor time of all processes, as a test wants them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, stack: str, load: float = 0.0) -> None:
        self.now = self.worked = self.beaten = 0.0
        for rank in range(2):
            (folder / f"rank{rank}").mkdir(parents=True)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(time, "sleep", self.sleep)
        monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        monkeypatch.setattr(processes, "_worked", lambda rank: self.worked)
        monkeypatch.setattr(processes, "_beaten", lambda rank: self.beaten)
        monkeypatch.setattr(processes, "_stack", lambda rank: stack)
        self.watchdog = Watchdog(folder, 10, threading.Event())

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def gives_up_after(self, *, work: float, beats: bool = False) -> float | None:
        """Seconds until a run is given up, if its processes work for a share of the time."""
        while self.now < 100:
            self.now, self.worked = self.now + 1, self.worked + work
            self.beaten, asked_at = self.now if beats else self.beaten, self.now
            if self.watchdog.gives_up():
                return asked_at
        return None


OWN = '  File "/room/run/train.py", line 9 in f\n'


@pytest.mark.parametrize(
    ("stack", "work", "beats", "after"),
    [
        (OWN, 0.0, False, 10),
        (OWN, 0.5, False, None),
        (OWN, 0.0, True, None),
        (STACK, 0.5, False, 10),
        (STACK, 0.5, True, None),
    ],
    ids=["idle", "computing", "getting on", "asking for the others", "waiting in between"],
)
def test_patience(
    stack: str, work: float, beats: bool, after: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(monkeypatch, tmp_path, stack)
    assert machine.gives_up_after(work=work, beats=beats) == after
    assert machine.watchdog.gave_up is (after is not None)
    assert machine.watchdog.stacks == ([(0, stack), (1, stack)] if after else [])


@pytest.mark.parametrize(("load", "after"), [(1.0, 10), (2.0, 10), (8.0, 40)])
def test_patience_is_longer_on_a_machine_with_more_to_do_than_cores(
    load: float, after: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Machine(monkeypatch, tmp_path, OWN, load).gives_up_after(work=0.0) == after


def test_a_process_that_is_done_is_not_asked_where_it_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, tmp_path, OWN)
    (tmp_path / "rank0" / "record.json").touch()
    assert machine.gives_up_after(work=0.0) == 10
    assert machine.watchdog.stacks == [(1, OWN)]


def test_a_cancelled_run_is_given_up_at_once(tmp_path: Path) -> None:
    cancelled = threading.Event()
    watchdog = Watchdog(tmp_path, 10, cancelled)
    assert not watchdog.gives_up()
    cancelled.set()
    assert watchdog.gives_up()
    assert not watchdog.gave_up


def test_what_libraries_warn_of_is_let_through_and_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", shown)
    session: Any = SimpleNamespace(
        record=Record(), line=lambda: "train.py:1", beat=lambda: None, is_own=lambda file: file == "train.py"
    )
    monkeypatch.setattr(warnings, "showwarning", lambda text, kind, name, line, file, _: _show(text, name, line, file))
    monkeypatch.setattr(logging.Logger, "callHandlers", logging.Logger.callHandlers)
    library = {"warnings": warnings, "written_in_c": warnings.warn}
    exec(compile("def build():\n  warnings.warn('deprecated', stacklevel=2)", "keras/layer.py", "exec"), library)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        output.install(session)
        exec(compile("build()", "train.py", "exec"), library)
        exec(compile("written_in_c('rounded')", "train.py", "exec"), library)
        exec(compile("warnings.warn('few samples')", "train.py", "exec"), library)
    assert shown.getvalue().splitlines() == [f"train.py:1: {each}" for each in ("deprecated", "rounded", "few samples")]
    assert [each.text for each in session.record.stderr] == ["train.py:1: few samples"]


def test_what_libraries_log_as_a_warning_is_let_through_and_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(logging.Logger, "callHandlers", logging.Logger.callHandlers)
    session: Any = SimpleNamespace(
        record=Record(), line=lambda: "train.py:1", beat=lambda: None, is_own=lambda file: file == "train.py"
    )
    output.install(session)
    logger = logging.Logger("of its own")
    logger.addHandler(logging.StreamHandler())
    for file in ("keras/saving.py", "train.py"):
        for level in ("info", "warning"):
            exec(compile(f"logger.{level}('{level} of {file}')", file, "exec"), {"logger": logger})
    assert len(shown.getvalue().splitlines()) == 4
    remembered = ["info of keras/saving.py", "info of train.py", "warning of train.py"]
    assert [each.text for each in session.record.stderr] == remembered


def _show(text: object, name: str, line: int, file: Any) -> None:
    """As Python does it; pytest keeps warnings for itself."""
    print(f"{name}:{line}: {text}", file=file or sys.stderr)
