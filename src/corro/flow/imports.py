"""Imports: project modules are run, libraries stay names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import of_library
from corro.flow.state import OWN, Flow
from corro.flow.store import Store
from corro.flow.values import MOST_CHOICES, Value

if TYPE_CHECKING:
    import ast

    from corro.flow.facts import Frame, Unit


class Imports(Flow):
    """``import`` and ``from … import``."""

    def _do_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            frame = self._import(alias.name, node)
            name = alias.asname or alias.name.split(".")[0]
            dotted = alias.name if alias.asname else name
            if frame is not None and name != dotted:
                self._set(self._frame, name, self._own(frame))
            elif frame is not None:
                top = self._import(name, node) if self._find(self._frame.unit, name) is not None else None
                folder = Value(Kind.LIBRARY, name=f"{OWN}{name}")
                self._set(self._frame, name, self._own(top) if top is not None else folder)
            else:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=dotted))

    def _do_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        prefix = f"{module}." if node.module else module
        folder = self._is_folder(module, [prefix + alias.name for alias in node.names])
        frame = None if folder else self._import(module, node)
        for alias in node.names:
            if alias.name == "*":
                self._import_star(frame, node)
                continue
            value = self._get(frame, alias.name) if frame is not None else None
            dotted = prefix + alias.name
            if value is None:
                inner = self._import(dotted, node) if folder or frame is not None or node.level else None
                library = of_library(self.semantics.public(dotted))
                value = self._own(inner) if inner is not None else library
            self._set(self._frame, alias.asname or alias.name, value)

    def imported(self, module: str, node: ast.Call) -> Value:
        """What a call gives that imports a module by its name: it runs where it is called.

        Of a name that is not known as a whole it may be any module of the project that has such a name.
        """
        if not module or module.startswith("."):
            return Value()
        if set(module) & set("*|"):
            names = self._like(module)
            found = self.each_alone([partial(self.imported, name, node) for name in names])
            return self.either(found) if 0 < len(found) <= MOST_CHOICES else Value()
        frame = self._import(module, self._frame.unit.source.statement(node))
        return self._own(frame) if frame is not None else Value(Kind.LIBRARY, name=module)

    def _is_folder(self, module: str, inner: list[str]) -> bool:
        """Whether modules are imported from a folder that is no module itself: a package without ``__init__.py``."""
        unit = self._frame.unit
        return self._find(unit, module) is None and any(self._find(unit, name) is not None for name in inner)

    def module(self) -> Value:
        """The file whose code is running, as a module."""
        frame = self._frame
        while frame.closure is not None:
            frame = frame.closure
        return self._own(frame)

    def _own(self, frame: Frame) -> Value:
        """A project module as a value."""
        self._module_frames[frame.number] = frame
        value = Value(Kind.LIBRARY, name=f"{OWN}{frame.unit.name}", obj=frame.number)
        self._own_modules[value.name] = value
        return value

    def _import_star(self, frame: Frame | None, node: ast.stmt) -> None:
        if frame is None:
            return
        listed = self._get(frame, "__all__")
        names = [value.const for value in (self.each(listed) if listed is not None else None) or ()]
        if not names or not all(isinstance(name, str) for name in names):
            names = [name for name in self.fields(frame.number) if not name.startswith("_")]
        for name in names:
            value = self._get(frame, str(name))
            inner = self._import(f"{frame.unit.name}.{name}", node) if value is None else None
            value = self._own(inner) if inner is not None else value
            if value is not None:
                self._set(self._frame, str(name), value)

    def _import(self, module: str, node: ast.stmt) -> Frame | None:
        """The frame of a project module, run when it is first imported; ``None`` for a library."""
        unit = self._find(self._frame.unit, module)
        if unit is None:
            self.facts.imported.add(module)
            return None
        script = next(iter(self._modules))
        if script is not unit and _is_same_file(script, unit):  # Python would run it once more, as a module
            self.facts.again.append(node)
            unit = script
        if unit not in self._modules:
            loops, tests, modes = self._loops, self._tests, self._modes
            self.run(unit, self._frame, node)
            self._loops, self._tests, self._modes = loops, tests, modes
            self._imported[unit] = self._store.copy() if self._store is not None else Store()
        elif self._store is not None and not self.fields(self._modules[unit].number):  # first on another path
            self._store.adopt(self._imported.get(unit, Store()))
        self._own(self._modules[unit])
        return self._modules[unit]


def _is_same_file(one: Unit, other: Unit) -> bool:
    paths = (one.source.path, other.source.path)
    return paths[0].name == paths[1].name and paths[0].resolve() == paths[1].resolve()
