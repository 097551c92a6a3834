"""The scripts themselves: observed alone, each is bit-identical to its own replay, so the kit changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from paritykit.compare import compare_alone
from paritykit.launch import Job, Server
from paritykit.records import Record

from cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_script_is_equal_to_its_replay(case: Case, server: Callable[[str], Server], tmp_path: Path) -> None:
    for stage, arguments in enumerate(case.stages):
        records = []
        for name in ("own", "replay"):
            cwd, folder = tmp_path / name, tmp_path / f"{name}{stage}"
            cwd.mkdir(exist_ok=True)
            follow = {"folder": str(tmp_path / f"own{stage}"), "size": 1} if name == "replay" else None
            server("sequential").run([Job(str(case.script), list(arguments), str(cwd), str(folder), replay=follow)])
            records.append(Record.read(folder / "rank0"))
        assert compare_alone(*records) == []
        assert records[0].steps
        assert any(each.training for each in records[0].passes)
        assert records[0].stdout.strip()
