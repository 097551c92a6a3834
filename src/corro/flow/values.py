"""Abstract values: what is known of an expression on all paths."""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import REPLICATED, Form, Placement, combine, join
from corro.classes import HASH, dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.flow.depths import Depth, Width


class _Unset:
    def __repr__(self) -> str:
        return "<no constant>"


UNSET = _Unset()


Root = tuple[int, int, str]
"""A variable as a round of a loop finds it: the number of the loop, the owner and the name of the variable."""
MAYBE_NONE = "maybe none"
"""The tag of a value that is ``None`` on some path, or where an option is not given."""
RATIO = "a ratio within a shard"
"""The tag of a ratio of two sums over the samples of a batch, such as an IoU, and of what is computed from it."""
SUM_AND_MORE = "a sum over samples and more"
"""The tag of a sum over the samples of a batch to which something small was added, not to divide by zero."""
OF_SHARD = "a number that only a shard shows"
"""The tag of the largest or smallest element of what a process has of a batch, and of sums that hang on it."""
BY_SHARD = "of each sample, beside what a shard shows"
"""The tag of what is computed for each sample, or each of its parts, from it and from such a number."""
OR_LOADER = "a tuple or list, or a loader"
"""The name of what a function gives that returns several or one; it is the tuple or list where it is taken apart."""
AT_MOST = "a list that has these items, or fewer of them"
"""The name of what is known of a list to which items were added at its end, under conditions or not: all of them."""
NOT_YET = "an item of what is empty"
"""The tag of an item that is asked for of a list in which nothing is: a loop gets there once something is in it."""
ARRAYS = "one of several tuples of arrays"
"""The name of a value that is a tuple of arrays on all paths, of more of them on one than on another.

It has the tags of all of them.
"""
EVALUATED = "evaluated from a text that is not known"
"""The tag of what ``eval`` gives of a text that comes from outside of the program."""
NONE_BY_CHANCE = "none by chance"
"""The tag of a part of a batch that may be ``None`` on one process and not on another."""


class RatioOf(str):
    """The tag of a number that comes from a ratio within a batch: the number of the loader that gives the batch."""


class Common(str):
    """A tag of what a tensor is: one that is made of several has it only if all of them do."""

    __slots__ = ()


class OfType(Common):
    """A tag of a type: what is so on one path only is of another type on the other."""

    __slots__ = ()


SETTLED = "a literal where a function is called"
"""The tag of what a function is given as a literal, or has as its default."""
TELLING = "tells calls or rounds apart"
"""The tag of a literal that is another one in another call of a function, or in another round of a loop."""
MIXED = "of one type on one path, and of another on another"
"""The tag of a tensor of which it is not known whose it is."""
AVERAGED = "of each sample and an average of all, added up"
"""The tag of what is unknown but for this: its mean over the samples of a batch is the mean over those of shards."""
UNSEEN = "or a list that is not known"
"""The tag of what may be one of several lists, of which one was not seen being made."""
ROUNDS = "at least one round"
"""The tag of a range over a positive number, or within a pass over one of the command line."""
ONE_EACH = "an item for each sample of a batch"
"""The tag of a list that is as long as what a process has of a batch."""
PARTIAL = "functools.partial"
"""The name of a function that was given some of its arguments; the function and these are its items."""
OPTION = "a number of the command line"
"""The name of an option that the command line makes a number."""
OPTIONS = "options of the command line, as items"
"""The name of ``vars(args)``: a dict of which nothing else is known."""
ALTERED = "not only what it was copied from"
"""The tag of what was computed from the numbers and attributes that are its origins, or may be something else."""
IN_BAR = "in a progress bar, or not"
"""The tag of what a progress bar may be around: it is gone over as it is, and has other attributes in a bar."""
ELLIPSIS = "..."
"""The name of the value of three dots."""


