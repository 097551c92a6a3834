"""Runs small programs on real processes, under the launchers that start several."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS, until

START = Path(__file__).with_name("start.py")
RANK = """
RANK = next((os.environ[n] for n in ("RANK", "HOROVOD_RANK", "KERAS_DISTRIBUTION_PROCESS_ID") if n in os.environ), 0)
if "TF_CONFIG" in os.environ:
    RANK = __import__("json").loads(os.environ["TF_CONFIG"])["task"]["index"]
RANK = int(RANK)
"""


@dataclass
class Program:
    """A script of the user's, and the generated text that runs in its place, in folders of a test."""

    folder: Path
    launcher: str
    mark: str = field(default_factory=lambda: f"mark-{uuid.uuid4().hex}")

    def write(self, text: str, name: str = "train.py") -> None:
        """Makes ``text`` the generated program of the script ``name``; the script itself must not run."""
        self.script, self.generated = self.folder / name, self.folder / "cache" / "train.generated.py"
        self.generated.parent.mkdir(exist_ok=True)
        self.script.write_text("raise SystemExit('the original was run')")
        self.generated.write_text(f"import os, sys, time\n{RANK}" + textwrap.dedent(text))

    def command(self, processes: int, *arguments: str) -> list[str]:
        """The command that starts it; its name for the script is relative to the folder of the test."""
        script = os.path.relpath(self.script, self.folder)
        return [sys.executable, str(START), self.launcher, str(processes), str(self.generated), script, *arguments]

    def run(
        self, text: str, *arguments: str, processes: int = 2, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs ``text`` to its end."""
        self.write(text)
        return subprocess.run(
            self.command(processes, *arguments),
            cwd=self.folder,
            env=os.environ | environment,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=LIMIT_SECONDS,
            check=False,
        )

    def start(self, text: str, *arguments: str, processes: int = 2) -> subprocess.Popen[str]:
        """Starts ``text``, which is to print ``ready`` once per rank, and waits until it has."""
        self.write(text)
        process = subprocess.Popen(
            self.command(processes, *arguments, self.mark),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        for _ in range(processes):
            assert process.stdout.readline() == "ready\n"
        return process

    def left_behind(self) -> list[int]:
        """Processes whose command line has the mark of this program, after a moment."""
        until(lambda: not self._marked(), 60)
        return self._marked()

    def _marked(self) -> list[int]:
        listed = subprocess.run(("pgrep", "-f", self.mark), capture_output=True, text=True, check=False)
        return [int(line) for line in listed.stdout.split()]


@pytest.fixture(
    params=["torchrun", "horovodrun", "multiworker", pytest.param("keras-processes", marks=pytest.mark.keras3)]
)
def program(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Program]:
    made = Program(tmp_path, request.param)
    yield made
    for number in made._marked():
        os.kill(number, signal.SIGKILL)
