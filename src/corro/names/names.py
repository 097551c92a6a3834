"""Who is this name: the questions a compiler asks about the names of a module."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections import defaultdict
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING

from corro.names.scopes import Scope, Unknown, Value, Walk, join, lookup
from corro.source import position

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from corro.source import SourceFile

_BUILTINS = frozenset(dir(builtins))
_LISTS_OF_NAMES = frozenset({"names", "kwd_attrs"})
_LONGEST_ALIAS = 50


class Names:
    """The scopes and bindings of a module, by Python's rules.

    The tree is walked once; answers are kept. Private names (``__x`` in a class) are not mangled.
    """

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self._walked = Walk(file.tree)
        self._found: dict[tuple[str, Scope], Scope | None] = {}
        self._qualified: dict[tuple[str, Scope], frozenset[str] | None] = {}

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        return self._walked.module

    def scope(self, node: ast.AST) -> Scope:
        """The scope in which ``node`` is evaluated; for a definition, the one around it.

        Raises:
            KeyError: ``node`` is not of this tree.
        """
        return self._walked.scopes[node]

    def body(self, node: ast.AST) -> Scope:
        """The scope that a module, ``def``, ``class``, ``lambda`` or comprehension opens.

        Raises:
            KeyError: ``node`` opens no scope, or is not of this tree.
        """
        return self._walked.bodies[node]

    def lookup(self, id: str, scope: Scope) -> Scope | None:
        """Where the name ``id`` is bound, as seen from ``scope``; None for builtins, star imports, undefined names."""
        key = (id, scope)
        if key not in self._found:
            self._found[key] = lookup(id, scope, self.module)
        return self._found[key]

    def binding(self, name: ast.Name) -> Scope | None:
        """Where ``name`` is bound; None for builtins, star imports and undefined names."""
        return self.lookup(name.id, self.scope(name))

    def uses(self, id: str, scope: Scope | None) -> tuple[ast.Name, ...]:
        """The ``Name`` nodes, stores included, of ``id`` as bound in ``scope`` (None: bound nowhere), in order."""
        return self._uses.get((id, scope), ())

    @cached_property
    def _uses(self) -> dict[tuple[str, Scope | None], tuple[ast.Name, ...]]:
        found: dict[tuple[str, Scope | None], list[ast.Name]] = defaultdict(list)
        for name in sorted(self._walked.names, key=position):
            found[name.id, self.binding(name)].append(name)
        return {key: tuple(names) for key, names in found.items()}

    def qualified(self, expr: ast.expr) -> frozenset[str]:
        """The dotted names that ``expr``, a name or a chain of attributes, can stand for.

        Imports and simple aliases (``Opt = optim.Adam``) are followed, through branches too; builtins come as
        ``builtins.print``, relative imports with their dots. Empty when any binding gives the name another value,
        ``None`` excepted, which stands in for a missing import.
        """
        return self._of_expression(expr, 0) or frozenset()

    def _of_expression(self, expr: ast.expr, depth: int) -> frozenset[str] | None:
        """The dotted names of an expression; None when it can be something else."""
        if isinstance(expr, ast.Constant):
            return frozenset() if expr.value is None else None
        if isinstance(expr, ast.IfExp):
            return _union(self._of_expression(branch, depth) for branch in (expr.body, expr.orelse))
        attributes: list[str] = []
        while isinstance(expr, ast.Attribute):
            attributes.append(expr.attr)
            expr = expr.value
        if not isinstance(expr, ast.Name) or depth > _LONGEST_ALIAS:
            return None
        base = self._of_name(expr.id, self.scope(expr), depth)
        if not attributes or base is None:
            return base
        rest = ".".join(reversed(attributes))
        return frozenset(join(name, rest) for name in base)

    def _of_name(self, id: str, scope: Scope, depth: int) -> frozenset[str] | None:
        owner = self.lookup(id, scope)
        if owner is None:
            return self._unbound(id)
        key = (id, owner)
        if key not in self._qualified:
            self._qualified[key] = None  # a name that is defined by itself is unknown
            self._qualified[key] = _union(self._of_value(value, depth + 1) for value in owner.values[id])
        return self._qualified[key]

    def _of_value(self, value: Value, depth: int) -> frozenset[str] | None:
        if isinstance(value, ast.expr):
            return self._of_expression(value, depth)
        if isinstance(value, str):
            return frozenset({value})
        return None if value is Unknown.VALUE else frozenset()

    def _unbound(self, id: str) -> frozenset[str] | None:
        if id in _BUILTINS:
            return frozenset({f"builtins.{id}"})
        return frozenset(join(module, id) for module in self.module.stars) or None

    @cached_property
    def all_names(self) -> frozenset[str]:
        """Every identifier of the module: names, attributes, parameters, keywords, imports, definitions."""
        return frozenset(_identifiers(self.file.nodes))

    def fresh(self, base: str, taken: Collection[str] = ()) -> str:
        """A name that the module does not use and ``taken`` does not hold: ``base``, ``base_``, ``base_2``, and on."""
        candidates = chain((base, f"{base}_"), (f"{base}_{number}" for number in count(2)))
        return next(name for name in candidates if not self._is_used(name) and name not in taken)

    def _is_used(self, name: str) -> bool:
        return name in self.all_names or name in _BUILTINS or keyword.iskeyword(name)


def _union(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """All of the parts; None when one of them is."""
    found = frozenset[str]()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _identifiers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The strings of nodes that are identifiers. Dotted names come in parts."""
    for node in nodes:
        if isinstance(node, ast.Constant):
            continue
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield from value.split(".")
            elif isinstance(value, list) and field in _LISTS_OF_NAMES:
                yield from (name for name in value if isinstance(name, str))
