"""Classes of the script that derive from ``DataLoader``: which loader their objects are.

That is said by the call of ``super().__init__(...)``, or by that of the class where it has no constructor. Where that
is not known, or where a class may hand out something else than its base does, its objects are no loaders: rules refuse
them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.state import SWITCHES
from corro.flow.values import NONE, UNKNOWN, Value
from corro.frontends.pytorch import loaders, streams
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import Facts
    from corro.flow.state import Flow

BASE = "torch.utils.data.DataLoader"
_BESIDE = frozenset({"object", "abc.ABC", "typing.Generic"})
"""Other bases that change nothing of a loader."""
SET = frozenset(
    {"batch_sampler", "batch_size", "collate_fn", "dataset", "drop_last", "generator", "in_order",
     "multiprocessing_context", "num_workers", "persistent_workers", "pin_memory", "pin_memory_device",
     "prefetch_factor", "sampler", "timeout", "worker_init_fn"}
)  # fmt: skip
"""The attributes that the constructor of a loader sets."""
_METHODS = frozenset(
    {"__class__", "__delattr__", "__getattr__", "__getattribute__", "__init_subclass__", "__iter__", "__len__",
     "__new__", "__setattr__", "_auto_collation", "_dataset_kind", "_get_iterator", "_get_shared_seed",
     "_index_sampler", "_iterator", "check_worker_number_rationality"}
)  # fmt: skip
"""What a loader has besides, by which it hands out its batches."""


def made(flow: Flow, instance: Value) -> None:
    """An object is about to be initialised: it is no loader yet."""
    if BASE in flow.library_bases_of(instance):
        flow.set_field(SWITCHES, _place(instance), NONE)


def is_one(flow: Flow, instance: Value) -> bool:
    """Whether an object is, or will be, a loader that hands out what its base does."""
    node = flow.class_node(instance) if instance.kind in (Kind.INSTANCE, Kind.LOADER) else None
    bases = flow.library_bases_of(instance)
    return node is not None and BASE in bases and bases <= _BESIDE | {BASE} and not any(overridden(flow.facts, node))


def initialised(flow: Flow, instance: Value, loader: Value | None) -> Value:
    """The base of an object is made as this loader; what the object has of what loaders set is what they set."""
    if loader is None or instance.kind is Kind.LOADER:  # once more
        flow.set_field(SWITCHES, _place(instance), NONE)
        return NONE
    flow.set_field(SWITCHES, _place(instance), loader)
    known = flow.fields(instance.obj)
    for name in [name for name in known if name in SET]:
        flow.set_field(instance.obj, name, loaders.attribute(loader, name) or UNKNOWN)
    whole = loader.but(obj=instance.obj)
    flow.become(whole)
    return whole


def finished(flow: Flow, instance: Value) -> Value:
    """What an object of a class of the script is, once it is made."""
    kept = flow.field(SWITCHES, _place(instance)) or UNKNOWN
    known = instance.kind is Kind.INSTANCE and kept.kind is Kind.LOADER and not kept.may_be_none
    return kept.but(obj=instance.obj) if known else instance


def _place(instance: Value) -> str:
    return f"loader that object {instance.obj} is"


# ---------------------------------------------------------------------- what was seen


def derives(facts: Facts, node: ast.ClassDef) -> bool:
    """Whether a class of the script derives from ``DataLoader``."""
    return any(name == BASE for name in _libraries(facts, node))


def others(facts: Facts, node: ast.ClassDef) -> list[str]:
    """The classes of libraries that a class derives from as well, and that may change what a loader gives."""
    return sorted({name for name in _libraries(facts, node) if name != BASE and name not in _BESIDE})


def overridden(facts: Facts, node: ast.ClassDef) -> Iterator[tuple[str, ast.stmt]]:
    """What a class, or one of the script's that it derives from, defines of that by which loaders give batches."""
    for own in streams.bases(facts, node):
        for statement in own.body:
            yield from ((name, statement) for name in _defined(statement) if gives_batches(name))


def gives_batches(name: str) -> bool:
    """Whether a loader has something under this name that it gives batches by."""
    return name in _METHODS or name in SET


def initialisers(facts: Facts, node: ast.ClassDef) -> list[ast.FunctionDef]:
    """The constructors of a class and of those of the script's that it derives from."""
    return [
        statement
        for own in streams.bases(facts, node)
        for statement in own.body
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__"
    ]


def _libraries(facts: Facts, node: ast.ClassDef) -> Iterator[str]:
    for own in streams.bases(facts, node):
        yield from (value.name for value in streams.base_values(facts, own) if value.kind is Kind.LIBRARY)


def _defined(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement in the body of a class defines; of a mere annotation none."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif not (isinstance(statement, ast.AnnAssign) and statement.value is None):
        yield from (
            each.id for each in walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        )
