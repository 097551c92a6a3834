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


class Store:
    """Values by owner and name. Copies share what neither changes: branches and loops copy the store all the time."""

    __slots__ = ("_owners", "_private")

    def __init__(self) -> None:
        self._owners: dict[int, dict[str, Value]] = {}
        self._private: set[int] = set()

    @property
    def size(self) -> int:
        """How many owners there are."""
        return len(self._owners)

    def copy(self) -> Store:
        """An independent store with the same values."""
        other = Store()
        other._owners = dict(self._owners)
        self._private.clear()
        return other

    def get(self, key: Key) -> Value | None:
        """The value under a key."""
        return self._owners.get(key[0], _NOTHING).get(key[1])

    def set(self, key: Key, value: Value) -> None:
        """Overwrite the value under a key."""
        owner, name = key
        if owner not in self._private:
            self._owners[owner] = dict(self._owners.get(owner, _NOTHING))
            self._private.add(owner)
        self._owners[owner][name] = value

    def fields(self, owner: int) -> Mapping[str, Value]:
        """All names of an owner."""
        return self._owners.get(owner, _NOTHING)

    def drop(self, owner: int) -> None:
        """Forget an owner."""
        self._owners.pop(owner, None)
        self._private.discard(owner)

    def clear(self, owner: int) -> None:
        """Begin with an owner of which nothing is there yet: what one path puts in is not there on another."""
        self._owners[owner] = {}
        self._private.add(owner)

    def items(self, owners: Iterable[int] | None = None) -> Iterator[tuple[Key, Value]]:
        """All keys and values, of some owners or of all; the store may be changed meanwhile."""
        for owner in list(self._owners) if owners is None else owners:
            for name, value in list(self._owners.get(owner, _NOTHING).items()):
                yield (owner, name), value

    def changes(self, before: Store) -> Iterator[tuple[Key, Value]]:
        """What is not as it was in an earlier store."""
        for owner, names in list(self._owners.items()):
            earlier = before._owners.get(owner, _NOTHING)
            if earlier is names:
                continue
            for name, value in list(names.items()):
                known = earlier.get(name)
                if known is not value and known != value:
                    yield (owner, name), value

    def adopt(self, other: Store) -> None:
        """Take over the owners that are not here yet."""
        self._owners = other._owners | self._owners

    def join(self, other: Store) -> None:
        """Take in what is known on another path."""
        for owner, names in other._owners.items():
            mine = self._owners.get(owner)
            if mine is None:
                self._owners[owner] = names
                self._private.discard(owner)
            elif mine is not names:
                self._join_owner(owner, mine, names, other)

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
                mine = self._owners[owner]
        for name in [name for name in mine if name.startswith(ITEM) and name not in names]:
            self.set((owner, name), _optional(name, mine[name]))
            mine = self._owners[owner]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Store) or self._owners.keys() != other._owners.keys():
            return False
        return all(
            names is other._owners[owner] or names == other._owners[owner] for owner, names in self._owners.items()
        )

    __hash__ = None  # type: ignore[assignment]


def either(a: Value, b: Value, store: Store, other: Store) -> Value:
    """One of two values; of two objects neither is followed further, and what they hold is in the placement."""
    both = joined(a, b)
    if both.obj or both.kind not in HOLDERS:
        return both
    held = [p for p in (*store.held(a.obj), *other.held(b.obj)) if p.data_dependent or not p.is_equal]
    return both.but(placement=combine((both.placement, *held))) if held else both


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
            other._private.clear()
            result.join(other)
    return result
