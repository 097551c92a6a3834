"""What a test depends on, as texts and as one hash of them: files of the repository, packages, the interpreter.

Of modules that run, those that they import are found by reading them (``closure``). What a test has made before
something runs, such as a converted program, goes into its key itself, in the place of what made it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distributions, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
SOURCE = ROOT / "src"
CORRO = SOURCE / "corro"
PATHS = (SOURCE, TESTS, TESTS / "parity", TESTS / "mutations")
"""Where modules of the repository are imported from: ``pythonpath`` in ``pyproject.toml``, and the package's."""

LEFT_OUT = {".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".venv", ".venv-keras"}
LEFT_OUT |= {"node_modules"}
"""What tools leave, and what is installed, which ``package-lock.json`` has by its versions."""

MADE_WITH = frozenset({CORRO / "compiler.py", CORRO / "verify" / "__init__.py", TESTS / "parity" / "cases.py"})
"""They make what is run, or say what it is; a test that leaves them out of its files has what they made in its key."""

REMEMBERING = frozenset({TESTS / "dependencies.py", TESTS / "remembered.py"})
"""They make keys, and no difference to what comes of a test."""

_SETTINGS = ("CORRO_", "CUDA_", "HOROVOD_", "JAX_", "KERAS_", "OMP_", "TF_", "TORCH", "XLA_")
_NO_SETTINGS = {"CORRO_CACHE", "CORRO_TESTS_STARTED"}


def key(parts: Iterable[str]) -> str:
    """One hash of texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()


def text(path: Path) -> str:
    """What a file says, whatever its encoding."""
    return path.read_bytes().decode("utf-8", "backslashreplace")


def contents(*paths: Path, root: Path = ROOT) -> Iterator[str]:
    """Names and texts of files, and of those in folders."""
    for path in files(*paths):
        yield f"{path.relative_to(root)}\n{text(path)}"


def digests(*paths: Path, root: Path = ROOT) -> Iterator[str]:
    """The same as hashes, each of which is kept until the file is changed."""
    for path in files(*paths):
        found = path.stat()
        yield f"{path.relative_to(root)} {_digest(path, found.st_mtime_ns, found.st_size)}"


@cache
def _digest(path: Path, *_: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files(*paths: Path) -> list[Path]:
    """Files, and all in folders, in one order: without what tools leave there."""
    return sorted({each for path in paths for each in (_below(path) if path.is_dir() else [path])})


def _below(folder: Path) -> Iterator[Path]:
    for home, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        yield from (Path(home, name) for name in names)


def beside(module: Path) -> Iterator[Path]:
    """Files and folders beside a test module, with itself: no other tests, and no folders of tests."""
    for path in sorted(module.parent.iterdir()):
        if path.is_dir():
            if path.name not in LEFT_OUT and not any(path.rglob("test_*.py")):
                yield path
        elif path == module or not path.match("test_*.py"):
            yield path


@cache
def closure(*roots: Path, without: frozenset[Path] = frozenset()) -> tuple[Path, ...]:
    """Modules of the repository, and those that they import, at once or when a function runs.

    Of a package that is only passed on the way to a module in it, that counts which runs as it is imported. What is
    imported for types alone does not. ``without`` are modules that are neither taken nor followed.
    """
    found: dict[Path, bool] = {}  # whether its functions count
    left = [(root, True) for root in roots]
    while left:
        path, whole = left.pop()
        if path in without or (found.get(path, not whole) >= whole and path in found):
            continue
        found[path] = whole
        left += _followed(path, whole)
    return tuple(sorted(found))


@cache
def _followed(path: Path, whole: bool) -> tuple[tuple[Path, bool], ...]:
    """The files that a module imports, each with whether all of it counts."""
    found = []
    for name in _imported(ast.parse(text(path)), whole):
        above = name.split(".")
        found += [(file, False) for n in range(1, len(above)) if (file := module_file(".".join(above[:n])))]
        if file := module_file(name):
            found.append((file, True))
    return tuple(found)


def _imported(node: ast.AST, whole: bool) -> Iterator[str]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.If) and isinstance(each.test, ast.Name) and each.test.id == "TYPE_CHECKING":
            continue
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and not whole:
            continue
        if isinstance(each, ast.ImportFrom) and not each.level and each.module:
            modules = [name for alias in each.names if module_file(name := f"{each.module}.{alias.name}")]
            yield from modules if len(modules) == len(each.names) else (each.module, *modules)
        elif isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)
        yield from _imported(each, whole)


@cache
def module_file(module: str) -> Path | None:
    """The file of a module of the repository."""
    places = (path / module.replace(".", "/") for path in PATHS)
    found = (each for place in places for each in (place.with_suffix(".py"), place / "__init__.py"))
    return next((each for each in found if each.exists()), None)


@cache
def package_version(module: str) -> str:
    """The packages that have a module, and their versions."""
    return ", ".join(f"{each} {version(each)}" for each in sorted(set(packages_distributions().get(module, ()))))


@cache
def imports_this_source() -> bool:
    """Whether this process, and those that it forks, have what lies in ``src`` here."""
    found = find_spec("corro")
    return found is not None and found.origin == str(CORRO / "__init__.py")


@cache
def runs_this_source() -> bool:
    """Whether commands run what lies in ``src`` here, and not another copy that is installed."""
    if str(SOURCE) in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        return True
    try:
        told = Distribution.from_name("corro").read_text("direct_url.json")
    except PackageNotFoundError:
        return False
    return told is not None and json.loads(told)["url"] == ROOT.as_uri()


@cache
def environment() -> tuple[str, ...]:
    """The interpreter, all installed packages, and what variables say about training."""
    packages = sorted({f"{each.metadata['Name']} {each.version}" for each in distributions()})
    said = (f"{name}={value}" for name, value in sorted(os.environ.items()) if name not in _NO_SETTINGS)
    return (sys.version, platform.platform(), *packages, *(each for each in said if each.startswith(_SETTINGS)))
