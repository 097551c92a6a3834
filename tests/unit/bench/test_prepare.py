"""What is told before anything is run, of engines and machines."""

from __future__ import annotations

import pytest

from corro.bench.prepare import machine, must_work
from corro.engines.health import Health, State, engine_of
from corro.errors import ExecutionError

HOROVOD = engine_of("horovod", "pytorch")


@pytest.mark.parametrize("state", [State.MISSING, State.BROKEN])
def test_an_engine_that_is_not_here_is_told_with_how_to_get_it(state: State) -> None:
    with pytest.raises(ExecutionError, match=rf"--to horovod: .* is {state.value} here: no module\. Get it: .*--to"):
        must_work([Health(HOROVOD, state, detail="no module")])


def test_engines_that_work_are_no_matter() -> None:
    must_work([Health(HOROVOD, State.WORKS, "0.28.1")])


def test_the_machine_has_a_name_with_its_libraries() -> None:
    assert "cores" in machine()
    assert "torch" in machine()
    assert machine() == machine()
