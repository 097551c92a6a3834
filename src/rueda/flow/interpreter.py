"""The abstract interpreter: follows values through a script without running it.

It knows Python, and no framework: what a library call means comes from a frontend's ``Semantics``. Functions of the
script are followed at each call with the arguments of that call; branches are joined; loops run to a fixed point.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import WHOLE, Form, Placement, add, combine, divide, elementwise, multiply
from rueda.flow import python
from rueda.flow.facts import Accumulation, CallFact, Context, ExitFact, Facts, Frame, Loop, Test, TestFact, Unit
from rueda.flow.semantics import Call, Iteration, Semantics
from rueda.flow.values import NONE, UNKNOWN, UNSET, Value, constant, joined, number

Store = dict[tuple[int, str], Value]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_MAX_DEPTH = 24
_MAX_PASSES = 4
_ELEMENT = "[]"
_LITERAL = "[=]"
CARRIED = "from the previous batch"


@dataclass(eq=False)
class Function:
    """A function of the script with the frame it closes over."""

    node: FunctionNode
    closure: Frame
    modes: frozenset[str] = frozenset()
    entered_by_library: bool = False


@dataclass(eq=False)
class Class:
    """A class of the script."""

    node: ast.ClassDef
    bases: tuple[Value, ...]
    frame: Frame


@dataclass(eq=False)
class _Exits:
    """Stores that leave a function or a loop early."""

    stores: list[Store] = field(default_factory=list)
    continues: list[Store] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)


class _Restart(Exception):
    """An accumulator turned out to go on in the next pass; the analysis starts again knowing it."""


def interpret(script: Unit, semantics: Semantics, find: Callable[[Unit, str], Unit | None]) -> Facts:
    """Interpret a script from its first statement.

    Args:
        script: the entry file.
        semantics: what library calls mean.
        find: gives the file of a module of the script's own, or ``None`` for a library.
    """
    continued: set[tuple[ast.stmt, str]] = set()
    while True:
        flow = Interpreter(semantics, find, continued)
        try:
            flow.run(script)
        except _Restart:
            continue
        return flow.facts


class Interpreter:
    """One interpretation of a script. Frontends use ``attribute_of``, ``call_method``, ``field`` and ``set_field``."""

    def __init__(
        self,
        semantics: Semantics,
        find: Callable[[Unit, str], Unit | None],
        continued: set[tuple[ast.stmt, str]],
    ) -> None:
        self.facts = Facts()
        self.semantics = semantics
        self._find = find
        self._continued = continued
        self._store: Store | None = {}
        self._functions: dict[int, Function] = {}
        self._function_numbers: dict[tuple[ast.AST, int], int] = {}
        self._classes: dict[int, Class] = {}
        self._class_of: dict[int, int] = {}
        self._modules: dict[str, Frame] = {}
        self._objects: dict[tuple[int, tuple[int, ...]], int] = {}
        self._order = 0
        self._namespace: dict[str, ast.Attribute] = {}
        self._next = 1
        self._loops: tuple[Loop, ...] = ()
        self._tests: tuple[Test, ...] = ()
        self._modes: frozenset[str] = frozenset()
        self._function_exits: list[_Exits] = []
        self._loop_exits: list[_Exits] = []
        self._frame: Frame

    # ------------------------------------------------------------------ running

    def run(self, unit: Unit) -> Frame:
        """Interpret a module from its first statement; gives its frame."""
        frame = self._new_frame(unit, unit.source.tree, None)
        self._modules[unit.name] = frame
        self._set(frame, "__name__", constant(unit.name))
        self._set(frame, "__file__", Value(Kind.TEXT))
        self._in_frame(frame, lambda: self._block(unit.source.tree.body))
        return frame

    def _new_frame(
        self, unit: Unit, node: ast.AST, closure: Frame | None, caller: Frame | None = None, call: ast.Call | None = None
    ) -> Frame:
        self._next += 1
        return Frame(self._next, unit, unit.names.body(node), closure, caller, call)

    def _in_frame(self, frame: Frame, run: Callable[[], None]) -> _Exits:
        previous = getattr(self, "_frame", None)
        self._frame = frame
        exits, self._loop_exits = self._loop_exits, []
        self._function_exits.append(_Exits())
        try:
            run()
        finally:
            left = self._function_exits.pop()
            self._loop_exits = exits
            if previous is not None:
                self._frame = previous
        self._store = self._joined_stores([self._store, *left.stores])
        return left

    @property
    def context(self) -> Context:
        """Where the interpretation is."""
        return Context(self._frame, self._loops, self._tests, self._modes)

    # ------------------------------------------------------------------ the store

    def _get(self, frame: Frame, name: str) -> Value | None:
        return self._store.get((frame.number, name)) if self._store is not None else None

    def _set(self, frame: Frame, name: str, value: Value) -> None:
        if self._store is not None:
            self._store[(frame.number, name)] = value

    def field(self, obj: int, name: str) -> Value | None:
        """A field of an object on the heap."""
        return self._store.get((obj, name)) if self._store is not None else None

    def set_field(self, obj: int, name: str, value: Value) -> None:
        """Overwrite a field of an object on the heap."""
        if self._store is not None:
            self._store[(obj, name)] = value

    def fields(self, obj: int) -> dict[str, Value]:
        """All fields of an object on the heap."""
        return {name: value for (owner, name), value in (self._store or {}).items() if owner == obj}

    def element(self, value: Value) -> Value:
        """What is known of every item of a list, tuple or dict."""
        if value.items:
            return _join_all(value.items)
        if value.obj:
            parts = [v for k, v in self.fields(value.obj).items() if k == _ELEMENT or k.startswith("[k]")]
            if parts:
                return _join_all(parts)
        return Value(placement=value.placement)

    def literal_items(self, value: Value) -> tuple[Value, ...] | None:
        """The items of a tuple or of a list nothing was added to."""
        if value.kind is Kind.TUPLE:
            return value.items
        known = self.field(value.obj, _LITERAL) if value.obj else None
        return known.items if known is not None and known.kind is Kind.TUPLE else None

    def add_element(self, value: Value, element: Value) -> None:
        """Add an item to a list or dict of which the place is unknown."""
        if not value.obj:
            return
        known = self.field(value.obj, _ELEMENT)
        self.set_field(value.obj, _ELEMENT, element if known is None else joined(known, element))
        self.set_field(value.obj, _LITERAL, UNKNOWN)

    def new_object(self, node: ast.AST, kind: Kind, **more: object) -> Value:
        """An object allocated at this node on this path of calls."""
        key = (id(node), tuple(id(f.call) for f in self._frame.path()))
        if key not in self._objects:
            self._next += 1
            self._objects[key] = self._next
        obj = self._objects[key]
        if self._store is not None:
            for name in list(self.fields(obj)):
                if kind in (Kind.LIST, Kind.DICT):
                    del self._store[(obj, name)]
        return Value(kind, obj=obj, **more)  # type: ignore[arg-type]

    def _joined_stores(self, stores: Iterable[Store | None]) -> Store | None:
        alive = [store for store in stores if store is not None]
        if not alive:
            return None
        result = dict(alive[0])
        for other in alive[1:]:
            for key, value in other.items():
                known = result.get(key)
                if known is not value:
                    result[key] = value if known is None else joined(known, value)
        return result

    # ------------------------------------------------------------------ statements

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if self._store is None:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        self.facts.units.setdefault(node, self._frame.unit)
        method = getattr(self, f"_do_{type(node).__name__}", None)
        if method is not None:
            method(node)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.eval(child)

    def _do_Expr(self, node: ast.Expr) -> None:
        self.eval(node.value)

    def _do_Assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self.eval(node.value))

    def _do_AugAssign(self, node: ast.AugAssign) -> None:
        left, right = self.eval(node.target), self.eval(node.value)
        if left.kind is Kind.LIST and isinstance(node.op, ast.Add):
            self.add_element(left, self.element(right))
            return
        self._assign(node.target, self._binary(node.op, left, right))

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.facts.see(target, value)
            self._bind(target, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Starred):
            self._assign(target.value, Value(Kind.LIST, value.placement))
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            self.facts.see(target, value)
            if owner.obj:
                self.set_field(owner.obj, target.attr, value)
        elif isinstance(target, ast.Subscript):
            self._assign_item(target, value)

    def _assign_item(self, target: ast.Subscript, value: Value) -> None:
        owner, index = self.eval(target.value), self.eval(target.slice)
        self.facts.see(target, value)
        if owner.kind is Kind.DICT and index.is_const and owner.obj:
            self.set_field(owner.obj, f"[k]{index.const!r}", value)
        elif owner.obj:
            self.add_element(owner, value)
        elif isinstance(target.value, ast.Name) and not value.placement.is_equal:
            self._bind(target.value, owner.but(placement=combine((owner.placement, value.placement)), const=UNSET))

    def _unpack(self, targets: Sequence[ast.expr], value: Value) -> None:
        known = self.literal_items(value)
        if known is not None and len(known) == len(targets) and not any(isinstance(t, ast.Starred) for t in targets):
            for target, item in zip(targets, known, strict=True):
                self._assign(target, item)
            return
        element = self.iterate(value).element
        for position, target in enumerate(targets):
            part = self.semantics.part(self, value, position)
            self._assign(target, part if part is not None else element)

    def _bind(self, name: ast.Name, value: Value) -> None:
        frame = self._frame_of(name)
        self._set(frame if frame is not None else self._frame, name.id, value)

    def _frame_of(self, name: ast.Name) -> Frame | None:
        scope = self._frame.unit.names.binding(name)
        frame: Frame | None = self._frame
        while frame is not None and frame.scope is not scope:
            frame = frame.closure
        return frame

    def _do_Delete(self, node: ast.Delete) -> None:
        return

    def _do_Return(self, node: ast.Return) -> None:
        value = NONE if node.value is None else self.eval(node.value)
        self._leave(node)
        if self._store is not None:
            exits = self._function_exits[-1]
            exits.values.append(value)
            exits.stores.append(self._store)
        self._store = None

    def _leave(self, node: ast.stmt | ast.Call) -> None:
        self.facts.units.setdefault(node, self._frame.unit)
        self.facts.add_exit(ExitFact(node, self.context))

    def _do_Raise(self, node: ast.Raise) -> None:
        for part in (node.exc, node.cause):
            if part is not None:
                self.eval(part)
        self._leave(node)
        self._store = None

    def _do_Break(self, node: ast.Break) -> None:
        self._leave(node)
        if self._loop_exits and self._store is not None:
            self._loop_exits[-1].stores.append(self._store)
        self._store = None

    def _do_Continue(self, node: ast.Continue) -> None:
        self._leave(node)
        if self._loop_exits and self._store is not None:
            self._loop_exits[-1].continues.append(self._store)
        self._store = None

    def _do_If(self, node: ast.If) -> None:
        test = self.eval(node.test)
        taken = self._static_truth(node.test)
        if taken is not None:
            self._block(node.body if taken else node.orelse)
            return
        self._branch(node, test, [lambda: self._block(node.body), lambda: self._block(node.orelse)])

    def _static_truth(self, node: ast.expr) -> bool | None:
        """Conditions that are decided by how the script is started, not by its data."""
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__":
            return self._frame.unit.name == "__main__"
        if isinstance(node, ast.Name) and node.id == "TYPE_CHECKING":
            return False
        return None

    def _branch(self, node: ast.AST, test: Value, arms: Sequence[Callable[[], None]]) -> None:
        """Run each arm from the same store; what differs under an unequal condition is unequal itself."""
        before = self._store
        if before is None:
            return
        self.facts.add_test(TestFact(node, test, self.context))
        ends: list[Store | None] = []
        tests = self._tests
        self._tests = (*tests, Test(node, test))
        for arm in arms:
            self._store = dict(before)
            arm()
            ends.append(self._store)
        self._tests = tests
        self._store = self._joined_stores(ends)
        if not test.placement.is_equal:
            self._taint(before, test.placement)

    def _taint(self, before: Store, cause: Placement) -> None:
        if self._store is None:
            return
        form = Form.LOCAL if cause.form is Form.LOCAL else Form.UNKNOWN
        for key, value in self._store.items():
            if before.get(key) != value and value.kind in (Kind.NUMBER, Kind.TENSOR, Kind.UNKNOWN, Kind.TEXT):
                self._store[key] = value.but(placement=combine((value.placement, cause)).with_form(form), const=UNSET)

    def _do_While(self, node: ast.While) -> None:
        self._loop(node, Value(), lambda: self.eval(node.test), node.body, node.orelse, test=node.test)

    def _do_For(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.eval(node.iter)
        iteration = self.iterate(iterable)
        self._loop(
            node, iterable, lambda: self._assign(node.target, iteration.element), node.body, node.orelse, iteration.loaders
        )

    _do_AsyncFor = _do_For

    def _loop(
        self,
        node: ast.stmt,
        iterable: Value,
        head: Callable[[], object],
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
        loaders: frozenset[int] = frozenset(),
        test: ast.expr | None = None,
    ) -> None:
        entry = self._store
        if entry is None:
            return
        loop = Loop(node, self._frame, iterable, loaders)
        self.facts.loops.setdefault(node, []).append(loop)
        number_ = self.facts.number(node)
        loops, tests = self._loops, self._tests
        self._loops = (*loops, loop)
        governed = iterable.placement if loaders == frozenset() else Placement()
        exits = _Exits()
        self._loop_exits.append(exits)
        state = self._carried(dict(entry), number_)
        end: Store | None = None
        for _ in range(_MAX_PASSES):
            self._store = dict(state)
            head()
            if test is not None:
                self._tests = (*tests, Test(node, self.facts.values.get(test, UNKNOWN)))
                governed = self.facts.values.get(test, UNKNOWN).placement
            self._block(body)
            self._tests = tests
            end = self._joined_stores([self._store, *exits.continues])
            if end is not None and loaders:
                end = self._counted(state, end, number_, loaders)
            new = self._joined_stores([state, end])
            assert new is not None
            if loaders:
                _mark_carried(new, loaders)
            if new == state:
                break
            state = new
        self._loop_exits.pop()
        self._loops = loops
        self._store = state
        self._block(orelse)
        self._store = self._joined_stores([self._store, *exits.stores])
        if self._store is not None and not governed.is_equal:
            self._taint(entry, governed)
        self._finish_carry(entry, end or {}, loop, number_)

    def _carried(self, store: Store, loop: int) -> Store:
        """Mark what could be an accumulator of this loop."""
        for key, value in store.items():
            if value.kind in (Kind.NUMBER, Kind.TENSOR) and (value.placement.is_equal or value.placement.is_partial):
                store[key] = value.but(carry=value.carry | {loop})
        return store

    def _counted(self, state: Store, end: Store, loop: int, loaders: frozenset[int]) -> Store:
        """A counter that grows in a pass over a loader counts batches."""
        for key, value in end.items():
            if loop in value.carry and value.placement.is_equal and value != state.get(key):
                end[key] = value.but(placement=Placement(Form.STEP, value.sources | loaders, value.placement.measured), const=UNSET)
        return end

    def _finish_carry(self, entry: Store, end: Store, loop: Loop, number_: int) -> None:
        """At the end of a pass its accumulators are the whole, provided they are reduced there."""
        if self._store is None:
            return
        for key, value in list(self._store.items()):
            if CARRIED in value.tags and loop.loaders:
                value = self._store[key] = value.but(tags=value.tags - {CARRIED})
            if number_ not in value.carry:
                continue
            value = value.but(carry=value.carry - {number_})
            grown = end.get(key)
            grows = grown is not None and number_ in grown.carry and _grows(grown)
            if loop.loaders and grows and value.sources & loop.loaders:
                value = self._accumulated(key, value, entry.get(key), loop, number_)
            self._store[key] = value

    def _accumulated(self, key: tuple[int, str], value: Value, start: Value | None, loop: Loop, number_: int) -> Value:
        owner, name = key
        frame = self._owner(owner)
        if frame is None or not isinstance(loop.node, ast.For):
            return value
        known = self.facts.accumulations.get((number_, name))
        fact = Accumulation(loop.node, name, value.form, value.but(pending=frozenset()), frame)
        fact.continued = (loop.node, name) in self._continued
        if known is not None:
            both = joined(known.value, fact.value)
            fact = Accumulation(loop.node, name, both.form, both, frame, known.used, known.continued or fact.continued)
        if not fact.continued and not _starts_afresh(start, value):
            self._continued.add((loop.node, name))
            raise _Restart
        self.facts.accumulations[(number_, name)] = fact
        if fact.continued:
            return value
        return value.but(placement=WHOLE if value.form is not Form.STEP else Placement(), const=UNSET, pending=value.pending | {(number_, name)})

    def _owner(self, owner: int) -> Frame | None:
        frame: Frame | None = self._frame
        while frame is not None:
            if frame.number == owner:
                return frame
            frame = frame.closure
        return None

    def _do_With(self, node: ast.With | ast.AsyncWith) -> None:
        modes = self._modes
        for item in node.items:
            manager = self.eval(item.context_expr)
            self._modes = self._modes | self.semantics.modes(manager)
            if item.optional_vars is not None:
                self._assign(item.optional_vars, manager)
        self._block(node.body)
        self._modes = modes

    _do_AsyncWith = _do_With

    def _do_Try(self, node: ast.Try) -> None:
        before = self._store
        if before is None:
            return
        self._block(node.body)
        after = self._store
        self._block(node.orelse)
        ends = [self._store]
        entry = self._joined_stores([before, after])
        for handler in node.handlers:
            self._store = dict(entry or before)
            tests = self._tests
            self._tests = (*tests, Test(handler, Value(placement=Placement(Form.LOCAL))))
            self._block(handler.body)
            self._tests = tests
            ends.append(self._store)
        self._store = self._joined_stores(ends)
        if node.finalbody:
            alive = self._store
            self._store = alive if alive is not None else dict(before)
            self._block(node.finalbody)
            if alive is None:
                self._store = None

    _do_TryStar = _do_Try

    def _do_Match(self, node: ast.Match) -> None:
        subject = self.eval(node.subject)
        arms: list[Callable[[], None]] = [lambda: None]
        for case in node.cases:
            arms.append(lambda body=case.body: self._block(body))  # type: ignore[misc]
        self._branch(node, subject, arms)

    def _do_Assert(self, node: ast.Assert) -> None:
        self.eval(node.test)

    def _do_Global(self, node: ast.Global) -> None:
        return

    _do_Nonlocal = _do_Global
    _do_Pass = _do_Global

    def _do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        decorators = [self.eval(d) for d in node.decorator_list]
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.eval(default)
        value = self._function(node)
        function = self._functions[value.obj]
        for decorator in decorators:
            function.modes |= self.semantics.modes(decorator)
            if decorator.kind is Kind.LIBRARY and decorator.name == "property":
                value = value.but(tags=value.tags | {"property"})
            if decorator.kind is Kind.LIBRARY and decorator.name in ("staticmethod", "classmethod"):
                value = value.but(tags=value.tags | {decorator.name})
        self._set(self._frame, node.name, value)

    _do_AsyncFunctionDef = _do_FunctionDef

    def _function(self, node: FunctionNode) -> Value:
        key = (node, self._frame.number)
        if key not in self._function_numbers:
            self._next += 1
            self._function_numbers[key] = self._next
            self._functions[self._next] = Function(node, self._frame)
        return Value(Kind.FUNCTION, obj=self._function_numbers[key])

    def _do_ClassDef(self, node: ast.ClassDef) -> None:
        bases = tuple(self.eval(base) for base in node.bases)
        frame = self._new_frame(self._frame.unit, node, self._frame, self._frame.caller, self._frame.call)
        self._in_frame(frame, lambda: self._block(node.body))
        key = (node, self._frame.number)
        if key not in self._function_numbers:
            self._next += 1
            self._function_numbers[key] = self._next
        self._classes[self._function_numbers[key]] = Class(node, bases, frame)
        self._set(self._frame, node.name, Value(Kind.CLASS, obj=self._function_numbers[key], name=node.name))

    # ------------------------------------------------------------------ imports

    def _do_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            frame = self._import(alias.name, node)
            name = alias.asname or alias.name.split(".")[0]
            dotted = alias.name if alias.asname else name
            if frame is not None and alias.asname:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=f"<own>.{alias.name}"))
            elif frame is not None:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=f"<own>.{dotted}"))
            else:
                self._set(self._frame, name, Value(Kind.LIBRARY, name=dotted))

    def _do_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        frame = self._import(module, node)
        for alias in node.names:
            if alias.name == "*":
                self._import_star(module, frame)
                continue
            name = alias.asname or alias.name
            value = self._get(frame, alias.name) if frame is not None else None
            if value is None:
                inner = self._import(f"{module}.{alias.name}" if node.module else module + alias.name, node)
                own = frame is not None or inner is not None
                dotted = f"{module}.{alias.name}" if not module.endswith(".") else module + alias.name
                value = Value(Kind.LIBRARY, name=f"<own>.{dotted}" if own else dotted)
            self._set(self._frame, name, value)

    def _import_star(self, module: str, frame: Frame | None) -> None:
        if frame is None or self._store is None:
            return
        for name, value in self.fields(frame.number).items():
            if not name.startswith("_"):
                self._set(self._frame, name, value)

    def _import(self, module: str, node: ast.stmt) -> Frame | None:
        """The frame of a module of the script's own; ``None`` for a library."""
        if module in self._modules:
            return self._modules[module]
        unit = self._find(self._frame.unit, module)
        if unit is None:
            self.facts.imported.add(module)
            if module.startswith("."):
                self.facts.missing.setdefault(module, node)
            return None
        if unit.name in self._modules:
            return self._modules[unit.name]
        loops, tests, modes = self._loops, self._tests, self._modes
        frame = self.run(unit)
        self._modules[module] = frame
        self._loops, self._tests, self._modes = loops, tests, modes
        return frame

    # ------------------------------------------------------------------ expressions

    def eval(self, node: ast.expr) -> Value:
        """The value of an expression; recorded in the facts."""
        self.facts.units.setdefault(node, self._frame.unit)
        method = getattr(self, f"_eval_{type(node).__name__}", None)
        value: Value = method(node) if method is not None else self._eval_other(node)
        if value.kind is Kind.LIST and value.obj:
            self.facts.see_element(node, self.element(value))
        return self.facts.see(node, value)

    def _eval_other(self, node: ast.expr) -> Value:
        parts = [self.eval(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        return Value(placement=combine(p.placement for p in parts))

    def _eval_Constant(self, node: ast.Constant) -> Value:
        return constant(node.value, self.facts.number(node))

    def _eval_Name(self, node: ast.Name) -> Value:
        frame = self._frame_of(node)
        value = self._get(frame, node.id) if frame is not None else None
        if value is None:
            names = self._frame.unit.names.qualified(node) if frame is None else frozenset()
            dotted = self.semantics.choose(names) if names else node.id
            return Value(Kind.LIBRARY, name=dotted.removeprefix("builtins."))
        for loop, name in value.pending:
            fact = self.facts.accumulations.get((loop, name))
            if fact is not None and not any(running.node is fact.loop for running in self._loops):
                fact.used = True
        if CARRIED in value.tags:
            self.facts.carried.setdefault(node, self.context)
        return value

    def _eval_Attribute(self, node: ast.Attribute) -> Value:
        owner = self.eval(node.value)
        value = self.attribute_of(owner, node.attr)
        if owner.kind is Kind.NAMESPACE:
            first = self._namespace.setdefault(node.attr, node)
            return value.but(origins=frozenset({self.facts.number(first)}))
        return value

    def attribute_of(self, owner: Value, name: str) -> Value:
        """``owner.name``: a field, a method bound to its owner, or what the frontend says."""
        if owner.kind is Kind.LIBRARY:
            return self._library_attribute(owner, name)
        if owner.name == python.SUPER:
            return self._super_attribute(owner, name)
        if owner.obj and owner.kind not in (Kind.FUNCTION, Kind.LIST, Kind.DICT):
            found = self._member(owner, name)
            if found is not None:
                return found
        known = self.semantics.attribute(self, owner, name)
        if known is not None:
            return known
        return Value(Kind.METHOD, owner.placement, name=name, items=(owner,))

    def parent(self) -> Value:
        """What ``super()`` gives in the running method."""
        class_frame = self._frame.closure
        for class_number, class_ in self._classes.items():
            if class_.frame is class_frame:
                first = [a.arg for a in _parameters(self._frame.scope.node)][:1]
                instance = self._get(self._frame, first[0]) if first else None
                if instance is not None:
                    return Value(name=python.SUPER, items=(instance,), obj=class_number)
        return UNKNOWN

    def _super_attribute(self, owner: Value, name: str) -> Value:
        instance = owner.items[0]
        for base in self._classes[owner.obj].bases:
            found = self._class_member(base.obj, name) if base.kind is Kind.CLASS else None
            if found is not None:
                return found.but(items=(instance,)) if found.kind is Kind.FUNCTION else found
        return Value(Kind.METHOD, name=name, items=(instance,))

    def _library_attribute(self, owner: Value, name: str) -> Value:
        if owner.name.startswith("<own>."):
            module = owner.name.removeprefix("<own>.")
            frame = self._modules.get(module)
            value = self._get(frame, name) if frame is not None else None
            return value if value is not None else Value(Kind.LIBRARY, name=f"{owner.name}.{name}")
        dotted = f"{owner.name}.{name}"
        known = self.semantics.attribute(self, owner, name)
        return known if known is not None else Value(Kind.LIBRARY, name=dotted)

    def _member(self, owner: Value, name: str) -> Value | None:
        value = self.field(owner.obj, name)
        if value is not None:
            return value
        class_number = owner.obj if owner.kind is Kind.CLASS else self._class_of.get(owner.obj)
        found = self._class_member(class_number, name) if class_number is not None else None
        if found is None or found.kind is not Kind.FUNCTION:
            return found
        if "staticmethod" in found.tags or owner.kind is Kind.CLASS and "classmethod" not in found.tags:
            return found
        bound = found.but(items=(owner,))
        if "property" in found.tags:
            return self._call_function(bound, Call(_no_call(), ()))
        return bound

    def _class_member(self, class_number: int, name: str) -> Value | None:
        class_ = self._classes.get(class_number)
        if class_ is None:
            return None
        value = self._get(class_.frame, name)
        if value is not None:
            return value
        for base in class_.bases:
            if base.kind is Kind.CLASS:
                inherited = self._class_member(base.obj, name)
                if inherited is not None:
                    return inherited
        return None

    def method_node(self, owner: Value, name: str) -> ast.AST | None:
        """The definition of a method of a user's object."""
        class_number = self._class_of.get(owner.obj)
        found = self._class_member(class_number, name) if class_number is not None else None
        return self._functions[found.obj].node if found is not None and found.kind is Kind.FUNCTION else None

    def class_node(self, owner: Value) -> ast.ClassDef | None:
        """The definition of the class of a user's object."""
        class_ = self._classes.get(self._class_of.get(owner.obj, 0))
        return class_.node if class_ is not None else None

    def library_bases(self, class_number: int) -> frozenset[str]:
        """The dotted names of the library classes a class of the script derives from."""
        class_ = self._classes.get(class_number)
        if class_ is None:
            return frozenset()
        names: set[str] = set()
        for base in class_.bases:
            if base.kind is Kind.CLASS:
                names |= self.library_bases(base.obj)
            elif base.kind is Kind.LIBRARY:
                names.add(base.name)
        return frozenset(names)

    def _eval_Subscript(self, node: ast.Subscript) -> Value:
        owner, index = self.eval(node.value), self.eval(node.slice)
        if owner.kind is Kind.TUPLE and isinstance(index.const, int) and -len(owner.items) <= index.const < len(owner.items):
            return owner.items[index.const]
        known = self.semantics.subscript(self, owner, index)
        if known is not None:
            return known
        return self._container_item(owner, index, node)

    def _container_item(self, owner: Value, index: Value, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            return owner
        if owner.kind is Kind.DICT and owner.obj:
            if index.is_const:
                found = self.field(owner.obj, f"[k]{index.const!r}")
                return found if found is not None else self.field(owner.obj, _ELEMENT) or Value(placement=owner.placement)
            element = self.element(owner)
            several = len(element.sites) > 1
            return element.but(tags=element.tags | {"chosen"}) if several else element
        items = self.literal_items(owner)
        if items is not None and isinstance(index.const, int) and -len(items) <= index.const < len(items):
            return items[index.const]
        if owner.kind in (Kind.LIST, Kind.TUPLE):
            return self.element(owner)
        return Value(placement=combine((owner.placement, index.placement)))

    def _eval_Slice(self, node: ast.Slice) -> Value:
        parts = [self.eval(p) for p in (node.lower, node.upper, node.step) if p is not None]
        return Value(placement=combine(p.placement for p in parts), tags=frozenset({"slice"}))

    def _eval_Tuple(self, node: ast.Tuple) -> Value:
        items = tuple(self.eval(e) for e in node.elts)
        return Value(Kind.TUPLE, combine(i.placement for i in items), items=items)

    def _eval_List(self, node: ast.List | ast.Set) -> Value:
        items = tuple(self.eval(e) for e in node.elts)
        value = self.new_object(node, Kind.LIST)
        for item in items:
            self.add_element(value, item)
        self.set_field(value.obj, _LITERAL, Value(Kind.TUPLE, items=items))
        return value

    _eval_Set = _eval_List

    def _eval_Dict(self, node: ast.Dict) -> Value:
        value = self.new_object(node, Kind.DICT)
        for key, item in zip(node.keys, node.values, strict=True):
            element = self.eval(item)
            if key is None:
                self.merge_dict(value, element)
                continue
            name = self.eval(key)
            if name.is_const:
                self.set_field(value.obj, f"[k]{name.const!r}", element)
            else:
                self.add_element(value, element)
        return value

    def merge_dict(self, into: Value, other: Value) -> None:
        """``into.update(other)``."""
        if other.kind is not Kind.DICT or not other.obj:
            self.set_field(into.obj, _ELEMENT, Value(placement=other.placement))
            return
        for name, value in self.fields(other.obj).items():
            if name.startswith("[k]"):
                self.set_field(into.obj, name, value)
            elif name == _ELEMENT:
                self.add_element(into, value)

    def keyword_items(self, value: Value) -> dict[str, Value]:
        """The known string keys of a dict."""
        found: dict[str, Value] = {}
        for name, item in self.fields(value.obj).items() if value.obj else ():
            if name.startswith("[k]'"):
                found[name[4:-1]] = item
        return found

    def _eval_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        return self._binary(node.op, left, right)

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Value:
        if left.kind is Kind.LIST and right.kind is Kind.LIST and isinstance(op, ast.Add):
            return joined(self.element(left), self.element(right)).but(kind=Kind.LIST)
        placement = _arithmetic(op, left, right)
        if Kind.TEXT in (left.kind, right.kind):
            return Value(Kind.TEXT, placement)
        tensors = [v for v in (left, right) if v.kind is Kind.TENSOR]
        const = _folded(op, left, right) if placement.is_equal else UNSET
        integer = (left.integer and right.integer) if not isinstance(op, ast.Div) else False
        kind = Kind.TENSOR if tensors else _number_kind(left, right)
        return Value(
            kind=kind,
            placement=placement,
            const=const,
            integer=integer,
            scalar=left.scalar and right.scalar,
            batch_dim=next((v.batch_dim for v in tensors if v.form is Form.SHARDED), None),
            carry=left.carry | right.carry if isinstance(op, (ast.Add, ast.Sub)) else frozenset(),
            tags=(left.tags | right.tags) & {"coupled"},
        )

    def _eval_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        if isinstance(node.op, (ast.USub, ast.UAdd)):
            const = -value.const if value.is_const and isinstance(value.const, (int, float)) else UNSET
            return value.but(const=const, pending=frozenset(), origins=frozenset())
        return Value(Kind.NUMBER, combine([value.placement]), integer=True)

    def _eval_BoolOp(self, node: ast.BoolOp) -> Value:
        values = [self.eval(v) for v in node.values]
        result = _join_all(values)
        return result.but(placement=combine(v.placement for v in values), pending=frozenset(), const=UNSET)

    def _eval_Compare(self, node: ast.Compare) -> Value:
        values = [self.eval(node.left), *(self.eval(c) for c in node.comparators)]
        if all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            parts = [v.placement for v in values if not (v.placement.is_partial or v.form is Form.SHARDED)]
            return Value(Kind.NUMBER, combine(parts), integer=True)
        if any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            return Value(Kind.NUMBER, combine(v.placement for v in values if v.kind is not Kind.MODULE), integer=True)
        tensor = next((v for v in values if v.kind is Kind.TENSOR), None)
        if tensor is not None:
            sharded = next((v for v in values if v.form is Form.SHARDED), tensor)
            return sharded.but(
                kind=Kind.TENSOR, placement=elementwise(v.placement for v in values), integer=True, const=UNSET,
                carry=frozenset(), pending=frozenset(),
            )  # fmt: skip
        return Value(Kind.NUMBER, combine(v.placement for v in values), integer=True)

    def _eval_IfExp(self, node: ast.IfExp) -> Value:
        test = self.eval(node.test)
        value = joined(self.eval(node.body), self.eval(node.orelse))
        if not test.placement.is_equal:
            return value.but(placement=combine((value.placement, test.placement)), const=UNSET)
        return value

    def _eval_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self._assign(node.target, value)
        return value

    def _eval_JoinedStr(self, node: ast.JoinedStr) -> Value:
        parts = [self.eval(v) for v in node.values]
        return Value(Kind.TEXT, combine(p.placement for p in parts))

    def _eval_FormattedValue(self, node: ast.FormattedValue) -> Value:
        value = self.eval(node.value)
        if node.format_spec is not None:
            self.eval(node.format_spec)
        return Value(Kind.TEXT, value.placement)

    def _eval_Starred(self, node: ast.Starred) -> Value:
        return self.eval(node.value)

    def _eval_Lambda(self, node: ast.Lambda) -> Value:
        return self._function(node)

    def _eval_Yield(self, node: ast.Yield) -> Value:
        value = NONE if node.value is None else self.eval(node.value)
        self._function_exits[-1].yields.append(value)
        return UNKNOWN

    def _eval_YieldFrom(self, node: ast.YieldFrom) -> Value:
        self._function_exits[-1].yields.append(self.iterate(self.eval(node.value)).element)
        return UNKNOWN

    def _eval_Await(self, node: ast.Await) -> Value:
        return self.eval(node.value)

    def _eval_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        result = self.new_object(node, Kind.LIST)
        self._comprehension(node, node.generators, lambda: self.add_element(result, self.eval(node.elt)))
        return result

    _eval_SetComp = _eval_ListComp
    _eval_GeneratorExp = _eval_ListComp

    def _eval_DictComp(self, node: ast.DictComp) -> Value:
        result = self.new_object(node, Kind.DICT)

        def item() -> None:
            self.eval(node.key)
            element = self.eval(node.value)
            self.add_element(result, element.but(tags=element.tags | {"chosen"}))

        self._comprehension(node, node.generators, item)
        return result

    def _comprehension(self, node: ast.expr, generators: Sequence[ast.comprehension], item: Callable[[], None]) -> None:
        outer, loops, tests = self._frame, self._loops, self._tests
        first = self.eval(generators[0].iter)
        self._frame = self._new_frame(outer.unit, node, outer, outer.caller, outer.call)
        for position, generator in enumerate(generators):
            iterable = first if position == 0 else self.eval(generator.iter)
            iteration = self.iterate(iterable)
            if iteration.loaders:
                loop = Loop(generator, self._frame, iterable, iteration.loaders)
                self.facts.loops.setdefault(generator, []).append(loop)
                self._loops = (*self._loops, loop)
            self._assign(generator.target, iteration.element)
            for condition in generator.ifs:
                self._tests = (*self._tests, Test(generator, self.eval(condition)))
        item()
        self._frame, self._loops, self._tests = outer, loops, tests

    # ------------------------------------------------------------------ iteration

    def iterate(self, value: Value) -> Iteration:
        """What looping over a value yields."""
        known = self.semantics.iterate(self, value)
        if known is not None:
            return known
        if value.kind is Kind.ITERATOR:
            return self._iterate_wrapped(value)
        if value.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT):
            keys = Value(Kind.TEXT) if value.kind is Kind.DICT else self.element(value)
            return Iteration(keys)
        if value.kind is Kind.RANGE:
            return Iteration(number(value.placement, integer=True, tags=frozenset({"index"})))
        return Iteration(Value(placement=combine([value.placement])))

    def _iterate_wrapped(self, value: Value) -> Iteration:
        inner = [self.iterate(item) for item in value.items]
        loaders = frozenset().union(*(i.loaders for i in inner)) if inner else frozenset()
        if value.name == "enumerate":
            index = number(Placement(Form.STEP, loaders) if loaders else value.placement, integer=True)
            return Iteration(Value(Kind.TUPLE, items=(index, inner[0].element)), loaders)
        if value.name == "zip":
            return Iteration(Value(Kind.TUPLE, items=tuple(i.element for i in inner)), loaders)
        return Iteration(inner[0].element if inner else UNKNOWN, loaders)

    # ------------------------------------------------------------------ calls

    def _eval_Call(self, node: ast.Call) -> Value:
        target = self.eval(node.func)
        call = self._arguments(node)
        receiver = target.items[0] if target.kind is Kind.METHOD and target.items else None
        name = target.name if target.kind in (Kind.LIBRARY, Kind.METHOD) else ""
        result = self._apply(target, call)
        context = self.context
        owner = receiver if receiver is not None else _object(target)
        self._order += 1
        depends = self._depends(call, owner)
        self.facts.add_call(CallFact(node, name, owner, call.args, call.keywords, result, context, depends, self._order))
        if target.kind is Kind.LIBRARY and target.name in ("sys.exit", "exit", "quit", "os._exit"):
            self._leave(node)
            self._store = None
        return result

    def _depends(self, call: Call, owner: Value | None) -> tuple[Placement, ...]:
        found: list[Placement] = []
        for value in (*call.values, *((owner,) if owner is not None else ())):
            found.append(value.placement)
            found.extend(item.placement for item in value.items)
            if value.obj and value.kind in (Kind.LIST, Kind.DICT):
                found.append(self.element(value).placement)
            elif value.obj and value.kind is Kind.INSTANCE:
                found.extend(part.placement for part in self.fields(value.obj).values())
        return tuple(p for p in dict.fromkeys(found) if p.sources or not p.is_equal)

    def _arguments(self, node: ast.Call) -> Call:
        args: list[Value] = []
        for arg in node.args:
            value = self.eval(arg)
            if isinstance(arg, ast.Starred):
                items = self.literal_items(value)
                args.extend(items if items is not None else [Value(placement=value.placement, tags=frozenset({"*"}))])
            else:
                args.append(value)
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            else:
                keywords.update(self.keyword_items(value))
                if value.kind is not Kind.DICT:
                    keywords["**"] = value
        return Call(node, tuple(args), keywords)

    def _apply(self, target: Value, call: Call) -> Value:
        if target.kind is Kind.FUNCTION:
            return self._call_function(target, call)
        if target.kind is Kind.CLASS:
            return self._instantiate(target, call)
        if target.kind is Kind.LIBRARY:
            return self._call_library(target, call)
        if target.kind is Kind.METHOD and target.items:
            return self._call_bound(target, call)
        known = self.semantics.invoke(self, target, call)
        if known is not None:
            return known
        if target.kind is Kind.INSTANCE and target.obj:
            return self.call_method(target, "__call__", call)
        return opaque(call, target)

    def _call_library(self, target: Value, call: Call) -> Value:
        known = self.semantics.call(self, target.name, call)
        if known is not None:
            return known
        known = python.call(self, target.name, call)
        return known if known is not None else opaque(call)

    def _call_bound(self, target: Value, call: Call) -> Value:
        receiver = target.items[0]
        known = self.semantics.method(self, receiver, target.name, call)
        if known is None:
            known = python.method(self, receiver, target.name, call)
        return known if known is not None else opaque(call, receiver)

    def call_method(self, owner: Value, name: str, call: Call) -> Value:
        """Call a method of a user's object; opaque when it has none of that name."""
        method = self._member(owner, name)
        if method is None or method.kind is not Kind.FUNCTION:
            return opaque(call, owner)
        return self._call_function(method, call)

    def has_method(self, owner: Value, name: str) -> bool:
        """Whether a user's object has a method of its own with this name."""
        return self.method_node(owner, name) is not None

    def call_value(self, value: Value, call: Call) -> Value:
        """Call any value."""
        return self._apply(value, call)

    def _instantiate(self, target: Value, call: Call) -> Value:
        kind = self.semantics.instance_kind(self.library_bases(target.obj)) or Kind.INSTANCE
        instance = self.new_object(call.node, kind, name=target.name, sites=frozenset({self.facts.number(call.node)}))
        self._class_of[instance.obj] = target.obj
        if target.obj in self._classes:
            self.facts.classes[instance.obj] = self._classes[target.obj].node
        if self._class_member(target.obj, "__init__") is not None:
            self.call_method(instance, "__init__", call)
        elif call.args or call.keywords:
            for position, value in enumerate(call.args):
                self.set_field(instance.obj, f"<{position}>", value)
            for name, value in call.keywords.items():
                self.set_field(instance.obj, name, value)
        return instance

    def _call_function(self, target: Value, call: Call) -> Value:
        function = self._functions.get(target.obj)
        if function is None or self._store is None:
            return opaque(call)
        active = [f.scope.node for f in self._frame.path()]
        if len(active) > _MAX_DEPTH or function.node in active:
            return opaque(call)
        unit = function.closure.unit
        frame = self._new_frame(unit, function.node, function.closure, self._frame, call.node)
        self._bind_parameters(frame, function.node.args, (*target.items, *call.args), call.keywords)
        modes, self._modes = self._modes, self._modes | function.modes
        node = function.node
        if isinstance(node, ast.Lambda):
            result = self._in_lambda(frame, node)
        else:
            body = node.body
            result = _returned(self._in_frame(frame, lambda: self._block(body)))
        self._modes = modes
        return result

    def _in_lambda(self, frame: Frame, node: ast.Lambda) -> Value:
        result: list[Value] = []
        self._in_frame(frame, lambda: result.append(self.eval(node.body)))
        return result[0]

    def _bind_parameters(
        self, frame: Frame, spec: ast.arguments, args: tuple[Value, ...], keywords: dict[str, Value]
    ) -> None:
        names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
        for keyword_only, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
            names.append(keyword_only.arg)
            if default is not None:
                defaults[keyword_only.arg] = default
        given = dict(zip([a.arg for a in (*spec.posonlyargs, *spec.args)], args, strict=False))
        given.update({k: v for k, v in keywords.items() if k in names})
        for name in names:
            value = given.get(name)
            if value is None and name in defaults:
                value = self.facts.values.get(defaults[name], UNKNOWN)
            self._set(frame, name, value if value is not None else UNKNOWN)
        if spec.vararg is not None:
            rest = args[len(spec.posonlyargs) + len(spec.args) :]
            self._set(frame, spec.vararg.arg, Value(Kind.TUPLE, combine(v.placement for v in rest), items=rest))
        if spec.kwarg is not None:
            extra = self.new_object(spec.kwarg, Kind.DICT)
            for name, value in keywords.items():
                if name not in names:
                    self.set_field(extra.obj, f"[k]{name!r}", value)
            self._set(frame, spec.kwarg.arg, extra)

    @contextmanager
    def mode(self, *names: str) -> Iterator[None]:
        """Run with these modes on."""
        modes, self._modes = self._modes, self._modes | frozenset(names)
        try:
            yield
        finally:
            self._modes = modes


# ---------------------------------------------------------------------- helpers


def opaque(call: Call, receiver: Value | None = None) -> Value:
    """The result of a call about which nothing is known: it depends on all it was given."""
    parts = [v.placement for v in call.values]
    if receiver is not None:
        parts.append(receiver.placement)
    return Value(placement=combine(parts))


def _join_all(values: Iterable[Value]) -> Value:
    result: Value | None = None
    for value in values:
        result = value if result is None else joined(result, value)
    return result if result is not None else UNKNOWN


def _returned(left: _Exits) -> Value:
    if left.yields:
        return Value(Kind.ITERATOR, name="generator", items=(Value(Kind.TUPLE, items=(_join_all(left.yields),)),))
    return _join_all(left.values) if left.values else NONE


def _mark_carried(store: Store, loaders: frozenset[int]) -> None:
    """Mark what the next batch would see of this one."""
    for key, value in store.items():
        if value.form is Form.SHARDED and value.sources & loaders and CARRIED not in value.tags:
            store[key] = value.but(tags=value.tags | {CARRIED})


def _parameters(node: ast.AST) -> list[ast.arg]:
    return node.args.args if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else []


def _arithmetic(op: ast.operator, left: Value, right: Value) -> Placement:
    a, b = left.placement, right.placement
    if isinstance(op, (ast.Add, ast.Sub)):
        return add(a, b, a_is_zero=left.is_zero, b_is_zero=right.is_zero)
    if isinstance(op, ast.Mult):
        return multiply(a, b)
    if isinstance(op, ast.Div):
        return divide(a, b)
    if isinstance(op, ast.MatMult):
        return _matmul(left, right)
    return elementwise((a, b)) if Kind.TENSOR in (left.kind, right.kind) else combine((a, b))


def _matmul(left: Value, right: Value) -> Placement:
    placement = elementwise((left.placement, right.placement))
    contracts_batch = right.form is Form.SHARDED and right.batch_dim == 1
    return placement.with_form(Form.UNKNOWN) if contracts_batch else placement


def _number_kind(left: Value, right: Value) -> Kind:
    return Kind.NUMBER if left.kind is right.kind is Kind.NUMBER else Kind.UNKNOWN


def _folded(op: ast.operator, left: Value, right: Value) -> object:
    """Arithmetic on small known numbers, so that ``64 * 2`` stays a known batch size."""
    a, b = left.const, right.const
    if not (isinstance(a, (int, float)) and isinstance(b, (int, float))):
        return UNSET
    if isinstance(op, ast.Add):
        return a + b
    if isinstance(op, ast.Sub):
        return a - b
    if isinstance(op, ast.Mult):
        return a * b
    if isinstance(op, ast.Div) and b:
        return a / b
    if isinstance(op, ast.FloorDiv) and b:
        return a // b
    return UNSET


def _grows(value: Value) -> bool:
    return value.placement.is_partial or value.form is Form.STEP


def _starts_afresh(start: Value | None, value: Value) -> bool:
    """Whether a reduced accumulator holds this pass only; a mean over ranks keeps any equal start."""
    if start is None or start.pending:
        return False
    return start.is_zero or (value.form is Form.MEAN and start.form is Form.REPLICATED and not start.placement.measured)


def _object(target: Value) -> Value | None:
    if target.kind is Kind.FUNCTION:
        return target.items[0] if target.items else None
    return target if target.kind not in (Kind.LIBRARY, Kind.METHOD, Kind.CLASS) else None


def _no_call() -> ast.Call:
    return ast.Call(func=ast.Name(id="property", ctx=ast.Load()), args=[], keywords=[])


