"""What is shown while an experiment runs: a table and a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from bench_support import design, responses, rows
from corro.bench.analysis import analysed
from corro.bench.experiment import Times
from corro.bench.plain import as_dict
from corro.bench.store import Row
from corro.cli._bench import Board, duration, render, render_design

MADE = design(target=("ddp", "horovod"), batch_size=("64", "128"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_there_are_a_table_and_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with Board(MADE, 3) as board:
        board.show(rows(MADE, 1))
        treatment = MADE.block(2)[0]
        board.started(treatment, 2)
        board.made(17)
        board.ended(Row(2, treatment, "", responses(150.0)), 200.0)
    shown = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", terminal.getvalue())
    assert "batch-size" in shown
    assert "1/3" in shown
    assert "2/3" in shown
    assert "about 3 min left" in shown


def test_elsewhere_each_run_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    treatment = MADE.cells[0]
    with Board(MADE, 3) as board:
        board.show([])
        board.started(treatment.sequential, 0)
        board.ended(Row(0, treatment.sequential, "", responses(100.0)), 0.0)
        board.started(treatment, 1)
        board.made(3)
        board.ended(Row(1, treatment, "", responses(150.0)), 200.0)
        board.ended(Row(1, MADE.cells[1], "no memory", {"wall_seconds": 2.0}), 0.0)
    lines = capsys.readouterr().err.splitlines()
    named = "ddp, 2 processes, 1 thread each, strong, batch-size"
    assert lines == [
        "corro: a first sequential run, to see that it runs, and how long",
        "corro: first run: sequential, 1 process, 1 thread each, batch-size 64: 100 samples/s, 10.0 s in all",
        f"corro: 1 of 30: {named} 64: 150 samples/s, 6.7 s in all; about 3 min left",
        f"corro: 2 of 30: {named} 128: failed: no memory",
    ]


def test_asked_to_be_quiet_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with Board(MADE, 3, quiet=True) as board:
        board.started(MADE.cells[0], 1)
        board.ended(Row(1, MADE.cells[0], "", responses(150.0)), 200.0)
    assert capsys.readouterr().err == ""


def test_a_design_is_shown_with_its_order_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    times = Times(MADE, (Row(0, MADE.cells[0].sequential, "", {"wall_seconds": 10.0}),))
    render_design(MADE, times, 3)
    shown = capsys.readouterr().out
    assert "full design: target: ddp, horovod; processes: 2; threads: 1; scaling: strong; batch-size: 64, 128" in shown
    assert "10 configurations × 3 = 30 runs; about 6 min" in shown
    assert len(re.findall(r"^(?:sequential|unconnected|ddp|horovod) ", shown, re.M)) == 10


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_is_cut_off(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if terminal:
        monkeypatch.setenv("COLUMNS", "90")
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    found = [*rows(MADE, 3, noise=0.02), Row(4, MADE.cells[0], "no memory", {"wall_seconds": 1.0})]
    render(analysed(MADE, found), Path("runs.sqlite"))
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert "failed: ddp, 2, 1, 64: no memory" in shown
    assert "efficiency" in shown or terminal
    tables = re.sub(r"\x1b\[[\d;]*m", "", shown).partition("speed-up: by")[0]
    assert max(map(len, tables.splitlines())) <= (90 if terminal else 150)
    assert "\nsequential " in tables
    assert ("p95" in tables) is not terminal


def test_what_is_not_known_is_null() -> None:
    told = as_dict(analysed(MADE, rows(MADE, 1)))
    assert told["comparisons"][0]["speed_up"]["low"] is None
    assert told["effects"][-1]["source"] == ["error"]
    assert told["effects"][-1]["p_value"] is None


@pytest.mark.parametrize(("seconds", "said"), [(3.2, "3 s"), (200, "3 min"), (2 * 3600, "2.0 h")])
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said
