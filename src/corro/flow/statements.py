"""Statements: what they do to the store."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine
from corro.flow import anew, commands, depths, suppressing
from corro.flow.facts import Frame, StoreFact
from corro.flow.loops import ACCUMULATED
from corro.flow.python import asked, is_set_operation
from corro.flow.state import HOLDS, OPAQUE, UNORDERED, Class, Flow, Function, FunctionNode
from corro.flow.store import HOLDERS, join_stores
from corro.flow.turns import Turn, in_turn
from corro.flow.values import OR_LOADER, UNKNOWN, UNSET, Value, chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corro.flow.semantics import Call


_CONTAINERS = frozenset({"dict", "list", "set", "collections.defaultdict", "collections.OrderedDict",
                         "collections.Counter", "collections.UserDict", "collections.UserList"})  # fmt: skip
_OF_PROPERTIES = frozenset({"setter", "deleter"})


class Statements(Flow):
    """All statements but loops and imports."""

    def _block(self, body: Sequence[ast.stmt], start: int = 0, before: Callable[[int], None] = lambda at: None) -> None:
        for position in range(start, len(body)):
            statement = body[position]
            before(position)
            if self._store is None:
                return
            parted = len(self._parted)
            self._statement(statement)
            if self._parted[parted:] and self._store is not None:
                self._rest(body[position + 1 :], [each.test for each in self._parted[parted:]])
                return

    def _statement(self, node: ast.stmt) -> None:
        self._budget.spend(node, self._frame.unit)
        self._visited.add(node)
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
        if isinstance(node.value, ast.Call):
            self._fed(node.value)

    def _fed(self, node: ast.Call) -> None:
        """A call whose result nobody takes is made for its effect: an object that is not followed keeps what it got."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        known = self.now(owner)
        fact = self.facts.call_of(node, self._frame)
        if fact is None or known.kind is not Kind.UNKNOWN or known.obj or self._store is None:
            return
        given = [v.placement for v in (*fact.args, *fact.keywords.values())]
        given += [p for p in fact.depends if p not in given]
        if not all(placement.is_equal for placement in given):
            value = known.but(placement=combine((known.placement, *given)).with_form(Form.UNKNOWN), const=UNSET)
            if isinstance(owner, (ast.Name, ast.Attribute)):
                self._keep(owner, value)

    def _keep(self, target: ast.Name | ast.Attribute, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._bind(target, value)
        elif (owner := self.now(target.value)).obj:
            self.set_field(owner.obj, target.attr, value)

    def _do_Assign(self, node: ast.Assign) -> None:
        value = asked(self, node.value, self.eval(node.value))
        for target in node.targets:
            self._assign(target, value)

    def _do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self.eval(node.value))

    def _do_AugAssign(self, node: ast.AugAssign) -> None:
        left, right = self.eval(node.target), self.eval(node.value)
        if left.kind is Kind.LIST and isinstance(node.op, ast.Add):
            self.put_element(left, self.element(right))
            self.resize(left, self.size(right))
            return
        if UNORDERED in left.tags and is_set_operation(node.op, left, right):
            if isinstance(node.op, (ast.BitOr, ast.BitXor)):
                self.put_element(left, self.iterate(right).element)
            self.resize(left, self.size(right))
            return
        value = self.facts.see(node, self.binary(node.op, left, right))
        target = node.target
        if isinstance(target, (ast.Attribute, ast.Subscript)) and any(loop.loaders for loop in self._loops):
            inside = self._put(target, value)
            if inside.sources and (left.kind is Kind.UNKNOWN or inside.form is Form.UNKNOWN):
                value = value.but(tags=value.tags | {ACCUMULATED})
                self.mark(target.value, inside, frozenset({ACCUMULATED}))
        if isinstance(target, ast.Name) and left.locations and not value.placement.is_equal and self._is_given(target):
            self.put_into(left, value.placement, frozenset({ACCUMULATED} if left.placement.is_equal else ()))
        if left.kind is Kind.TENSOR:
            self._overwritten += left.form is Form.SHARDED
            self._written(target, left, value, in_place=True)
            value = value.but(tags=value.tags | (left.tags & self.semantics.lasting_tags))
        self._assign(target, value)

    def _written(self, node: ast.expr, owner: Value, *given: Value, in_place: bool = False) -> None:
        """Record what is written, and where."""
        whole = tuple(value.but(placement=self.whole(value)) for value in given)
        self.facts.add_store(StoreFact(node, owner, whole, self.context, in_place))

    def _is_given(self, name: ast.Name) -> bool:
        """Whether a variable is what the running function is given, so that others have a name for it too."""
        arguments = getattr(self._frame.scope.node, "args", None)
        return isinstance(arguments, ast.arguments) and any(each.arg == name.id for each in arguments.args)

    def _put(self, target: ast.Attribute | ast.Subscript, value: Value) -> Placement:
        """What the content of a container depends on after an assignment: the value, where and whether it is put."""
        index = self.now(target.slice) if isinstance(target, ast.Subscript) else UNKNOWN
        return self._decided(self.whole(value), index.placement)

    def _decided(self, inside: Placement, *by: Placement, turns: ast.AST | None = None) -> Placement:
        """What something depends on that is put somewhere, as something says and under the conditions that hold.

        How many ``turns`` a loop takes that has one for each sample is none of these.
        """
        causes = [*by, *(test.value.placement for test in self._tests if test.node is not turns)]
        shard = inside.form is Form.SHARDED  # changed by chance, it may be one with noise: see ``Conditions._taint``
        if all(cause.is_equal or (shard and cause.is_chance) for cause in causes):
            return inside
        return combine((inside, *causes)).with_form(Form.UNKNOWN)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.facts.see(target, value)
            self._bind(target, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Starred):
            several = value.kind is Kind.BATCH or (value.kind is Kind.LIST and value.obj)
            self._assign(target.value, value if several else Value(Kind.LIST, value.placement))
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            self.facts.see(target, value)
            self._written(target, owner, value)
            if owner.obj:
                self.set_field(owner.obj, target.attr, value)
            else:
                self._set_one(owner, target.attr, value)
                self._set_option(owner, target.attr, value)
                self.mark(target.value, self._put(target, value))
                batch = self._held_now(target.value)
                self._replace(batch, self.semantics.with_attribute(batch, target.attr, value))
        elif isinstance(target, ast.Subscript):
            self._assign_item(target, value)

    def _set_one(self, owner: Value, name: str, value: Value) -> None:
        """One of several objects is given an attribute, and the others keep theirs."""
        for one in self.ones(owner):
            known = self.field(one.obj, name)
            self.set_field(one.obj, name, value if known is None else self.either((known, value)))

    def _assign_item(self, target: ast.Subscript, value: Value) -> None:
        owner, index = self.eval(target.value), self.eval(target.slice)
        self._forget_places(target.value)
        self.facts.see(target, value)
        self._written(target, owner, value, index)
        if owner.kind is Kind.DICT and owner.obj:
            self.put_item(owner, index, value if index.is_const else value.but(placement=self._put(target, value)))
        elif owner.obj:
            if self.special(owner, "__setitem__", index, value) is None:
                self.put_element(owner, value.but(placement=self._put(target, value)))
        elif (turn := in_turn(target, self._loops, self._frame)) is not None and self._put_in_turn(turn, value):
            return
        elif (inside := self.semantics.holding(owner, index, value)) is not None:
            self.change(target.value, inside)
        else:
            if isinstance(index.const, str):
                self._set_option(owner, index.const, value)
            self.mark(target.value, self._put(target, value))
            batch = self._held_now(target.value)
            self._replace(batch, self.semantics.replaced(batch, index, value))

    def _put_in_turn(self, turn: Turn, value: Value) -> bool:
        """Something is set for one sample after the other: at once for all of them, as it were."""
        owner = self.now(turn.owner)
        items = tuple(self.now(part) for part in turn.parts)
        apart = any(depths.APART in each.tags for each in (owner, *items))
        if owner.sources != turn.loop.iterable.sources or apart or not value.placement.is_equal:
            return False
        inside = self.semantics.holding(owner, Value(Kind.TUPLE, items=(turn.loop.iterable, *items)), value)
        if inside is None or inside.form is not Form.SHARDED:
            return False
        self.change(turn.owner, inside, turn.loop.node)
        return True

    def _replace(self, value: Value, other: Value | None) -> None:
        """A batch is given another part under whatever names it goes, also those of the callers."""
        if other is None or self._store is None:
            return
        for key, held in list(self._store.items()):
            if held == value:
                self._store.set(key, other)

    def _grow(self, node: ast.expr, name: str, call: Call) -> None:
        """A method of a batch that is a list or a dict puts something into it."""
        for index, value in anew.put(self, name, call):
            batch = self._held_now(node)
            self._replace(batch, self.semantics.replaced(batch, index, value))

    def change(self, node: ast.expr, inside: Placement, turns: ast.AST | None = None) -> None:
        """What an expression gives was changed in place, and holds something with this placement now."""
        self._forget_places(node)
        value = self._held_now(node)
        self._overwritten += value.form is Form.SHARDED
        inside = self._decided(inside, turns=turns)
        if value.obj or value.kind not in OPAQUE or inside == value.placement:
            return
        accumulated = value.placement.is_equal and any(loop.loaders for loop in self._loops)
        tags = frozenset({ACCUMULATED} if accumulated else ())
        if isinstance(node, ast.Name):
            self.put_into(value, inside, tags)
            self._bind(node, value.but(placement=inside, const=UNSET, tags=value.tags | tags))
        else:
            self.mark(node, inside, tags)

    def _forget_places(self, node: ast.expr) -> None:
        """A tensor was changed in place: which numbers of samples it holds is not known any more."""
        value = self._held_now(node)
        if isinstance(node, ast.Name) and value.tags & depths.PLACES:
            self._bind(node, value.but(tags=value.tags - depths.PLACES))

    def mark(self, node: ast.expr, inside: Placement, tags: frozenset[str] = frozenset()) -> None:
        """Something unequal was put into a value whose content is not followed: neither is it equal, nor its owner."""
        value = self._held_now(node)
        self._overwritten += value.form is Form.SHARDED
        if value.kind in HOLDERS and not value.obj:
            self.put_into(value, inside, tags)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # of what a method has given
            self._mark_owner(node.func.value, inside, tags)
        if value.obj or value.kind not in OPAQUE or inside.is_equal or not inside.sources:
            return
        value = value.but(placement=combine((value.placement, inside)), const=UNSET, tags=value.tags | tags | {HOLDS})
        self.put_into(value, value.placement, value.tags)
        if isinstance(node, ast.Name):
            self._bind(node, value)
        elif isinstance(node, ast.Attribute):
            owner = self.now(node.value)
            if owner.obj:
                self.set_field(owner.obj, node.attr, value)
            self.mark(node.value, inside, tags)
        elif isinstance(node, ast.Subscript):
            owner, index = self.now(node.value), self.now(node.slice)
            if owner.kind is Kind.DICT and owner.obj:
                self.put_item(owner, index, value)
            else:
                self.put_element(owner, value)
            self.mark(node.value, inside, tags)

    def _mark_owner(self, node: ast.expr, inside: Placement, tags: frozenset[str]) -> None:
        """Something was put into what a method of this gave, such as ``counts.setdefault(key, [])``."""
        owner = self._held_now(node)
        if owner.obj and owner.kind in (Kind.LIST, Kind.DICT) and not inside.is_equal:
            self.put_element(owner, Value(placement=inside, tags=tags | {HOLDS}))
        elif owner.kind is Kind.INSTANCE and owner.obj and not inside.is_equal and self._is_container(owner):
            self.put_into(self.attributes(owner), inside, tags)
        else:
            self.mark(node, inside, tags)

    def _is_container(self, owner: Value) -> bool:
        """Whether the class of a user's object derives from one of Python's containers."""
        return bool(self.library_bases(self._class_of.get(owner.obj, 0)) & _CONTAINERS)

    def _held_now(self, node: ast.expr) -> Value:
        """What a variable or a field holds in this call of a function; of other expressions, what is known of all."""
        known = None
        if isinstance(node, ast.Name):
            known = self._get(self._frame_of(node) or self._frame, node.id)
        elif isinstance(node, ast.Attribute) and (owner := self._held_now(node.value)).obj:
            known = self.field(owner.obj, node.attr)
        return self.filled(known if known is not None else self.now(node))

    def _unpack(self, targets: Sequence[ast.expr], value: Value) -> None:
        if value.name == OR_LOADER and len(self.at_most(value.items[0]) or ()) == len(targets):
            value = value.items[0]
        known = self.each(value) or self.items_of_one(value) or self._all_of_most(targets, value)
        given = self._shared_out(targets, known) if known is not None else None
        if given is not None:
            for target, item in zip(targets, given, strict=True):
                self._assign(target, item)
            return
        element, after_star = self.iterate(value).element, 0
        for position, target in enumerate(targets):
            if isinstance(target, ast.Starred):
                after_star = len(targets)
                self._assign(target, anew.again(self, value) or element)
                continue
            part = self.semantics.part(self, value, position - after_star)
            self._assign(target, part if part is not None else element)

    def _all_of_most(self, targets: Sequence[ast.expr], value: Value) -> tuple[Value, ...] | None:
        """The items of a list that has at most so many as there are targets: what is taken apart has all of them."""
        items = self.at_most(value)
        if items is None or len(items) != len(targets) or any(isinstance(each, ast.Starred) for each in targets):
            return None
        return tuple(chosen(item, self.size(value)) for item in items)

    def _shared_out(self, targets: Sequence[ast.expr], items: tuple[Value, ...]) -> Sequence[Value] | None:
        """What each of some targets gets of these items, one with a star a list; ``None`` where there are too few."""
        star = next((at for at, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
        more = len(items) - len(targets)
        if star is None or more < -1:
            return items if star is None and not more else None
        rest = self.listed(targets[star], items[star : star + more + 1])
        return [*items[:star], rest, *items[star + more + 1 :]]

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
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                self.leave(self.eval(target.value), self.eval(target.slice).placement)

    def _do_With(self, node: ast.With | ast.AsyncWith) -> None:
        modes, suppressed = self._modes, False
        for item in node.items:
            manager = self.eval(item.context_expr)
            self._modes = self._modes | self.semantics.modes(manager)
            suppressed |= self._suppresses(node, manager)
            if item.optional_vars is not None:
                given = manager.kind is Kind.ITERATOR and manager.name == "generator"  # contextlib.contextmanager
                self._assign(item.optional_vars, self.iterate(manager).element if given else manager)
        before = self._store.copy() if suppressed and self._store is not None else None
        self._block(node.body)
        self._modes = modes
        self._store = join_stores([self._store, before]) if before is not None else self._store

    def _suppresses(self, block: ast.AST, manager: Value) -> bool:
        """Whether what is raised within a block may end it, and the program goes on after it."""
        found = self.handlers(manager)
        self.facts.suppressing.setdefault(block, {}).update(dict.fromkeys(found))
        if suppressing.STACK in manager.tags:
            self.facts.stacks.add(block)
        return bool(found) or suppressing.STACK in manager.tags

    _do_AsyncWith = _do_With

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
            self.facts.suppressing.setdefault(node, {}).update(dict.fromkeys(self.handlers_in(decorator)))
            if decorator.kind is Kind.LIBRARY and decorator.name == "property":
                value = value.but(tags=value.tags | {"property"})
            if decorator.kind is Kind.LIBRARY and decorator.name in ("staticmethod", "classmethod"):
                value = value.but(tags=value.tags | {decorator.name})
            value = commands.decorated(self, decorator, value)
        if any(isinstance(each, ast.Attribute) and each.attr in _OF_PROPERTIES for each in node.decorator_list):
            return  # the name stays that of the property
        self._set(self._frame, node.name, value)

    _do_AsyncFunctionDef = _do_FunctionDef

    def _function(self, node: FunctionNode) -> Value:
        key = (node, self._frame.number)
        self._capture()
        if key not in self._function_numbers:
            self._next += 1
            self._function_numbers[key] = self._next
            self._functions[self._next] = Function(node, self._frame)
        number = self._function_numbers[key]
        self.facts.functions[number] = node  # each time: what is read aside is not kept
        self.facts.defined[number] = node, self._frame.unit
        return Value(Kind.FUNCTION, obj=number)

    def _capture(self) -> None:
        """The running frames stay when they return: something defined in them may be called later."""
        frame: Frame | None = self._frame
        while frame is not None:
            self._captured.add(frame.number)
            frame = frame.closure

    def _base(self, node: ast.expr) -> Value:
        """A class that another one derives from: ``Dataset`` also where it is written as ``Dataset[int]``."""
        value = self.eval(node)
        generic = self.eval(node.value) if isinstance(node, ast.Subscript) else value
        return generic if generic.kind in (Kind.LIBRARY, Kind.CLASS) else value

    def _do_ClassDef(self, node: ast.ClassDef) -> None:
        bases = tuple(map(self._base, node.bases))
        self._capture()
        frame = self._new_frame(self._frame.unit, node, self._frame, self._frame.caller, self._frame.call)
        self._in_frame(frame, lambda: self._block(node.body))
        key = (node, self._frame.number)
        if key not in self._function_numbers:
            self._next += 1
            self._function_numbers[key] = self._next
        self._classes[self._function_numbers[key]] = Class(node, bases, frame)
        self.facts.defined[self._function_numbers[key]] = node, self._frame.unit
        self._set(self._frame, node.name, Value(Kind.CLASS, obj=self._function_numbers[key], name=node.name))
