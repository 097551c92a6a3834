"""What every quick test stands on: a process that it starts cannot train unseen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("code", ["import torch", "import keras.layers", "__import__('horovod.torch')"])
def test_a_process_that_imports_what_trains_is_refused_and_told_of(code: str, tmp_path: Path) -> None:
    told = tmp_path / "started"
    environment = {**os.environ, "CORRO_TESTS_STARTED": str(told)}  # another file than this test is asked for
    nested = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {code!r}]))"
    for line in (code, nested):
        command = [sys.executable, "-c", line]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 1
        assert "a quick test starts a process that trains" in ended.stderr
    assert len(told.read_text().splitlines()) == 2
    assert code in told.read_text()


def test_other_processes_are_left_alone() -> None:
    subprocess.run([sys.executable, "-c", "import json, corro.compiler"], check=True)
