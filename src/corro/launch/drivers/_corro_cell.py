"""Runs the program of a notebook in a process of its own, and has rank 0 write what is to come back to the kernel.

The program has three sections: the cells before, the cell that is distributed, and lines ``print("name", name)``, which
stand for what comes back. What gets to such a line is what a script would show there: reduced over all processes, on
rank 0. The environment variable ``CORRO_CELL`` names a table, a JSON object:

``cell``, ``results``: the lines of the program where the second and the third section begin.
``names``: the names that may come back, each with its way (see ``Results``).
``known``: names of objects with weights that the kernel has, too.
``folder``: takes ``stage`` (how far the program is), ``results`` and ``error``.

Imports the standard library only.
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import io
import json
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

TELL = "__corro_tell__"
_INTERRUPTED = 130
_PLAIN_MODULES = frozenset(
    {"builtins", "collections", "numpy", "torch", "pandas", "datetime", "pathlib", "decimal", "fractions", "argparse"}
)
_PLAIN = (int, float, complex, str, bytes, bool, type(None), range, slice)
_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def run(
    text: bytes, generated: str, namespace: dict[str, Any], rank: str, first_to_fail: Callable[[int, str], bool]
) -> None:
    """Run the program; an error becomes a file for the kernel, of the first rank that fails."""
    with open(os.environ["CORRO_CELL"], encoding="utf-8") as file:
        table = json.load(file)
    try:
        _run(ast.parse(text, generated), generated, namespace, rank, table)
    except BaseException as error:
        if not (isinstance(error, SystemExit) and error.code in (None, 0)):
            _leave_error(table["folder"], rank, error, first_to_fail)
            if isinstance(error, KeyboardInterrupt):
                os._exit(_INTERRUPTED)  # the user waits, and nothing that is to be finished has begun
            sys.exit(1)
        raise


def _run(tree: ast.Module, generated: str, namespace: dict[str, Any], rank: str, table: dict[str, Any]) -> None:
    results = Results(table, namespace)
    before, cell, after = sections(tree, table["cell"], table["results"])
    first = _code(before, generated, 0)
    inherited = first.co_flags & _FUTURE
    _say(table["folder"], rank, "before")
    exec(first, namespace)
    results.look()
    _say(table["folder"], rank, f"cell {_written()}")
    exec(_code(cell, generated, inherited), namespace)
    namespace[TELL] = results.tell
    for statement in after:
        try:
            exec(_code([statement], generated, inherited), namespace)
        except NameError as error:
            if error.name not in table["names"]:
                raise
    namespace.pop(TELL, None)
    if rank == "0":
        results.write()


def sections(tree: ast.Module, cell: int, results: int) -> tuple[list[ast.stmt], list[ast.stmt], list[ast.stmt]]:
    """The statements of the three sections; in the last one ``print("name", name)`` tells a name."""
    before = [each for each in tree.body if _first_line(each) < cell]
    inside = [each for each in tree.body if cell <= _first_line(each) < results]
    after = [each for each in tree.body if _first_line(each) >= results]
    for node in (node for statement in after for node in ast.walk(statement)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            node.func.id = TELL
    return before, inside, after


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _code(body: list[ast.stmt], generated: str, flags: int) -> CodeType:
    code: CodeType = compile(ast.Module(body, []), generated, "exec", flags=flags, dont_inherit=True)
    return code


# ---------------------------------------------------------------------- what comes back


class Results:
    """What of the namespace comes back to the kernel.

    The way of a name is ``new``: the cell binds it; ``state``: the kernel has the object, and loads its state;
    ``in place``: the kernel has it, and takes over what is in it where it has changed; ``seen``: it does not come back,
    and it is said if it has changed.
    """

    def __init__(self, table: dict[str, Any], namespace: dict[str, Any]) -> None:
        self._folder: str = table["folder"]
        self._ways: dict[str, str] = table["names"]
        self._known: list[str] = table["known"]
        self._namespace = namespace
        self._digests: dict[str, bytes] = {}
        self._forms: dict[str, tuple[str, Any]] = {}
        self._left: dict[str, str] = {}

    def look(self) -> None:
        """Look at what is there before the cell, to see later what has changed."""
        for name, way in self._ways.items():
            if way in ("in place", "seen") and name in self._namespace:
                self._digests[name] = _digest(self._namespace[name])

    def tell(self, name: str, value: Any) -> None:
        """Note what a name is at the end, as it is for all processes together."""
        way = self._ways[name]
        if way != "new" and name in self._digests and self._digests[name] == _digest(value):
            return
        form = _state_of(value) if way == "state" else _form_of(value)
        if form is None:
            self._left[name] = f"a {type(value).__name__}"
        else:
            self._forms[name] = form

    def write(self) -> None:
        """Write it all, in one piece."""
        for name, way in self._ways.items():
            if way == "seen" and self._digests.get(name, b"") != _digest(self._namespace.get(name)):
                self._left[name] = f"a {type(self._namespace.get(name)).__name__}, which has changed"
        owners = self._owners()
        objects = {name: each for name, each in self._forms.items() if each[0] == "object"}
        for name, each in self._forms.items():
            if _dumped(each, owners) is None:
                self._left[name] = f"a {type(each[1]).__name__}, which cannot be pickled"
                objects.pop(name, None)
        parts = [_dumped(objects, owners)]  # together: they keep their ties to each other
        parts += [_dumped({name: each}, owners) for name, each in self._forms.items() if each[0] != "object"]
        parts = [part for part in parts if part is not None]
        told = {*self._forms, *self._left}
        unset = [name for name, way in self._ways.items() if way == "new" and name not in told]
        _write(self._folder, "results", pickle.dumps({"parts": parts, "left": self._left, "unset": unset}))

    def _owners(self) -> dict[int, tuple[str, str]]:
        """The objects, and the tensors in them, that the kernel has, too: it puts in its own."""
        found: dict[int, tuple[str, str]] = {}
        for name in self._known:
            value = self._namespace.get(name)
            if value is None or self._ways.get(name) == "new":
                continue
            found[id(value)] = (name, "")
            for named in ("named_parameters", "named_buffers"):
                for path, tensor in getattr(value, named, list)():
                    found[id(tensor)] = (name, path)
        return found


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, owners: dict[int, tuple[str, str]]) -> None:
        super().__init__(file)
        self._owners = owners

    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        return self._owners.get(id(obj))

    def reducer_override(self, obj: Any) -> Any:
        """Horovod's optimizers are of classes made on the spot: what comes back is the optimizer within."""
        kind = type(obj)
        if kind.__module__.startswith("horovod.") and hasattr(obj, "param_groups"):
            return object.__new__, (kind.__mro__[1],), obj.__getstate__()
        return NotImplemented


