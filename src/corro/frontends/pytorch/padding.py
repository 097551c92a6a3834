"""Collate functions that pad: to the longest sample of what they are given, which is another one for each batch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import NONE, PARTIAL
from corro.frontends.lineage import lineage
from corro.frontends.pytorch.pretrained import PADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts
    from corro.flow.values import Value


def pads(facts: Facts, loader: CallFact) -> bool:
    """Whether the samples of a loader's batch are padded to the longest of them."""
    collate = loader.argument(6, "collate_fn")
    return collate is not None and _pads_samples(facts, collate, set())


def _is_told(node: ast.AST) -> bool:
    """Whether a tokenizer is told to pad, to the longest text: ``padding=True``."""
    if not isinstance(node, ast.keyword) or node.arg != "padding":
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value in (False, None, "do_not_pad", "max_length"))


def _pads_samples(facts: Facts, function: Value, seen: set[ast.AST]) -> bool:
    """Whether a function pads, or one of the script's own that it calls."""
    if PADS in function.tags or (function.kind is Kind.METHOD and "pad" in function.name.lower()):
        return True
    if function.name == PARTIAL:
        return any(_pads_samples(facts, each, seen) for each in function.items[:1])
    own = facts.functions.get(function.obj)
    classes = facts.classes_of(function) if function.kind is Kind.INSTANCE else ()
    methods = (each for class_ in classes for each in _methods(facts, class_, "__call__"))
    return any(_pads_within(facts, body, seen) for body in (*filter(None, [own]), *methods))


def _pads_within(facts: Facts, body: ast.AST, seen: set[ast.AST]) -> bool:
    if body in seen:
        return False
    seen.add(body)
    for part in ast.walk(body):
        name = part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ""
        if "pad" in name.lower() or _is_told(part):
            return True
        if isinstance(part, ast.Call) and any(_pads_within(facts, each, seen) for each in _defined(facts, part.func)):
            return True
        if isinstance(part, ast.Call) and any(_pads_samples(facts, each, seen) for each in _known(facts, part.func)):
            return True
    return False


def _known(facts: Facts, function: ast.expr) -> Iterator[Value]:
    """What is known of what is called: a collate function is read aside, where its names are seen once."""
    yield facts.values.get(function, NONE)
    unit = facts.unit_of(function)
    if isinstance(function, ast.Name) and unit is not None:
        uses = unit.names.uses(function.id, unit.names.binding(function))
        yield from (facts.values.get(use, NONE) for use in uses)


def _defined(facts: Facts, function: ast.expr) -> Iterator[ast.FunctionDef]:
    """The functions of the script that a name, or an attribute of ``self``, stands for."""
    unit = facts.unit_of(function)
    if isinstance(function, ast.Name) and unit is not None:
        scope, dotted = unit.names.binding(function), unit.names.qualified(function)
        for file in facts.sources:
            found = (each for each in file.nodes.of(ast.FunctionDef) if each.name == function.id)
            for node in found:
                here = file is unit.source and unit.names.scope(node) is scope
                if here or f"{file.path.stem}.{node.name}" in {".".join(each.split(".")[-2:]) for each in dotted}:
                    yield node
    elif isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "self" and unit is not None:
        above = unit.source.ancestors(function)
        around = next((each for each in above if isinstance(each, ast.ClassDef)), None)
        yield from _methods(facts, around, function.attr) if around is not None else ()


def _methods(facts: Facts, class_: ast.ClassDef, name: str) -> Iterator[ast.FunctionDef]:
    """The methods of one name of a class, and of those that it is derived from."""
    parts = (each for own in lineage(facts, class_) for each in own.body)
    return (each for each in parts if isinstance(each, ast.FunctionDef) and each.name == name)
