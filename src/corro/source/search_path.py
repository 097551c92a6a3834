"""What a script does to ``sys.path``, as far as it names folders that are known before it runs."""

from __future__ import annotations

import ast
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.source.file import SourceFile

_SAME = frozenset({"str", "fspath", "Path", "PurePath", "as_posix", "expanduser"})
"""Calls that give the path that they are given, or that they are methods of."""
_ABSOLUTE = frozenset({"abspath", "realpath", "normpath", "resolve", "absolute"})
_THIS_FILE = frozenset({"getfile", "getsourcefile", "getabsfile"})
_JOINING = frozenset({"join", "joinpath", "Path", "PurePath"})
_WORDS = {"pardir": "..", "curdir": ".", "sep": "/"}


@dataclass(frozen=True)
class Added:
    """A folder that a statement puts on the path.

    Args:
        folder: its text, absolute.
        index: where; ``None`` for the end.
    """

    folder: str
    index: int | None


@dataclass(frozen=True, eq=False)
class PathChanges:
    """What the statements of one file do to the path.

    Args:
        file: the file.
        working: the folder that the program is started in.
        first: the first entry of the path when it is started.
    """

    file: SourceFile
    working: str
    first: str

    def of(self, statement: ast.stmt) -> Iterator[Added]:
        """The folders that a statement adds, be it by a function of the file that it calls; without its blocks."""
        yield from self._added(statement, {})
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return
        function = self._functions.get(call.func.id)
        if function is not None:
            given = zip((each.arg for each in function.args.args), call.args, strict=False)
            bound = {name: text for name, node in given if (text := self._text(node, {})) is not None}
            for inner in ast.walk(function):
                if isinstance(inner, ast.stmt):
                    yield from self._added(inner, bound)

    def _added(self, statement: ast.stmt, bound: Mapping[str, str]) -> Iterator[Added]:
        for index, node in self._additions(statement):
            text = self._text(node, bound)
            if text is not None:
                yield Added(self._absolute(text), index)

    @cached_property
    def _functions(self) -> dict[str, ast.FunctionDef]:
        return {node.name: node for node in self.file.tree.body if isinstance(node, ast.FunctionDef)}

    @cached_property
    def _assigned(self) -> dict[str, list[ast.Assign]]:
        """The assignments to each name, in the order of the text."""
        found: dict[str, list[ast.Assign]] = {}
        for node in sorted(self.file.statements, key=lambda node: node.lineno):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(node, ast.Assign) and isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node)
        return found

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        """What the names that are imported stand for."""
        found: dict[str, set[str]] = {}
        for dotted, node in self.file.imports:
            for alias in node.names:
                if dotted.rpartition(".")[2] == alias.name:
                    found.setdefault(alias.asname or alias.name, set()).add(dotted)
        return found

    # ------------------------------------------------------------------ statements

    def _additions(self, statement: ast.stmt) -> Iterator[tuple[int | None, ast.expr]]:
        """The expressions of what is added, one after the other, each with where it goes."""
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method), args=args)):
                if method == "addsitedir" or (method == "append" and self._is_path(owner)):
                    yield from _at_end(args[:1])
                elif method == "insert" and self._is_path(owner) and len(args) > 1:
                    yield _index(args[0]), args[1]
                elif method == "extend" and self._is_path(owner):
                    yield from _at_end(_items(args[0]) if args else ())
            case ast.AugAssign(target=target, op=ast.Add(), value=value) if self._is_path(target):
                yield from _at_end(_items(value))
            case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Add(), right=right)):
                if self._is_path(target) and self._is_path(right):
                    yield from ((0, each) for each in reversed(_items(left)))
                elif self._is_path(target) and self._is_path(left):
                    yield from _at_end(_items(right))

    def _is_path(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="path"):
                return "sys" in self._names.get(name, ())
            case ast.Name(id=name):
                return "sys.path" in self._names.get(name, ())
        return False

    # ------------------------------------------------------------------ expressions

    def _absolute(self, text: str) -> str:
        return os.path.normpath(Path(self.working, text))

    @cached_property
    def _this(self) -> str:
        return str(self.file.path.resolve())

    def _text(self, node: ast.expr, bound: Mapping[str, str]) -> str | None:
        """The text of an expression that names a folder or file; ``None`` where it is not known."""
        match node:
            case ast.Constant(value=str(constant)):
                return constant
            case ast.Name(id="__file__"):
                return self._this
            case ast.Name(id=name) if name in bound:
                return bound[name]
            case ast.Name():
                return self._of_name(node, bound)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _concatenated(self._texts((left, right), bound))
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return _joined(self._texts((left, right), bound))
            case ast.JoinedStr(values=values):
                parts = [each.value if isinstance(each, ast.FormattedValue) else each for each in values]
                return _concatenated(self._texts(parts, bound))
            case ast.Call():
                return self._called(node, bound)
        return self._part(node, bound)

    def _part(self, node: ast.expr, bound: Mapping[str, str]) -> str | None:
        """What an attribute or an item is."""
        match node:
            case ast.Attribute(value=inner, attr="parent"):
                return _above(self._text(inner, bound), 1)
            case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(number))):
                return _above(self._text(inner, bound), number + 1)
            case ast.Subscript(value=ast.Call(func=ast.Attribute(attr="split"), args=[path]), slice=part):
                return _folder(self._text(path, bound)) if _index(part) == 0 else None
            case ast.Subscript(value=value, slice=part):
                return self.first if self._is_path(value) and _index(part) == 0 else None
            case ast.Attribute(attr=word):
                return _WORDS.get(word)
        return None

    def _of_name(self, name: ast.Name, bound: Mapping[str, str]) -> str | None:
        """What a name was given last; nothing where that depends on a condition and there is another."""
        before = [node for node in self._assigned.get(name.id, ()) if (node.end_lineno or node.lineno) < name.lineno]
        if not before or (before[1:] and before[-1].col_offset):
            return None
        return self._text(before[-1].value, bound)

    def _called(self, node: ast.Call, bound: Mapping[str, str]) -> str | None:
        function, given = node.func, list(node.args)
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in ("getcwd", "cwd"):
            return self.working
        if name in _THIS_FILE:
            return self._this
        if isinstance(function, ast.Attribute) and (name == "joinpath" or not given):
            given.insert(0, function.value)
        args = self._texts(given, bound)
        if name in _JOINING and len(args) > 1:
            return _joined(args)
        first = args[0] if args else None
        if name in _ABSOLUTE and first is not None:
            return self._absolute(first)
        return _folder(first) if name == "dirname" else first if name in _SAME else None

    def _texts(self, nodes: Iterable[ast.expr], bound: Mapping[str, str]) -> list[str | None]:
        return [self._text(node, bound) for node in nodes]


def _known(parts: list[str | None]) -> list[str]:
    """All parts, or none where one of them is not known."""
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) else []


def _concatenated(parts: list[str | None]) -> str | None:
    return "".join(_known(parts)) or None


def _joined(parts: list[str | None]) -> str | None:
    known = _known(parts)
    return str(Path(*known)) if known else None


def _folder(path: str | None) -> str | None:
    return None if path is None else str(Path(path).parent)


def _above(path: str | None, levels: int) -> str | None:
    """The folder so many levels up."""
    for _ in range(levels if path is not None else 0):
        path = _folder(path)
    return path


def _at_end(nodes: Iterable[ast.expr]) -> Iterator[tuple[None, ast.expr]]:
    yield from ((None, node) for node in nodes)


def _items(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, (ast.List, ast.Tuple)) else []


def _index(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None
