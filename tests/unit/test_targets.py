"""Every target is started by a launcher that exists."""

from __future__ import annotations

import pytest

from corro import targets
from corro.launch import LAUNCHERS

FRONTENDS = ("pytorch", "keras")


@pytest.mark.parametrize(("frontend", "target"), [(f, name) for f in FRONTENDS for name in targets.names(f)])
def test_its_launcher_exists(frontend: str, target: str) -> None:
    assert targets.get(target, frontend).launcher in {each.name for each in LAUNCHERS}
