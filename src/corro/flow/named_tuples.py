"""Tuples whose items have names: ``collections.namedtuple`` and classes derived from ``typing.NamedTuple``."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Placement, join
from corro.flow.python import STARRED
from corro.flow.values import UNSET, Value, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.flow.semantics import Call
    from corro.flow.state import Flow

TYPE = "named tuple"
"""The name of a type of named tuples; its items are the names."""
BASES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_MAKING = "collections.namedtuple"
_NAMED = "names: "
"""How the name of a named tuple begins; the names of its items follow."""


def type_of(flow: Flow, name: str, call: Call) -> Value | None:
    """The type that ``namedtuple`` makes, where its names are known and have no defaults."""
    fields = call.argument(1, "field_names")
    if name != _MAKING or fields is None or len(call.args) > 2 or call.keywords.keys() - {"field_names", "typename"}:
        return None
    if isinstance(fields.const, str):
        return Value(name=TYPE, items=tuple(map(constant, fields.const.replace(",", " ").split())))
    items = fields.items if fields.kind is Kind.TUPLE else flow.literal_items(fields) or ()
    known = bool(items) and all(isinstance(each.const, str) for each in items)
    return Value(name=TYPE, items=items) if known else None


def of_type(target: Value, call: Call) -> Value | None:
    """What a type of named tuples gives."""
    return made([each.const for each in target.items], call) if target.name == TYPE else None


def made(fields: Sequence[str], call: Call) -> Value | None:
    """A tuple with these names for its items; ``None`` where it is not known which argument is which item."""
    named = dict(zip(fields, call.args, strict=False)) | call.keywords
    starred = [each for each in call.args if STARRED in each.tags]
    if starred and len(call.args) == 1 and not call.keywords:  # any number of them: each is like all
        named = dict.fromkeys(fields, starred[0].items[0].but(const=UNSET))
    if (starred and len(call.args) > 1) or named.keys() != set(fields) or len(call.args) > len(fields):
        return None
    items = tuple(named[name] for name in fields)
    placement = reduce(join, (item.placement for item in items), Placement())
    return Value(Kind.TUPLE, placement, items=items, name=_NAMED + " ".join(fields))


def field(owner: Value, name: str) -> Value | None:
    """An item of a named tuple by its name."""
    if owner.kind is not Kind.TUPLE or not owner.name.startswith(_NAMED):
        return None
    names = owner.name.removeprefix(_NAMED).split()
    return owner.items[names.index(name)] if name in names and len(names) == len(owner.items) else None
