"""What the parity tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from forked import Forked
from trial import Trial

from remembered import Known


@pytest.fixture
def trial(runner: Forked, tmp_path: Path, known: Known) -> Trial:
    """What a test needs to put a case to the test."""
    return Trial(runner, tmp_path, known)
