"""Imports: modules of the script's own are run, libraries stay names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.flow.state import Flow
from rueda.flow.values import Value

if TYPE_CHECKING:
    import ast

    from rueda.flow.facts import Frame


class Imports(Flow):
    """``import`` and ``from … import``."""

    def _do_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            frame = self._import(alias.name, node)
            name = alias.asname or alias.name.split(".")[0]
            dotted = alias.name if alias.asname else name
            if frame is not None and alias.asname:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=f"<own>.{alias.name}"))
            elif frame is not None:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=f"<own>.{dotted}"))
            else:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=dotted))

    def _do_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        frame = self._import(module, node)
        for alias in node.names:
            if alias.name == "*":
                self._import_star(module, frame)
                continue
            name = alias.asname or alias.name
            value = self._get(frame, alias.name) if frame is not None else None
            if value is None:
                inner = self._import(f"{module}.{alias.name}" if node.module else module + alias.name, node)
                own = frame is not None or inner is not None
                dotted = f"{module}.{alias.name}" if not module.endswith(".") else module + alias.name
                value = Value(Kind.LIBRARY, name=f"<own>.{dotted}" if own else dotted)
            self._set(self._frame, name, value)

    def _import_star(self, module: str, frame: Frame | None) -> None:
        if frame is None or self._store is None:
            return
        for name, value in self.fields(frame.number).items():
            if not name.startswith("_"):
                self._set(self._frame, name, value)

    def _import(self, module: str, node: ast.stmt) -> Frame | None:
        """The frame of a module of the script's own; ``None`` for a library."""
        if module in self._modules:
            return self._modules[module]
        unit = self._find(self._frame.unit, module)
        if unit is None:
            self.facts.imported.add(module)
            if module.startswith("."):
                self.facts.missing.setdefault(module, node)
            return None
        if unit.name in self._modules:
            return self._modules[unit.name]
        loops, tests, modes = self._loops, self._tests, self._modes
        frame = self.run(unit)
        self._modules[module] = frame
        self._loops, self._tests, self._modes = loops, tests, modes
        return frame
