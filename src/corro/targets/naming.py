"""Names for what a generated program imports: the script's own where it has them, free ones otherwise."""

from __future__ import annotations

import ast
from functools import cached_property

from corro.classes import dataclass
from corro.names import Names
from corro.source import Import, SourceFile, sets_environment, sets_path

_BINDING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, eq=False)
class Library:
    """What modules, and names in modules, are called in one script.

    ``os`` stays ``os`` where the script imports it as that, and becomes ``os_`` where the name is the script's own.
    """

    names: Names
    others: tuple[SourceFile, ...] = ()
    """The other files of the program."""
    of_module: bool = False
    """Whether this is a project module, and not the script."""
    late: bool = False
    """Whether imports stand after what the script sets in the environment before its own imports."""

    def bound(self, dotted: str) -> str | None:
        """The name that the script itself gives to a module or to something in it, at its head."""
        names = sorted(self._imported.get(dotted, ()))
        return next((name for name in names if name not in self._rebound), None)

    def name(self, dotted: str, preferred: str = "") -> str:
        """The name of a module (``os``) or of something in a module (``torch.nn.parallel.DistributedDataParallel``)."""
        later = min(self._bound_later.get(dotted, ()), default="")
        wanted = preferred or later or dotted.rpartition(".")[2]
        if later == wanted:
            return wanted
        for bound in (wanted, *sorted(self._imported.get(dotted, ()))):
            if dotted in self._bound_to.get(bound, ()) and bound not in self._rebound:
                return bound
        free = wanted not in self._bound_to and wanted not in self._rebound and wanted not in self._mentioned
        return wanted if free else self.names.fresh(f"{wanted}_")

    def imports(self, dotted: str, preferred: str = "") -> Import:
        """The statement that binds ``name(dotted)``; the engine leaves it out where the script has it."""
        name = self.name(dotted, preferred)
        module, _, last = dotted.rpartition(".")
        if preferred or not last[:1].isupper():
            return Import(f"import {dotted}" if name == dotted else f"import {dotted} as {name}", late=self.late)
        text = f"from {module} import {last}" if name == last else f"from {module} import {last} as {name}"
        return Import(text, late=self.late)

    @cached_property
    def _binding(self) -> tuple[ast.AST, ...]:
        """The nodes that bind names."""
        return tuple(
            node
            for node in self.names.file.nodes.of(*_BINDING, ast.Name)
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load)
        )

    @cached_property
    def _leading(self) -> list[ast.stmt]:
        """The statements up to the first that does something: what they import can be used at the start."""
        leading: list[ast.stmt] = []
        for node in self.names.file.tree.body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not docstring and not isinstance(node, (ast.Import, ast.ImportFrom, ast.Try, ast.If)):
                if sets_path(node) or (self.late and sets_environment(node)):
                    continue
                break
            leading.append(node)
        return leading

    @cached_property
    def _bound_to(self) -> dict[str, set[str]]:
        """What imports at module level bind each name to."""
        found: dict[str, set[str]] = {}
        for node in self._leading:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    found.setdefault(name, set()).add(alias.name if alias.asname else name)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    found.setdefault(alias.asname or alias.name, set()).add(f"{node.module}.{alias.name}")
        return found

    @cached_property
    def _imported(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, dotted in self._bound_to.items():
            for each in dotted:
                found.setdefault(each, set()).add(name)
        return found

    @cached_property
    def _rebound(self) -> frozenset[str]:
        """Names that something other than an import binds, in any scope."""
        found: set[str] = {name for name, dotted in self._bound_to.items() if len(dotted) > 1}
        for node in self._binding:
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, (ast.Import, ast.ImportFrom)) and node not in self._leading:
                found |= {alias.asname or alias.name.split(".")[0] for alias in node.names} - self._bound_to.keys()
        return frozenset(found)

    @cached_property
    def _bound_later(self) -> dict[str, set[str]]:
        """What the script imports after its head or in functions, by names that nothing else has anywhere."""
        found: dict[str, set[str]] = {}
        stored: set[str] = set()
        for node in self._binding:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    found.setdefault(name, set()).add(alias.name if alias.asname else name)
            elif isinstance(node, ast.ImportFrom):
                stored |= {alias.asname or alias.name for alias in node.names}
            elif isinstance(node, ast.Name):
                stored.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                stored.add(node.name)
            elif isinstance(node, ast.arg):
                stored.add(node.arg)
        alone = {name: next(iter(dotted)) for name, dotted in found.items() if len(dotted) == 1}
        names: dict[str, set[str]] = {}
        for name, dotted in alone.items():
            if name not in stored and name not in self._bound_to and "." not in dotted:
                names.setdefault(dotted, set()).add(name)
        return names

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        return frozenset(node.id for node in self.names.file.nodes.of(ast.Name))
