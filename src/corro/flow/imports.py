"""Imports: modules of the script's own are run, libraries stay names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.state import OWN, Flow
from corro.flow.values import Value

if TYPE_CHECKING:
    import ast

    from corro.flow.facts import Frame


class Imports(Flow):
    """``import`` and ``from … import``."""

    def _do_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            frame = self._import(alias.name, node)
            name = alias.asname or alias.name.split(".")[0]
            dotted = alias.name if alias.asname else name
            if frame is not None and name != dotted:
                self._set(self._frame, name, self._own(frame, dotted))
            elif frame is not None:
                self._own(frame, alias.name)
                known = self._find(self._frame.unit, name) is not None
                top = self._import(name, node) if known else None
                folder = Value(Kind.LIBRARY, name=f"{OWN}{name}")
                self._set(self._frame, name, self._own(top, dotted) if top is not None else folder)
            else:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=dotted))

    def _do_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        prefix = f"{module}." if node.module else module
        folder = self._is_folder(module, [prefix + alias.name for alias in node.names])
        frame = None if folder else self._import(module, node)
        for alias in node.names:
            if alias.name == "*":
                self._import_star(frame)
                continue
            value = self._get(frame, alias.name) if frame is not None else None
            dotted = prefix + alias.name
            if value is None:
                inner = self._import(dotted, node) if folder or frame is not None or node.level else None
                value = self._own(inner, dotted) if inner is not None else Value(Kind.LIBRARY, name=dotted)
            self._set(self._frame, alias.asname or alias.name, value)

    def _is_folder(self, module: str, inner: list[str]) -> bool:
        """Whether modules are imported from a folder that is no module itself: a package without ``__init__.py``."""
        unit = self._frame.unit
        return self._find(unit, module) is None and any(self._find(unit, name) is not None for name in inner)

    def _own(self, frame: Frame, dotted: str) -> Value:
        """A module of the script's own as a value."""
        self._module_frames[frame.number] = frame
        value = Value(Kind.LIBRARY, name=f"{OWN}{dotted}", obj=frame.number)
        self._own_modules[value.name] = value
        return value

    def _import_star(self, frame: Frame | None) -> None:
        if frame is None:
            return
        for name, value in self.fields(frame.number).items():
            if not name.startswith("_"):
                self._set(self._frame, name, value)

    def _import(self, module: str, node: ast.stmt) -> Frame | None:
        """The frame of a module of the script's own, run when it is first imported; ``None`` for a library."""
        unit = self._find(self._frame.unit, module)
        if unit is None:
            self.facts.imported.add(module)
            return None
        if unit in self._modules:
            return self._modules[unit]
        loops, tests, modes = self._loops, self._tests, self._modes
        frame = self.run(unit)
        self._loops, self._tests, self._modes = loops, tests, modes
        return frame
