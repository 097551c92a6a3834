"""The state of an interpretation: frames, the store of what every variable and field holds, and the heap of objects."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from contextlib import contextmanager
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, TypeVar

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine, join
from corro.classes import dataclass, field
from corro.flow.facts import Context, Facts, Frame, Loop, Test, Unit
from corro.flow.semantics import Call
from corro.flow.store import HOLDERS, ITEM, OPTIONAL, Store, either, join_stores
from corro.flow.values import (
    AT_MOST,
    SETTLED,
    TELLING,
    UNKNOWN,
    UNSEEN,
    UNSET,
    Value,
    chosen,
    constant,
    joined,
    number,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from corro.anatomy.observations import Observations
    from corro.flow.agreeing import Asked
    from corro.flow.bookmarks import Bookmark
    from corro.flow.budget import Budget
    from corro.flow.semantics import Iteration, Semantics

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

ELEMENT = "[]"
"""The field of a container that stands for every item."""
SWITCHES = -1
"""The owner of what a frontend notes of the state of objects, such as the mode of a module.

``None`` is what it notes of one that is as it was made.
"""
OWN = "<own>."
"""How the dotted name of a project module begins."""
HOLDS = "holds parts of the data"
"""The tag of a value whose content is not followed and that was given something unequal."""
EXTENT = "[#]"
"""The field of a container that stands for how many items it has, and which keys: it is there where they may differ."""
CONTENT = "[*]"
"""The field of an array that stands for what has been put into it."""
OPAQUE = (Kind.UNKNOWN, Kind.TENSOR, Kind.NUMBER, Kind.TABLE, Kind.METHOD)
"""What may be a container that is not followed, such as an array."""
FIELDS = "__dict__"
NAMES = "names of a module"
"""The name of ``module.__dict__``; the module is its item."""
ANY = "any of a module"
"""The tag of what a project module has under a name that is not known."""
"""The name of the value that stands for all fields of an object."""
FACTORY = "[?]"
"""The field of a ``defaultdict`` that holds what makes the items that are asked for first."""
UNORDERED = "unordered"
"""The tag of a set: the order of strings in it is another one in each process."""
TEXT_FILE = "text"
"""The name of a file that is opened to read or write text."""
Made = TypeVar("Made")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MOST_NAMES = 4
_MOST_READ = 256
"""Of a loop over more names it is not followed what each of them decides."""
_NAMED = frozenset({Kind.LOADER, Kind.DATASET})
_MOST_ROUNDS = 16
"""Of a loop over more parts it is not followed what each of them is."""
SERIES = "series"
"""The name of an iterator over the items of a tuple, one after the other."""
_IN_ORDER = frozenset({SERIES, "zip", "enumerate", "list", "tuple"})
"""The names of iterators that give each item of what they go over, in its order."""
BATCHES = "batches"
"""The name of what a generator gives that hands on the batches of loaders; these are its sites."""
ENDLESS = "batches without end"
"""The name of what a generator gives that hands on the batches of loaders again and again; these are its sites."""
LITERAL = "[=]"
"""The field of a container that holds its items as written; once one is added, those that it has at most."""


@dataclass(eq=False)
class Function:
    """A function of the script with the frame it closes over."""

    node: FunctionNode
    closure: Frame
    modes: frozenset[str] = frozenset()


@dataclass(eq=False)
class Class:
    """A class of the script."""

    node: ast.ClassDef
    bases: tuple[Value, ...]
    frame: Frame


@dataclass(eq=False)
class Exits:
    """Stores that leave a function or a loop early."""

    stores: list[Store] = field(default_factory=list)
    continues: list[Store] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    handed: list[tuple[ast.expr, Loop | None]] = field(default_factory=list)
    """Where a generator gives a value, and the pass over loaders whose batches it hands on there, one by one."""
    paused: Store | None = None
    """Where a generator waits at the last ``yield`` that was reached."""


@dataclass(frozen=True, eq=False)
class Parting:
    """A condition under which what is running was left, so that it decides whether the rest is run.

    Args:
        test: the condition.
        ways: the kinds of statements that leave: ``ast.Continue``, ``ast.Break``, ``ast.Return``.
    """

    test: Test
    ways: frozenset[type[ast.stmt]]


@dataclass
class Assumed:
    """What a method that runs, and may call itself, is taken to be given and to give; whether it called itself."""

    args: tuple[Value, ...]
    result: Value
    again: bool = False


@dataclass(eq=False)
class Earlier:
    """What was found of objects before, and holds while they are as they were.

    Args:
        marked: by a loop and an object, the fields that it had, and the same marked as what the loop may change.
        numbers: by an object, the fields that it had, and what is known of all numbers among them.
    """

    marked: dict[tuple[int, int], tuple[Mapping[str, Value], Mapping[str, Value]]] = field(default_factory=dict)
    numbers: dict[int, tuple[list[Value], Value]] = field(default_factory=dict)


class Flow(ABC):
    """What the parts of the interpreter share."""

    def __init__(
        self,
        semantics: Semantics,
        find: Callable[[Unit, str], Unit | None],
        continued: set[tuple[ast.stmt, str]],
        budget: Budget,
        observations: Observations,
        like: Callable[[str], tuple[str, ...]],
        bookmarks: list[Bookmark],
    ) -> None:
        self.facts = Facts()
        self._observations = observations
        self.semantics = semantics
        self._find, self._like = find, like
        self._continued = continued
        self._budget, self._bookmarks, self._begun_with = budget, bookmarks, budget.left
        self._visited: set[ast.AST] = set()
        self._store: Store | None = Store()
        self._functions: dict[int, Function] = {}
        self._function_numbers: dict[tuple[ast.AST, int], int] = {}
        self._classes: dict[int, Class] = {}
        self._class_of: dict[int, int] = {}
        self._modules, self._imported = dict[Unit, Frame](), dict[Unit, Store]()
        self._read: dict[tuple[int, Callable[..., Any]], tuple[Mapping[str, Value], Any]] = {}
        self._module_frames: dict[int, Frame] = {}
        self._own_modules: dict[str, Value] = {}
        self._objects: dict[tuple[int, ...], int] = {}
        self._locations: dict[tuple[int, tuple[int, ...]], int] = {}
        self._order = 0
        self._again = False
        self._frame_numbers: dict[tuple[ast.AST, tuple[int, ...], int], int] = {}
        self._instances: dict[int, Value] = {}
        self._making: dict[int, list[tuple[Value, dict[str, Value]]]] = {}
        self._running: list[tuple[ast.AST, int]] = []
        self.assumed: dict[int, Assumed] = {}
        self._captured: set[int] = set()
        self._given_flags: dict[ast.AST, frozenset[str]] = {}
        self.agreed: Mapping[Asked, bool] = {}
        # The options that nothing sets, and how many files were read when these were found:
        self.unset: tuple[int, frozenset[str]] | None = None
        self._calls_of: dict[Unit, dict[str, list[ast.Call]]] = {}
        self._earlier = Earlier()
        self._forwards: dict[Hashable, tuple[Value, dict[int, dict[str, Value]]]] = {}
        self._made_on: dict[int, tuple[int, ...]] = {}
        self._namespace: dict[str, ast.Attribute | ast.Subscript] = {}
        self._overwritten = 0  # how often samples were changed in place, under whatever name
        self._next = 1
        self._loops: tuple[Loop, ...] = ()
        self._going_on: dict[ast.Call, Loop] = {}
        self._tests: tuple[Test, ...] = ()
        self._entered = 0  # how many of these were there when the running function was called
        self._parted: list[Parting] = []
        self._ways: set[type[ast.stmt]] = set()
        self._raised: list[tuple[str, Placement]] = []
        self._here: ast.expr | None = None  # what was evaluated last
        self._latest: dict[ast.AST, tuple[Frame, Value]] = {}
        self._unwritten: dict[tuple[ast.expr | None, str], ast.Call] = {}
        self._modes: frozenset[str] = frozenset()
        self._function_exits: list[Exits] = []
        self._loop_exits: list[Exits] = []
        self._frame: Frame

    # ------------------------------------------------------------------ frames

    def run(self, unit: Unit, importer: Frame | None = None, imported_by: ast.stmt | None = None) -> Frame:
        """Interpret a module from its first statement, after the packages around it; gives its frame."""
        if unit.around is not None and unit.around not in self._modules:
            self.run(unit.around, importer, imported_by)
            if unit in self._modules:
                return self._modules[unit]
        frame = self._new_frame(unit, unit.source.tree, None)
        frame.importer, frame.imported_by = importer, imported_by
        self._modules[unit] = frame
        self.facts.files[unit] = None
        self._set(frame, "__name__", constant(unit.name))
        self._set(frame, "__file__", Value(Kind.TEXT))
        self._in_frame(frame, lambda: self._script(unit) if importer is None else self._block(unit.source.tree.body))
        return frame

    def _new_frame(
        self,
        unit: Unit,
        node: ast.AST,
        closure: Frame | None,
        caller: Frame | None = None,
        call: ast.Call | None = None,
    ) -> Frame:
        path = caller.calls if caller is not None else ()
        path = (*path, *map(hash, self.facts.rounds))
        key = (node, path, id(call))
        if key not in self._frame_numbers:  # the same on every round of a loop, so that loops come to an end
            self._next += 1
            self._frame_numbers[key] = self._next
        return Frame(self._frame_numbers[key], unit, unit.names.body(node), closure, caller, call)

    def _in_frame(self, frame: Frame, run: Callable[[], None]) -> Exits:
        previous = getattr(self, "_frame", None)
        entered, parted, ways = self._entered, self._parted, self._ways
        self._frame, self._entered, self._parted, self._ways = frame, len(self._tests), [], set()
        exits, self._loop_exits = self._loop_exits, []
        self._function_exits.append(Exits())
        try:
            run()
        finally:
            left = self._function_exits.pop()
            self._loop_exits = exits
            self._entered, self._parted, self._ways = entered, parted, ways
            if previous is not None:
                self._frame = previous
        self._store = join_stores([self._store, *left.stores])
        if self._store is None:  # a generator that ends by raising something has given values before
            self._store = left.paused
        return left

    @property
    def context(self) -> Context:
        """Where the interpretation is."""
        return Context(self._frame, self._loops, self._tests, self._modes, self.facts.rounds)

    @contextmanager
    def mode(self, *names: str) -> Iterator[None]:
        """Run with these modes on."""
        modes, self._modes = self._modes, self._modes | frozenset(names)
        try:
            yield
        finally:
            self._modes = modes

    # ------------------------------------------------------------------ the store

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Read something only to learn what it gives: nothing is recorded, and nothing that it changes stays."""
        facts, store, order, forwards = self.facts, self._store, self._order, self._forwards
        parted, raised, here = self._parted, self._raised, self._here
        self.facts, self._forwards = facts.copied(), {}
        self._store = store.copy() if store is not None else None
        self._parted, self._raised = [*parted], [*raised]
        try:
            yield
        finally:
            self.facts, self._store, self._order, self._forwards = facts, store, order, forwards
            self._parted, self._raised, self._here = parted, raised, here

    def _get(self, frame: Frame, name: str) -> Value | None:
        return self._store.get((frame.number, name)) if self._store is not None else None

    def _set(self, frame: Frame, name: str, value: Value) -> None:
        if self._store is not None:
            self._store.set((frame.number, name), value)

    def _outermost(self) -> Frame:
        """The frame of the module, where a star import has put its names."""
        frame = self._frame
        while frame.closure is not None:
            frame = frame.closure
        return frame

    def variable(self, name: str) -> Value | None:
        """A variable of the module that is running, which a library may look up by its name."""
        return self._get(self._outermost(), name)

    def unit_of(self, value: Value) -> Unit | None:
        """The file of a function, or of a project module."""
        if value.kind is Kind.LIBRARY:
            frame = self._module_frames.get(value.obj)
            return frame.unit if frame is not None else None
        known = self._functions.get(value.obj) if value.kind is Kind.FUNCTION else None
        return known.closure.unit if known is not None else None

    def field(self, obj: int, name: str) -> Value | None:
        """A field of an object on the heap."""
        return self._store.get((obj, name)) if self._store is not None else None

    def set_field(self, obj: int, name: str, value: Value) -> None:
        """Overwrite a field of an object on the heap."""
        if self._store is not None:
            self._store.set((obj, name), value)

    def fields(self, obj: int) -> Mapping[str, Value]:
        """All fields of an object on the heap."""
        return self._store.fields(obj) if self._store is not None else {}

    def read_once(self, obj: int, read: Callable[[Mapping[str, Value]], Made]) -> Made:
        """What a function makes of the fields of an object: it is called again when they have changed."""
        names = self._store.frozen(obj) if self._store is not None else {}
        key = id(names), read
        if key not in self._read:
            if len(self._read) > _MOST_READ:
                self._read.clear()
            self._read[key] = names, read(names)  # with the names, so that no others get their number
        made: Made = self._read[key][1]
        return made

    def element(self, value: Value) -> Value:
        """What is known of every item of a list, tuple or dict."""
        parts = value.items or self.literal_items(value) or self.every_item(value)
        return self.either(parts) if parts else Value(placement=value.placement)

    def every_item(self, value: Value) -> tuple[Value, ...]:
        """What is known of the items of a list or dict, of some by themselves; empty where nothing is."""
        fields = self.fields(value.obj) if value.obj else {}
        return tuple(v for k, v in fields.items() if k == ELEMENT or k.startswith("[k]"))

    def either(self, values: Iterable[Value]) -> Value:
        """What is known of a value that is any of these."""
        if self._store is None:
            return join_all(values)
        store = self._store
        return reduce(lambda a, b: either(a, b, store, store), values)

    def held(self, value: Value, seen: frozenset[int] = frozenset()) -> list[Placement]:
        """The placements of what a tuple, a list or a dict holds, also in containers in it."""
        parts = [*value.items]
        if value.obj and value.obj not in seen and value.kind in (Kind.LIST, Kind.DICT):
            parts += [part for name, part in self.fields(value.obj).items() if name != LITERAL]
        inside = seen | {value.obj}
        return [each for part in parts for each in (part.placement, *self.held(part, inside))]

    def whole(self, value: Value) -> Placement:
        """The placement of a value with all that it holds."""
        held = [each for each in self.held(value) if each.data_dependent or not each.is_equal]
        return combine((value.placement, *held)) if held else value.placement

    def shown(self, value: Value) -> Placement:
        """The placement of a text that is made of a value: an object's tells of its fields."""
        fields = self.fields(value.obj).values() if value.kind is Kind.INSTANCE and value.obj else ()
        return combine((self.whole(value), *map(self.whole, fields)))

    def literal_items(self, value: Value) -> tuple[Value, ...] | None:
        """The items of a tuple or of a list nothing was added to."""
        if value.kind is Kind.TUPLE:
            return value.items
        kept = value.obj and self.field(value.obj, CONTENT) is None
        known = self.field(value.obj, LITERAL) if kept else None
        return known.items if known is not None and known.kind is Kind.TUPLE else None

    def at_most(self, value: Value) -> tuple[Value, ...] | None:
        """All items that a list may have, in their order, where it was only added to at its end: it may have fewer."""
        kept = value.kind is Kind.LIST and value.obj and self.field(value.obj, CONTENT) is None
        known = self.field(value.obj, LITERAL) if kept else None
        return known.items if known is not None and known.name == AT_MOST else self.literal_items(value)

    def add_last(self, value: Value, element: Value) -> None:
        """Add an item at the end of a list."""
        known = self.at_most(value)
        self.add_element(value, element)
        if known is not None and self._is_done_once(value):
            self.set_field(value.obj, LITERAL, Value(name=AT_MOST, items=(*known, element)))

    def _is_done_once(self, value: Value) -> bool:
        """Whether what is done to an object is done once: by the call that has made it, and in no loop."""
        again = any(loop.frame.number == self._frame.number for loop in self._loops)
        again |= isinstance(self._frame.scope.node, _COMPREHENSIONS)
        return not again and self._made_on.get(value.obj) == self.calls()

    def reorder(self, value: Value) -> None:
        """Any item of a list may be at any place from now on."""
        if value.kind is Kind.LIST and (self.every_item(value) or not value.obj):
            self.put_element(value, self.element(value))

    def items_of_one(self, value: Value) -> tuple[Value, ...] | None:
        """The items of a list that is one of several, all of one length, to which nothing was added."""
        if value.kind is not Kind.LIST or value.obj or UNSEEN in value.tags:
            return None
        lists = [self.literal_items(Value(Kind.LIST, obj=number)) for number in sorted(value.locations)]
        known = [items for items in lists if items]
        if not known or len(known) < len(lists) or len(set(map(len, known))) > 1:
            return None
        return tuple(chosen(self.either(items), value.placement) for items in zip(*known, strict=True))

    def each(self, value: Value) -> tuple[Value, ...] | None:
        """What a loop over a value yields, one after the other, where that is known of each by itself."""
        if value.kind is Kind.ITERATOR:
            return self._each_wrapped(value)
        if value.kind is Kind.TUPLE or (value.kind is Kind.LIST and UNORDERED not in value.tags):
            return self.literal_items(value)
        pairs = self.pairs(value)
        if pairs is not None:
            return tuple(key for key, _ in pairs)
        parts = self.semantics.parts(self, value)
        return None if parts is None else tuple(part for _, part in parts)

    def _each_wrapped(self, value: Value) -> tuple[Value, ...] | None:
        if value.name not in _IN_ORDER:
            return None
        inner = [self.each(item) for item in value.items]
        if value.name == "zip" and None in inner:
            inner = self._named_by(value.items, inner)
        known = [each for each in inner if each is not None]
        if not known or len(known) < len(inner):
            return None
        if value.name == "zip":
            return tuple(Value(Kind.TUPLE, items=items) for items in zip(*known, strict=False))
        if value.name == "enumerate":
            return tuple(Value(Kind.TUPLE, items=(number(integer=True), item)) for item in known[0])
        return known[0]

    def _named_by(
        self, values: Sequence[Value], known: Sequence[tuple[Value, ...] | None]
    ) -> list[tuple[Value, ...] | None]:
        """The parts of batches that stand beside names, which say how many they are: ``zip(["x", "y"], batch)``."""
        names = next((each for each in known if each and all(isinstance(n.const, str) for n in each)), ())
        found = list(known)
        for at, value in enumerate(values):
            batch = value.kind is Kind.BATCH and value.form is Form.SHARDED and known[at] is None
            parts = [self.semantics.part(self, value, place) for place in range(len(names))] if batch else []
            there = [part for part in parts if part is not None]
            found[at] = tuple(there) if there and len(there) == len(parts) else known[at]
        return found

    def rounds(self, value: Value) -> tuple[tuple[ast.Call, Value], ...] | None:
        """What each round over a value is given, with a call of its own, where a few parts of the data are told apart.

        Only data are: of loaders, models and the like all that are made in one place are taken together.
        """
        parts = self.each(value)
        if parts is None or not 0 < len(parts) <= _MOST_ROUNDS:
            return None
        data = any(loop.loaders for loop in self._loops) or any(not self.whole(part).is_equal for part in parts)
        named = self.named_parts(value)
        given = named or parts
        return tuple((self.unwritten(f"round {n}"), part) for n, part in enumerate(given)) if data or named else None

    def named_parts(self, value: Value) -> tuple[Value, ...] | None:
        """The parts of a value, where they are a few names or flags: what each of them decides is known.

        Also where each name comes with the loader or the data set that it stands for.
        """
        parts = self.each(value) or () if self.semantics.tells_apart else ()
        if not 1 < len(parts) <= _MOST_NAMES:
            return None
        named = [_telling(part) for part in parts]
        known = tuple(part for part in named if part is not None)
        return known if len(known) == len(parts) else None

    def pairs(self, value: Value) -> tuple[tuple[Value, Value], ...] | None:
        """The keys and the items of a dict, or of a batch that is one, where all of them are known."""
        if value.kind is not Kind.DICT or not value.obj:
            parts = self.semantics.parts(self, value) or ()
            return parts if parts and all(key.kind is Kind.TEXT for key, _ in parts) else None
        fields = {name: item for name, item in self.fields(value.obj).items() if name != LITERAL}
        if not all(name.startswith(ITEM) and OPTIONAL not in item.tags for name, item in fields.items()):
            return None
        try:
            return tuple((constant(ast.literal_eval(name[len(ITEM) :])), item) for name, item in fields.items())
        except ValueError:  # a key that is no literal
            return None

    def add_element(self, value: Value, element: Value) -> None:
        """Add an item to a list or dict of which the place is unknown."""
        self.put_element(value, element)
        self.resize(value)

    def put_element(self, value: Value, element: Value) -> None:
        """Set one of the items of a list or dict; which one is not known."""
        if not value.obj:
            self.put_into(value, self.whole(element), frozenset())
            return
        known = self.field(value.obj, ELEMENT)
        self.set_field(value.obj, ELEMENT, element if known is None else self.either((known, element)))
        self.set_field(value.obj, LITERAL, UNKNOWN)
        for name, item in list(self.fields(value.obj).items()):  # it may be any of those that are known by a key
            if name.startswith(ITEM):
                self.set_field(value.obj, name, self.either((item, element)))

    def put_item(self, owner: Value, key: Value, value: Value) -> None:
        """Set the item of a dict under a key."""
        known = f"[k]{key.const!r}"
        if not key.is_const:
            self.put_element(owner, value)
        new = not key.is_const or self.field(owner.obj, known) is None
        if key.is_const:
            self.set_field(owner.obj, known, value)
        if new:
            self.resize(owner, key.placement)

    def resize(self, value: Value, *by: Placement) -> None:
        """Items come into a list or dict, or leave it, as something says and under the conditions that hold here."""
        causes = [*by, *(test.value.placement for test in self._tests)]
        if not value.obj:
            self.put_into(value, combine(causes), frozenset())
            return
        self.set_field(value.obj, LITERAL, UNKNOWN)
        if any(cause.data_dependent or not cause.is_equal for cause in causes):
            self.set_field(value.obj, EXTENT, Value(placement=combine((self.size(value), *causes))))

    def leave(self, value: Value, *by: Placement) -> None:
        """Items leave a list or dict: of a dict any key may be one of them."""
        for name, item in list(self.fields(value.obj).items()) if value.obj and value.kind is Kind.DICT else ():
            if name.startswith(ITEM):
                self.set_field(value.obj, name, item.but(tags=item.tags | {OPTIONAL}))
        self.resize(value, *by)

    def size(self, value: Value) -> Placement:
        """Of a list, dict or tuple, the placement of how many items it has; of anything else, its own."""
        truth = self.special(value, "__bool__") or self.special(value, "__len__")
        if truth is not None:
            return truth.placement
        if value.kind is Kind.TUPLE and value.items:
            return Placement()
        known = self.field(value.obj, EXTENT) if value.obj and value.kind in (Kind.LIST, Kind.DICT) else None
        return value.placement if known is None else combine((value.placement, known.placement))

    def new_object(self, node: ast.AST, kind: Kind, *, part: int = 0, **more: object) -> Value:
        """An object allocated at this node on this path of calls; where it makes several, which of them."""
        key = (id(node), part, *self.calls())
        if key not in self._objects:
            self._next += 1
            self._objects[key] = self._next
            self._made_on[self._next] = self.calls()
            self.facts.paths[self._next] = (*(frame.call for frame in self._frame.path()), node)
        obj = self._objects[key]
        self.facts.made[obj] = node
        if self._store is not None and kind in (Kind.LIST, Kind.DICT):
            self._store.clear(obj)
        return Value(kind, obj=obj, **more)  # type: ignore[arg-type]

    def is_of_this_batch(self, value: Value) -> bool:
        """Whether an object is made anew in each round of the innermost pass over a loader."""
        running = next((loop for loop in reversed(self._loops) if loop.loaders), None)
        made_by = self.facts.paths.get(value.obj) if value.obj else None
        if running is None or made_by is None or isinstance(running.node, ast.comprehension):
            return False
        around = [frame.call for frame in running.frame.path()]
        if len(made_by) <= len(around) or any(a is not b for a, b in zip(around, made_by, strict=False)):
            return False
        inner, body = made_by[len(around)], getattr(running.node, "body", ())
        above = () if inner is None else running.frame.unit.source.ancestors(inner)
        return any(each in body for each in above)

    def calls(self) -> tuple[int, ...]:
        """The path of calls that leads here, with the rounds that are told apart."""
        return (*self._frame.calls, *map(hash, self.facts.rounds)) if self.facts.rounds else self._frame.calls

    def new_array(self, node: ast.AST, value: Value, shown: frozenset[int] = frozenset()) -> Value:
        """An array, or an object that is not followed, which a call at this node has given; it may show others."""
        if value.obj or value.kind not in OPAQUE:
            return value
        key = (id(node), self._frame.calls)
        if key not in self._locations:
            self._next += 1
            self._locations[key] = self._next
            self.facts.paths[self._next] = (*(frame.call for frame in self._frame.path()), node)
        if self._store is not None:
            self._store.drop(self._locations[key])
        return value.but(locations=shown | {self._locations[key]})

    def now(self, node: ast.AST) -> Value:
        """What an expression has given in the running call; what is known of all calls where it was not evaluated."""
        frame, value = self._latest.get(node, (None, UNKNOWN))
        return value if frame is self._frame else self.facts.values.get(node, UNKNOWN)

    def put_into(self, value: Value, inside: Placement, tags: frozenset[str]) -> None:
        """Something was put into an array, under whatever names it goes."""
        for location in value.locations:
            known = self.field(location, CONTENT)
            put = Value(placement=inside, tags=tags)
            self.set_field(location, CONTENT, put if known is None else joined(known, put))

    def filled(self, value: Value) -> Value:
        """An array, or one of several objects, with what was put into it under any name."""
        if value.kind in HOLDERS and self._store is not None:
            inside = self.field(value.obj, CONTENT) if value.obj else None
            held = [inside.placement] if inside is not None else []
            held += [each for location in value.locations for each in self._store.held(location)]
            held = [each for each in held if each.data_dependent or not each.is_equal]
            return value.but(placement=combine((value.placement, *held))) if held else value
        for known in (self.field(location, CONTENT) for location in value.locations):
            if known is not None:
                placement = join(value.placement, known.placement)
                value = value.but(placement=placement, const=UNSET, tags=value.tags | known.tags)
        return value

    def attributes(self, owner: Value) -> Value:
        """``owner.__dict__`` of a user's object, by which any of its fields may be read and changed."""
        held = self._store.held(owner.obj) if self._store is not None else ()
        placement = combine((owner.placement, *(each for each in held if each.data_dependent or not each.is_equal)))
        return Value(placement=placement, name=FIELDS, locations=frozenset({owner.obj}))

    def instances(self) -> tuple[Value, ...]:
        """All objects of the script's own classes, in the order they were made; modules aside."""
        return tuple(self._instances.values())

    def special(self, owner: Value, name: str, *args: Value) -> Value | None:
        """What a special method of a user's object gives; ``None`` where its class has none of this name."""
        ones = (owner,) if owner.obj else self.ones(owner)
        if owner.kind is not Kind.INSTANCE or not ones or not all(self.has_method(one, name) for one in ones):
            return None
        call = Call(self.unwritten(name), args)
        if owner.obj:
            return self.call_method(owner, name, call)
        results = self.each_alone([partial(self.call_method, one, name, call) for one in ones])
        return chosen(self.either(results), owner.placement)

    def unwritten(self, name: str, at: ast.expr | None = None) -> ast.Call:
        """A call that nobody has written, of a property or a special method: it stands where it happens."""
        here = at if at is not None else self._here
        if (here, name) not in self._unwritten:
            call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[], keywords=[])
            self._unwritten[here, name] = call
            if here is not None:
                self.facts.units[here].source.put_at(call, here)
        call = self._unwritten[here, name]
        self.facts.units[call] = self.facts.units.get(here or call, self._frame.unit)
        return call

    # ------------------------------------------------------------------ the other parts

    @abstractmethod
    def listed(self, node: ast.expr, items: Sequence[Value]) -> Value:
        """A list of these items."""

    @abstractmethod
    def mark(self, node: ast.expr, inside: Placement, tags: frozenset[str] = frozenset()) -> None:
        """Something unequal was put into a value whose content is not followed: neither is it equal, nor its owner."""

    @abstractmethod
    def _grow(self, node: ast.expr, name: str, call: Call) -> None:
        """A method of a batch that is a list or a dict puts something into it."""

    @abstractmethod
    def _mark_owner(self, node: ast.expr, inside: Placement, tags: frozenset[str]) -> None:
        """Something was put into what a method of this gave."""

    @abstractmethod
    def change(self, node: ast.expr, inside: Placement) -> None:
        """What an expression gives was changed in place, and holds something with this placement now."""

    @abstractmethod
    def _script(self, unit: Unit) -> None:
        """All statements of the script."""

    @abstractmethod
    def eval(self, node: ast.expr) -> Value:
        """The value of an expression; recorded in the facts."""

    @abstractmethod
    def iterate(self, value: Value) -> Iteration:
        """What looping over a value yields."""

    @abstractmethod
    def attribute_of(self, owner: Value, name: str) -> Value:
        """``owner.name``."""

    @abstractmethod
    def any_of(self, module: Value, like: str = "") -> Value:
        """What has a name like a text in a project module."""

    @abstractmethod
    def named_by(self, text: str) -> Value | None:
        """What a text names, with dots."""

    @abstractmethod
    def module(self) -> Value:
        """The file whose code is running, as a module."""

    @property
    @abstractmethod
    def makes_model(self) -> bool:
        """Whether the constructor of a model is running."""

    @abstractmethod
    def attributes_like(self, owner: Value, like: str) -> tuple[Value, ...]:
        """The fields and methods of a user's object whose names are like a text."""

    @abstractmethod
    def set_like(self, owner: Value, like: str, value: Value) -> None:
        """A field is set whose name is like a text."""

    @abstractmethod
    def made_by_factory(self, owner: int) -> Value | None:
        """What a ``defaultdict`` makes; ``None`` of another dict."""

    @abstractmethod
    def each_alone(self, runs: Sequence[Callable[[], Value]]) -> list[Value]:
        """What things give of which one is done."""

    @abstractmethod
    def call_method(self, owner: Value, name: str, call: Call) -> Value:
        """Call a method of a user's object; opaque when it has none of that name."""

    @abstractmethod
    def call_value(self, value: Value, call: Call) -> Value:
        """Call any value."""

    @abstractmethod
    def going_on(self, call: ast.Call, run: Callable[[], Value]) -> Value:
        """What a call gives that calls a function again and again; outside of loops it stands for one."""

    @abstractmethod
    def ones(self, value: Value) -> tuple[Value, ...]:
        """The objects of the script's own classes that a value is one of; empty where it may be another one."""

    @abstractmethod
    def has_method(self, owner: Value, name: str) -> bool:
        """Whether a user's object has a method of its own with this name."""

    @abstractmethod
    def method_node(self, owner: Value, name: str) -> ast.AST | None:
        """The definition of a method of a user's object."""

    @abstractmethod
    def handlers(self, manager: Value) -> tuple[ast.AST, ...]:
        """What a context manager may catch exceptions by."""

    @abstractmethod
    def handlers_in(self, decorator: Value) -> tuple[ast.AST, ...]:
        """What catches exceptions of a function with a decorator."""

    @abstractmethod
    def class_node(self, owner: Value) -> ast.ClassDef | None:
        """The definition of the class of a user's object."""

    @abstractmethod
    def library_bases_of(self, instance: Value) -> frozenset[str]:
        """The dotted names of the library classes that the class of a user's object derives from."""

    @abstractmethod
    def library_bases(self, class_number: int) -> frozenset[str]:
        """The dotted names of the library classes a class of the script derives from."""

    @abstractmethod
    def keyword_items(self, value: Value) -> dict[str, Value]:
        """The known string keys of a dict."""

    @abstractmethod
    def merge_dict(self, into: Value, other: Value) -> None:
        """``into.update(other)``."""

    @abstractmethod
    def parent(self) -> Value:
        """What ``super()`` gives in the running method."""

    @abstractmethod
    def become(self, value: Value) -> None:
        """The object of the running methods is this from now on: more is known of it."""

    @abstractmethod
    def _member(self, owner: Value, name: str) -> Value | None:
        """A field or method of a user's object."""

    @abstractmethod
    def _class_member(self, class_number: int, name: str) -> Value | None:
        """What a class of the script, or a class it derives from, defines under a name."""

    @abstractmethod
    def _instantiate(self, target: Value, call: Call) -> Value:
        """Make an object of a class of the script."""

    @abstractmethod
    def imported(self, module: str, node: ast.Call) -> Value:
        """What a call gives that imports a module by its name, or by what this is like."""

    @abstractmethod
    def _import(self, module: str, node: ast.stmt) -> Frame | None:
        """The frame of a project module, run when it is first imported."""

    @abstractmethod
    def _observed(self, node: ast.expr, value: Value) -> Value:
        """The value of an expression by what a run has shown of it."""

    @abstractmethod
    def _call_function(self, target: Value, call: Call) -> Value:
        """Follow a function of the script."""

    @abstractmethod
    def _rest(self, body: Sequence[ast.stmt], stayed: Sequence[Test]) -> None:
        """What is run unless some conditions have left it."""

    @abstractmethod
    def _taint(self, before: Store, cause: Placement, *, noise: bool = False) -> None:
        """What has changed under a condition is unequal or data-dependent as that was."""

    @abstractmethod
    def _declare(self, name: str, call: Call) -> None:
        """Options of a command line."""

    @abstractmethod
    def _option(self, owner: Value, name: str, value: Value) -> Value:
        """An option as it is read."""

    @abstractmethod
    def _set_option(self, owner: Value, name: str, value: Value) -> None:
        """An option that the script sets itself."""

    @abstractmethod
    def _note_given(self, test: ast.expr, outcome: bool) -> None:
        """A condition has had this outcome: what it asked for is there."""

    @abstractmethod
    def _where(self, test: ast.expr, outcome: bool) -> AbstractContextManager[None]:
        """Evaluate an arm of a conditional expression."""

    @abstractmethod
    def _bind(self, name: ast.Name, value: Value) -> None:
        """Set a variable."""

    @abstractmethod
    def _block(self, body: Sequence[ast.stmt], start: int = 0, before: Callable[[int], None] = lambda at: None) -> None:
        """Run statements."""

    @abstractmethod
    def _assign(self, target: ast.expr, value: Value) -> None:
        """Assign to a target."""

    @abstractmethod
    def binary(self, op: ast.operator, left: Value, right: Value) -> Value:
        """The value of a binary operation."""

    @abstractmethod
    def _function(self, node: FunctionNode) -> Value:
        """A function of the script as a value."""

    @abstractmethod
    def _apply(self, target: Value, call: Call) -> Value:
        """Call any value."""

    @abstractmethod
    def _leave(self, node: ast.stmt | ast.Call) -> None:
        """Record a statement that leaves something."""

    @abstractmethod
    def _frame_of(self, name: ast.Name) -> Frame | None:
        """The frame that binds a name."""


def _telling(part: Value) -> Value | None:
    """A name or a flag that tells rounds of a loop apart, or a pair of one and of data that it stands for."""
    if part.kind is Kind.TUPLE and any(each.kind in _NAMED for each in part.items[1:]):
        name = _telling(part.items[0])
        return None if name is None else part.but(items=(name, *part.items[1:]))
    known = part.is_const and (part.kind is Kind.TEXT or isinstance(part.const, bool))
    return part.but(tags=part.tags | {SETTLED, TELLING}) if known else None


def name_of_round(target: ast.expr, part: Value) -> tuple[str, Any]:
    """The variable that tells a round of a loop from others, if it has a name, and what it is."""
    if part.kind is Kind.TUPLE and isinstance(target, (ast.Tuple, ast.List)) and target.elts:
        target = target.elts[0]
    return target.id if isinstance(target, ast.Name) else "", (part.items[0] if part.items else part).const


def join_all(values: Iterable[Value]) -> Value:
    """What is known of a value that is any of these."""
    result: Value | None = None
    for value in values:
        result = value if result is None else joined(result, value)
    return result if result is not None else UNKNOWN