@dataclass(frozen=True)
class Value:
    """An abstract value.

    Args:
        kind: what it is for.
        placement: what it will be on the ranks.
        sites: numbers of the expressions that made it (see ``Facts.nodes``); several where paths meet.
        const: the constant, when it is one on all paths.
        name: the dotted name of a library value, the method's name, the attribute of a namespace; what a text is like.
        items: the parts of a tuple; the receiver of a method; what an iterator goes over.
        obj: number of the object on the abstract heap (instances, lists, dicts).
        integer: whether a number or tensor holds integers, ``None`` when unknown.
        scalar: a tensor with one element.
        batch_dim: the dimension that counts samples, ``None`` when unknown.
        depth: what is known of the number of dimensions after that of the samples, see ``corro.flow.depths``.
        width: what is known of the size of the last of them; of a number, which such size it is.
        carry: variables from before a round of a loop that this is a plain sum of, with other summands, if any.
        mixed: those on which it depends in another way: scaled, subtracted, or taken more than once.
        tags: marks of a frontend.
        pending: accumulations this is the (to be reduced) whole of, as (loop, variable).
        origins: nodes of the numbers and attributes this number was copied from, unchanged.
        locations: numbers of the arrays it is, or shows, which may be changed in place under other names; of the
            objects that it may be, where paths meet.
    """

    kind: Kind = Kind.UNKNOWN
    placement: Placement = REPLICATED
    sites: frozenset[int] = frozenset()
    const: Any = UNSET
    name: str = ""
    items: tuple[Value, ...] = ()
    obj: int = 0
    integer: bool | None = None
    scalar: bool = False
    batch_dim: int | None = None
    depth: Depth = frozenset()
    width: Width = frozenset()
    carry: frozenset[Root] = frozenset()
    mixed: frozenset[Root] = frozenset()
    tags: frozenset[str] = frozenset()
    pending: frozenset[tuple[int, str]] = frozenset()
    origins: frozenset[int] = frozenset()
    locations: frozenset[int] = frozenset()

    @property
    def is_const(self) -> bool:
        """Whether the constant is known."""
        return self.const is not UNSET

    @property
    def is_zero(self) -> bool:
        """A number or tensor known to be zero: the empty sum."""
        return self.is_const and not isinstance(self.const, (str, bytes, tuple)) and self.const == 0

    @property
    def may_be_none(self) -> bool:
        """Whether the value is ``None``, always or on some path."""
        return self.kind is Kind.NONE or MAYBE_NONE in self.tags

    @property
    def form(self) -> Form:
        """The form of the placement."""
        return self.placement.form

    @property
    def sources(self) -> frozenset[int]:
        """The loaders whose data the value comes from."""
        return self.placement.sources

    def but(self, **changes: Any) -> Value:
        """A copy with other fields."""
        copy = object.__new__(Value)
        copy.__dict__.update(self.__dict__, **changes)
        copy.__dict__.pop(HASH, None)
        return copy


UNKNOWN = Value()
NONE = Value(Kind.NONE, const=None)


def constant(value: object, origin: int = 0) -> Value:
    """The value of a literal."""
    origins = frozenset({origin}) if origin else frozenset()
    if isinstance(value, bool):
        return Value(Kind.NUMBER, const=value, integer=True, scalar=True, origins=origins)
    if isinstance(value, (int, float)):
        return Value(Kind.NUMBER, const=value, integer=isinstance(value, int), scalar=True, origins=origins)
    if isinstance(value, str):
        return Value(Kind.TEXT, const=value, origins=origins)
    if value is None:
        return NONE
    if value is ...:
        return Value(name=ELLIPSIS)
    return Value(const=value if isinstance(value, (bytes, complex)) else UNSET)


_ANY, _OR = "*", "|"
_LONGEST = 400


def likeness(text: Value) -> str:
    """What a text is like: its words where they are known, ``*`` elsewhere; several apart by ``|``; empty: anything."""
    if text.kind is not Kind.TEXT or not isinstance(text.const, str):
        return text.name if text.kind is Kind.TEXT else ""
    return "" if set(text.const) & set("*|?[") or not text.const else text.const


def put_together(parts: Iterable[Value]) -> str:
    """What a text is like that is made of these, one after another."""
    found = [likeness(part) if part.kind is Kind.TEXT else "" for part in parts]
    known = "".join(_ANY if not each or _OR in each else each for each in found)
    return known if known.strip(_ANY) and len(known) < _LONGEST else ""


def joined_path(parts: Sequence[Value]) -> str:
    """What a path is like that ``os.path.join`` makes of these: what is not known is taken for a name in the folder."""
    found = [likeness(part) for part in parts]
    names = [_ANY if not each or _OR in each else each for each in found]
    known = posixpath.join(*names) if names else ""
    return known if known.strip(f"{_ANY}/") and len(known) < _LONGEST else ""


def is_like(name: str, pattern: str) -> bool:
    """Whether a name may be a text that is like this."""
    return any(fnmatchcase(name, each) for each in pattern.split(_OR))


def is_numbered(name: str, pattern: str) -> bool:
    """Whether a name may be a text that is like this, with numbers where it is not known; a name is no such text."""
    forms = pattern.split(_OR) if not pattern.isidentifier() else ()
    return any(re.fullmatch(re.escape(each).replace(re.escape(_ANY), r"\d+"), name) for each in forms)


