"""Refuse classes derived from ``DataLoader`` of which it is not known what they hand out.

Why
---
A loader of such a class is shared out where ``super().__init__(...)`` is called. Where the class says itself how
batches are made or counted, or where that call is not seen, its loader cannot be shared out.

Before
------
::

    class Batches(DataLoader):
        def __iter__(self):
            for batch in super().__iter__():
                yield batch.mean(dim=0)

After
-----
::

    refused: Batches derives from DataLoader and defines __iter__

Source
------
PyTorch source, ``torch/utils/data/dataloader.py``: what ``DataLoader`` defines.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch import own_loaders
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "own-loaders"
GATE = 1

_IN_PLACE = "Do that in the data set, in collate_fn or in the loop over the batches."
_ONCE = "Call super().__init__(...) once on each path of the constructor, and pass the object on only after that."


def apply(job: Job) -> Iterable[Answer]:
    """One refusal for each class, or for each use of an object of one, that is not followed."""
    refused: set[ast.ClassDef] = set()
    for node, value in list(job.facts.values.items()):
        class_node = _class_of(job, value) if value.kind is not Kind.LOADER else None
        if class_node is None or class_node in refused or not _is_used(job, node, value):
            continue
        refused.add(class_node)
        yield _refused(job, class_node, node)
    for store in job.facts.stores:
        changed = store.node.attr if isinstance(store.node, ast.Attribute) else ""
        class_node = _itself(job, store.owner) if own_loaders.gives_batches(changed) else None
        if class_node is not None:
            yield _defines(job, class_node, changed, store.node)


def _itself(job: Job, value: Value) -> ast.ClassDef | None:
    """The class, derived from ``DataLoader``, that a value is."""
    node = job.facts.defined[value.obj][0] if value.kind is Kind.CLASS and value.obj in job.facts.defined else None
    return node if isinstance(node, ast.ClassDef) and own_loaders.derives(job.facts, node) else None


def _class_of(job: Job, value: Value) -> ast.ClassDef | None:
    """The class, derived from ``DataLoader``, that an object may be of."""
    if value.kind not in (Kind.INSTANCE, Kind.UNKNOWN) or not (value.obj or value.locations):
        return None
    return next((each for each in job.facts.classes_of(value) if own_loaders.derives(job.facts, each)), None)


def _is_used(job: Job, node: ast.AST, value: Value) -> bool:
    """Whether more is done with an object than the constructor does before there is a loader."""
    parent = job.parent(node)
    if isinstance(parent, ast.Attribute):
        return value.kind is Kind.UNKNOWN and parent.attr in own_loaders.SET
    named = parent.func if isinstance(parent, ast.Call) else None
    return value.kind is Kind.INSTANCE and not (isinstance(named, ast.Name) and named.id == "super")


def _refused(job: Job, class_node: ast.ClassDef, node: ast.AST) -> Answer:
    name = class_node.name
    for defined, statement in own_loaders.overridden(job.facts, class_node):
        return _defines(job, class_node, defined, statement)
    for other in own_loaders.others(job.facts, class_node):
        message = f"{name} derives from {other} besides DataLoader, which may change its batches."
        return job.refuse(NAME, message, class_node, "Derive it from DataLoader alone.")
    for call in _by_name(job, class_node):
        message = f"{name} is made a loader by a call that names its base."
        return job.refuse(NAME, message, call, "Write super().__init__(...) in its place.", effort="one line")
    message = f"{name} derives from DataLoader, and Corro does not see which loader its object is here."
    return job.refuse(NAME, message, node, _ONCE)


def _defines(job: Job, class_node: ast.ClassDef, name: str, node: ast.AST) -> Answer:
    message = f"{class_node.name} derives from DataLoader and defines {name}, so that its batches may be others."
    return job.refuse(NAME, message, node, _IN_PLACE)


def _by_name(job: Job, class_node: ast.ClassDef) -> Iterator[ast.Call]:
    """``DataLoader.__init__(self, ...)``."""
    for function in own_loaders.initialisers(job.facts, class_node):
        for call in walk(function):
            if isinstance(call, ast.Call) and job.value(call.func).name == f"{own_loaders.BASE}.__init__":
                yield call
