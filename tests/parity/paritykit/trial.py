"""One script put to the test: run the distributed program, let the original follow it, compare."""

from __future__ import annotations

import filecmp
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .compare import DEFAULT, Expectation, Fault, compare, compare_alone
from .launch import Job, Server, run_distributed
from .records import Record

Servers = Callable[[str], Server]


@dataclass(frozen=True)
class Trial:
    """A script with its converted program, both on disk.

    Args:
        original: the sequential script.
        converted: the distributed program.
        target: ``ddp`` or ``horovod``.
        stages: the arguments of runs made one after the other in the same directory, as when resuming.
        seeded: whether the script seeds PyTorch; if not, the reference takes over the initial weights.
        sgd: whether weights are also compared at the end of a run without forcing.
        calibrate: allow what another order of summation does to the sequential run by itself, if that is more.
        expected: what the output can be held to.
    """

    original: Path
    converted: Path
    target: str
    stages: Sequence[Sequence[str]] = ((),)
    seeded: bool = True
    sgd: bool = True
    calibrate: bool = False
    expected: Expectation = DEFAULT

    def distributed(self, servers: Servers, tmp_path: Path, size: int = 2) -> list[Fault]:
        """Run on ``size`` processes and compare each stage with the sequential script."""
        faults: list[Fault] = []
        for stage, arguments in enumerate(self.stages):
            cwd, folder = _made(tmp_path / f"on{size}"), tmp_path / f"record{size}.{stage}"
            ranks = run_distributed(servers(self.target), size, self.converted, arguments, cwd, folder)
            kinds = ["forced", *(["free"] if self.sgd else []), *(["spread"] if self.sgd and self.calibrate else [])]
            records = self._references(servers, tmp_path, stage, folder, size, kinds)
            faults += compare(ranks, records["forced"], self.expected, records.get("free"), records.get("spread"))
        return faults

    def alone(self, servers: Servers, tmp_path: Path) -> list[Fault]:
        """Run on one process: everything is bit-identical, files included."""
        faults: list[Fault] = []
        for stage, arguments in enumerate(self.stages):
            cwd, folder = _made(tmp_path / "on1"), tmp_path / f"record1.{stage}"
            (record,) = run_distributed(servers(self.target), 1, self.converted, arguments, cwd, folder)
            reference = self._references(servers, tmp_path, stage, folder, 1, ["free"])["free"]
            faults += compare_alone(record, reference)
        return faults + _different_files(tmp_path / "on1", tmp_path / "free1")

    def _references(
        self, servers: Servers, tmp_path: Path, stage: int, recorded: Path, size: int, kinds: Sequence[str]
    ) -> dict[str, Record]:
        jobs = {}
        for kind in kinds:
            replay: dict[str, Any] = {
                "folder": str(recorded),
                "size": size,
                "weak": self.expected.weak,
                "adopt_start": not self.seeded,
                "force": kind == "forced",
                "reverse": kind == "spread",
            }
            cwd, folder = _made(tmp_path / f"{kind}{size}"), tmp_path / f"reference_{kind}{size}.{stage}"
            arguments = list(self.stages[stage])
            jobs[kind] = Job(str(self.original), arguments, str(cwd), str(folder), replay=replay)
        servers("sequential").run(list(jobs.values()))
        return {kind: Record.read(Path(job.folder, "rank0")) for kind, job in jobs.items()}


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _different_files(own: Path, other: Path) -> list[Fault]:
    """Files that differ in any byte; event files hold times and are left out."""
    names = {path.relative_to(root) for root in (own, other) for path in root.rglob("*") if path.is_file()}
    return [
        Fault("files", f"{name} differs")
        for name in sorted(names)
        if "tfevents" not in name.name
        and not ((own / name).is_file() and (other / name).is_file() and filecmp.cmp(own / name, other / name, False))
    ]
