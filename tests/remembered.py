"""Tests that train are not run again where all that they depend on is as it was when they passed.

A plugin of pytest, loaded by ``conftest.py``. What passed is kept on this machine, in pytest's own cache: a machine
that has none, as that of a continuous integration, runs everything; ``--anew`` does so anywhere. Nothing is kept of a
test that fails, is skipped, or whose files are changed while it runs.

A test says what it depends on with the fixture ``known``, after it has made what it would run: converting is always
done anew, and a program that is the same text as before is not trained again. A test marked ``slow`` that does not is
taken as a whole, with all of ``src`` and ``examples``, what its module imports, the files beside it, and those named
by ``@pytest.mark.reads``. If this process opens other files of the repository for it, or hands them to a command, it
is run each time, and the end of the tests says so. ``@pytest.mark.anew`` is for tests of the machine or the network.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest

from dependencies import (
    LEFT_OUT,
    REMEMBERING,
    ROOT,
    SOURCE,
    beside,
    closure,
    digests,
    environment,
    files,
    imports_this_source,
    key,
    runs_this_source,
)

EVERYWHERE = (SOURCE, ROOT / "examples", ROOT / "pyproject.toml")
"""What a test that is taken as a whole may always read."""

FORGOTTEN_SECONDS = 30 * 24 * 60 * 60.0
REMEMBERED, EACH_TIME = "remembered", "run each time"
_IMPORTING = "<frozen importlib._bootstrap_external>"
"""What modules import is found otherwise."""

_PATH = re.compile(re.escape(str(ROOT)) + r"(?:/[^\s'\"`:;,()\[\]{}<>|&$*?\\]*)?")


@dataclass
class Memory:
    """Keys of what passed: a folder with a file for each.

    Args:
        folder: of the keys; ``None`` remembers nothing.
        anew: whether all is run, whatever is remembered.
    """

    folder: Path | None
    anew: bool = False
    began: float = field(default_factory=time.time)

    def said(self, of: str) -> str | None:
        """What was kept with a key."""
        if self.folder is None or self.anew:
            return None
        try:
            os.utime(self.folder / of)
            return (self.folder / of).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def keep(self, of: str, what: str) -> None:
        """Keep a key; others see the file whole or not at all."""
        if self.folder is not None:
            scratch = self.folder / f".{of}.{os.getpid()}.{get_ident()}"
            scratch.write_text(what, encoding="utf-8")
            scratch.replace(self.folder / of)

    def unchanged(self, paths: Sequence[Path]) -> bool:
        """Whether files are as they were when this process began and imported some of them."""
        return all(path.exists() and path.stat().st_mtime < self.began for path in paths)

    def forget_old(self) -> None:
        """Remove what nothing has asked for in a long time."""
        for path in self.folder.iterdir() if self.folder is not None else ():
            if path.stat().st_mtime < self.began - FORGOTTEN_SECONDS:
                path.unlink(missing_ok=True)


@dataclass
class Known:
    """The fixture of one test: whether it passed before with the same things.

    Args:
        item: the test.
        memory: of all tests.
        is_whole: whether the test does not say itself what it depends on.
        keys: what it has asked for.
        files: what these stand for, beside texts.
    """

    item: pytest.Item
    memory: Memory
    is_whole: bool = False
    keys: list[str] = field(default_factory=list)
    files: set[Path] = field(default_factory=set)

    def __call__(self, *parts: str, using: Sequence[Path] = ()) -> bool:
        """Whether it is known what comes of these texts, and of these files; if not, it is once the test has passed."""
        if not imports_this_source():
            return False
        of = key([self.item.nodeid, *environment(), *digests(*using), *parts])
        self.keys.append(of)
        self.files.update(files(*using))
        if self.memory.said(of) is None:
            return False
        self.item.user_properties.append((REMEMBERED, self.item.nodeid))
        return True

    @property
    def module(self) -> Path:
        """The file of the test."""
        return self.item.path

    def whole(self, *parts: str) -> bool:
        """The same, of a test that may use all of Corro, with the commands that are installed."""
        return runs_this_source() and self(*parts, using=used(self.item))

    def keep(self) -> None:
        """The test has passed."""
        if self.memory.unchanged(sorted(self.files)):
            for each in self.keys:
                self.memory.keep(each, self.item.nodeid)


def used(item: pytest.Item) -> list[Path]:
    """All files that a test taken as a whole may read."""
    with _READS.paused():
        return [*EVERYWHERE, *of_module(item.path), *_named(item)]


def _named(item: pytest.Item) -> Iterator[Path]:
    return (ROOT / path for mark in item.iter_markers("reads") for path in mark.args)


@cache
def of_module(module: Path) -> tuple[Path, ...]:
    """What belongs to a test module: files beside it, conftests above it, and what all these import."""
    conftests = (above / "conftest.py" for above in module.parents if above.is_relative_to(ROOT))
    own = [*beside(module), *(path for path in conftests if path.exists())]
    return (*own, *closure(*(path for path in own if path.suffix == ".py"), without=REMEMBERING))


class Reads:
    """Files of the repository that this process opens, lists or hands to commands, by the test module they are for."""

    def __init__(self) -> None:
        self.module: Path | None = None
        self.found: dict[Path, set[Path]] = {}
        sys.addaudithook(self._heard)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count what is read meanwhile."""
        module, self.module = self.module, None
        try:
            yield
        finally:
            self.module = module

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.module is None:
            return
        if event in ("open", "os.listdir", "os.scandir"):
            path = arguments[0]
            if isinstance(path, (str, os.PathLike)) and sys._getframe(1).f_code.co_filename != _IMPORTING:
                absolute = os.path.abspath(path)  # noqa: PTH100 - links are not resolved
                if absolute == os.fspath(path) or os.path.lexists(absolute):  # a name in a folder that is open is short
                    self._add(absolute)
        elif event == "subprocess.Popen":
            _, command, folder, _ = arguments
            words = [command] if isinstance(command, (str, bytes, os.PathLike)) else [*command, folder or ""]
            for word in words:
                for path in _PATH.findall(os.fsdecode(word)):
                    self._add(path)

    def _add(self, path: str) -> None:
        below = path.startswith(f"{ROOT}/") or path == str(ROOT)
        if below and self.module is not None and LEFT_OUT.isdisjoint(Path(path).parts):
            self.found.setdefault(self.module, set()).add(Path(path))

    def undeclared(self, item: pytest.Item) -> list[Path]:
        """Those of a test's module that the test does not depend on as far as it says."""
        declared = used(item)
        found = self.found.get(item.path, set()) - {item.path.parent}  # listed: what is beside the test is declared
        return sorted(path for path in found if not any(path.is_relative_to(each) for each in declared))


