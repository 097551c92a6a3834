"""Refuse data sets whose length changes once their loader is made.

Why
---
A loader asks how long its data set is whenever it begins anew. A sampler that shares the data set out over processes
asks once, when it is made: of a data set that loads its next file before each epoch it would leave samples out, repeat
some, or give numbers of samples that are no longer there.

Before
------
::

    loader = DataLoader(rollouts, batch_size=32, shuffle=True)
    for epoch in range(epochs):
        rollouts.load_next_file()  # sets self.rows, which len(rollouts) is the length of

After
-----
::

    refused: the length of this data set may change after its loader is made

Source
------
PyTorch, ``torch/utils/data/distributed.py``: ``num_samples`` and ``total_size`` are set in ``__init__``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Role, Sharding
from corro.frontends.lineage import lineage, methods_of
from corro.frontends.pytorch.parts import mentioned
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.flow.facts import CallFact, StoreFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "changing-length"

_GROWING = frozenset({"append", "extend", "insert", "pop", "remove", "clear", "update", "add", "popitem", "discard"})
_OF_LIBRARIES = frozenset({"indices", "samples", "imgs", "data", "tensors", "datasets"})


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place that may change how long a data set is."""
    for site in job.anatomy.loaders:
        if site.role is Role.EVALUATION and site.sharding is Sharding.EVERYWHERE:
            continue
        for loader in job.calls_of(site.node):
            data = loader.argument(0, "dataset")
            place = next(_changes(job, loader, data), None) if data is not None else None
            if place is not None:
                yield job.refuse(
                    NAME,
                    "the length of this data set may change here, after its loader is made, and a sampler keeps the "
                    "length that it has seen.",
                    place,
                    "Make the data set and its loader anew where its length changes.",
                )
                return


def _changes(job: Job, loader: CallFact, data: Value) -> Iterator[ast.AST]:
    """The places where what a data set tells its length by is set or grows, when it and its loader are there."""
    found = [methods_of(lineage(job.facts, node)) for node in job.facts.classes_of(data)]
    names = frozenset(name for methods in found for name in _read_for_length(methods))
    changing = frozenset(name for methods in found for name in _changing(methods, names))
    for store in job.facts.stores:
        node = store.node
        own = isinstance(node, ast.Attribute) and _is_set(store, node.attr, names, data)
        if own and _is_later(job, store, loader, data):
            yield node
    for fact in job.calls:
        method = fact.node.func
        name, of = (method.attr, method.value) if isinstance(method, ast.Attribute) else ("", None)
        if of is not None and (
            (name in changing and job.value(of).obj == data.obj) or _grows(job, of, fact, names, data)
        ):
            yield from (fact.node,) if _is_later(job, fact, loader, data) else ()


def _is_set(store: StoreFact, name: str, names: frozenset[str], data: Value) -> bool:
    """Whether an attribute that tells its length is set of a data set, or of a library's such as ``Subset``."""
    if data.obj:
        return name in names and store.owner.obj == data.obj
    return name in _OF_LIBRARIES and store.owner.kind is Kind.DATASET and bool(store.owner.sites & data.sites)


def _grows(job: Job, of: ast.expr, fact: CallFact, names: frozenset[str], data: Value) -> bool:
    """Whether a call puts something into what a data set tells its length by, or takes it out."""
    field = isinstance(of, ast.Attribute) and of.attr in names and job.value(of.value).obj == data.obj
    known = bool(data.obj) and (field or (data.kind is Kind.LIST and job.value(of).obj == data.obj))
    return known and getattr(fact.node.func, "attr", "") in _GROWING


def _read_for_length(methods: Mapping[str, ast.FunctionDef]) -> frozenset[str]:
    """The attributes that a class tells its length by; none of one that is a stream."""
    if "__len__" not in methods or "__getitem__" not in methods:
        return frozenset()
    read, waiting = set[str](), ["__len__"]
    while waiting:
        new = mentioned(methods[waiting.pop()]) - read
        read |= new
        waiting += new & methods.keys()
    return frozenset(read)


def _changing(methods: Mapping[str, ast.FunctionDef], names: frozenset[str]) -> frozenset[str]:
    """The methods of a class, but the one that makes an object, that set some attributes or let them grow."""
    methods = {name: method for name, method in methods.items() if name != "__init__"}
    found = {name for name, method in methods.items() if any(_sets(part, names) for part in walk(method))}
    while further := {name for name, method in methods.items() if name not in found and mentioned(method) & found}:
        found |= further
    return frozenset(found)


def _sets(part: ast.AST, names: frozenset[str]) -> bool:
    """``self.rows = ...``, ``self.rows += ...``, ``self.rows.append(...)``."""
    grows = isinstance(part, ast.Attribute) and part.attr in _GROWING
    of = part.value if grows and isinstance(part, ast.Attribute) else part
    return isinstance(of, ast.Attribute) and of.attr in names and (grows or isinstance(of.ctx, ast.Store))


def _is_later(job: Job, change: StoreFact | CallFact, loader: CallFact, data: Value) -> bool:
    """Whether a change is made when a loader is there, which is not made anew after it in the same loop."""
    calls = [frame.call for frame in change.context.frame.path() if frame.call is not None]
    if job.facts.made.get(data.obj) in calls:
        return False  # as the data set is made
    if {loop.node for loop in change.context.loops} & {loop.node for loop in loader.context.loops}:
        return False
    orders = [fact.order for call in calls for fact in job.calls_of(call)]
    return max(orders, default=0) > loader.order if orders else change.node.lineno > loader.node.lineno
