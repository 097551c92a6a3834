"""One runner with preloaded processes, shared by all mutants."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "parity"))

from forked import Forked


@pytest.fixture(scope="session")
def runner() -> Iterator[Forked]:
    runner = Forked()
    yield runner
    runner.close()
