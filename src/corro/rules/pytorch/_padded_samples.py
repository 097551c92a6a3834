"""Shared by the rules for loaders: what is said of samples that are padded to the longest of a batch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import PARTIAL
from corro.frontends.pytorch.pretrained import PADS
from corro.rules.lineage import lineage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job


def _pads(node: ast.AST) -> bool:
    """Whether a tokenizer is told to pad, to the longest text: ``padding=True``."""
    if not isinstance(node, ast.keyword) or node.arg != "padding":
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value in (False, None, "do_not_pad", "max_length"))


def padded_samples(job: Job, rule: str, site: LoaderSite, fact: CallFact) -> Iterator[Answer]:
    """A collate function that pads: to the longest sample of what it is given."""
    collate = fact.argument(6, "collate_fn")
    if collate is not None and _pads_samples(job, collate, set()):
        yield job.review(
            rule,
            "samples are padded to the longest of each process's shard of a batch, not of the global batch.",
            site.node,
            "Nothing to do where the model and the loss leave the padding out; else pad all samples alike.",
            differs=("coverage", "gradient", "metrics"),
        )


def _pads_samples(job: Job, function: Value, seen: set[ast.AST]) -> bool:
    """Whether a function pads, or one of the script's own that it calls."""
    if PADS in function.tags or (function.kind is Kind.METHOD and "pad" in function.name.lower()):
        return True
    if function.name == PARTIAL:
        return any(_pads_samples(job, each, seen) for each in function.items[:1])
    own = job.facts.functions.get(function.obj)
    classes = job.facts.classes_of(function) if function.kind is Kind.INSTANCE else ()
    methods = (each for class_ in classes for each in _methods(job, class_, "__call__"))
    return any(_pads_within(job, body, seen) for body in (*filter(None, [own]), *methods))


def _pads_within(job: Job, body: ast.AST, seen: set[ast.AST]) -> bool:
    if body in seen:
        return False
    seen.add(body)
    for part in ast.walk(body):
        name = part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ""
        if "pad" in name.lower() or _pads(part):
            return True
        if isinstance(part, ast.Call) and any(_pads_within(job, each, seen) for each in _defined(job, part.func)):
            return True
        if isinstance(part, ast.Call) and any(_pads_samples(job, each, seen) for each in _known(job, part.func)):
            return True
    return False


def _known(job: Job, function: ast.expr) -> Iterator[Value]:
    """What is known of what is called: a collate function is read aside, where its names are seen once."""
    yield job.value(function)
    if isinstance(function, ast.Name):
        names = job.names_of(function)
        yield from (job.value(use) for use in names.uses(function.id, names.binding(function)))


def _defined(job: Job, function: ast.expr) -> Iterator[ast.FunctionDef]:
    """The functions of the script that a name, or an attribute of ``self``, stands for."""
    if isinstance(function, ast.Name):
        names = job.names_of(function)
        scope, dotted = names.binding(function), names.qualified(function)
        for file in job.files:
            found = (each for each in file.nodes if isinstance(each, ast.FunctionDef) and each.name == function.id)
            for node in found:
                here = file is job.file_of(function) and names.scope(node) is scope
                if here or f"{file.path.stem}.{node.name}" in {".".join(each.split(".")[-2:]) for each in dotted}:
                    yield node
    elif isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "self":
        around = next((each for each in job.ancestors(function) if isinstance(each, ast.ClassDef)), None)
        yield from _methods(job, around, function.attr) if around is not None else ()


def _methods(job: Job, class_: ast.ClassDef, name: str) -> Iterator[ast.FunctionDef]:
    """The methods of one name of a class, and of those that it is derived from."""
    parts = (each for own in lineage(job, class_) for each in own.body)
    return (each for each in parts if isinstance(each, ast.FunctionDef) and each.name == name)
