"""What holds of all tests: their one option, two environments, and that only slow ones start processes that train."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from forked import Forked

pytest_plugins = ["remembered"]
GUARD = Path(__file__).with_name("guard")
TRAINING_FIXTURES = {"runner", "program"}
"""They start processes that train: the tests that use them, straight or through other fixtures, are slow."""

OBJECTS_BEFORE_COLLECTION = 200_000

_forks: list[str] = []
os.register_at_fork(before=lambda: _forks.append("the process of the tests is forked"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-cases``: write what the compiler does now into ``tests/cases``, to be reviewed as a diff."""
    parser.addoption("--update-cases", action="store_true", help="rewrite the expectations under tests/cases")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Where Keras 3 is installed, only files with tests for it are read, or beside a conftest that makes some."""
    if not _has_keras_3() or not collection_path.match("test_*.py"):
        return None
    files = (collection_path, collection_path.with_name("conftest.py"))
    return not any("keras3" in file.read_text(encoding="utf-8") for file in files if file.exists()) or None


@pytest.hookimpl(tryfirst=True)  # before ``-m`` looks at marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked ``keras3`` run where Keras 3 is installed, the others where it is not; ``make test`` runs both."""
    for item in items:
        if TRAINING_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    here = _has_keras_3()
    sorted_out = [item for item in items if (item.get_closest_marker("keras3") is not None) != here]
    config.hook.pytest_deselected(items=sorted_out)
    items[:] = [item for item in items if item not in sorted_out]


def pytest_collection_finish() -> None:
    """Look for garbage less often, as ``corro`` itself does: the trees of scripts are none."""
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)


@cache
def _has_keras_3() -> bool:
    try:
        return int(version("keras").split(".", 1)[0]) >= 3
    except PackageNotFoundError:
        return False


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that takes the command lines of processes that a quick test starts and that would train."""
    return tmp_path_factory.mktemp("guard") / "started"


@pytest.fixture(autouse=True)
def quick_tests_start_nothing_that_trains(request: pytest.FixtureRequest, started: Path) -> Iterator[None]:
    """A test that is not marked ``slow`` fails when it starts a process that imports what trains, or forks."""
    if request.node.get_closest_marker("slow"):
        yield
        return
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(GUARD), prepend=os.pathsep)
        environment.setenv("CORRO_TESTS_STARTED", str(started))
        _forks.clear()
        yield
    found = [*_forks, *(started.read_text(encoding="utf-8").splitlines() if started.exists() else ())]
    started.unlink(missing_ok=True)
    if found:
        pytest.fail("mark this test slow (@pytest.mark.slow), for it starts what trains:\n" + "\n".join(found))


@pytest.fixture(scope="session")
def runner() -> Iterator[Forked]:
    """One runner with preloaded processes, shared by parity tests and mutants: preloading takes seconds."""
    runner = Forked()
    yield runner
    runner.close()


# Started in the background of a shell, tests inherit an ignored SIGINT and hand it on to what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
