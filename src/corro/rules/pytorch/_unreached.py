"""Shared by rules: why a training step was not reached, as far as names tell."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.flow.state import OWN
from corro.flow.values import UNKNOWN
from corro.frontends.lineage import base_names
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.pytorch._job import Job

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLAIN = frozenset({"object", "builtins.object", "abc.ABC"})
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class HandedOver:
    """A function that something is given which is not followed.

    Args:
        function: its name.
        call: of what is given it.
    """

    function: str
    call: ast.Call


def handed_over(job: Job, node: ast.AST) -> HandedOver | None:
    """The innermost function around a node that a call of something unknown is given."""
    for function in (each for each in job.ancestors(node) if isinstance(each, _FUNCTIONS)):
        for use in _uses(job, function):
            above = job.parent(use)
            call = job.parent(above) if isinstance(above, ast.keyword) else above
            if isinstance(call, ast.Call) and use is not call.func and call in job.facts.opaque:
                return HandedOver(function.name, call)
    return None


def outermost(job: Job, node: ast.AST) -> Definition | None:
    """The function or class of a module that a node is in."""
    around = [each for each in job.ancestors(node) if isinstance(each, Definition)]
    return around[-1] if around else None


def uncalled(job: Job, definition: Definition) -> Definition | None:
    """What leads to a definition and has no name in the rest of the program; ``None`` where all of it has.

    What is decorated, or derived from something of a library, may be called by that.
    """
    waiting = [definition]
    for each in waiting:  # grows on the way
        around = [outermost(job, use) for use in _uses(job, each)]
        if None in around:
            return None
        if not around:
            return None if each.decorator_list or _is_of_library(job, each) else each
        waiting += [other for other in dict.fromkeys(around) if other is not None and other not in waiting]
    return None


def _uses(job: Job, definition: Definition) -> Iterator[ast.AST]:
    """Where a name is read that may be that of a definition, outside of it."""
    inside = set(walk(definition))
    name = definition.name
    for node in job.nodes.of(ast.Name, ast.Attribute, ast.alias):
        same = node.asname and node.name == name if isinstance(node, ast.alias) else name in _names(node)
        if same and node not in inside and not _is_elsewhere(job, node):
            yield node


def _is_elsewhere(job: Job, node: ast.AST) -> bool:
    """Whether a name is known to be one of a library: ``subprocess.run``."""
    value = job.value(node) if isinstance(node, ast.expr) else UNKNOWN
    return value.kind is Kind.METHOD or (value.kind is Kind.LIBRARY and not value.name.startswith(OWN))


def _is_of_library(job: Job, definition: Definition) -> bool:
    bases = base_names(job.facts, definition) if isinstance(definition, ast.ClassDef) else ()
    return not all(name in _PLAIN or name.startswith("torch.") for name in bases)


def _names(node: ast.Name | ast.Attribute) -> tuple[str]:
    return (node.id if isinstance(node, ast.Name) else node.attr,)
