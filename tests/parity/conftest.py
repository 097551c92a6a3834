"""One server of preloaded processes for each target, shared by all parity tests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from paritykit.launch import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Callable[[str], Server]]:
    """The server for a target: ``sequential``, ``ddp`` or ``horovod``; started when first asked for."""
    servers: dict[str, Server] = {}

    def started(target: str) -> Server:
        if target not in servers:
            servers[target] = Server(target)
        return servers[target]

    yield started
    for each in servers.values():
        each.close()