def _either_text(a: Value, b: Value) -> str:
    """What one of two texts is like."""
    both = {each for part in (a, b) for each in likeness(part).split(_OR)}
    known = _OR.join(sorted(both))
    return known if "" not in both and len(known) < _LONGEST else ""


def number(placement: Placement = REPLICATED, *, integer: bool | None = None, **more: Any) -> Value:
    """A Python number with a placement."""
    return Value(Kind.NUMBER, placement, integer=integer, scalar=True, **more)


def chosen(value: Value, by: Placement) -> Value:
    """What is picked of several by something that may differ between processes, or that is data-dependent."""
    if by.is_equal and not by.data_dependent:
        return value
    alike = replace(value.placement, data_dependent=True, separate=value.placement.separate or by.separate)
    return value.but(placement=alike if by.is_equal else combine((value.placement, by)), const=UNSET)


def same_const(a: Value, b: Value) -> Any:
    """The constant two values share, or ``UNSET``."""
    if not (a.is_const and b.is_const) or type(a.const) is not type(b.const):
        return UNSET
    return a.const if a.const == b.const else UNSET


_JOINED: dict[tuple[Value, Value], Value] = {}
_MOST_JOINED = 50_000
_EXACT = frozenset({_Unset, str, int, type(None)})
"""The types of constants of which no two are equal without being the same; ``True`` and 1.0 equal 1."""


def joined(a: Value, b: Value) -> Value:
    """What is known of a value that is ``a`` on one path and ``b`` on the other.

    Loops run to a fixed point, so the same two meet many times: what came of the last ones is kept.
    """
    if a is b or a == b:
        return a
    if not (_is_exact(a) and _is_exact(b)):
        return _joined(a, b)
    known = _JOINED.get((a, b))
    if known is not None:
        copy = object.__new__(Value)
        copy.__dict__.update(known.__dict__)
        return copy  # what is computed anew is told by its identity from what was there before
    if len(_JOINED) >= _MOST_JOINED:
        _JOINED.clear()
    known = _JOINED[a, b] = _joined(a, b)
    return known


def _is_exact(value: Value) -> bool:
    return type(value.const) in _EXACT and (not value.items or all(map(_is_exact, value.items)))


def _joined(a: Value, b: Value) -> Value:
    if a.kind is Kind.NONE and b.kind is not Kind.NONE:
        more = {MAYBE_NONE, ALTERED} if b.origins else {MAYBE_NONE}
        return b.but(const=UNSET, tags=b.tags | more, placement=join(a.placement, b.placement))
    if b.kind is Kind.NONE and a.kind is not Kind.NONE:
        return joined(b, a)
    if a.kind is not b.kind and Kind.PROGRESS in (a.kind, b.kind):
        inner_a, inner_b = without_bar(a), without_bar(b)  # loader = tqdm(loader) in a loop over epochs
        if inner_a.kind is inner_b.kind is not Kind.UNKNOWN:
            either = joined(inner_a, inner_b)
            return either.but(tags=either.tags | {IN_BAR})
    if NOT_YET in a.tags and NOT_YET not in b.tags:
        return b.but(const=UNSET, placement=join(a.placement, b.placement))
    if NOT_YET in b.tags and NOT_YET not in a.tags:
        return joined(b, a)
    placement = join(a.placement, b.placement, a_is_zero=a.is_zero, b_is_zero=b.is_zero)
    choices = _choices(a, b)
    if choices or AT_MOST in (a.name, b.name):
        return Value(Kind.CHOICE, placement, items=choices, tags=a.tags | b.tags) if choices else _longest(a, b)
    kind = a.kind if a.kind is b.kind else _joined_kind(a.kind, b.kind)
    if kind is not Kind.WRITER and Kind.WRITER in (a.kind, b.kind):
        placement = combine((placement, Placement(Form.LOCAL)))
    items: tuple[Value, ...] = ()
    if kind is a.kind is b.kind and len(a.items) == len(b.items):
        items = tuple(joined(x, y) for x, y in zip(a.items, b.items, strict=True))
    elif Kind.TUPLE in (a.kind, b.kind) and _is_of_arrays(a) and _is_of_arrays(b):
        return Value(
            placement=placement, name=ARRAYS, tags=a.tags.union(b.tags, *(part.tags for part in (*a.items, *b.items)))
        )
    elif {a.kind, b.kind} in ({Kind.TUPLE, Kind.LOADER}, {Kind.LIST, Kind.LOADER}):
        several = b if a.kind is Kind.LOADER else a
        return Value(placement=placement, name=OR_LOADER, items=(several,), tags=a.tags | b.tags)
    elif kind is Kind.TUPLE:
        kind = Kind.UNKNOWN
    return a.but(
        kind=kind,
        placement=placement,
        sites=a.sites | b.sites,
        const=same_const(a, b),
        name=_either_text(a, b) if kind is Kind.TEXT else a.name if a.name == b.name else "",
        items=items,
        obj=a.obj if a.obj == b.obj else 0,
        integer=_joined_integer(a, b),
        scalar=a.scalar and b.scalar,
        batch_dim=a.batch_dim if a.batch_dim == b.batch_dim else None,
        depth=a.depth & b.depth,
        width=a.width & b.width,
        carry=a.carry | b.carry,
        mixed=a.mixed | b.mixed,
        tags=_joined_tags(a, b),
        pending=a.pending | b.pending,
        origins=a.origins | b.origins,
        locations=a.locations | b.locations | (frozenset({a.obj, b.obj} - {0}) if a.obj != b.obj else frozenset()),
    )


