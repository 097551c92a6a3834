"""The store: what every variable of every frame and every field of every object holds, with cheap copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import combine
from corro.flow.values import Value, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.anatomy.placement import Placement

Key = tuple[int, str]
"""The number of a frame or an object, and the name of a variable or a field."""

ITEM = "[k]"
"""How the field of a dict for a known key begins; the rest is the key as Python writes it."""
OPTIONAL = "optional"
"""The tag of a value that is there on some paths only."""

HOLDERS = frozenset({Kind.INSTANCE, Kind.LIST, Kind.DICT})
"""Objects whose content is followed."""
_NOTHING: dict[str, Value] = {}


class _Layer:
    """What some owners had when a store was copied; it never changes. ``None`` is an owner that was forgotten."""

    __slots__ = ("below", "names")

    def __init__(self, names: dict[int, dict[str, Value] | None], below: _Layer | None) -> None:
        self.names = names
        self.below = below


def _on_top(names: dict[int, dict[str, Value] | None], below: _Layer | None) -> _Layer:
    """A layer above others: each is more than twice as large as the one above it, so that there are few."""
    while below is not None and len(below.names) <= 2 * len(names):
        names, below = below.names | names, below.below
    return _Layer(names, below)


class Store:
    """Values by owner and name. Branches and loops copy the store all the time, and change little of it.

    So a copy takes nothing, and what is joined or compared is only what was changed since two stores parted.
    """

    __slots__ = ("_below", "_own", "_private", "_size")

    def __init__(self) -> None:
        self._below: _Layer | None = None
        self._own: dict[int, dict[str, Value] | None] = {}
        self._private: set[int] = set()
        self._size = 0

    @property
    def size(self) -> int:
        """How many owners there are."""
        return self._size

    def copy(self) -> Store:
        """An independent store with the same values."""
        self._freeze()
        other = Store()
        other._below, other._size = self._below, self._size
        return other

    def get(self, key: Key) -> Value | None:
        """The value under a key."""
        return (self._find(key[0]) or _NOTHING).get(key[1])

    def set(self, key: Key, value: Value) -> None:
        """Overwrite the value under a key."""
        owner, name = key
        if owner not in self._private:
            self._put(owner, dict(self._find(owner) or _NOTHING))
            self._private.add(owner)
        names = self._own[owner]
        assert names is not None
        names[name] = value

    def fields(self, owner: int) -> Mapping[str, Value]:
        """All names of an owner."""
        return self._find(owner) or _NOTHING

    def frozen(self, owner: int) -> Mapping[str, Value]:
        """All names of an owner, as they are now: what is changed later is another mapping."""
        self._freeze()
        return self._find(owner) or _NOTHING

    def put(self, owner: int, names: Mapping[str, Value]) -> None:
        """Overwrite all names of an owner; the mapping is one that never changes."""
        self._put(owner, names)  # type: ignore[arg-type]
        self._private.discard(owner)

    def put_back(self, owner: int, names: Mapping[str, Value], before: Mapping[str, Value]) -> None:
        """Overwrite the names of an owner, where they are still the mapping that was put there."""
        if self._find(owner) is names:
            self.put(owner, before)

    def drop(self, owner: int) -> None:
        """Forget an owner."""
        if self._find(owner) is not None:
            self._own[owner] = None
            self._size -= 1
        self._private.discard(owner)

    def clear(self, owner: int) -> None:
        """Begin with an owner of which nothing is there yet: what one path puts in is not there on another."""
        self._put(owner, {})
        self._private.add(owner)

    def items(self, owners: Iterable[int] | None = None) -> Iterator[tuple[Key, Value]]:
        """All keys and values, of some owners or of all; the store may be changed meanwhile."""
        for owner in self._owners() if owners is None else owners:
            for name, value in list(self.fields(owner).items()):
                yield (owner, name), value

    def changes(self, before: Store) -> Iterator[tuple[Key, Value]]:
        """What is not as it was in an earlier store."""
        for owner in self._parted_in(before):
            names, earlier = self._find(owner), before._find(owner)
            if names is None or earlier is names:
                continue
            for name, value in list(names.items()):
                known = (earlier or _NOTHING).get(name)
                if known is not value and known != value:
                    yield (owner, name), value

    def written(self, before: Store) -> Iterator[Key]:
        """What was written since an earlier store, also where it is like what was there."""
        for owner in self._parted_in(before):
            names, earlier = self._find(owner), before._find(owner)
            if names is not None and earlier is not names:
                known = earlier or _NOTHING
                yield from ((owner, name) for name, value in names.items() if known.get(name) is not value)

    def adopt(self, other: Store) -> None:
        """Take over the owners that are not here yet."""
        for owner in other._shared_in(self):
            names = other._find(owner)
            if names is not None and self._find(owner) is None:
                self._put(owner, names)

    def join(self, other: Store) -> None:
        """Take in what is known on another path."""
        for owner in other._shared_in(self):
            names, mine = other._find(owner), self._find(owner)
            if names is None or mine is names:
                continue
            if mine is None:
                self._put(owner, names)
                self._private.discard(owner)
            else:
                self._join_owner(owner, mine, names, other)

    def _find(self, owner: int) -> dict[str, Value] | None:
        if owner in self._own:
            return self._own[owner]
        layer = self._below
        while layer is not None:
            if owner in layer.names:
                return layer.names[owner]
            layer = layer.below
        return None

    def _put(self, owner: int, names: dict[str, Value]) -> None:
        self._size += self._find(owner) is None
        self._own[owner] = names

    def _freeze(self) -> None:
        """Let other stores have what this one has changed; it copies what it changes from now on."""
        if self._own:
            self._below = _on_top(self._own, self._below)
            self._own = {}
        self._private.clear()

    def _shared_in(self, other: Store) -> list[int]:
        """The owners that may differ from those of another store, which takes in what is found of them here."""
        self._freeze()
        return self._parted_in(other)

    def _parted_in(self, other: Store) -> list[int]:
        """The owners that may differ from those of another store: all above the highest layer that both have."""
        layers = {id(layer): layer for layer in self._layers()}
        common = next((layer for layer in other._layers() if id(layer) in layers), None)
        parted: set[int] = {*self._own, *other._own}
        for store in (self, other):
            for layer in store._layers():
                if layer is common:
                    break
                parted.update(layer.names)
        return sorted(parted)

    def _layers(self) -> Iterator[_Layer]:
        layer = self._below
        while layer is not None:
            yield layer
            layer = layer.below

    def _owners(self) -> list[int]:
        found = {*self._own}.union(*(layer.names for layer in self._layers()))
        return sorted(found)

    def held(self, obj: int) -> Iterator[Placement]:
        """The placements of all that an object holds, be it within others."""
        pending, seen = [obj], {0}
        while pending:
            owner = pending.pop()
            if owner in seen:
                continue
            seen.add(owner)
            for value in self.fields(owner).values():
                yield value.placement
                pending += [value.obj] if value.kind in HOLDERS else []

    def _join_owner(self, owner: int, mine: dict[str, Value], names: dict[str, Value], other: Store) -> None:
        for name, value in names.items():
            known = mine.get(name)
            if known is value:
                continue
            both = _optional(name, value) if known is None else either(known, value, self, other)
            if both is not known:
                self.set((owner, name), both)
                mine = self._find(owner) or _NOTHING
        for name in [name for name in mine if name.startswith(ITEM) and name not in names]:
            self.set((owner, name), _optional(name, mine[name]))
            mine = self._find(owner) or _NOTHING

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Store) or self._size != other._size:
            return False
        parted = ((self._find(owner), other._find(owner)) for owner in self._parted_in(other))
        return all(names is others or names == others for names, others in parted)

    __hash__ = None  # type: ignore[assignment]


def either(a: Value, b: Value, store: Store, other: Store) -> Value:
    """One of two values; of two objects neither is followed further, and what they hold is in the placement."""
    both = joined(a, b)
    if both.obj or both.kind not in HOLDERS:
        return both
    held = [p for p in (*store.held(a.obj), *other.held(b.obj)) if p.data_dependent or not p.is_equal]
    return both.but(placement=combine((both.placement, *held))) if held else both


def as_written(key: str) -> str:
    """A key as most scripts write it."""
    return f'"{key[1:-1]}"' if key.startswith("'") and not {'"', "\\"} & set(key) else key


def _optional(name: str, value: Value) -> Value:
    """An item of a dict that another path does not put in."""
    if not name.startswith(ITEM) or OPTIONAL in value.tags:
        return value
    return value.but(tags=value.tags | {OPTIONAL})


def join_stores(stores: Iterable[Store | None]) -> Store | None:
    """What is known where some paths meet; ``None`` when none of them gets here."""
    alive = [store for store in stores if store is not None]
    if not alive:
        return None
    result = alive[0].copy()
    for other in alive[1:]:
        if other is not alive[0]:
            result.join(other)
    return result
