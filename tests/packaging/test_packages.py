"""The packages that are published: complete, nothing else in them, and at work under each Python that is here."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "corro"
OLDEST = 10
NEWEST = 13
SCRIPT = ROOT / "examples" / "pytorch" / "digits_cnn.py"

pytestmark = [
    pytest.mark.slow,  # no training, but minutes of installing
    pytest.mark.anew,  # from the package index, as it is today
]


@dataclass(frozen=True)
class Packages:
    """What was built."""

    wheel: Path
    source: Path


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pythons() -> dict[str, Path]:
    """The interpreters of this machine, by their version: on the path, or beside each other as pyenv keeps them."""
    found = {f"3.{sys.version_info.minor}": Path(sys.executable)}
    for minor in range(OLDEST, NEWEST + 1):
        on_path = shutil.which(f"python3.{minor}")
        kept = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3.{minor}"))
        for each in (*kept, *([Path(on_path)] if on_path else [])):
            works = subprocess.run([each, "-c", "import venv, ensurepip"], capture_output=True, check=False)
            if works.returncode == 0:
                found.setdefault(f"3.{minor}", each)
    return found


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    folder = tmp_path_factory.mktemp("packages")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)  # the wheel from the source package
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Packages(wheel, source)


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_index_would_take_them(packages: Packages) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", packages.wheel, packages.source)


def test_the_wheel_has_all_files_of_the_package_and_no_others(packages: Packages) -> None:
    files = (path for path in SOURCES.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    wanted = {path.relative_to(SOURCES.parent).as_posix() for path in files}
    found = {name for name in names(packages.wheel) if ".dist-info/" not in name}
    assert found == wanted
    assert {"corro/py.typed", "corro/launch/drivers/_corro_program.py"} <= found


def test_the_source_package_can_be_tested(packages: Packages) -> None:
    with tarfile.open(packages.source) as archive:
        parts = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert {"src", "tests", "examples", "docs", "pyproject.toml", "LICENSE", "README.md"} <= parts


@pytest.mark.parametrize("version", sorted(pythons()))
def test_it_works_where_no_framework_is_installed(version: str, packages: Packages, tmp_path: Path) -> None:
    run(pythons()[version], "-m", "venv", tmp_path / "venv")
    inside = tmp_path / "venv" / "bin"
    run(inside / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", packages.wheel)
    assert "corro COMMAND" in run(inside / "corro", "--help")
    run(inside / "corro", "compile", SCRIPT, "-o", tmp_path / "program.py")
    own = tmp_path / "own.py"
    run(sys.executable, "-m", "corro", "compile", SCRIPT, "-o", own)
    assert (tmp_path / "program.py").read_text() == own.read_text()
    assert "85,066 parameters" in run(inside / "corro", "estimate", SCRIPT)


def test_all_sources_are_written_for_the_oldest_python() -> None:
    for path in sorted(SOURCES.rglob("*.py")):
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, OLDEST))
