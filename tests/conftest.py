"""The one option of the whole test suite."""

from __future__ import annotations

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-cases``: write what the compiler does now into ``tests/cases``, to be reviewed as a diff."""
    parser.addoption("--update-cases", action="store_true", help="rewrite the expectations under tests/cases")


# Started in the background of a shell, tests inherit an ignored SIGINT and hand it on to what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
