"""Every target is started by a launcher that exists."""

from __future__ import annotations

import pytest

from corro import targets
from corro.launch import launcher_named, launcher_of

ALL = [(frontend, name) for frontend in targets.frontends() for name in targets.names(frontend)]


@pytest.mark.parametrize(("frontend", "target"), ALL)
def test_its_launcher_exists_and_starts_its_programs(frontend: str, target: str) -> None:
    made = targets.get(target, frontend)
    assert launcher_of(made.calls.modules[0]) is launcher_named(made.launcher)


@pytest.mark.parametrize(("frontend", "target"), ALL)
def test_who_runs_the_whole_script_has_ranks_and_collectives(frontend: str, target: str) -> None:
    made = targets.get(target, frontend)
    ranked = made.started is targets.Started.BY_LAUNCHER
    assert issubclass(made, targets.RankedTarget) == ranked
    assert bool(made.calls.ranks) == ranked
    assert bool(made.calls.collectives) == ranked
