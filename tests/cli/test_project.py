"""``corro compile`` on a project of several files: what is written where, and that nothing else is touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result

from cli.test_compile import run
from corro import compile

pytestmark = pytest.mark.reads("tests/parity/project")

ROOT = Path(__file__).parents[2]
CHANGED = ("engine/loop.py", "loaders.py", "train.py")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script whose data and training lie in modules, in a folder with what projects have."""
    ignored = shutil.ignore_patterns("__pycache__")
    home = Path(shutil.copytree(ROOT / "tests" / "parity" / "project", tmp_path / "home", ignore=ignored))
    for name in (".git/HEAD", ".venv/pyvenv.cfg", "__pycache__/x.pyc", "data/digits.csv", ".env"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(name)
    monkeypatch.chdir(home)
    monkeypatch.setenv("CORRO_CACHE", str(tmp_path / "cache"))
    return home


def state(folder: Path) -> dict[str, str]:
    """All files below a folder with their texts, and links with what they lead to."""
    found = {}
    for path, folders, names in os.walk(folder):
        for each in (Path(path, name) for name in (*folders, *names)):
            if each.is_symlink():
                found[each.relative_to(folder).as_posix()] = f"-> {each.readlink()}"
            elif each.is_file():
                found[each.relative_to(folder).as_posix()] = each.read_bytes().decode("latin-1")
    return found


def texts(project: Path, target: str = "ddp") -> dict[str, str]:
    """The files that are changed, with their new texts."""
    output = compile(project / "train.py", target)
    assert output.text is not None
    modules = {module.source.path.relative_to(project).as_posix(): module.text for module in output.modules}
    return {"train.py": output.text, **modules}


def succeeded(*arguments: str) -> Result:
    result = run("compile", "train.py", *arguments)
    assert result.exit_code == 0, result.stderr
    return result


# ---------------------------------------------------------------------- a folder


def test_a_folder_has_what_is_changed_and_links_to_the_rest(project: Path) -> None:
    before = state(project)
    result = succeeded()
    assert state(project / "train_ddp") == {
        **texts(project),
        "engine/__init__.py": "-> ../../engine/__init__.py",
        "engine/net.py": "-> ../../engine/net.py",
        "data": "-> ../data",
        ".env": "-> ../.env",
    }
    assert sorted(texts(project)) == list(CHANGED)
    assert {name: text for name, text in state(project).items() if not name.startswith("train_ddp/")} == before
    assert "cd train_ddp && torchrun --nproc-per-node=2 train.py\n" in result.stderr
    assert "  engine/loop.py:8:5  metrics " in result.stderr
    assert result.stdout == ""


def test_links_hold_where_the_folder_is_moved_or_lies_far_away(project: Path, tmp_path: Path) -> None:
    far = tmp_path / "a" / "b"
    far.mkdir(parents=True)
    succeeded("-o", str(far / "out"))
    assert (far / "out" / "data").readlink() == project / "data"
    succeeded("-o", "../beside")
    assert str((tmp_path / "beside" / "data").readlink()) == "../home/data"
    assert (tmp_path / "beside" / "engine" / "net.py").resolve() == project / "engine" / "net.py"


def test_the_folder_does_not_hold_itself_or_other_programs_of_the_script(project: Path) -> None:
    succeeded("--to", "horovod")
    (project / "build").mkdir()
    succeeded("-o", "build/ddp/")
    made = state(project / "build" / "ddp")
    assert not [name for name in made if name.startswith(("train_horovod", "build"))]
    assert succeeded("-o", "build/ddp").stderr.startswith(f"up to date: build{os.sep}ddp")


def test_a_module_above_the_script_is_in_the_folder_too(project: Path) -> None:
    (project / "scripts").mkdir()
    (project / "train.py").rename(project / "scripts" / "train.py")
    result = run("compile", "scripts/train.py")
    assert result.exit_code == 0, result.stderr
    made = state(project / "scripts" / "train_ddp")
    assert made["scripts/train.py"].count("init_process_group") == 1
    assert made["loaders.py"].count("DistributedSampler") == 2
    assert made["engine/net.py"] == "-> ../../../engine/net.py"
    assert "cd scripts/train_ddp && PYTHONPATH=. torchrun --nproc-per-node=2 scripts/train.py" in result.stderr


def test_a_module_beside_the_script_that_is_found_from_above_stays_where_it_is_found(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (project / "train.py").read_text()
    (project / "models" / "words").mkdir(parents=True)
    for name in ("engine", "loaders.py", "train.py"):
        (project / name).rename(project / "models" / "words" / name)
    path = "import sys\nsys.path.append('../..')\n"
    for module in ("engine", "loaders"):
        text = text.replace(f"from {module}", f"from models.words.{module}")
    for each in (project / "models" / "words" / "engine").glob("*.py"):
        each.write_text(each.read_text().replace("from engine", "from models.words.engine"))
    (project / "models" / "words" / "train.py").write_text(path + text)
    monkeypatch.chdir(project / "models" / "words")
    result = run("compile", "train.py")
    assert result.exit_code == 0, result.stderr
    made = state(project / "models" / "words" / "train_ddp")
    assert made["models/words/loaders.py"].count("DistributedSampler") == 2
    assert "cd train_ddp && PYTHONPATH=. torchrun --nproc-per-node=2 models/words/train.py" in result.stderr


def test_a_fixed_path_would_lead_past_the_folder(project: Path) -> None:
    text = (project / "train.py").read_text()
    (project / "train.py").write_text(f"import sys\nsys.path.insert(0, '{project}/')\n{text}")
    result = run("compile", "train.py")
    assert result.exit_code == 1
    assert "train.py:2:20: compilation error" in result.stderr
    assert run("compile", "train.py", "--diff").exit_code == 0
    assert not (project / "train_ddp").exists()


def test_a_module_of_a_package_is_started_as_such(project: Path) -> None:
    text = (project / "train.py").read_text().replace("from engine", "from .engine").replace("from load", "from .load")
    (project / "src" / "app").mkdir(parents=True)
    for name in ("engine", "loaders.py"):
        (project / name).rename(project / "src" / "app" / name)
    (project / "src" / "app" / "train.py").write_text(text)
    result = run("compile", "src/app/train.py")
    assert result.exit_code == 0, result.stderr
    assert "cd src/app/train_ddp && torchrun --nproc-per-node=2 -m app.train" in result.stderr
    assert (project / "src" / "app" / "train_ddp" / "app" / "loaders.py").is_file()
    shown = run("run", "src/app/train.py", "-n", "2", "--dry-run").stdout
    assert "CORRO_PACKAGE=app " in shown


def test_the_same_again_is_up_to_date_also_with_what_the_program_left(project: Path) -> None:
    succeeded()
    (project / "train_ddp" / "net.pt").write_text("trained for days")
    before = state(project)
    assert succeeded().stderr.startswith(f"up to date: train_ddp{os.sep}\n")
    assert succeeded("--force").stderr.startswith(f"up to date: train_ddp{os.sep}\n")
    assert state(project) == before


def test_another_folder_is_replaced_only_with_force(project: Path) -> None:
    succeeded()
    (project / "loaders.py").write_text((project / "loaders.py").read_text() + "# more\n")
    before = state(project)
    result = run("compile", "train.py")
    assert (result.exit_code, "--force" in result.stderr) == (2, True)
    assert state(project) == before
    succeeded("--force")
    assert (project / "train_ddp" / "loaders.py").read_text().endswith("# more\n")
    assert sorted(path.name for path in project.glob(".train*")) == []


@pytest.mark.parametrize("name", ["net.pt", "runs/events", "notes.py"])
def test_what_corro_did_not_write_is_never_replaced(project: Path, name: str) -> None:
    succeeded()
    (project / "train_ddp" / name).parent.mkdir(exist_ok=True)
    (project / "train_ddp" / name).write_text("trained for days")
    (project / "loaders.py").write_text((project / "loaders.py").read_text() + "# more\n")
    before = state(project)
    result = run("compile", "train.py", "--force")
    assert result.exit_code == 2
    assert f"{name} was not written by Corro" in result.stderr
    assert state(project) == before


@pytest.mark.parametrize("where", [".", "..", "data", "train.py/", "missing/out"])
def test_a_place_that_is_no_place(project: Path, where: str) -> None:
    before = state(project)
    result = run("compile", "train.py", "-o", where, "--force")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert state(project) == before


def test_an_empty_folder_is_taken(project: Path) -> None:
    (project / "out").mkdir()
    succeeded("-o", "out")
    assert (project / "out" / "train.py").is_file()


def test_permissions_encodings_and_line_ends_stay(project: Path) -> None:
    text = (project / "loaders.py").read_text().replace("\n", "\r\n")
    (project / "loaders.py").write_bytes(b"# -*- coding: latin-1 -*-\r\n# \xfc\r\n" + text.encode())
    (project / "engine" / "loop.py").write_bytes(b"\xef\xbb\xbf" + (project / "engine" / "loop.py").read_bytes())
    (project / "train.py").chmod(0o750)
    succeeded()
    made = (project / "train_ddp" / "loaders.py").read_bytes()
    assert made.startswith(b"# -*- coding: latin-1 -*-\r\n# \xfc\r\n")
    assert made.count(b"\n") == made.count(b"\r\n") > text.count("\n")
    assert (project / "train_ddp" / "engine" / "loop.py").read_bytes().startswith(b"\xef\xbb\xbfimport")
    assert (project / "train_ddp" / "train.py").stat().st_mode & 0o777 == 0o750


def test_where_there_are_no_links_files_are_copied(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    (project / "data" / "__pycache__").mkdir()
    monkeypatch.setattr(Path, "symlink_to", refuse)
    succeeded()
    made = state(project / "train_ddp")
    assert made["data/digits.csv"] == "data/digits.csv"
    assert made["engine/net.py"] == (project / "engine" / "net.py").read_text()
    assert not (project / "train_ddp" / "data" / "__pycache__").exists()
    assert "up to date" in succeeded().stderr
    (project / "data" / "digits.csv").write_text("others")
    assert "digits.csv was not written by Corro" in run("compile", "train.py").stderr


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("there", [False, True])
def test_what_is_interrupted_leaves_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, there: bool
) -> None:
    if there:
        succeeded()
        (project / "loaders.py").write_text((project / "loaders.py").read_text() + "# more\n")
    before = state(project)

    def fail(*_: object) -> None:
        raise error

    for name in ("write_bytes", "rename"):
        with monkeypatch.context() as context:
            context.setattr(Path, name, fail)
            assert run("compile", "train.py", "--force").exit_code != 0
        assert state(project) == before


def test_interrupted_between_the_old_and_the_new_the_old_stays(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    succeeded()
    (project / "loaders.py").write_text((project / "loaders.py").read_text() + "# more\n")
    before, plain, calls = state(project), Path.rename, list[Path]()

    def rename(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return plain(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    assert run("compile", "train.py", "--force").exit_code != 0
    assert len(calls) == 3
    assert state(project) == before


@pytest.mark.parametrize("where", ["out.py", "-", "out.ipynb"])
def test_one_file_is_not_enough(project: Path, where: str) -> None:
    result = run("compile", "train.py", "-o", where)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "loaders.py" in result.stderr
    assert "-o train_ddp/" in result.stderr


def test_a_script_that_a_module_imports_is_refused(project: Path) -> None:
    text = (project / "loaders.py").read_text() + (project / "train.py").read_text().replace("from loaders", "#")
    head, body = text.split("parser = ")
    (project / "train.py").write_text(f"{head}\nif __name__ == '__main__':\n    from helper import run\n    run()\n")
    (project / "helper.py").write_text(
        "from train import *\ndef run():\n    " + f"parser = {body}".replace("\n", "\n    ").rstrip() + "\n"
    )
    result = run("compile", "train.py")
    assert result.exit_code == 1, result.stderr
    assert "helper.py:1:1: refused: this imports the script itself" in result.stderr
    assert not [name for name in state(project) if name.startswith("train_ddp")]


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_the_folder_trains_as_the_project_is_run(project: Path, target: str) -> None:
    command = succeeded("--to", target).stderr.split("start it: ")[1].split("\n")[0]
    before = state(project)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    if target == "horovod":
        command = command.replace("horovodrun", "horovodrun --gloo -H localhost:2 --network-interfaces lo")
    commands = ["bash", "-c", command], [sys.executable, "-m", "corro", "run", "train.py", "-n", "2", "--to", target]
    told, ran = (subprocess.check_output(each, cwd=project, env=environment, text=True) for each in commands)
    assert [line.split(">:")[-1] for line in told.splitlines() if "epoch" in line] == ran.splitlines()
    assert len(ran.splitlines()) == 2
    left = {name for name in state(project).keys() - before.keys() if "__pycache__" not in name}
    assert left == {f"train_{target}/net.pt", "net.pt"}


@pytest.mark.slow
def test_the_project_is_verified(project: Path) -> None:
    before = state(project)
    command = [sys.executable, "-m", "corro", "verify", "train.py", "-n", "2", "--epochs", "1", "--json"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300, check=False)
    results = {each["property"]: each for each in json.loads(done.stdout)["results"]}
    assert (done.returncode, {each["status"] for each in results.values()}) == (0, {"PASS"}), done.stdout
    assert state(project) == before


# ---------------------------------------------------------------------- patches


@pytest.fixture
def repository(project: Path) -> Path:
    shutil.rmtree(project / ".git")
    for command in (["init", "-q"], ["add", "*.py", "data"], ["commit", "-qm", "first"]):
        git(project, "-c", "user.name=x", "-c", "user.email=x@example.org", *command)
    return project


def git(folder: Path, *arguments: str, text: bytes = b"") -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def now(project: Path) -> dict[str, str]:
    return {name: (project / name).read_bytes().decode() for name in CHANGED}


def test_git_applies_the_diff_of_all_files(repository: Path) -> None:
    diff = succeeded("--diff").stdout_bytes
    assert [line for line in diff.decode().splitlines() if line.startswith(("--- ", "+++ "))] == [
        f"{sign} {side}/{name}"
        for name in ("train.py", *sorted(CHANGED[:2], key=diff.decode().index))
        for sign, side in (("---", "a"), ("+++", "b"))
    ]
    wanted = texts(repository)
    git(repository, "apply", text=diff)
    assert now(repository) == wanted


def test_git_applies_the_diff_where_it_is_asked_for(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = texts(repository)
    monkeypatch.chdir(repository.parent)
    above = run("compile", "home/train.py", "--diff").stdout_bytes
    assert above.startswith(b"--- a/home/train.py\n")
    monkeypatch.chdir("/")
    away = run("compile", repository / "train.py", "--diff").stdout_bytes
    assert away.startswith(f"--- a{repository}/train.py\n".encode())
    monkeypatch.chdir(repository / "data")
    beside = run("compile", "../train.py", "--diff").stdout_bytes
    assert beside.startswith(b"--- a/train.py\n")
    git(repository, "apply", text=beside)
    assert now(repository) == wanted


@pytest.mark.parametrize("conversion", ["false", "true", "input"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_git_applies_the_diff_in_the_subfolder_where_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, conversion: str
) -> None:
    folder = tmp_path / "repository" / "experiments"
    folder.mkdir(parents=True)
    script = folder / "train.py"
    example = Path(__file__).parents[2] / "examples" / "pytorch" / "digits_cnn.py"
    script.write_bytes(example.read_bytes().replace(b"\n", end.encode()))
    for command in (["init", "-q"], ["config", "core.autocrlf", conversion], ["add", "."], ["commit", "-qm", "first"]):
        git(folder.parent, "-c", "user.name=x", "-c", "user.email=x@example.org", *command)
    script.unlink()
    git(folder, "checkout", "-q", "train.py")  # with the line ends that Git gives it
    wanted = compile(script)
    assert wanted.text is not None
    for above in (folder, folder.parent):
        monkeypatch.chdir(above)
        git(above, "apply", text=run("compile", script.relative_to(above), "--diff").stdout_bytes)
        assert script.read_bytes() == wanted.source.encode(wanted.text)
        git(folder, "checkout", "-q", "train.py")


@pytest.mark.parametrize("name", ["a b.py", 'quo"te.py', "back\\slash.py", "обучение.py", "line\nend.py"])
def test_git_applies_the_diff_of_any_name(repository: Path, name: str) -> None:
    wanted = texts(repository)["train.py"]
    (repository / "train.py").rename(repository / name)
    diff = run("compile", name, "--diff").stdout_bytes
    git(repository, "apply", text=diff)
    assert (repository / name).read_text() == wanted


def test_git_applies_the_diff_of_mixed_encodings_and_line_ends(repository: Path) -> None:
    text = (repository / "loaders.py").read_text().replace("\n", "\r\n").rstrip()
    (repository / "loaders.py").write_bytes(b"# -*- coding: latin-1 -*-\r\n# \xfc\r\n" + text.encode())
    (repository / "engine" / "loop.py").write_bytes(b"\xef\xbb\xbf" + (repository / "engine" / "loop.py").read_bytes())
    wanted = compile(repository / "train.py")
    git(repository, "apply", text=succeeded("--diff").stdout_bytes)
    assert all(module.source.path.read_bytes() == module.encode() for module in wanted.modules)


# ---------------------------------------------------------------------- in place


def test_in_place_all_files_are_changed(repository: Path) -> None:
    wanted, before = texts(repository), state(repository)
    result = succeeded("--in-place")
    assert now(repository) == wanted
    assert result.stderr.startswith("changed engine/loop.py, loaders.py, train.py\n")
    assert state(repository).keys() == before.keys()
    assert compile("train.py").plan.outcome.value == "already distributed"


def test_findings_are_shown_where_they_were_found(repository: Path) -> None:
    shown = succeeded("--diff").stderr
    changed = succeeded("--in-place").stderr.splitlines(keepends=True)
    assert "".join(changed[1:-1]) == shown
    assert changed[-1] == "start it: torchrun --nproc-per-node=2 train.py\n"


def test_in_place_one_file_is_changed(repository: Path) -> None:
    shutil.copy(ROOT / "examples" / "pytorch" / "digits_cnn.py", repository / "one.py")
    git(repository, "add", "one.py")
    git(repository, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "second")
    wanted = compile("one.py").text
    assert run("compile", "one.py", "--in-place").exit_code == 0
    assert (repository / "one.py").read_text() == wanted


@pytest.mark.parametrize("fault", ["changed", "staged", "untracked", "no repository"])
def test_in_place_needs_a_clean_work_tree(repository: Path, fault: str) -> None:
    if fault in ("changed", "staged"):
        (repository / "data" / "digits.csv").write_text("mine")
    if fault == "staged":
        git(repository, "add", "data")
    if fault == "untracked":
        git(repository, "rm", "-q", "--cached", "loaders.py")
        git(repository, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "second")
    if fault == "no repository":
        shutil.rmtree(repository / ".git")
    before = state(repository)
    result = run("compile", "train.py", "--in-place")
    assert result.exit_code == 2
    assert "Commit or stash first" in result.stderr
    assert state(repository) == before


def test_without_git_nothing_is_changed_in_place(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = run("compile", "train.py", "--in-place")
    assert (result.exit_code, "needs git" in result.stderr) == (2, True)


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_in_place_it_is_all_or_nothing(
    repository: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, at: int
) -> None:
    before, plain, calls = state(repository), Path.replace, list[Path]()

    def replace(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == at:
            raise error
        return plain(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    assert run("compile", "train.py", "--in-place").exit_code != 0
    assert state(repository) == before


# ---------------------------------------------------------------------- other forms


def test_json_has_the_texts_of_all_files(project: Path) -> None:
    told = json.loads(succeeded("--json").stdout)
    wanted = texts(project)
    assert told["text"] == wanted.pop("train.py")
    assert told["modules"] == {str(project / name): text for name, text in wanted.items()}
    assert {change.get("file", "") for change in told["changes"]} == {"", *told["modules"]}


def test_annotated_all_files_say_who_wrote_what(project: Path) -> None:
    succeeded("--annotate")
    made = {name: (project / "train_ddp" / name).read_text() for name in CHANGED}
    assert all("# corro: " in text for text in made.values())


def test_a_dry_run_lists_what_is_loaded_for_which_module(project: Path) -> None:
    result = run("run", "train.py", "-n", "2", "--dry-run")
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 1)
    listed = dict(line.split("in the place of ")[1].split(": ") for line in result.stderr.splitlines())
    assert {name: Path(text).read_text() for name, text in listed.items()} == {
        name: text for name, text in texts(project).items() if name != "train.py"
    }


def test_forms_exclude_each_other(project: Path) -> None:
    before = state(project)
    for options in (("--in-place", "--diff"), ("--in-place", "-o", "x"), ("--in-place", "--json")):
        result = run("compile", "train.py", *options)
        assert (result.exit_code, "exclude each other" in result.stderr) == (2, True)
    assert state(project) == before
