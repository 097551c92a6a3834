"""What a loader tells of itself, and what conversion changes of it.

Conversion gives a loader another batch size, sampler and order. So each attribute of a loader is one of these: it stays
as it is, rules write it so that it means what it meant (``RESTORED``), or it is what this process sees of the data.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement
from corro.classes import dataclass
from corro.flow.values import UNKNOWN, Value, number
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

_STAYING = frozenset(
    {"collate_fn", "generator", "in_order", "multiprocessing_context", "num_workers", "persistent_workers",
     "pin_memory", "pin_memory_device", "prefetch_factor", "timeout", "worker_init_fn"}
)  # fmt: skip
"""Attributes that no rule changes."""
_SAMPLERS = frozenset({"sampler", "batch_sampler"})
DROPPING = "drop_last"
SIZE = "batch_size"
SAMPLES = "samples of a data set"
"""The tag of the length of a data set."""
OWN_SAMPLERS = {"SequentialSampler": False, "RandomSampler": True}
"""What a loader makes for itself where it is given no sampler, and whether that shuffles."""
NO_PARTS = Value(Kind.TUPLE)
"""Of the parts of its batches nothing is known."""
RESTORED = {
    SIZE: "{owner}.batch_size * {world}",
    "batch_sampler.batch_size": "{owner}.batch_size * {world}",
    "len(sampler)": "len({owner}.dataset)",
    "len(batch_sampler.sampler)": "len({owner}.dataset)",
    "sampler.num_samples": "len({owner}.dataset)",
    "sampler.data_source": "{owner}.dataset",
}
"""What is read of a training loader, and what gives in the distributed program what that gave."""


def made(call: Call, data: Value, site: frozenset[int], batch: Value = NO_PARTS) -> Value:
    """A loader: of its data, in batches of some size that are one tensor, or have these parts."""
    given = call.argument(1, "batch_size")
    size = given if given is not None else number(integer=True) if "**" in call.keywords else number(const=1)
    sampler, batches = (call.argument(at, name) for at, name in ((3, "sampler"), (4, "batch_sampler")))
    if batches is not None and batches.kind is not Kind.NONE:
        size = Value()
    drawn = any(each is not None and not _is_in_order(each) for each in (sampler, batches))
    shuffle = Value() if drawn else call.argument(2, "shuffle") or Value(const=False)
    return Value(Kind.LOADER, sites=site, items=(data, size, batch, shuffle))


def _is_in_order(sampler: Value) -> bool:
    """Whether a sampler, or none, gives the same samples each time."""
    return sampler.kind in (Kind.NONE, Kind.RANGE) or sampler.name.endswith(".SequentialSampler")


def own_sampler(facts: Facts, fact: CallFact) -> str | None:
    """The sampler by which a loader draws as it does without: all samples in order, or shuffled; ``None`` otherwise.

    It is given by a keyword, draws from the data set of the loader, and has no other argument.
    """
    data = fact.node.args[0] if fact.node.args else _keyword(fact.node, "dataset")
    sampler = fact.keywords.get("sampler", UNKNOWN)  # in this call: a flag may choose another one elsewhere
    name = sampler.name.rpartition(".")[2]
    if data is None or sampler.kind is not Kind.SAMPLER or sampler.may_be_none or name not in OWN_SAMPLERS:
        return None
    made = [facts.nodes[number] for number in sampler.sites]
    return name if all(isinstance(each, ast.Call) and _is_all_of(facts, each, data) for each in made) else None


def _is_all_of(facts: Facts, sampler: ast.Call, data: ast.expr) -> bool:
    given = sampler.args[0] if sampler.args else _keyword(sampler, "data_source")
    if given is None or len(sampler.args) + len(sampler.keywords) != 1 or ast.dump(given) != ast.dump(data):
        return False
    return facts.values.get(given, UNKNOWN) == facts.values.get(data, UNKNOWN)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == name), None)


def parts(loader: Value) -> tuple[Value, ...]:
    """What is known of the parts of its batches."""
    return loader.items[2].items if len(loader.items) > 2 else ()


def tensor(loader: Value) -> Value | None:
    """What is known of its batches where each is one tensor."""
    known = loader.items[2:3]
    return known[0] if known and known[0].kind is Kind.TENSOR else None


def with_parts(loader: Value, parts: tuple[Value, ...]) -> Value:
    """The same loader, of whose batches this is known."""
    data, size, known, *others = loader.items
    return loader.but(items=(data, size, known.but(items=parts), *others))


def is_shuffled(loader: Value) -> bool:
    """Whether a loader may draw its order by chance."""
    return len(loader.items) < 4 or loader.items[3].const is not False


def attribute(owner: Value, name: str) -> Value | None:
    """An attribute of a loader."""
    if name == "dataset":
        return owner.items[0].but(kind=Kind.DATASET) if owner.items else Value(Kind.DATASET)
    if name == SIZE:
        return _size(owner)
    if name in _SAMPLERS:
        return Value(Kind.SAMPLER, _seen_here(owner), sites=owner.sites, name=name, items=(owner,))
    if name in _STAYING or name == DROPPING:
        return Value()
    return None if name.startswith("__") else Value(placement=_seen_here(owner))


def sampler_attribute(owner: Value, name: str) -> Value | None:
    """An attribute of a loader's sampler."""
    path, loader = f"{owner.name}.{name}", owner.items[0]
    if name == "sampler":
        return owner.but(name=path)
    if path == "sampler.data_source":
        return attribute(loader, "dataset")
    if path == "sampler.num_samples":
        return number(integer=True)
    if path == "batch_sampler.batch_size":
        return _size(loader)
    return Value(placement=owner.placement)