def _dumped(value: Any, owners: dict[int, tuple[str, str]]) -> bytes | None:
    """A value as bytes; ``None`` where it cannot be pickled."""
    file = io.BytesIO()
    try:
        _Pickler(file, owners).dump(value)
    except Exception:  # whatever objects do when they are asked what they hold
        return None
    return file.getvalue()


def _digest(value: Any) -> bytes:
    class Hashed(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            digest.update(data)
            return len(data)

    digest = hashlib.blake2b()
    try:
        pickle.Pickler(Hashed()).dump(value)
    except Exception:  # as above
        return b""
    return digest.digest()


def _state_of(value: Any) -> tuple[str, Any] | None:
    if hasattr(value, "state_dict"):
        return "state", value.state_dict()
    if hasattr(value, "get_weights"):
        return "weights", value.get_weights()
    return _form_of(value)


def _form_of(value: Any) -> tuple[str, Any] | None:
    """How a value is written; ``None`` for what does not come back."""
    if isinstance(value, type) or callable(getattr(value, "__next__", None)):
        return None
    if hasattr(value, "state_dict") and hasattr(value, "load_state_dict"):
        return "object", value
    if hasattr(value, "get_weights") and hasattr(value, "get_config"):
        return "keras", (type(value), value.get_config(), value.get_weights())
    if type(value).__name__ == "History" and isinstance(getattr(value, "history", None), dict):
        return "history", (value.history, value.epoch, value.params)
    return ("plain", value) if is_plain(value) else None


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether a value is data through and through."""
    if isinstance(value, _PLAIN):
        return True
    if isinstance(value, (list, tuple, set, frozenset, dict)) or type(value).__module__ == "collections":
        return depth < 20 and all(is_plain(item, depth + 1) for item in _items(value))
    kind = type(value)
    known = kind.__module__.partition(".")[0] in _PLAIN_MODULES and not callable(value)
    known = known and not hasattr(value, "load_state_dict")
    return known and not kind.__module__.startswith(("builtins", "torch.utils", "torch._C", "torch.distributed"))


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.keys()
        yield from value.values()
    else:
        yield from value


# ---------------------------------------------------------------------- files for the kernel


def _say(folder: str, rank: str, stage: str) -> None:
    if rank == "0":
        _write(folder, "stage", stage.encode())


def _written() -> int:
    """How much the processes have written so far into the file that takes what they write."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        return os.lseek(1, 0, os.SEEK_CUR)
    except OSError:
        return 0


def _write(folder: str, name: str, content: bytes) -> None:
    path = os.path.join(folder, name)
    with open(f"{path}.part", "wb") as file:
        file.write(content)
    os.replace(f"{path}.part", path)


def _leave_error(folder: str, rank: str, error: BaseException, first_to_fail: Callable[[int, str], bool]) -> None:
    """The kernel shows the error of the first rank that failed, with the lines of the cell."""
    kind = type(error).__name__
    status = _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    if not first_to_fail(status, f"{kind}: {error}".split("\n", 1)[0]):
        return
    frames = [(frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    told = {"rank": int(rank), "kind": kind, "message": str(error), "frames": frames}
    _write(folder, "error", json.dumps(told).encode())
