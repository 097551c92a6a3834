"""From what classes of the script's own are derived."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import Facts


def own_classes(facts: Facts) -> list[ast.ClassDef]:
    """Those of the script and of its modules."""
    return facts.once(_own_classes)


def _own_classes(facts: Facts) -> list[ast.ClassDef]:
    written = (node for file in facts.sources for node in file.nodes.of(ast.ClassDef))
    return list(dict.fromkeys((*facts.classes.values(), *written)))


def lineage(facts: Facts, node: ast.ClassDef) -> list[ast.ClassDef]:
    """A class of the script's own, and those of its own that it is derived from."""
    known = own_classes(facts)
    found = [node]
    for each in found:
        names = {base.id for base in each.bases if isinstance(base, ast.Name)}
        found += [other for other in known if other.name in names and other not in found]
    return found


def base_names(facts: Facts, node: ast.ClassDef) -> Iterator[str]:
    """The dotted names of the classes that a class is derived from, straight or through others of the script."""
    for each in lineage(facts, node):
        unit = facts.unit_of(each)
        if unit is not None:
            for base in each.bases:
                yield from unit.names.qualified(base)


def methods_of(classes: list[ast.ClassDef]) -> dict[str, ast.FunctionDef]:
    """The methods of a class and of those that it is derived from, of which its own come first."""
    written = (part for node in reversed(classes) for part in node.body if isinstance(part, ast.FunctionDef))
    return {part.name: part for part in written}
