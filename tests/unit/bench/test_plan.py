"""An experiment as a file: which command lines it becomes, and what is said of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.bench.plan import KEYS, command_lines
from corro.cli import main
from corro.errors import UsageError

PLAN = """\
scripts = ["a.py", "b.py"]
to = ["ddp", "horovod"]
processes = [1, 2]
replications = 5
limits = false
arguments = ["--epochs", 2]
[factors]
batch-size = [64, 128]
[seeds]
seed = [1, 2, 3]
[equal]
accuracy = 0.01
[reach]
accuracy = 0.95
loss = 0.2
"""


def test_a_plan_is_a_command_line_for_each_script(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    options = ["--to", "ddp,horovod", "-n", "1,2", "--replications=5", "--no-limits", "--factor", "batch-size=64,128"]
    options += ["--seeds", "seed=1,2,3", "--equal", "accuracy=0.01", "--reach", "accuracy=0.95", "--reach", "loss=0.2"]
    assert command_lines(plan, ["--dry-run"]) == [
        [str(tmp_path / name), *options, "--dry-run", "--", "--epochs", "2"] for name in ("a.py", "b.py")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('scripts = ["a.py"]\nprocesess = [1]\n', "plan.toml:2:1: usage error: a plan has no key 'processes"),
        ('scripts = ["a.py"]\nprocesess = [1]\n', "Did you mean processes?"),
        ("zzz = 1\n", f"There are: {', '.join(KEYS)}."),
        ("to = []\n", "plan.toml:1:1: usage error: to = [] has no levels. Write such as to = [1, 2]."),
        ("limits = 1\n", "It is true or false."),
        ("steps = [1]\n", "It is the value of --steps."),
        ("factors = 1\n", "factors = 1 is no table. Write [factors], and below it batch-size = [32, 64]."),
        ("equal = 1\n", "Write [equal], and below it accuracy = 0.01."),
        ("scripts = [true]\n", "It is a list of texts or numbers."),
        ("to = ['ddp']\n", "names no script"),
        ("to = \n", "is no TOML"),
    ],
)
def test_what_a_plan_cannot_say(text: str, said: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(text)
    with pytest.raises(UsageError) as raised:
        command_lines(plan)
    assert said.replace("'processes", "'procesess") in str(raised.value)


def test_there_is_no_plan(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        command_lines(tmp_path / "plan.toml")


def test_each_script_of_a_plan_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN.split("[factors]", maxsplit=1)[0])
    for name in ("a.py", "b.py"):
        Path(name).write_text("print('no training')\n")
    with pytest.raises(SystemExit) as end:
        main(["bench", "--plan", "plan.toml", "--dry-run"])
    assert end.value.code == 1
    assert capsys.readouterr().err.count("no training was found") == 2


def test_one_file_is_not_for_two_scripts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)
    with pytest.raises(SystemExit) as end:
        main(["bench", "--plan=plan.toml", "--store", "all.sqlite"])
    assert end.value.code == 2
    assert "--store is one file, and plan.toml has 2 scripts" in capsys.readouterr().err
