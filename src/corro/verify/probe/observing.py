"""What the expressions that the compiler asks for give, and which arms of conditions are taken.

As in ``decisions``, the program's tree is changed and not its text. What was seen is written as JSON beside the record:
functions and classes by the names under which their modules have them, objects by their class and plain attributes. A
place that has given one thing and then another tells nothing. The files that the program read on the way are named with
it: what they say may have decided.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from corro.anatomy.observations import BODY, DEFINITION, INSTANCE, ORELSE, Where
from corro.anatomy.observations import where as where_of
from corro.verify.probe.session import Session

SEEN = "observed.json"
"""The file in the folder of the process."""
_SEE, _TEST = "__corro_see__", "__corro_test__"
_MOST = 200
"""A place that was seen so often is not looked at again."""
_MOST_FILES, _LARGEST_BYTES = 500, 2**20
_PLAIN = (str, int, float, bool, type(None))

_watch: list[_Seen] = []


def watched(tree: ast.Module, session: Session, file: str) -> ast.Module:
    """The tree of a file of which is seen what the compiler asks for."""
    if not _watch:
        _watch.append(_Seen(session))
        setattr(builtins, _SEE, _watch[0].see)
        setattr(builtins, _TEST, _watch[0].test)
    name = session.settings.name_of(file)
    asked = {tuple(each) for each in session.settings.asked.get(name, ())}
    _Observe(name, asked).visit(tree)
    return ast.fix_missing_locations(tree)


class _Observe(ast.NodeTransformer):
    """Wraps the expressions that are asked for, and all conditions of ``if`` statements."""

    def __init__(self, file: str, asked: set[tuple[int, ...]]) -> None:
        self._file = file
        self._asked = asked

    def visit(self, node: ast.AST) -> Any:
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        place = where_of(node) if isinstance(node, ast.expr) and is_read else None
        test = where_of(node.test) if isinstance(node, ast.If) else None
        self.generic_visit(node)
        if place is not None and place in self._asked:
            assert isinstance(node, ast.expr)
            return self._call(_SEE, place, node)
        if test is not None:
            assert isinstance(node, ast.If)
            node.test = self._call(_TEST, test, node.test)
        return node

    def _call(self, name: str, place: Where, value: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(_watch[0].number(self._file, place)), value], [])
        return ast.copy_location(call, value)


Place = tuple[str, Where]


class _Seen:
    """What was seen so far."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._places: list[Place] = []
        self._values: dict[int, dict[str, Any] | None] = {}
        self._times: dict[int, int] = {}
        self._arms: dict[int, set[bool]] = {}
        self._read: dict[str, int] = {}
        session.at_end.append(self._write)
        sys.addaudithook(self._note_file)

    def number(self, file: str, place: Where) -> int:
        """The number of a place, for the two methods below."""
        self._places.append((file, place))
        return len(self._places) - 1

    def see(self, place: int, value: Any) -> Any:
        """Note what an expression gives, and hand it on."""
        times = self._times[place] = self._times.get(place, 0) + 1
        if times == 1:
            self._values[place] = self._told(value)
        elif times < _MOST and self._values[place] is not None and self._told(value) != self._values[place]:
            self._values[place] = None
        return value

    def test(self, place: int, value: Any) -> bool:
        """Note how a condition comes out."""
        taken = bool(value)
        self._arms.setdefault(place, set()).add(taken)
        return taken

    def _told(self, value: Any) -> dict[str, Any] | None:
        """What is told of a value."""
        if isinstance(value, (type, FunctionType, BuiltinFunctionType)):
            found = None if hasattr(value, "__wrapped__") else self._named(value)
            return found and {"form": DEFINITION, **found, "bases": _bases(value) if isinstance(value, type) else []}
        made = type(value)
        found = None if made.__module__ == "builtins" else self._named(made)
        return found and {"form": INSTANCE, **found, "bases": _bases(made), "attributes": _attributes(value)}

    def _named(self, thing: Any) -> dict[str, str] | None:
        """The name of a function or class, if its module has it under that name."""
        name, home = str(thing.__qualname__), thing.__module__
        module = sys.modules.get(home) if isinstance(home, str) else None
        if module is None or getattr(module, name, None) is not thing:
            return None
        file = getattr(module, "__file__", None)
        return {
            "module": home,
            "name": name,
            "own": self._session.settings.name_of(os.path.abspath(file)) if file else "",
        }

    def _note_file(self, event: str, given: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(given[0], str) or len(self._read) >= _MOST_FILES:
            return
        path = os.path.abspath(given[0])
        room = self._session.settings.rooms[-1] + os.sep
        if path.startswith(room) and not path.endswith((".py", ".pyc")) and path not in self._read:
            self._read[path] = -1
            if os.path.isfile(path) and os.path.getsize(path) <= _LARGEST_BYTES:
                self._read[path] = zlib.crc32(Path(path).read_bytes())

    def _write(self) -> None:
        room = self._session.settings.rooms[-1]
        told = {
            "values": [self._placed(place, told) for place, told in self._values.items() if told is not None],
            "arms": [
                self._placed(place, {"name": ORELSE if True in ways else BODY})
                for place, ways in self._arms.items()
                if len(ways) == 1
            ],
            "read": {path.removeprefix(room): sum_ for path, sum_ in self._read.items() if sum_ >= 0},
        }
        (self._session.folder / SEEN).write_text(json.dumps(told))

    def _placed(self, place: int, told: Mapping[str, Any]) -> dict[str, Any]:
        file, at = self._places[place]
        return {"file": file, "where": at, **told}


def _bases(made: type) -> list[str]:
    return [f"{each.__module__}.{each.__qualname__}" for each in made.__mro__]


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """The plain attributes of an object, with those that PyTorch's modules keep as buffers."""
    own = getattr(value, "__dict__", {})
    buffers = own.get("_buffers")
    held = {**own, **(buffers if isinstance(buffers, dict) else {})}
    plain = {str(name): each if isinstance(each, _PLAIN) else ... for name, each in held.items()}
    return [(name, "..." if each is ... else each) for name, each in plain.items() if not name.startswith("_")]
