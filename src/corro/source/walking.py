"""Walking through trees, in half the time that ``ast`` takes."""

from __future__ import annotations

from ast import AST, Call, Load, Name, expr, stmt
from collections import defaultdict
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Sequence

A = TypeVar("A", bound=AST)
B = TypeVar("B", bound=AST)
C = TypeVar("C", bound=AST)


def position(node: stmt | expr) -> tuple[int, int]:
    """Where a node begins: nodes are put in the order of the text by it; a line may hold several statements."""
    return node.lineno, node.col_offset


_NO_NODES = frozenset({"ctx", "op", "ops", "id", "attr", "kind", "conversion", "is_async", "simple", "level", "module"})
"""Fields of which nothing is a node, or one without a place in the text: operators and contexts, a third of a tree."""


class _Fields(dict[type[AST], tuple[str, ...]]):
    """The fields in which a kind of node has other nodes."""

    def __missing__(self, kind: type[AST]) -> tuple[str, ...]:
        self[kind] = fields = tuple(name for name in kind._fields if name not in _NO_NODES)
        return fields


_FIELDS = _Fields()


def children(node: AST) -> list[AST]:
    """The nodes directly within a node, in the order of ``ast.iter_child_nodes``, without operators and contexts."""
    found: list[AST] = []
    for name in _FIELDS[node.__class__]:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, AST)]
        elif isinstance(value, AST):
            found.append(value)
    return found


def walk(node: AST) -> list[AST]:
    """A node and all within it, in the order of ``ast.walk``, without operators and contexts."""
    found = [node]
    for each in found:  # grows on the way
        for name in _FIELDS[each.__class__]:
            value = getattr(each, name, None)
            if isinstance(value, list):
                for item in value:
                    if isinstance(item, AST):
                        found.append(item)
            elif isinstance(value, AST):
                found.append(value)
    return found


class Nodes(tuple[AST, ...]):
    """Nodes in an order, and those of some kinds among them: most that ask go past nine nodes of ten."""

    @overload
    def of(self, kind: type[A], /) -> Sequence[A]: ...
    @overload
    def of(self, kind: type[A], other: type[B], /) -> Sequence[A | B]: ...
    @overload
    def of(self, kind: type[A], other: type[B], third: type[C], /) -> Sequence[A | B | C]: ...
    @overload
    def of(self, *kinds: type[AST]) -> Sequence[AST]: ...
    def of(self, *kinds: type[AST]) -> Sequence[AST]:
        """The nodes of these kinds, in the order of all. A kind is a class that a parser makes nodes of, no base."""
        found = self._known.get(kinds)
        if found is None:
            places = sorted(place for kind in kinds for place in self._places.get(kind, ()))
            found = self._known[kinds] = [self[place] for place in places]
        return found

    @cached_property
    def _known(self) -> dict[tuple[type[AST], ...], Sequence[AST]]:
        return {}

    @cached_property
    def _places(self) -> dict[type[AST], list[int]]:
        found = defaultdict[type[AST], list[int]](list)
        for place, node in enumerate(self):
            found[node.__class__].append(place)
        return found


def arguments_of(call: Call) -> list[expr]:
    """The expressions that a call is given, by place and by name."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


@lru_cache(maxsize=1024)
def names_set(node: AST) -> frozenset[str]:
    """The names that are given a value, or deleted, within a node."""
    names = (part for part in walk(node) if isinstance(part, Name))
    return frozenset(part.id for part in names if not isinstance(part.ctx, Load))
