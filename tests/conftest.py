"""The one option of the whole test suite, its two environments, and the processes that its programs are forked from."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from forked import Forked


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-cases``: write what the compiler does now into ``tests/cases``, to be reviewed as a diff."""
    parser.addoption("--update-cases", action="store_true", help="rewrite the expectations under tests/cases")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Where Keras 3 is installed, only files with tests for it are read, or beside a conftest that makes some."""
    if not _has_keras_3() or not collection_path.match("test_*.py"):
        return None
    files = (collection_path, collection_path.with_name("conftest.py"))
    return not any("keras3" in file.read_text(encoding="utf-8") for file in files if file.exists()) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked ``keras3`` run where Keras 3 is installed, the others where it is not; ``make test`` runs both."""
    here = _has_keras_3()
    sorted_out = [item for item in items if (item.get_closest_marker("keras3") is not None) != here]
    config.hook.pytest_deselected(items=sorted_out)
    items[:] = [item for item in items if item not in sorted_out]


@cache
def _has_keras_3() -> bool:
    try:
        return int(version("keras").split(".", 1)[0]) >= 3
    except PackageNotFoundError:
        return False


@pytest.fixture(scope="session")
def runner() -> Iterator[Forked]:
    """One runner with preloaded processes, shared by parity tests and mutants: preloading takes seconds."""
    runner = Forked()
    yield runner
    runner.close()


# Started in the background of a shell, tests inherit an ignored SIGINT and hand it on to what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
