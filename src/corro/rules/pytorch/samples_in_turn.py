"""Refuse data sets that hand out their samples in turn, whatever the index.

Why
---
A sampler shares samples out by their numbers. A data set that does not look at the number it is given, and keeps by
itself what comes next, hands out the same samples on every process: a batch would be a few of them, each N times.

Before
------
::

    def __getitem__(self, index):
        self.position += 1
        return self.rows[self.position - 1]

After
-----
::

    refused: this data set hands out its samples in turn, whatever the index

Source
------
PyTorch documentation, ``torch.utils.data.Dataset``: ``__getitem__`` fetches a sample for a given key.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.lineage import lineage, methods_of
from corro.frontends.pytorch.parts import mentioned
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "samples-in-turn"

_TAKING = frozenset({"pop", "popleft", "popitem"})


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the place that goes on to the next sample."""
    for site in job.training_loaders():
        for loader in job.calls_of(site.node):
            data = loader.argument(0, "dataset")
            for node in job.facts.classes_of(data) if data is not None else ():
                place = _in_turn(methods_of(lineage(job.facts, node)))
                if place is not None:
                    yield job.refuse(
                        NAME,
                        "this data set hands out its samples in turn, whatever the index, so that every process would "
                        "get the same ones.",
                        place,
                        "Look the sample up by the index that __getitem__ is given.",
                    )
                    return


def _in_turn(methods: Mapping[str, ast.FunctionDef]) -> ast.AST | None:
    """Where ``__getitem__``, or a method that it uses, goes on to the next sample, if it does not look at its index."""
    getting = methods.get("__getitem__")
    if getting is None or len(getting.args.args) < 2 or _mentions(getting, getting.args.args[1].arg):
        return None
    used, waiting = {"__getitem__"}, ["__getitem__"]
    while waiting:
        new = (mentioned(methods[waiting.pop()]) & methods.keys()) - used
        used |= new
        waiting += new
    return next((place for name in methods if name in used for place in _moves(methods[name])), None)


def _mentions(function: ast.FunctionDef, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for each in function.body for part in walk(each))


def _moves(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """``self.place += 1``, ``self.place = self.place + 1``, ``next(self.rows)``, ``self.rows.pop()``."""
    for part in walk(function):
        match part:
            case ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self"))):
                yield part
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                if any(isinstance(inner, ast.Attribute) and inner.attr == name for inner in walk(value)):
                    yield part
            case ast.Call(func=ast.Name(id="next"), args=[ast.Attribute(value=ast.Name(id="self")), *_]):
                yield part
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self")), attr=method)):
                if method in _TAKING:
                    yield part
