"""What a new user meets first: help, mistyped words, how a program is started, several scripts, settings, links."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from corro import compile
from corro.cli import _help, _terminal, main
from corro.cli._render import counted_refusals, grouped
from corro.cli._settings import Settings, settings_of
from corro.errors import UsageError

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"


def copied(source: Path, folder: Path) -> Path:
    return Path(shutil.copy(source, folder / "train.py"))


def run(*arguments: str | Path) -> Result:
    """``main`` in this process, with the exit status that the command has."""

    @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def corro(arguments: tuple[str, ...]) -> None:
        main(arguments)

    return CliRunner().invoke(corro, list(map(str, arguments)))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return copied(ROOT / "examples" / "pytorch" / "digits_cnn.py", tmp_path)


# ---------------------------------------------------------------------- the first page


@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_the_first_page_names_all_commands(asked: str) -> None:
    result = run(asked)
    assert result.exit_code == 0
    assert all(f"\n  {name}" in result.stdout for name in _help.commands())
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_without_a_command_the_page_is_shown_and_the_usage_wrong() -> None:
    result = run()
    assert (result.exit_code, result.stdout) == (2, _help.page())


@pytest.mark.parametrize("asked", ["-V", "--version"])
def test_the_version(asked: str) -> None:
    assert run(asked).stdout.startswith("corro ")


def test_the_first_page_loads_no_command() -> None:
    code = "import sys; from corro.cli import main; main(['--help']); assert 'click' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("complie", "train.py"), "there is no command 'complie'. Did you mean: corro compile train.py"),
        (("train.py",), "there is no command 'train.py'. Train it on two processes: corro run train.py -n 2, or "
         "write the program: corro compile train.py"),
        (("compile",), "missing argument 'SCRIPT...'. See: corro compile --help"),
        (("compile", "train.py", "--epochs", "3"), "there is no option --epochs. See: corro compile --help"),
        (("run", "train.py", "-n", "2", "--epochs=3"), "there is no option --epochs. If it is the script's own, put it "
         "after --: corro run train.py -n 2 -- --epochs=3"),
        (("run", "train.py", "--epochs", "3", "-n", "2"), "there is no option --epochs. If it is the script's own, put "
         "it after --: corro run train.py -n 2 -- --epochs 3"),
        (("run", "train.py", "-n", "2", "--dryrun"), "there is no option --dryrun. Did you mean --dry-run?"),
        (("verify", "train.py", "-n", "two"), "invalid value for '-n' / '--processes': 'two' is neither a number of "
         "processes nor auto. See: corro verify --help"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told_in_a_line_with_what_to_write(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (2, f"corro: usage error: {said}\n")


def test_a_group_of_commands_without_one_shows_its_page() -> None:
    result = run("setup")
    assert result.exit_code in {0, 2}
    assert "horovod" in result.output


def test_an_interrupt_is_a_line_and_a_status(monkeypatch: pytest.MonkeyPatch, script: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("corro.cli.run.read_source", interrupted)
    result = run("run", script, "-n", "2")
    assert (result.exit_code, result.stderr.strip()) == (130, "corro: interrupted.")


@pytest.mark.parametrize(
    ("name", "lying", "advice"),
    [
        ("trian.py", ("train.py", "data.py"), "Did you mean train.py?"),
        ("main.py", ("train.py", "explore.ipynb", "data.csv"), "Scripts there: explore.ipynb, train.py."),
        ("main.py", tuple(f"{name}.py" for name in "abcdef"), "Scripts there: a.py, b.py, c.py, d.py, e.py, ..."),
        ("main.py", (), ""),
        ("no/main.py", ("main.py",), "There is no folder no either."),
    ],
)
def test_of_a_missing_file_it_is_said_which_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, lying: tuple[str, ...], advice: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for each in lying:
        (tmp_path / each).touch()
    result = run("compile", name)
    said = f"corro: usage error: there is no file {name}. {advice}".strip()
    assert (result.exit_code, result.stderr) == (2, f"{said}\n")


def test_a_mistyped_target(script: Path) -> None:
    result = run("compile", script, "--to", "dpp")
    assert result.exit_code == 2
    assert "Did you mean ddp?" in result.stderr


# ---------------------------------------------------------------------- how a program is started


@pytest.mark.parametrize(
    ("example", "target", "start"),
    [
        ("pytorch/digits_cnn", "ddp", "torchrun --nproc-per-node=2 {}"),
        ("pytorch/digits_cnn", "horovod", "horovodrun -np 2 python {}"),
        ("keras/digits_cnn", "horovod", "horovodrun -np 2 python {}"),
        ("keras/digits_cnn", "mirrored", "python {}  # one process, on all GPUs of this machine"),
        ("keras/digits_cnn", "multiworker", "corro run {} -n 2  # without Corro: python for each worker, with its TF"),
    ],
)
def test_it_is_said_how_the_program_is_started(tmp_path: Path, example: str, target: str, start: str) -> None:
    script = copied(ROOT / "examples" / f"{example}.py", tmp_path)
    program = os.path.relpath(script.with_name(f"train_{target}.py"))
    said = run("compile", script, "--to", target).stderr.splitlines()[-1]
    assert said.startswith(f"start it: {start.format(program)}")


def test_a_distributed_script_is_told_how_to_start_and_how_to_check(script: Path) -> None:
    run("compile", script)
    result = run("compile", script.with_name("train_ddp.py"))
    assert result.exit_code == 0
    assert "start it: torchrun --nproc-per-node=2 " in result.stderr
    assert "corro verify --reference SEQUENTIAL.py" in result.stderr


# ---------------------------------------------------------------------- several scripts, and none


def test_several_scripts_go_into_a_folder(script: Path) -> None:
    other, refused = script.with_name("other.py"), script.with_name("refused.py")
    other.write_bytes(script.read_bytes())
    refused.write_bytes((CASES / "pytorch/losses/gradients_of_the_mean/before.py").read_bytes())
    result = run("compile", script, refused, other, "-o", f"{script.parent / 'out'}/")
    assert result.exit_code == 1
    assert sorted(path.name for path in (script.parent / "out").iterdir()) == ["other_ddp.py", "train_ddp.py"]
    assert result.stderr.splitlines()[-1] == "corro: 3 scripts: 2 converted, 1 refused."


def test_several_scripts_do_not_go_into_a_file(script: Path) -> None:
    result = run("compile", script, script, "-o", script.with_name("out.py"))
    assert (result.exit_code, script.with_name("out.py").exists()) == (2, False)


def test_standard_input(script: Path) -> None:
    command = [sys.executable, "-m", "corro", "compile", "-"]
    done = subprocess.run(command, input=script.read_bytes(), capture_output=True, cwd=script.parent, check=False)
    wanted = compile(script).text
    assert wanted is not None
    assert (done.returncode, done.stdout.decode()) == (0, wanted)
    assert list(script.parent.iterdir()) == [script]


def test_what_is_no_python_is_json_too(script: Path) -> None:
    script.write_text("x = (\n")
    result = run("compile", script, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["outcome"], told["at"]) == (1, "syntax error", {"line": 1, "column": 5})
    listed = json.loads(run("compile", script, "missing.py", "--json").stdout)
    assert [each["outcome"] for each in listed] == ["syntax error", "usage error"]


def test_batch_normalisation_that_cannot_be_asked_for(tmp_path: Path) -> None:
    result = run("compile", copied(ROOT / "examples/keras/digits_cnn.py", tmp_path), "--sync-batchnorm")
    assert result.exit_code == 2
    assert "Leave out --sync-batchnorm." in result.stderr


@pytest.mark.parametrize(
    ("example", "arguments", "message"),
    [
        ("keras", ("--compression", "fp16"), "cannot send gradients as fp16. Leave out --compression."),
        ("keras", ("--bucket-mb", "5"), "cannot be told to send 5 MiB at a time. Leave out --bucket-mb."),
        ("pytorch", ("--compression", "bf16", "--to", "horovod"), "as bf16. Choose --compression fp16."),
        ("pytorch", ("--bucket-mb", "five"), "--bucket-mb five: that is no whole number. Write such as 10."),
        ("pytorch", ("--compression", "zip"), "'zip' is not one of 'none', 'bf16', 'fp16'."),
    ],
)
def test_an_exchange_that_cannot_be_asked_for(
    tmp_path: Path, example: str, arguments: tuple[str, ...], message: str
) -> None:
    result = run("compile", copied(ROOT / f"examples/{example}/digits_cnn.py", tmp_path), *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_an_exchange_that_the_project_has_set(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.corro]\ncompression = "fp16"\nbucket-mb = 3\n')
    script = copied(ROOT / "examples/pytorch/digits_cnn.py", tmp_path)
    sent = run("compile", script, "-o", "-").stdout
    assert "fp16_compress_hook" in sent
    assert "bucket_cap_mb=3" in sent
    undone = run("compile", script, "--compression", "none", "--bucket-mb", "0", "-o", "-").stdout
    assert "fp16_compress_hook" not in undone
    assert "bucket_cap_mb" not in undone


# ---------------------------------------------------------------------- refusals


def test_refusals_stand_in_the_order_of_the_file_one_for_each_cause(tmp_path: Path) -> None:
    output = compile(copied(CASES / "pytorch/steering/weights_by_other_ways/before.py", tmp_path))
    result = run("compile", output.source.path)
    causes = grouped(output.plan.refusals)
    assert len(causes) < len(output.plan.refusals)
    assert result.stderr.count("refused: the same") == len(output.plan.refusals) - len(causes)
    assert counted_refusals(output) == "8 places refused, 6 of one cause"
    firsts = [int(line.split(":")[1]) for line in result.stderr.splitlines() if "[steering]" in line]
    assert firsts == sorted(firsts)


def test_the_last_line_of_a_refusal_says_the_effort_of_each_cause(tmp_path: Path) -> None:
    output = compile(copied(CASES / "pytorch/steering/weights_by_other_ways/before.py", tmp_path))
    said = "Effort by cause: several lines (1), a change of what is trained (2)."
    assert run("compile", output.source.path).stderr.rstrip().endswith(f"{said} Nothing was written.")
    changing = [each for each in output.plan.refusals if each.effort == "other training"]
    assert len(changing) == 7
    assert all(each.advice.endswith(" This changes what is trained.") for each in changing)


def test_the_effort_of_one_cause(script: Path) -> None:
    script.write_text(script.read_text("utf-8").replace("loss.backward()", "exec('loss.backward()')"), "utf-8")
    result = run("compile", script, "--json")
    refused = [each for each in json.loads(result.stdout)["findings"] if each["level"] == "refused"]
    assert [each["effort"] for each in refused] == ["one line"]
    assert "1 place refused. Effort: one line. Nothing was started." in run("run", script, "-n", "2").stderr


# ---------------------------------------------------------------------- settings


def set_to(script: Path, text: str) -> None:
    script.with_name("pyproject.toml").write_text(f"[project]\nname = 'x'\n\n[tool.corro]\n{text}\n")


def test_settings_of_the_project(script: Path) -> None:
    set_to(script, "target = 'horovod'\nscaling = 'weak'\nannotate = true")
    assert settings_of(script) == Settings("horovod", "weak", annotate=True)
    run("compile", script)
    written = script.with_name("train_horovod.py").read_text(encoding="utf-8")
    assert written == compile(script, "horovod", "weak", annotate=True).text
    run("compile", script, "--to", "ddp", "--scaling", "strong", "-o", script.with_name("other.py"))
    assert script.with_name("other.py").read_text("utf-8") == compile(script, "ddp", annotate=True).text


def test_a_project_without_settings(script: Path) -> None:
    script.with_name("pyproject.toml").write_text("[tool.other]\nname = 'tool.corro'\n")
    assert settings_of(script) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("targt = 'ddp'", "pyproject.toml:5:1: usage error: [tool.corro] has no setting 'targt'. Did you mean target?"),
        ("\nsync_batchnorm = true", "pyproject.toml:6:1: usage error: [tool.corro] has no setting 'sync_batchnorm'. D"),
        ("target = 'dpp'", "target cannot be 'dpp'. Did you mean ddp?"),
        ("target = 1", "target = 1 is not what it can be."),
        ("processes = 0", "It is a number, or 'auto'."),
        ("processes = true", "It is a number, or 'auto'."),
        ("assume = 1", "It is true or false"),
        ("target =", "is no TOML"),
    ],
)
def test_settings_that_cannot_be(script: Path, text: str, said: str) -> None:
    set_to(script, text)
    with pytest.raises(UsageError) as error:
        settings_of(script)
    assert said in str(error.value)
    assert run("compile", script).exit_code == 2


# ---------------------------------------------------------------------- links


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_links_only_where_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "TERM_PROGRAM", "VTE_VERSION", "NO_COLOR", *_terminal._SIGNS):
        monkeypatch.delenv(name, raising=False)
    assert _terminal.linked("here", "file:///a") == "here"
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    text = _terminal.linked("here", "file:///a")
    assert text == "\x1b]8;;file:///a\x1b\\here\x1b]8;;\x1b\\"
    for stream, shown in ((Terminal(), text), (io.StringIO(), "here")):
        _terminal.echo(text, stream)
        assert stream.getvalue() == f"{shown}\n"


def test_sentences_are_broken_between_words_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Terminal, "fileno", lambda _: 1)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((34, 24)))
    text = f"{_terminal.style('PASS', 'green')}  alone  on one process it is the original"
    assert _terminal.folded(text, io.StringIO(), 13) == [text]
    assert [_terminal._CODE.sub("", line) for line in _terminal.folded(text, Terminal(), 13)] == [
        "PASS  alone  on one process it is",
        "             the original",
    ]
    assert _terminal.folded("x" * 40, Terminal()) == ["x" * 40]
    assert _terminal.folded("", Terminal()) == [""]


def test_the_address_of_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TERM_PROGRAM", raising=False)
    assert _terminal.address(str(tmp_path / "a b.py"), 3).endswith(f"{tmp_path}/a%20b.py#3")
    monkeypatch.setenv("TERM_PROGRAM", "vscode")
    assert _terminal.address("/a.py", 3) == "vscode://file/a.py:3"


# ---------------------------------------------------------------------- init, and completion


def test_init_writes_the_table_and_keeps_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "pyproject.toml"
    file.write_text("[project]\nname = 'x'")
    assert run("init", "-n", "auto").exit_code == 0
    assert file.read_text().startswith("[project]\nname = 'x'\n\n[tool.corro]\nprocesses = \"auto\"\n")
    assert settings_of(tmp_path / "train.py") == Settings(processes="auto")
    again = run("init")
    assert (again.exit_code, "has a table [tool.corro]" in again.stderr) == (2, True)


def test_init_where_nobody_can_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2")
    result = run("init")
    assert (result.exit_code, "3 GPUs" in result.stderr) == (0, True)
    assert settings_of(tmp_path / "train.py").processes == 3


@pytest.mark.parametrize(("words", "wanted"), [("corro expl", "explain"), ("corro explain train-l", "train-loader")])
def test_completion(words: str, wanted: str) -> None:
    asked = {"_CORRO_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-c", "from corro.cli import main; main()"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, check=False)
    assert f"plain,{wanted}" in done.stdout.splitlines()


# ---------------------------------------------------------------------- how many processes


def test_a_batch_that_cannot_be_shared_out_is_told_before_anything_starts(script: Path) -> None:
    result = run("run", script, "-n", "5")
    assert result.exit_code == 2
    assert f"{script}:29: a batch of 64 cannot be shared out over 5 processes" in result.stderr
    assert f"corro run {script} -n 4" in result.stderr


def test_auto_is_as_many_as_the_batch_allows(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2")
    result = run("run", script, "-n", "auto", "--dry-run")
    assert (result.exit_code, "corro: -n 2: 3 GPUs" in result.stderr) == (0, True)


def test_without_a_number_it_is_said_how_to_give_one(script: Path) -> None:
    result = run("run", script)
    assert (result.exit_code, "Add -n 2, or -n auto" in result.stderr) == (2, True)
    set_to(script, "processes = 2")
    assert run("run", script, "--dry-run").exit_code == 0
