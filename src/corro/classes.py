"""Dataclasses that are quickly made.

Loading the compiler makes a hundred classes of values. ``dataclasses`` composes, parses and compiles half a dozen
methods for each, which took a fifth of the time of a whole compilation. Here their methods are closures over the names
of the fields. They are written as those of ``dataclasses`` are, type checkers take them for the same, and so do the
functions of ``dataclasses``.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["HASH", "dataclass", "field", "replace"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass, field, replace

    Method = Callable[..., Any]
else:

    def dataclass(cls=None, *, frozen=False, eq=True):
        """Let a class have ``__init__``, ``__repr__`` and, with ``eq``, be equal where its fields are."""
        return _completed(cls, frozen, eq) if cls is not None else lambda made: _completed(made, frozen, eq)

    def field(*, default_factory, repr=True):
        """A field whose default is made anew for each object."""
        return _Factory(default_factory, repr)

    def replace(value, **changes):
        """A copy of an object in which some fields are others."""
        return type(value)(**{**{name: getattr(value, name) for name in _fields_of(type(value))}, **changes})


class _Factory:
    def __init__(self, make: Callable[[], object], shown: bool) -> None:
        self.make = make
        self.shown = shown


_REQUIRED = object()
HASH = "its hash"
"""Where an object keeps its hash, under a name that no field has."""


class _Described:
    """The fields as ``dataclasses`` describes them, for its functions: ``asdict``, ``fields`` and ``replace``."""

    def __get__(self, value: object, cls: type) -> dict[str, Any]:
        from dataclasses import fields, make_dataclass  # noqa: PLC0415 - not on the way of a compilation

        return {each.name: each for each in fields(make_dataclass(cls.__name__, list(_fields_of(cls))))}


def _completed(cls: type, frozen: bool, eq: bool) -> type:
    inherited = {name: default for base in reversed(cls.__mro__[1:]) for name, default in _fields_of(base).items()}
    own = {name: getattr(cls, name, _REQUIRED) for name, kind in cls.__annotations__.items() if kind[:8] != "ClassVar"}
    fields = {**inherited, **own}
    methods: dict[str, Any] = {"__init__": _initialiser(cls, fields), "__repr__": _representation(fields)}
    if eq:
        methods["__eq__"], methods["__hash__"] = _equality(fields)
        if not frozen:
            methods["__hash__"] = None
    if frozen:
        methods["__setattr__"] = methods["__delattr__"] = _refuse
        methods["__getstate__"] = _without_hash
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)
    cls._fields, cls.__dataclass_fields__ = fields, _Described()  # type: ignore[attr-defined]
    return cls


def _fields_of(cls: type) -> dict[str, Any]:
    """The fields of a class, with their defaults."""
    fields: dict[str, Any] = vars(cls).get("_fields", {})
    return fields


def _initialiser(cls: type, fields: dict[str, Any]) -> Method:
    names, count, finishes = tuple(fields), len(fields), hasattr(cls, "__post_init__")
    factories = [(name, default.make) for name, default in fields.items() if isinstance(default, _Factory)]
    made = {name for name, _ in factories}
    defaults = {name: default for name, default in fields.items() if default is not _REQUIRED and name not in made}

    def __init__(self: Any, *values: object, **named: object) -> None:
        inside = self.__dict__  # what a frozen object is made of is not assigned
        if defaults:
            inside.update(defaults)
        if values:
            inside.update(zip(names, values))  # noqa: B905 - strict takes longer
        if named:
            inside.update(named)
        for name, make in factories:
            if name not in inside:
                inside[name] = make()
        if len(inside) != count or len(values) > count or (named and not named.keys() <= fields.keys()):
            raise TypeError(f"{cls.__name__} takes {', '.join(names)}; given {values} and {named}")
        if finishes:
            self.__post_init__()

    return __init__


def _representation(fields: dict[str, Any]) -> Method:
    shown = [name for name, default in fields.items() if not isinstance(default, _Factory) or default.shown]

    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    return __repr__


def _equality(fields: dict[str, Any]) -> tuple[Method, Method]:
    values: Method = attrgetter(*fields) if fields else type
    count = len(fields)

    def __eq__(self: object, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        inside, others = self.__dict__, other.__dict__
        if len(inside) == len(others) == count:  # nothing but the fields is kept in either
            return bool(inside == others)
        return bool(values(self) == values(other))

    def __hash__(self: object) -> int:
        inside = self.__dict__
        if HASH not in inside:  # the values of a large model are asked for theirs many times
            inside[HASH] = hash(values(self))
        known: int = inside[HASH]
        return known

    return __eq__, __hash__


def _without_hash(self: object) -> dict[str, object]:
    """What is pickled: in another process strings have other hashes."""
    return {name: value for name, value in vars(self).items() if name != HASH}


def _refuse(self: object, name: str, value: object = None) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} is never assigned")
