"""The program of a project: a folder with the files that were changed, and links to all others of the project."""

from __future__ import annotations

import ast
import errno
import os
import shlex
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from corro import targets
from corro.cli._files import cannot_be_written
from corro.cli._start import launcher
from corro.compiler import program_of
from corro.errors import CompilationError, UsageError
from corro.writing import scratch_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.compiler import Output
    from corro.errors import Place
    from corro.program import Program

_LEFT_OUT = frozenset({".git", ".hg", ".svn", "__pycache__"})
_ENVIRONMENTS = ("pyvenv.cfg", "conda-meta")
"""What folders of Python environments have in them."""

_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP}
"""What file systems without links say."""


@dataclass(frozen=True)
class Tree:
    """A folder to be written.

    Args:
        root: the project's folder.
        where: the folder.
        files: the files that are written anew, as seen from both folders.
        others: the names of folders in which earlier programs of the script may lie.
    """

    root: Path
    where: Path
    files: Mapping[Path, bytes]
    others: frozenset[str]

    def write(self, *, force: bool) -> bool:
        """Write it as a whole; whether that was needed.

        Raises:
            UsageError: it would replace what Corro did not write, or another program without ``force``, or cannot be
                written.
        """
        try:
            if os.path.lexists(self.where) and not self._may_replace(force=force):
                return False
            self._write()
        except OSError as error:
            raise cannot_be_written(self.where, error) from error
        return True

    def _write(self) -> None:
        scratch = scratch_of(self.where)
        try:
            self._fill(scratch)
            self._put(scratch)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise

    @cached_property
    def links(self) -> Mapping[Path, str]:
        """The places of links, with what they lead to: relative where the folder lies in the project or beside it."""
        near = self.where.parent == self.root.parent or self.where.is_relative_to(self.root)
        return {
            place: os.path.relpath(self.root / place, (self.where / place).parent) if near else str(self.root / place)
            for place in self._unchanged(Path())
        }

    def _unchanged(self, folder: Path) -> Iterator[Path]:
        """What is linked as it is: whole folders where nothing in them is changed."""
        with os.scandir(self.root / folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            place = folder / entry.name
            if any(place in each.parents for each in (*self.files, self._inside)):
                yield from self._unchanged(place)
            elif place not in self.files and not self._is_left_out(entry):
                yield place

    def _is_left_out(self, entry: os.DirEntry[str]) -> bool:
        """Whether an entry is no part of the project: what tools keep there, or a program that was written before."""
        path = Path(entry.path)
        environment = entry.is_dir() and any((path / name).exists() for name in _ENVIRONMENTS)
        own = path == self.where or (entry.name in self.others and entry.is_dir())
        return entry.name in _LEFT_OUT or environment or own or entry.name.startswith(f".{self.where.name}.")

    @property
    def _inside(self) -> Path:
        """The folder to be written as seen from the project, where it lies in it."""
        return self.where.relative_to(self.root) if self.where.is_relative_to(self.root) else Path()

    # ------------------------------------------------------------------ writing

    def _fill(self, folder: Path) -> None:
        folder.mkdir()
        for place, target in self.links.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            _link(folder / place, target, self.root / place)
        for place, content in self.files.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_bytes(content)
            (folder / place).chmod((self.root / place).stat().st_mode & 0o777)

    def _put(self, scratch: Path) -> None:
        """Put the folder where it belongs; what was there goes when that is done."""
        old = scratch.with_name(f"{scratch.name}.old")
        if os.path.lexists(self.where):
            self.where.rename(old)
        try:
            scratch.rename(self.where)
        except BaseException:
            if old.exists():
                old.rename(self.where)
            raise
        shutil.rmtree(old, ignore_errors=True)

    # ------------------------------------------------------------------ what is there already

    def _may_replace(self, *, force: bool) -> bool:
        """Whether a folder that is there has to be replaced."""
        if self.root.is_relative_to(self.where):
            raise UsageError(f"{self.where} holds the project itself.", advice="Choose another -o DIR.")
        if not self.where.is_dir():
            raise UsageError(f"{self.where} is no folder.", advice="Choose another -o DIR.")
        if not any(self.where.iterdir()):
            return True
        if self._is_whole():
            return False
        if foreign := next(self._foreign(), None):
            raise UsageError(
                f"{foreign} was not written by Corro.", advice="Move it elsewhere, or choose another -o DIR."
            )
        if not force:
            raise UsageError(
                f"{self.where} exists and differs.", advice="Replace it with --force, or choose another -o DIR."
            )
        return True

    def _is_whole(self) -> bool:
        """Whether all that is to be written is there."""
        links = all(_leads(self.where / place, self.root / place) for place in self.links)
        return links and all(_holds(self.where / place, content) for place, content in self.files.items())

    def _foreign(self) -> Iterator[Path]:
        """Files that are neither links, nor a module in the place of one of the project, nor a copy."""
        for folder, _, names in os.walk(self.where):
            for path in (Path(folder, name) for name in names if Path(folder).name != "__pycache__"):
                original = self.root / path.relative_to(self.where)
                module = path.suffix in {".py", ".ipynb"} and original.is_file()
                if not path.is_symlink() and not module and not _leads(path, original):
                    yield path


def tree_of(output: Output, where: Path) -> Tree:
    """The folder to be written for a converted project.

    Raises:
        CompilationError: a module that is changed lies outside of the project, or would be found there all the same.
    """
    assert output.text is not None
    program, script = program_of(output.source), output.source.path.resolve()
    root = program.root
    texts = {
        **{module.source.path: module.encode() for module in output.modules},
        script: output.encode(script.name),
    }
    outside = next((path for path in texts if not path.is_relative_to(root)), None)
    if outside is not None:
        raise CompilationError(
            f"{outside}, which is changed, too, lies outside of the project {root}.",
            advice="`corro run` takes it; to write the program, move that file into the project.",
        )
    if place := next(_fixed(program, root, texts), None):
        raise CompilationError(
            "modules are found by this path, wherever the program is written, and not as they are changed.",
            place=place,
            advice="Make the path from __file__; `corro run`, --diff and --in-place take it as it is.",
        )
    files = {path.relative_to(root): content for path, content in texts.items()}
    return Tree(root, Path(os.path.realpath(where)), files, frozenset(f"{script.stem}_{n}" for n in targets.names()))


def _fixed(program: Program, root: Path, changed: Iterable[Path]) -> Iterator[Place]:
    """Where files that change Python's path name a folder of the project that has changed files in it."""
    folders = {str(above) for path in changed for above in path.parents if above.is_relative_to(root)}
    for file in program.files:
        changes_path = any(sign in file.text for sign in ("sys.path", "addsitedir"))
        for node in file.nodes.of(ast.Constant) if changes_path else ():
            if isinstance(node.value, str) and os.path.normpath(node.value) in folders:
                yield file.place(node)


def how_to_start(output: Output, tree: Tree, where: Path) -> str:
    """The command that starts a program in its folder, so that what the script opens and imports is found there."""
    own = program_of(output.source)
    script, package = output.source.path.resolve().relative_to(tree.root), own.package
    first = script.parents[package.count(".") + 1] if package else script.parent
    tops = {own.top_of(tree.root / file).relative_to(tree.root) for file in tree.files if file != script} - {first}
    tops |= {first} if package and first.name else set()
    program = f"-m {package}.{script.stem}" if package else shlex.quote(str(script))
    path = f"PYTHONPATH={os.pathsep.join(sorted(map(shlex.quote, map(str, tops))))} " if tops else ""
    return f"start it: cd {shlex.quote(str(where))} && {path}{launcher(output).command(program)}"


def _link(place: Path, target: str, original: Path) -> None:
    """A link; a copy where the file system has no links."""
    try:
        place.symlink_to(target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if original.is_dir():
            shutil.copytree(original, place, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        else:
            shutil.copy2(original, place)


def _leads(path: Path, original: Path) -> bool:
    """Whether a link leads to a file of the project, or a copy holds the same."""
    if path.is_symlink():
        return os.path.realpath(path) == os.path.realpath(original)
    if path.is_dir() and original.is_dir():
        return all(_leads(path / each.name, each) for each in original.iterdir() if each.name not in _LEFT_OUT)
    return original.is_file() and _holds(path, original.read_bytes())


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and not path.is_symlink() and path.read_bytes() == content