def _longest(a: Value, b: Value) -> Value:
    """What is known of a list that has at most these items on one path, and at most those on the other."""
    if any(each.kind is not Kind.TUPLE and each.name != AT_MOST for each in (a, b)):
        return UNKNOWN
    longer, shorter = (a.items, b.items) if len(a.items) >= len(b.items) else (b.items, a.items)
    both = tuple(joined(x, y) for x, y in zip(longer, shorter, strict=True)) if len(longer) == len(shorter) else longer
    return Value(name=AT_MOST, items=both)


def without_bar(value: Value) -> Value:
    """What a progress bar goes over, and is as long as."""
    return value.items[0] if value.kind is Kind.PROGRESS and value.items else value


def _is_of_arrays(value: Value) -> bool:
    """Whether a value is a tuple of arrays that all processes have alike, or one of several."""
    if value.kind is not Kind.TUPLE:
        return value.name == ARRAYS
    arrays = all(part.kind is Kind.TENSOR and part.placement.is_equal and not part.scalar for part in value.items)
    return bool(value.items) and arrays and value.placement.is_equal


_CALLED = frozenset({Kind.LIBRARY, Kind.CLASS, Kind.FUNCTION})
MOST_CHOICES = 8
"""How many functions, classes or modules a value may be one of."""


def _may_be_called(value: Value) -> bool:
    return value.kind in _CALLED or value.kind is Kind.CHOICE or value.name == PARTIAL


def _choices(a: Value, b: Value) -> tuple[Value, ...]:
    """The different functions and classes that one of two values may be; none where there are too many, or just one."""
    if not (_may_be_called(a) and _may_be_called(b)):
        return ()
    ones = [one for each in (a, b) for one in (each.items if each.kind is Kind.CHOICE else (each,))]
    known = {(one.kind, one.name, one.obj): one for one in ones}
    called = all(one.kind in _CALLED or one.name == PARTIAL for one in ones)
    several = called and all(one.name or one.obj for one in ones) and 1 < len(known) <= MOST_CHOICES
    return tuple(known.values()) if several and len(known) == len(set(ones)) else ()


def _joined_tags(a: Value, b: Value) -> frozenset[str]:
    """The tags of both; of two tensors of the data that are of different types, that they are."""
    tags, kinds = a.tags | b.tags, {a.kind, b.kind}
    if bool(a.origins) is not bool(b.origins):
        tags |= {ALTERED}
    if kinds == {Kind.LIST}:
        return tags if all(each.obj or each.locations for each in (a, b)) else tags | {UNSEEN}
    if kinds != {Kind.TENSOR} or a.placement.is_equal or b.placement.is_equal:
        return tags
    odd = {tag for tag in a.tags ^ b.tags if isinstance(tag, Common)}
    tags -= (a.tags ^ b.tags) & {AVERAGED}
    mixed = MIXED in tags or any(isinstance(tag, OfType) for tag in odd)
    return tags - odd | ({MIXED} if mixed else set())


def _joined_kind(a: Kind, b: Kind) -> Kind:
    if a is b:
        return a
    if {a, b} == {Kind.NUMBER, Kind.TENSOR}:
        return Kind.TENSOR
    return Kind.UNKNOWN


def _joined_integer(a: Value, b: Value) -> bool | None:
    """Zero of either type takes the type of what is added to it."""
    if a.integer == b.integer:
        return a.integer
    if a.is_zero:
        return b.integer
    if b.is_zero:
        return a.integer
    return None