def length(data: Value) -> Value:
    """How many samples a data set has, or a sampler gives."""
    if is_sampler(data):
        return number(integer=True, tags=frozenset({"batches"} if data.name == "batch_sampler" else ()))
    return number(integer=True, tags=frozenset({SAMPLES} if data.kind is Kind.DATASET else ()))


def asked(flow: Flow, loader: Value) -> None:
    """A pass asks the data set for samples: what its own code notes of that is of this process's samples."""
    given = loader.items[:1]
    for data in (one for value in given for one in (flow.ones(value) or (value,)) if one.obj):
        _noted(flow, data, Placement(Form.UNKNOWN, loader.sites))


def _noted(flow: Flow, owner: Value, seen: Placement) -> None:
    """Mark the fields that a data set, or a transform of it, sets when it is asked."""
    class_node = flow.class_node(owner)
    if class_node is None:
        return
    fields = dict(flow.fields(owner.obj))
    for name in _set_when_asked(class_node):
        known = fields.get(name, UNKNOWN)
        flow.set_field(owner.obj, name, Value(known.kind if known.kind is Kind.NUMBER else Kind.UNKNOWN, seen))
    if owner.kind is Kind.DATASET:
        for part in fields.values():
            if part.kind is Kind.INSTANCE and part.obj:
                _noted(flow, part, seen)


_ASKED = ("__getitem__", "__getitems__", "__call__")


def _set_when_asked(class_node: ast.ClassDef) -> Iterator[str]:
    """Attributes of ``self`` that are set or changed on the way to a sample."""
    methods = {each.name: each for each in class_node.body if isinstance(each, ast.FunctionDef)}
    reached = [name for name in _ASKED if name in methods]
    for name in reached:
        for node in walk(methods[name]):
            called = _of_self(node.func, methods[name]) if isinstance(node, ast.Call) else ""
            if called in methods and called not in reached:
                reached.append(called)
            yield from filter(None, [_changed(node, methods[name])])


def _changed(node: ast.AST, method: ast.FunctionDef) -> str:
    """The attribute of ``self`` that is set, or whose item is, or that a statement changes by a method."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return _of_self(node, method)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return _of_self(node.value, method)
    call = node.value if isinstance(node, ast.Expr) else None
    called = call.func if isinstance(call, ast.Call) else None
    return _of_self(called.value, method) if isinstance(called, ast.Attribute) else ""


def _of_self(node: ast.AST, method: ast.FunctionDef) -> str:
    first = method.args.args[0].arg if method.args.args else ""
    named = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == first
    return node.attr if isinstance(node, ast.Attribute) and named else ""


def is_sampler(value: Value) -> bool:
    """Whether this is the sampler of a loader, read from the loader."""
    return value.kind is Kind.SAMPLER and bool(value.items) and value.items[0].kind is Kind.LOADER


def _size(loader: Value) -> Value:
    return loader.items[1] if len(loader.items) > 1 else number(integer=True)


def _seen_here(loader: Value) -> Placement:
    return Placement(Form.UNKNOWN, loader.sites)


@dataclass(frozen=True)
class Read:
    """A place where something of a loader is read that conversion changes.

    Args:
        node: the expression.
        what: what is read, as in ``RESTORED``.
        loader: the loader.
        owner: the expression that gives the loader, ``None`` where it is reached through another name.
    """

    node: ast.expr
    what: str
    loader: Value
    owner: ast.expr | None


def reads(facts: Facts) -> Iterator[Read]:
    """All places where something is read of loaders that conversion may change."""
    for node, value in list(facts.values.items()):
        if isinstance(node, ast.Attribute):
            yield from _attribute_read(facts, node)
        elif isinstance(node, ast.Call) and value.kind is not Kind.SAMPLER:
            yield from _call_read(facts, node)


def _attribute_read(facts: Facts, node: ast.Attribute) -> Iterator[Read]:
    owner = facts.values.get(node.value, UNKNOWN)
    if owner.kind is Kind.LOADER and node.attr in (SIZE, DROPPING):
        yield Read(node, node.attr, owner, node.value)
    elif is_sampler(owner) and node.attr != "sampler":
        yield Read(node, f"{owner.name}.{node.attr}", owner.items[0], _owner(facts, node.value))


def _call_read(facts: Facts, node: ast.Call) -> Iterator[Read]:
    """``len(loader.sampler)``, ``getattr(loader, "batch_size")``."""
    given = facts.values.get(node.args[0], UNKNOWN) if node.args else UNKNOWN
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "getattr" and len(node.args) > 1 and (given.kind is Kind.LOADER or is_sampler(given)):
        asked = str(facts.values.get(node.args[1], UNKNOWN).const)
        if is_sampler(given):
            yield Read(node, f"{given.name}.{asked}", given.items[0], _owner(facts, node.args[0]))
        elif asked in (SIZE, DROPPING):
            yield Read(node, asked, given, node.args[0])
    elif name == "len" and is_sampler(given):
        yield Read(node, f"len({given.name})", given.items[0], _owner(facts, node.args[0]))


def _owner(facts: Facts, node: ast.expr) -> ast.expr | None:
    """The loader in ``loader.sampler``, or in ``loader.batch_sampler.sampler``."""
    while isinstance(node, ast.Attribute) and is_sampler(facts.values.get(node, UNKNOWN)):
        node = node.value
    return node if facts.values.get(node, UNKNOWN).kind is Kind.LOADER else None