_MEMORY = pytest.StashKey[Memory]()
_KNOWN = pytest.StashKey[Known]()
_PASSED = pytest.StashKey[bool]()
_SKIPS = pytest.StashKey[bool]()
_READS = Reads()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--anew``: run also what passed before with all that it depends on as it is."""
    parser.addoption("--anew", action="store_true", help="train again what is remembered from earlier runs")


def pytest_configure(config: pytest.Config) -> None:
    """Memory, and what of the environment goes into keys, before a test changes that."""
    config.addinivalue_line("markers", "anew: depends on what no key can have; it is run each time")
    config.addinivalue_line("markers", "reads(paths): other files of the repository that a test depends on")
    environment()
    imports_this_source()
    runs_this_source()
    cache = getattr(config, "cache", None)
    config.stash[_MEMORY] = Memory(cache and cache.mkdir("remembered"), config.getoption("anew"))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Importing a test module reads files for it."""
    _READS.module = collector.path if isinstance(collector, pytest.Module) else None
    try:
        return (yield)
    finally:
        _READS.module = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What a test reads is for its module: fixtures that are shared may read it for another test."""
    _READS.module = item.path
    try:
        return (yield)
    finally:
        _READS.module = None


@pytest.fixture
def known(request: pytest.FixtureRequest) -> Known:
    """Whether a test passed before with the same things; see ``Known``."""
    made = request.node.stash[_KNOWN] = Known(request.node, request.config.stash[_MEMORY])
    return made


@pytest.hookimpl(tryfirst=True)  # before its fixtures are made
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that is remembered as a whole needs neither its fixtures nor its function."""
    fixtures: Sequence[str] = getattr(item, "fixturenames", ())
    if not item.get_closest_marker("slow") or item.get_closest_marker("anew") or "known" in fixtures:
        return
    known = item.stash[_KNOWN] = Known(item, item.config.stash[_MEMORY], is_whole=True)
    if known.whole():
        item.stash[_SKIPS] = True
        item.fixturenames = []  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Leave out what is remembered."""
    return pyfuncitem.stash.get(_SKIPS, False) or None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep a test once all of it has passed, its fixtures' ends too."""
    report = yield
    item.stash[_PASSED] = report.passed and (call.when == "setup" or item.stash.get(_PASSED, False))
    known = item.stash.get(_KNOWN, None)
    if call.when == "teardown" and item.stash[_PASSED] and known is not None:
        unknown = _READS.undeclared(item) if known.is_whole and _SKIPS not in item.stash else []
        if unknown:
            names = ", ".join(path.relative_to(ROOT).as_posix() for path in unknown[:3])
            report.user_properties.append((EACH_TIME, f"{item.path.relative_to(ROOT)}: {names}"))
        else:
            known.keep()
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How many tests were not run, and why others were."""
    reports = [each for those in terminalreporter.stats.values() for each in those if hasattr(each, "user_properties")]
    said = [each for report in reports for each in report.user_properties if report.when in ("call", "teardown")]
    tests = {what for name, what in said if name == REMEMBERED}
    if tests:
        terminalreporter.write_line(f"{len(tests)} tests passed before with all that they depend on; --anew runs them")
    for what in sorted({what for name, what in said if name == EACH_TIME}):
        terminalreporter.write_line(f"run each time, as it reads what it does not say (@pytest.mark.reads): {what}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Forget, in one of the processes."""
    if not hasattr(session.config, "workerinput"):
        session.config.stash[_MEMORY].forget_old()
