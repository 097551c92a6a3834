"""One runner with preloaded processes, shared by all mutants."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(1, str(HERE.parent / "parity"))

from forked import Forked


@pytest.fixture(scope="session")
def runner() -> Iterator[Forked]:
    runner = Forked()
    yield runner
    runner.close()
