"""What is remembered of tests that passed: it is said of the same thing only, and never of what did not pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dependencies import CORRO, ROOT, TESTS, beside, closure, key
from remembered import Memory

CONFIGURATION = """\
[tool.pytest.ini_options]
pythonpath = ["tests"]
markers = ["slow"]
filterwarnings = ["error"]
"""
CONFTEST = """\
import pytest
pytest_plugins = ["remembered"]

@pytest.fixture
def made():
    print("made")
"""
SEAM = """\
from pathlib import Path
from harness import judged
ROOT = Path(__file__).parents[1]

def test_seam(known):
    if known((ROOT / "program.txt").read_text(), using=[ROOT / "tests" / "harness.py"]):
        return
    with open(ROOT.parent / "ran", "a") as file:
        file.write("seam ")
    assert judged()
"""
WHOLE = """\
from pathlib import Path
import pytest
from harness import judged
ROOT = Path(__file__).parents[1]

@pytest.mark.slow
def test_whole(made):
    with open(ROOT.parent / "ran", "a") as file:
        file.write("whole ")
    assert judged()
"""
PASSES = "def judged():\n    return True\n"
FAILS = "def judged():\n    return not 1\n"
ENDS_BADLY = 'import pytest\n\n@pytest.fixture(autouse=True)\ndef ends():\n    yield\n    pytest.fail("at the end")\n'


class Repository:
    """One with tests of its own, that remember as those of this one do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "repository"
        for name in ("src", "examples", "tests"):
            (self.folder / name).mkdir(parents=True)
        for name in ("dependencies.py", "remembered.py"):
            shutil.copy(TESTS / name, self.folder / "tests")
        self.write("pyproject.toml", CONFIGURATION)
        self.write("tests/conftest.py", CONFTEST)
        self.write("tests/harness.py", PASSES)
        self.write("tests/test_seam.py", SEAM)
        self.write("tests/test_whole.py", WHOLE)
        (self.folder / "src" / "corro").mkdir()
        self.write("src/corro/__init__.py", "")
        self.write("src/a.py", "x = 1\n")
        self.write("program.txt", "a program")

    def write(self, name: str, text: str) -> None:
        """A file, as if it had been written before the tests that follow began."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1e9, 1e9))

    def run(self, *options: str, **environment: str) -> set[str]:
        """Which tests were not remembered."""
        ran = self.folder.parent / "ran"
        ran.unlink(missing_ok=True)
        command = [sys.executable, "-B", "-m", "pytest", "-q", *options]
        told = {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **environment,
        }
        done = subprocess.run(command, cwd=self.folder, env=told, capture_output=True, text=True, check=False)
        self.said = done.stdout + done.stderr
        return set(ran.read_text(encoding="utf-8").split()) if ran.exists() else set()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_what_passed_is_not_run_again_and_this_is_said(repository: Repository) -> None:
    assert repository.run("-p", "xdist", "-n", "2") == {"seam", "whole"}
    assert "passed before" not in repository.said
    assert repository.run("-p", "xdist", "-n", "2") == set()
    assert "2 passed" in repository.said
    assert "2 tests passed before with all that they depend on; --anew runs them" in repository.said
    assert repository.run("--anew") == {"seam", "whole"}
    assert repository.run() == set()


CHANGES = [
    ("program.txt", "another program", {"seam"}),
    ("src/a.py", "x = 2\n", {"whole"}),
    ("src/b.py", "", {"whole"}),
    ("tests/harness.py", f"{PASSES}\n", {"seam", "whole"}),
]


def test_what_depends_on_something_else_now_is_run(repository: Repository) -> None:
    repository.run()
    for name, text, runs in CHANGES:
        repository.write(name, text)
        assert repository.run() == runs, name
    assert repository.run() == set()


def test_other_versions_and_settings_are_something_else(repository: Repository, tmp_path: Path) -> None:
    repository.run()
    assert repository.run(OMP_NUM_THREADS="7") == {"seam", "whole"}
    (tmp_path / "added" / "torch_of_tests-2.0.dist-info").mkdir(parents=True)
    (tmp_path / "added" / "torch_of_tests-2.0.dist-info" / "METADATA").write_text(
        "Name: torch-of-tests\nVersion: 2.0\n"
    )
    path = os.pathsep.join([str(tmp_path / "added"), str(repository.folder / "src")])
    assert repository.run(PYTHONPATH=path) == {"seam", "whole"}
    assert repository.run(PYTHONPATH=path) == set()


def test_what_runs_another_copy_of_the_source_is_not_remembered(repository: Repository) -> None:
    assert repository.run(PYTHONPATH="") == repository.run(PYTHONPATH="") == {"seam", "whole"}
    assert repository.run(PYTHONPATH="src") == {"seam", "whole"}
    assert repository.run(PYTHONPATH="src") == {"whole"}  # commands in other folders find another one


def test_what_fails_is_not_remembered(repository: Repository) -> None:
    repository.write("tests/harness.py", FAILS)
    assert repository.run() == repository.run() == {"seam", "whole"}
    repository.write("tests/harness.py", PASSES)
    repository.write("tests/conftest.py", CONFTEST + ENDS_BADLY)
    assert repository.run() == repository.run() == {"seam", "whole"}


def test_what_is_changed_meanwhile_is_not_remembered(repository: Repository) -> None:
    for path in (repository.folder / "tests" / "harness.py", repository.folder / "src" / "a.py"):
        os.utime(path, (4e9, 4e9))
    assert repository.run() == repository.run() == {"seam", "whole"}


def test_what_reads_more_than_it_says_is_run_each_time(repository: Repository) -> None:
    reading = WHOLE.replace('"whole "', '(ROOT / "program.txt").read_text() and "whole "')
    repository.write("tests/test_whole.py", reading)
    repository.run()
    assert repository.run() == {"whole"}
    assert "run each time" in repository.said
    assert "tests/test_whole.py: program.txt" in repository.said
    repository.write("tests/test_whole.py", reading.replace("@pytest", '@pytest.mark.reads("program.txt")\n@pytest'))
    repository.run()
    assert repository.run() == set()
    repository.write("tests/test_whole.py", WHOLE.replace("@pytest", "@pytest.mark.anew\n@pytest"))
    assert repository.run() == repository.run() == {"whole"}


def test_many_may_write_at_a_time(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    of, what = key(["a"]), "text " * 100_000
    with ThreadPoolExecutor(8) as pool:
        written = [pool.submit(memory.keep, of, what) for _ in range(40)]
        seen = {memory.said(of) for _ in range(200)}
        assert [each.result() for each in written] == [None] * 40
    assert seen <= {None, what}
    assert [path.name for path in tmp_path.iterdir()] == [of]
    assert Memory(tmp_path, anew=True).said(of) is None
    assert Memory(None).said(of) is None


def test_old_keys_are_forgotten(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    for of in ("old", "asked for", "new"):
        memory.keep(of, "")
    for of in ("old", "asked for"):
        os.utime(tmp_path / of, (1e9, 1e9))
    memory.said("asked for")
    memory.forget_old()
    assert {path.name for path in tmp_path.iterdir()} == {"asked for", "new"}


def test_imports_are_followed_as_they_run() -> None:
    found = set(closure(CORRO / "verify" / "runs.py"))
    assert {CORRO / "__init__.py", CORRO / "verify" / "__init__.py", CORRO / "errors.py"} <= found
    assert CORRO / "compiler.py" not in found  # a function of a package that is only passed on the way imports it
    assert CORRO / "compiler.py" in closure(CORRO / "verify" / "observed.py")
    assert CORRO / "compiler.py" not in closure(
        CORRO / "verify" / "observed.py", without=frozenset({CORRO / "compiler.py"})
    )
    assert TESTS / "waiting.py" in closure(ROOT / "tests" / "unit" / "launch" / "test_scripts.py")


def test_what_lies_beside_a_test_is_its_own() -> None:
    found = set(beside(TESTS / "unit" / "launch" / "test_scripts.py"))
    assert {TESTS / "unit" / "launch" / name for name in ("scripts", "start.py", "conftest.py")} <= found
    assert not [path for path in found if path.match("test_*.py") and path.name != "test_scripts.py"]
