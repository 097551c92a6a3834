"""``corro compile``: what is written where, what is printed where, and the exit status."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from corro import Level, compile
from corro.changes import Finding
from corro.cli import compile as compile_command
from corro.cli import main
from corro.cli._group import group
from corro.cli._plain import read
from corro.cli._render import plan_lines, render_diff, render_plan
from corro.compiler import Output
from corro.plan import Outcome, Plan
from corro.source import SourceFile, Span
from remembered import Known

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "pytorch"


def copied(source: Path, folder: Path) -> Path:
    return Path(shutil.copy(source, folder / "train.py"))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script that is converted, in a folder of its own."""
    return copied(ROOT / "examples" / "pytorch" / "digits_cnn.py", tmp_path)


def run(*arguments: str | Path) -> Result:
    """``main`` in this process, with the exit status that the command has."""

    @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def corro(arguments: tuple[str, ...]) -> None:
        main(arguments)

    return CliRunner().invoke(corro, list(map(str, arguments)))


def files(script: Path) -> list[str]:
    return sorted(path.name for path in script.parent.iterdir())


def case(name: str, tmp_path: Path) -> Path:
    return copied(CASES / name / "before.py", tmp_path)


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_the_program_is_written_beside_the_script(script: Path, target: str) -> None:
    before = script.read_bytes()
    result = run("compile", script, "--to", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert files(script) == ["train.py", f"train_{target}.py"]
    assert script.with_name(f"train_{target}.py").read_text(encoding="utf-8") == compile(script, target).text
    assert script.read_bytes() == before


def test_options_reach_the_compiler(script: Path) -> None:
    run("compile", script, "--scaling", "weak", "--annotate", "-o", script.with_name("weak.py"))
    assert script.with_name("weak.py").read_text(encoding="utf-8") == compile(script, "ddp", "weak", annotate=True).text


def test_the_permissions_are_those_of_the_script(script: Path) -> None:
    script.chmod(0o750)
    run("compile", script)
    assert script.with_name("train_ddp.py").stat().st_mode & 0o777 == 0o750


def test_the_same_program_again_is_up_to_date(script: Path) -> None:
    run("compile", script)
    written = script.with_name("train_ddp.py").stat().st_mtime_ns
    result = run("compile", script)
    assert result.exit_code == 0
    assert "up to date" in result.stderr
    assert script.with_name("train_ddp.py").stat().st_mtime_ns == written


def test_another_file_is_replaced_only_with_force(script: Path) -> None:
    there = script.with_name("train_ddp.py")
    there.write_text("mine\n")
    result = run("compile", script)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert there.read_text() == "mine\n"
    assert run("compile", script, "--force").exit_code == 0
    assert "init_process_group" in there.read_text(encoding="utf-8")


@pytest.mark.parametrize("link", ["", "symbolic", "hard"])
def test_the_script_is_never_written_over(script: Path, link: str) -> None:
    before, where = script.read_bytes(), script
    if link:
        where = script.with_name("other.py")
        (os.symlink if link == "symbolic" else os.link)(script, where)
    result = run("compile", script, "-o", where, "--force")
    assert result.exit_code == 2
    assert "the script itself" in result.stderr
    assert script.read_bytes() == before


def test_a_symbolic_link_is_followed(script: Path) -> None:
    script.with_name("link.py").symlink_to(script.with_name("real.py"))
    assert run("compile", script, "-o", script.with_name("link.py")).exit_code == 0
    assert script.with_name("link.py").is_symlink()
    assert "init_process_group" in script.with_name("real.py").read_text(encoding="utf-8")


def test_an_output_that_is_no_file_is_left_alone(script: Path) -> None:
    script.with_name("train_ddp.py").mkdir()
    result = run("compile", script, "--force")
    assert result.exit_code == 2
    assert "is a directory" in result.stderr
    assert run("compile", script, "-o", os.devnull, "--force").exit_code == 2
    assert files(script) == ["train.py", "train_ddp.py"]


@pytest.mark.parametrize("where", ["there", "there/", "new/"])
def test_a_folder_gets_the_program(script: Path, where: str) -> None:
    script.with_name("there").mkdir()
    assert run("compile", script, "-o", f"{script.parent}/{where}").exit_code == 0
    assert (script.parent / where / "train_ddp.py").read_text(encoding="utf-8") == compile(script).text


def test_a_failed_write_leaves_nothing(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    result = run("compile", script)
    assert result.exit_code == 2
    assert "cannot be written: No space left on device" in result.stderr
    assert files(script) == ["train.py"]


# ---------------------------------------------------------------------- standard output


def test_a_dash_is_standard_output(script: Path) -> None:
    result = run("compile", script, "-o", "-")
    assert result.stdout == compile(script).text
    assert "train-loader" in result.stderr
    assert files(script) == ["train.py"]


@pytest.mark.parametrize("name", ["layout/crlf", "layout/latin1_cookie", "layout/byte_order_mark"])
def test_standard_output_has_the_bytes_of_the_file(name: str, tmp_path: Path) -> None:
    script = case(name, tmp_path)
    command = [sys.executable, "-m", "corro", "compile", str(script)]
    printed = subprocess.run([*command, "-o", "-"], capture_output=True, check=True).stdout
    subprocess.run(command, capture_output=True, check=True)
    assert printed == script.with_name("train_ddp.py").read_bytes()


@pytest.mark.parametrize(
    "name", ["layout/crlf", "layout/latin1_cookie", "layout/byte_order_mark", "layout/no_newline_at_the_end",
             "layout/form_feed", "layout/mixed_line_ends"]
)  # fmt: skip
def test_the_diff_makes_the_program_of_the_script(name: str, tmp_path: Path) -> None:
    script = case(name, tmp_path)
    result = run("compile", script, "--diff")
    output = compile(script)
    assert output.text is not None
    assert patched(script.read_bytes(), result.stdout_bytes) == output.source.encode(output.text)
    assert files(script) == ["train.py"]


def patched(content: bytes, diff: bytes) -> bytes:
    """What ``patch`` makes of a file."""
    old, new, position, last = re.split(rb"(?<=\n)(?!\Z)", content), list[bytes](), 0, b""
    for line in re.split(rb"(?<=\n)(?!\Z)", diff)[2:]:
        if match := re.match(rb"@@ -(\d+)", line):
            start = int(match[1]) - 1
            new += old[position:start]
            position = start
        elif line.startswith(b"\\"):
            if last != b"-":
                new[-1] = new[-1].removesuffix(b"\n")
        else:
            if line[:1] in b" -":
                assert old[position].removesuffix(b"\n") == line[1:].removesuffix(b"\n")
                position += 1
            if line[:1] in b" +":
                new.append(line[1:])
        last = line[:1]
    return b"".join(new + old[position:])


def test_the_diff_of_a_name_that_the_encoding_has_not(script: Path) -> None:
    named = script.with_name("обучение\udcff.py")
    text = script.read_bytes().replace(b"torch.manual_seed(0)", b"# \xe9\ntorch.manual_seed(0)", 1)
    named.write_bytes(b"# -*- coding: latin-1 -*-\n" + text)
    shown = run("compile", named, "--diff").stdout_bytes
    assert shown.startswith(b"--- a/" + os.fsencode(named.name) + b"\n+++ b/")
    assert b"\n # \xe9\n" in shown


def test_a_full_disk_is_said_in_one_line(script: Path) -> None:
    command = [sys.executable, "-m", "corro", "compile", str(script), "-o", "-"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "corro: execution error: No space left on device.\n")


def test_the_diff_is_a_patch_of_the_script(script: Path) -> None:
    first, second = run("compile", script, "--diff", "--to", "horovod").stdout.split("\n")[:2]
    assert (first, second) == ("--- a/train.py", "+++ b/train.py")


def test_json_is_the_plan_and_the_program(script: Path) -> None:
    result = run("compile", script, "--json")
    told = json.loads(result.stdout)
    assert (told["outcome"], told["target"], told["scaling"]) == ("converted", "ddp", "strong")
    assert told["text"] == compile(script).text
    assert told["changes"]
    assert (result.exit_code, files(script)) == (0, ["train.py"])


def test_json_of_a_refusal(tmp_path: Path) -> None:
    result = run("compile", case("refused/clipping_outside_of_the_loop", tmp_path), "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["outcome"], told["text"]) == (1, "refused", None)
    assert told["findings"][0]["advice"]


@pytest.mark.parametrize("options", [("--diff", "--json"), ("--diff", "-o", "x.py"), ("--json", "-o", "-")])
def test_forms_of_output_exclude_each_other(script: Path, options: tuple[str, ...]) -> None:
    result = run("compile", script, *options)
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr
    assert files(script) == ["train.py"]


# ---------------------------------------------------------------------- what is said


def test_the_report_lists_changes_in_the_order_of_the_script(script: Path) -> None:
    report = run("compile", script).stderr.split("\n")
    lines = [int(match[1]) for line in report if (match := re.match(r" +(\d+):\d+  \S+  +\S", line))]
    assert len(lines) == len(compile(script).plan.changes)
    assert lines == sorted(lines)
    assert "\x1b" not in "".join(report), "no colours in a pipe"


def test_a_refusal_says_where_why_and_what_to_do(tmp_path: Path) -> None:
    script = case("refused/clipping_outside_of_the_loop", tmp_path)
    result = run("compile", script)
    assert result.exit_code == 1
    finding = compile(script).plan.refusals[0]
    place = compile(script).source.place(finding.span)
    said = result.stderr.split("\n")
    assert said[0] == f"{place}: refused: {finding.message} [{finding.rule}]"
    assert "clip_grad_norm_" in said[1]
    assert said[2].strip() == "^" * len(said[2].strip())
    assert said[1][len(said[2]) - len(said[2].lstrip()) :].startswith("nn.utils.clip_grad_norm_")
    assert said[3] == f"  {finding.advice}"
    assert "compilation error" in said[4]
    assert files(script) == ["train.py"]


def test_a_distributed_script_is_said_to_be_so(tmp_path: Path) -> None:
    script = case("already/torch_ddp", tmp_path)
    result = run("compile", script)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "already distributed" in result.stderr
    assert files(script) == ["train.py"]


def test_the_output_compiled_again_is_distributed_already(script: Path) -> None:
    run("compile", script)
    result = run("compile", script.with_name("train_ddp.py"))
    assert result.exit_code == 0
    assert "already distributed" in result.stderr
    assert files(script) == ["train.py", "train_ddp.py"]


def output_with(finding: Finding, source: SourceFile) -> Output:
    plan = Plan(str(source.path), "pytorch", "ddp", "strong", Outcome.REFUSED, (), (finding,))
    return Output(source, plan, None)


def test_the_mark_stands_below_the_place_behind_tabs_and_wide_text() -> None:
    source = SourceFile.from_text("if a:\n\tb = 'é'; c(\n\t\t1)\n", "s.py")
    call = source.text.index("c(")
    lines = list(plan_lines(output_with(Finding("r", Level.REFUSED, "m.", Span(call, call + 6), "do."), source)))
    assert lines[1:3] == ["    \tb = 'é'; c(", "    \t" + " " * 9 + "\x1b[31m^^\x1b[0m"]


def test_a_finding_in_another_file_shows_its_line(tmp_path: Path) -> None:
    other = tmp_path / "engine.py"
    other.write_text("x = 1\nprint(x)\n")
    source = SourceFile.from_text("import engine\n", "s.py")
    finding = Finding("r", Level.REVIEW, "it prints.", Span(6, 14), "", str(other))
    first, second, _ = plan_lines(output_with(finding, source))
    assert click.unstyle(first) == f"{other}:2:1: review: it prints. [r]"
    assert second == "    print(x)"
    other.unlink()
    assert [click.unstyle(line) for line in plan_lines(output_with(finding, source))] == [
        f"{other}: review: it prints. [r]"
    ]


class Terminal:
    """A stream that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours_unless_it_wants_none(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    colourful, plain = Terminal(), Terminal()
    render_plan(compile(script), colourful)  # type: ignore[arg-type]
    render_diff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", colourful)  # type: ignore[arg-type]
    monkeypatch.setenv("NO_COLOR", "1")
    render_plan(compile(script), plain)  # type: ignore[arg-type]
    assert "\x1b[31m-x\x1b[0m" in colourful.text
    assert "\x1b" in colourful.text
    assert "\x1b" not in plain.text


# ---------------------------------------------------------------------- usage


def test_help_teaches() -> None:
    text = CliRunner().invoke(group, ["compile", "--help"]).output
    for part in ("--to", "ddp", "horovod", "strong", "Exit status", "corro compile train.py --diff"):
        assert part in text


@pytest.mark.parametrize("arguments", [(), ("--to", "mpi"), ("--scaling", "huge"), ("--no-such-option",)])
def test_wrong_usage(script: Path, arguments: tuple[str, ...]) -> None:
    given: tuple[str | Path, ...] = (script, *arguments) if arguments else ()
    assert run("compile", *given).exit_code == 2
    assert files(script) == ["train.py"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--to=ddp",), ("--to", "horovod", "--diff"), ("-o", "-"), ("-o", "--diff"), ("-f", "--output=a.py"),
        ("--json",), ("--annotate", "--sync-batchnorm", "--scaling", "weak"), ("--diff", "--diff"),
        ("--scaling=strong", "--force"), ("--compression", "fp16", "--bucket-mb=4"),
    ],
)  # fmt: skip
def test_plain_arguments_are_read_as_click_reads_them(arguments: tuple[str, ...]) -> None:
    given: list[dict[str, object]] = []
    declared = compile_command.command()
    declared.callback = lambda **parameters: given.append(parameters)
    declared.main(["train.py", *arguments], standalone_mode=False)
    plain = read(("train.py", *arguments), compile_command.OPTIONS)
    assert plain is not None
    assert given == [{**plain, "arguments": ()}]


@pytest.mark.parametrize(
    "arguments",
    [
        (), ("a.py", "--to"), ("a.py", "--to", "mpi"), ("a.py", "--scaling=huge"),
        ("a.py", "--diff=1"), ("a.py", "-fo", "b.py"), ("a.py", "-ob.py"), ("--", "a.py"), ("a.py", "--help"),
        ("-h",), ("a.py", "--other"),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_click(arguments: tuple[str, ...]) -> None:
    assert read(arguments, compile_command.OPTIONS) is None


def test_a_reader_that_has_read_enough_is_no_error(script: Path) -> None:
    command = [sys.executable, "-m", "corro", "compile", str(script), "-o", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert b"Error" not in started.stderr.read()
    assert started.returncode == 1


def test_it_starts_from_a_shell_and_the_program_parses(script: Path) -> None:
    command = [sys.executable, "-m", "corro", "compile", str(script), "-o", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    ast.parse(done.stdout)


@pytest.mark.slow
def test_a_program_that_is_started_plainly_says_how_to_start_it(tmp_path: Path, known: Known) -> None:
    if known.whole():
        return
    script = tmp_path / "train.py"
    script.write_text(_TRAINING, encoding="utf-8")
    run("compile", script)
    program = tmp_path / "train_ddp.py"
    environment = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
    plain = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
    )
    assert (plain.returncode, plain.stdout) == (1, "")
    told = "start it with: "
    assert plain.stderr == f"{told}torchrun --nproc-per-node=2 {program}\n"
    command = shlex.split(plain.stderr.removeprefix(told))
    command[0] = str(Path(sys.executable).with_name(command[0]))
    started = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert started.returncode == 0, started.stderr
    assert started.stdout == "trained\n"


_TRAINING = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(8, 2), torch.ones(8, 1)), batch_size=4)
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
print("trained")
"""


def test_nothing_slow_is_loaded_for_plain_arguments(script: Path) -> None:
    code = (
        "import sys; from corro.cli import main\n"
        f"main(['compile', {str(script)!r}])\n"
        "slow = {'click', 'dataclasses', 'inspect', 'rich', 'torch', 'tempfile', 'json', 'difflib', 'sysconfig',\n"
        "        'textwrap', 'tokenize'}\n"
        "print(*sorted(slow & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_diff_in_the_readme_is_real(script: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.split("```diff\n")[1].split("```")[0].split("\n")
    real = run("compile", script, "--diff").stdout.split("\n")[2:]
    assert [line for line in shown if line[:1] in ("+", "-")] == [line for line in real if line[:1] in ("+", "-")]
    assert [line for line in shown if line not in real] == [" [...]"] * 3
