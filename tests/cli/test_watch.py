"""``corro compile --watch``: converts again when the script or a module of it has changed, and shows what is new."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS

SCRIPT = """\
import torch
from torch.utils.data import DataLoader
from data import samples
loader = DataLoader(samples(), batch_size=8, shuffle=True)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
MODULE = """\
import torch
from torch.utils.data import TensorDataset
def samples():
    print("samples are made")
    return TensorDataset(torch.randn(32, 4), torch.randn(32, 1))
"""


class Watching:
    """A watch in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "corro", "compile", "train.py", "--watch", "-o", "out"],
            cwd=folder,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.put(line)

    def said(self) -> str:
        """All that is said until it watches again."""
        lines: list[str] = []
        while not any("Ctrl-C ends it" in line for line in lines):
            lines.append(self._lines.get(timeout=LIMIT_SECONDS))
        return "".join(lines)

    def write(self, name: str, text: str) -> None:
        """Put a file in the place of another, as editors do."""
        new = self.folder / f"{name}.new"
        new.write_text(text)
        new.replace(self.folder / name)

    def end(self) -> int:
        """Press Ctrl-C; the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        status = self.process.wait(LIMIT_SECONDS)
        self._reader.join()
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "data.py").write_text(MODULE)
    watching = Watching(tmp_path)
    yield watching
    if watching.process.poll() is None:
        watching.end()


def test_changes_of_the_script_and_of_a_module_are_shown(watching: Watching) -> None:
    first = watching.said()
    assert "\n+" not in first  # all of it is new, and nothing has changed
    watching.write("train.py", SCRIPT.replace("range(2)", "range(5)"))
    said = watching.said()
    assert "--- train.py before" in said
    assert "+for epoch in range(5):" in said
    watching.write("data.py", MODULE.replace("samples are made", "they are made"))
    said = watching.said()
    assert '+        print("they are made")' in said
    written = [path.read_text() for path in watching.folder.glob("out/**/*.py")]
    assert any("they are made" in text for text in written)
    assert any("range(5)" in text for text in written)
    assert watching.end() == 0


def test_what_cannot_be_converted_is_said_and_waited_for(watching: Watching) -> None:
    watching.said()
    watching.write("train.py", SCRIPT + "for (\n")
    assert "train.py:13:5" in watching.said()
    watching.write("train.py", SCRIPT.replace("for epoch", "model.register_forward_hook(print)\nfor epoch"))
    assert "train.py is not converted: refused" in watching.said()
    (watching.folder / "train.py").unlink()
    assert "train.py" in watching.said()
    watching.write("train.py", SCRIPT.replace("lr=0.1", "lr=0.5"))
    assert "+optimizer = torch.optim.SGD(model.parameters(), lr=0.5)" in watching.said()
    assert watching.end() == 0
