"""Project modules that were written anew: what a program that imports them sees, and what is left behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corro.launch import Task, alone, generated_modules, write_program

if TYPE_CHECKING:
    from unit.launch.conftest import Program

THEIRS = "SAID = 'the original'\n"
OURS = """\
SAID = 'the generated'


class Net:
    pass


def say(*_):
    return SAID


def fail():
    raise ValueError(SAID)
"""
SHOW = "print({0}.SAID, {0}.__name__, {0}.__file__, {0}.say.__code__.co_filename, sep='|')"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRO_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The user's project."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def written(home: Path, entry: str, modules: Mapping[str, str]) -> Path:
    """A program, and what is loaded in the place of modules of the project, by their paths in it."""
    for name in modules:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(THEIRS)
    (home / "train.py").write_text("raise SystemExit('the original was run')")
    texts = {home / name: text.encode() for name, text in modules.items()}
    return write_program(textwrap.dedent(entry).encode(), home / "train.py", "ddp", texts)


def ran(program: Path, home: Path, script: str = "train.py") -> subprocess.CompletedProcess[str]:
    command = alone(Task(program, script, (), 1)).command
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, cwd=home, env=kept, capture_output=True, text=True, timeout=120, check=False)


def said(program: Path, home: Path, script: str = "train.py") -> list[str]:
    done = ran(program, home, script)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("module", "file"),
    [("loaders", "loaders.py"), ("engine", "engine/__init__.py"), ("spaces.of.names", "spaces/of/names.py")],
)
def test_the_generated_text_is_loaded_for_the_users_file(home: Path, module: str, file: str) -> None:
    program = written(home, f"import {module}\n{SHOW.format(module)}", {file: OURS})
    (text,) = generated_modules(program)
    assert text.read_text() == OURS
    assert said(program, home) == [f"the generated|{module}|{home / file}|{text}"]


def test_relative_imports_and_modules_that_stay(home: Path) -> None:
    files = {
        "engine/__init__.py": "from .loop import SAID, again\n",
        "engine/loop.py": "from .same import SAID\nagain = SAID",
    }
    program = written(home, "from engine import SAID, again\nprint(SAID, again)", files)
    (home / "engine" / "same.py").write_text("SAID = 'as it was'")
    assert said(program, home) == ["as it was as it was"]
    assert [path.name[:5] for path in (home / "engine" / "__pycache__").iterdir()] == ["same."]


def test_a_folder_that_the_program_puts_on_the_path(home: Path) -> None:
    program = written(
        home, f"import sys\nsys.path.insert(0, 'src')\nimport net\n{SHOW.format('net')}", {"src/net.py": OURS}
    )
    assert said(program, home)[0].startswith("the generated|net|")


def test_a_module_above_the_script(home: Path) -> None:
    (home / "scripts").mkdir()
    (home / "lib.py").write_text(THEIRS)
    entry = f"import sys, os\nsys.path.insert(0, os.path.dirname(sys.path[0]))\nimport lib\n{SHOW.format('lib')}"
    program = write_program(entry.encode(), home / "scripts" / "train.py", "ddp", {home / "lib.py": OURS.encode()})
    (home / "scripts" / "train.py").touch()
    assert said(program, home, "scripts/train.py")[0].startswith(f"the generated|lib|{home / 'lib.py'}|")


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_a_module_of_a_package_is_started_as_such(home: Path, method: str) -> None:
    entry = f"""
        import multiprocessing
        from . import net
        from ..other import SAID

        if __name__ == "__main__":
            print(__package__, net.__name__, SAID)
            with multiprocessing.get_context("{method}").Pool(1) as pool:
                print(*pool.map(net.say, [0]))
    """
    texts = {home / "a" / "b" / "net.py": OURS.encode()}
    (home / "a" / "b").mkdir(parents=True)
    for name in ("__init__.py", "b/__init__.py", "b/net.py", "b/train.py"):
        (home / "a" / name).touch()
    (home / "a" / "__init__.py").write_text("print('imported first')")
    (home / "a" / "other.py").write_text(THEIRS)
    program = write_program(textwrap.dedent(entry).encode(), home / "a" / "b" / "train.py", "ddp", texts)
    task = Task(program, "a/b/train.py", (), 1, "a.b")
    launch = alone(task)
    kept = {**os.environ, **launch.environment}
    done = subprocess.run(launch.command, cwd=home, env=kept, capture_output=True, text=True, timeout=120, check=False)
    lines = [line for line in done.stdout.splitlines() if line != "imported first"]
    assert (done.stderr, done.stdout.splitlines()[0]) == ("", "imported first")
    assert lines == ["a.b a.b.net the original", "the generated"]


def test_links_lead_to_the_same_file(home: Path, tmp_path: Path) -> None:
    program = written(home, f"import engine.loop\n{SHOW.format('engine.loop')}", {"engine/loop.py": OURS})
    shutil.move(home / "engine", tmp_path / "elsewhere")
    (home / "engine").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "link").symlink_to(home)
    (line,) = said(program, tmp_path / "link")
    assert line.startswith("the generated|engine.loop|")


def test_another_file_of_the_same_name_is_another_module(home: Path) -> None:
    program = written(home, "import net, other.net\nprint(net.SAID, other.net.SAID)", {"net.py": OURS})
    (home / "other").mkdir()
    (home / "other" / "net.py").write_text(THEIRS)
    assert said(program, home) == ["the generated the original"]


def test_it_is_imported_again_and_by_its_path(home: Path) -> None:
    entry = """
        import importlib, importlib.util, runpy
        import net
        importlib.reload(net)
        spec = importlib.util.spec_from_file_location("by_path", "net.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        print(net.SAID, module.SAID)
    """
    assert said(written(home, entry, {"net.py": OURS}), home) == ["the generated the generated"]


def test_no_bytecode_is_read_or_left(home: Path) -> None:
    program = written(home, "import net\nprint(net.SAID)", {"net.py": OURS})
    subprocess.run(
        ["python", "-c", "import net"], cwd=home, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    )
    before = {path: path.read_bytes() for path in (home / "__pycache__").iterdir()}
    assert len(before) == 1
    assert said(program, home) == ["the generated"]
    assert {path: path.read_bytes() for path in (home / "__pycache__").iterdir()} == before
    assert subprocess.check_output(["python", "-c", "import net; print(net.SAID)"], cwd=home) == b"the original\n"


def test_tracebacks_and_inspect_show_the_generated_text(home: Path) -> None:
    entry = """
        import inspect, pickle
        import net
        print(inspect.getsource(net.say).splitlines()[1].strip())
        print(pickle.loads(pickle.dumps(net.Net())).__class__ is net.Net, net.Net.__module__)
        net.fail()
    """
    program = written(home, entry, {"net.py": OURS})
    (text,) = generated_modules(program)
    done = ran(program, home)
    assert done.stdout.splitlines() == ["return SAID", "True net"]
    places = re.findall(r'File "(.*)", line (\d+), in (.*)\n +(.*)\n', done.stderr)
    assert [place[2:] for place in places] == [("<module>", "net.fail()"), ("fail", "raise ValueError(SAID)")]
    assert places[1][:2] == (str(text), "13")


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_started_processes_import_it_too(home: Path, method: str) -> None:
    entry = f"""
        import multiprocessing
        import net

        if __name__ == "__main__":
            with multiprocessing.get_context("{method}").Pool(1) as pool:
                print(*pool.map(net.say, [0]))
    """
    assert said(written(home, entry, {"net.py": OURS}), home) == ["the generated"]


def test_the_encoding_and_the_line_ends_are_those_of_the_module(home: Path) -> None:
    (home / "train.py").touch()
    (home / "net.py").touch()
    content = b"# -*- coding: latin-1 -*-\r\nSAID = '\xfc'\r\n"
    program = write_program(b"import net\nprint(ascii(net.SAID))", home / "train.py", "ddp", {home / "net.py": content})
    assert next(iter(generated_modules(program))).read_bytes() == content
    assert said(program, home) == ["'\\xfc'"]


def test_the_place_depends_on_all_texts(home: Path) -> None:
    first, again, other = (written(home, "import net", {"net.py": text}) for text in (OURS, OURS, THEIRS))
    assert first == again != other
    assert written(home, "import net", {}).parent != first.parent
    assert generated_modules(written(home, "import net", {})) == {}


def test_under_the_launchers_of_several_processes(program: Program) -> None:
    (program.folder / "net.py").write_text(THEIRS)
    program.write("import net\nprint(net.say())")
    text = program.generated.with_name("net.generated.py")
    text.write_text(OURS)
    program.generated.with_name(f"{program.generated.name}.modules").write_text(f'{{"net.py": "{text.name}"}}')
    done = subprocess.run(program.command(2), cwd=program.folder, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("the generated\n" * 2, "", 0)
