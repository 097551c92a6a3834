"""Calls: functions of the script are followed with the arguments of each call."""

from __future__ import annotations

import ast
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine
from corro.classes import replace
from corro.flow import commands, named_tuples, python, suppressing
from corro.flow.facts import CallFact, Frame
from corro.flow.loops import carrying
from corro.flow.python import STARRED, given_one
from corro.flow.semantics import Call
from corro.flow.settled import THERE, settle, settling
from corro.flow.state import ANY, BATCHES, ELEMENT, ENDLESS, SWITCHES, Exits, Flow
from corro.flow.store import Store, join_stores
from corro.flow.values import NONE, PARTIAL, SETTLED, TELLING, UNKNOWN, Value, chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from corro.flow.facts import Loop, Unit

_MAX_DEPTH = 24
_MAX_WITHIN = 3
"""How many modules of a class within one another are told apart before what they are given must agree."""
_NUMBERS = frozenset({"item", "tolist", "numel", "size", "dim", "index", "count", "find"})
"""Methods that give a number, or a list, of its own."""
_HOLDING = (Kind.UNKNOWN, Kind.METHOD, Kind.INSTANCE)
"""What a method that is not followed may put something into."""
_SHUFFLE = "shuffle"
"""What libraries call the function that puts a list into another order."""
_GIVEN = "something that is no literal"
_LOOKS = frozenset({"index", "count", "__contains__", "__getitem__", "isdisjoint", "issubset", "issuperset"})
"""Methods that leave a list, set or dict as it is."""


class Calls(Flow):
    """Functions, classes, methods and library calls."""

    def _eval_Call(self, node: ast.Call) -> Value:
        target = self.eval(node.func)
        call = self._arguments(node)
        receiver = target.items[0] if target.kind is Kind.METHOD and target.items else None
        name = target.name if target.kind in (Kind.LIBRARY, Kind.METHOD) else _own_step(target, node)
        result = self._apply(target, call)
        context, going_on = self.context, self._going_on.pop(node, None)
        if going_on is not None:
            context = replace(context, loops=(*context.loops, going_on))
        made = target.name == PARTIAL and result.kind is Kind.LAYER  # as by the class itself
        owner = receiver if receiver is not None or made else _object(target)
        self._order += 1
        depends = self._depends(call, owner)
        self.facts.add_call(
            CallFact(node, name, owner, call.args, call.keywords, result, context, depends, self._order)
        )
        if target.kind is Kind.LIBRARY and target.name in ("sys.exit", "exit", "quit", "os._exit"):
            self._leave(node)
            self._store = None
        return result

    def _depends(self, call: Call, owner: Value | None) -> tuple[Placement, ...]:
        found: list[Placement] = []
        for value in (*call.values, *((owner,) if owner is not None else ())):
            found.append(value.placement)
            found.extend(item.placement for item in value.items)
            walked = value.items if value.kind is Kind.ITERATOR else ()  # zip(gradients, variables)
            for held in (value, *walked):
                if held.obj and held.kind in (Kind.LIST, Kind.DICT):
                    element = self.element(held)
                    found += [element.placement, *(item.placement for item in element.items)]
            if value.obj and value.kind is Kind.INSTANCE:
                found.extend(part.placement for part in self.fields(value.obj).values())
        return tuple(p for p in dict.fromkeys(found) if p.sources or not p.is_equal)

    def _arguments(self, node: ast.Call) -> Call:
        args: list[Value] = []
        for arg in node.args:
            value = self.eval(arg)
            if isinstance(arg, ast.Starred):
                items = self.each(value)
                args.extend(items if items is not None else [self._starred(value)])
            else:
                args.append(value)
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            else:
                pairs = self.pairs(value) if value.kind is not Kind.DICT else None
                keywords.update(self.keyword_items(value) if pairs is None else {k.const: part for k, part in pairs})
                others = self.field(value.obj, ELEMENT) if value.kind is Kind.DICT else None if pairs else value
                if others is not None:
                    keywords["**"] = others
        return Call(node, tuple(args), keywords)

    def _starred(self, value: Value) -> Value:
        """Any of the arguments that a list, of which the items are not known one by one, stands for."""
        element = self.iterate(value).element
        placement = value.placement if not value.placement.is_equal else self.whole(element)
        return Value(placement=placement, items=(element,), tags=frozenset({STARRED}))

    def _apply(self, target: Value, call: Call) -> Value:
        result = self._applied(target, call)
        if target.kind in (Kind.FUNCTION, Kind.CLASS, Kind.CHOICE) or result.placement.is_equal:
            return result
        return carrying(result, (*call.values, *target.items))

    def _applied(self, target: Value, call: Call) -> Value:
        if target.kind is Kind.NONE:  # raises: this path is never taken, as where a layer is optional
            return NONE
        if target.kind is Kind.CHOICE:
            return self._call_one(target, call)
        if target.kind is Kind.FUNCTION:
            return self._call_function(target, call)
        if target.kind is Kind.CLASS:
            return self._named_tuple(target, call) or self._instantiate(target, call)
        if target.kind is Kind.LIBRARY:
            return self._call_library(target, call)
        if target.kind is Kind.METHOD and target.items:
            return self._call_bound(target, call)
        known = self.semantics.invoke(self, target, call) or commands.run_group(self, target, call)
        if known is not None:
            return known
        if target.kind is Kind.INSTANCE and target.obj:
            return self.call_method(target, "__call__", call)
        if target.name == PARTIAL and target.items:
            made = self._apply(*python.completed(self, target, call))
            if self.context.passes or made.kind is Kind.MODULE:  # others are edited where they are made
                return made
        return named_tuples.of_type(target, call) or self._opaque(call, target)

    def _named_tuple(self, target: Value, call: Call) -> Value | None:
        """A named tuple of a class of the script, which has nothing but these names."""
        class_ = self._classes.get(target.obj)
        if class_ is None or not self.library_bases(target.obj) & named_tuples.BASES:
            return None
        plain = all(isinstance(each, (ast.AnnAssign, ast.Expr)) for each in class_.node.body)
        return named_tuples.made(self._declared(target.obj), call) if plain else None

    def _call_one(self, target: Value, call: Call) -> Value:
        """The result of calling one of several functions or classes.

        Of what a module has, what does not take these arguments is not meant, and what gives no model where others do.
        """
        ones = [one for one in target.items if ANY not in target.tags or self._takes(one, call)]
        results = self.each_alone([partial(self._apply, one, call) for one in ones])
        if ANY in target.tags:
            results = [each for each in results if each.kind is Kind.MODULE] or results
        return chosen(self.either(results), target.placement) if results else self._opaque(call)

    def each_alone(self, runs: Sequence[Callable[[], Value]]) -> list[Value]:
        """What things give of which one is done; nothing of those that never return, unless none does."""
        before, ends, results = self._store, list[Store | None](), list[Value]()
        for run in runs if before is not None else ():
            self._store = before.copy() if before is not None else None
            results.append(run())
            ends.append(self._store)
        self._store = join_stores(ends) if ends else before
        return [value for value, end in zip(results, ends, strict=True) if end is not None] or results

    def _takes(self, target: Value, call: Call) -> bool:
        """Whether a function or a class takes the arguments of a call, as far as that is known."""
        member = self._class_member(target.obj, "__init__") if target.kind is Kind.CLASS else target
        function = self._functions.get(member.obj) if member is not None else None
        if function is None or "**" in call.keywords or any(STARRED in value.tags for value in call.args):
            return True
        spec = function.node.args
        positional = [*spec.posonlyargs, *spec.args][target.kind is Kind.CLASS :]
        names = {each.arg for each in (*positional, *spec.kwonlyargs)}
        given = {each.arg for each in positional[: len(call.args)]} | call.keywords.keys()
        needed = {each.arg for each in positional[: len(positional) - len(spec.defaults)]}
        many = len(call.args) > len(positional) and spec.vararg is None
        return not many and needed <= given and (spec.kwarg is not None or given <= names)

    def _call_library(self, target: Value, call: Call) -> Value:
        if ".DEFINE_" in target.name:
            self._declare(target.name, call)
        known = commands.run(self, target.name, call) or self.semantics.call(self, target.name, call)
        if known is None:
            known = named_tuples.type_of(self, target.name, call) or python.call(self, target.name, call)
        result = known if known is not None else self._opaque(call)
        self._change(None, target.name, call, result)
        return self.new_array(call.node, result) if "." in target.name else result

    def _call_bound(self, target: Value, call: Call) -> Value:
        receiver = target.items[0]
        ones = self.ones(receiver)
        if ones and all(self.has_method(one, target.name) for one in ones):
            results = self.each_alone([partial(self.call_method, one, target.name, call) for one in ones])
            return chosen(self.either(results), receiver.placement)
        if receiver.kind is Kind.UNKNOWN and target.name in ("add_argument", "set_defaults"):
            self._declare(target.name, call)
        known = self.semantics.method(self, receiver, target.name, call)
        if known is None:
            known = python.method(self, receiver, target.name, call) or commands.group_method(receiver, target.name)
        if target.name in suppressing.ENTERING:
            self._enter(call.values)
        if receiver.kind is Kind.BATCH and isinstance(call.node.func, ast.Attribute):
            self._grow(call.node.func.value, target.name, call)
        if known is None:
            known = self._opaque_method(receiver, target.name, call)
        self._change(receiver, target.name, call, known)
        if target.name in _NUMBERS:
            return known
        shown = receiver.locations if self.semantics.shows(target.name) else frozenset()
        return self.new_array(call.node, known, shown)

    def handlers(self, manager: Value) -> tuple[ast.AST, ...]:
        """What a context manager may catch exceptions by."""
        leaving = self.method_node(manager, "__exit__") if manager.kind is Kind.INSTANCE else None
        own = (leaving,) if leaving is not None and suppressing.may_suppress(leaving) else ()
        return (*suppressing.handlers(self.facts, manager), *own)

    def handlers_in(self, decorator: Value) -> tuple[ast.AST, ...]:
        """What catches exceptions of a function with a decorator."""
        function = self._functions.get(decorator.obj) if decorator.kind is Kind.FUNCTION else None
        return suppressing.around_call(function.node) if function is not None else self.handlers(decorator)

    def _enter(self, managers: Iterable[Value]) -> None:
        """Context managers are entered on a stack."""
        self.facts.entered.update(dict.fromkeys(each for manager in managers for each in self.handlers(manager)))

    def _opaque_method(self, receiver: Value, name: str, call: Call) -> Value:
        """A method that is not followed may put what it is given into its object."""
        if receiver.kind in (Kind.LIST, Kind.DICT):
            self._filled(receiver, name, call)
        if isinstance(call.node.func, ast.Attribute) and receiver.kind in _HOLDING:
            held = (each for value in call.values for each in self.held(value))
            given = combine([*(value.placement for value in call.values), *held])
            mark = self._mark_owner if receiver.kind is Kind.INSTANCE else self.mark
            mark(call.node.func.value, given, frozenset())
        return self._opaque(call, receiver)

    def _change(self, receiver: Value | None, name: str, call: Call, result: Value) -> None:
        """A library function or method may change an array in place, or the order of a list."""
        for value in call.values if name.rpartition(".")[-1] == _SHUFFLE else ():
            self.reorder(value)
        for node, placement in self.semantics.changes(receiver, name, call, result):
            self.change(node, placement)

    def _filled(self, owner: Value, name: str, call: Call) -> None:
        """A method of a list or dict that is not followed may put into it what it is given."""
        given = combine(self.whole(value) for value in call.values)
        if name not in _LOOKS and not given.is_equal:
            self.add_element(owner, Value(placement=given))

    def call_method(self, owner: Value, name: str, call: Call) -> Value:
        """Call a method of a user's object; opaque when it has none of that name."""
        method = self._member(owner, name)
        if method is None or method.kind is not Kind.FUNCTION:
            return self._opaque(call, owner)
        return self._call_function(method, call)

    def has_method(self, owner: Value, name: str) -> bool:
        """Whether a user's object has a method of its own with this name."""
        return self.method_node(owner, name) is not None

    def _opaque(self, call: Call, receiver: Value | None = None) -> Value:
        """The result of a call about which nothing is known: it depends on all it was given, and what lists hold."""
        self.facts.opaque[call.node] = None
        given = (*call.values, *((receiver,) if receiver is not None else ()))
        known = self.semantics.unread(self, call, given)
        if known is not None:
            return known
        held = [each for value in given for each in self.held(value)]
        held += [Placement(Form.LOCAL)] if any(value.kind is Kind.WRITER for value in given) else []
        return Value(placement=combine([*(v.placement for v in given), *held]))

    def call_value(self, value: Value, call: Call) -> Value:
        """Call any value."""
        return self._apply(value, call)

    def _instantiate(self, target: Value, call: Call) -> Value:
        kind = self.semantics.instance_kind(self.library_bases(target.obj)) or Kind.INSTANCE
        around = self._making.setdefault(target.obj, [])
        given = self._given_within(target, call, around) if around and kind is Kind.MODULE else None
        if given is not None and given == around[-1][1]:
            return around[-1][0]
        site = frozenset({self.facts.number(call.node)})
        instance = self.new_object(call.node, kind, part=target.obj, name=target.name, sites=site)
        self._class_of[instance.obj] = target.obj
        if kind is not Kind.MODULE:
            self._instances[instance.obj] = instance
        if target.obj in self._classes:
            self.facts.classes[instance.obj] = self._classes[target.obj].node
        self.semantics.made(self, instance, call)
        if self._class_member(target.obj, "__init__") is not None:
            around.append((instance, given if given is not None else self._named(target, call) or {}))
            self.call_method(instance, "__init__", Call(call.node, (), given) if given is not None else call)
            around.pop()
        elif call.args or call.keywords:
            names = self._declared(target.obj)
            for position, value in enumerate(call.args):
                self.set_field(instance.obj, names[position] if position < len(names) else f"<{position}>", value)
            for name, value in call.keywords.items():
                self.set_field(instance.obj, name, value)
        made = self.semantics.finished(self, instance, call)
        if kind is not Kind.MODULE:
            self._instances[instance.obj] = made
        return made

    @property
    def makes_model(self) -> bool:
        """Whether the constructor of a model is running."""
        return any(instance.kind is Kind.MODULE for made in self._making.values() for instance, _ in made)

    def _given_within(
        self, target: Value, call: Call, around: list[tuple[Value, dict[str, Value]]]
    ) -> dict[str, Value] | None:
        """What a module that is made within one of its own class is given: what any of them is, however deep."""
        given, outer = self._named(target, call), around[-1][1]
        if given is None or given.keys() != outer.keys() or len(around) > _MAX_WITHIN:
            return None
        return {name: self.either((outer[name], value)) for name, value in given.items()}

    def _named(self, target: Value, call: Call) -> dict[str, Value] | None:
        """What the parameters of a class are given, by name, with their defaults; nothing where that is not known."""
        member = self._class_member(target.obj, "__init__")
        function = self._functions.get(member.obj) if member is not None else None
        if function is None or "**" in call.keywords or any(STARRED in value.tags for value in call.args):
            return None
        spec = function.node.args
        positional = [*spec.posonlyargs, *spec.args][1:]
        if spec.vararg is not None or spec.kwarg is not None or len(call.args) > len(positional):
            return None
        named = _defaults(spec)
        given = {name: self.facts.values.get(value, UNKNOWN) for name, value in named.items()}
        given |= {arg.arg: value for arg, value in zip(positional, call.args, strict=False)}
        return given | call.keywords

    def _declared(self, class_number: int) -> list[str]:
        """The fields that a class and those it derives from declare, as a ``dataclass`` takes them."""
        class_ = self._classes.get(class_number)
        if class_ is None:
            return []
        found = [name for base in class_.bases if base.kind is Kind.CLASS for name in self._declared(base.obj)]
        own = [n.target.id for n in class_.node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
        return [*found, *own]

    def _call_function(self, target: Value, call: Call) -> Value:
        function = self._functions.get(target.obj)
        if function is None or self._store is None:
            return self._opaque(call)
        owner = target.items[0] if target.items else NONE
        running = (function.node, owner.obj if owner.kind is Kind.MODULE else 0)
        again = running in self._running if running[1] else any(node is function.node for node, _ in self._running)
        if len(self._frame.path()) > _MAX_DEPTH or again:
            return self._opaque(call)
        key = self._forward_key(target, call)
        if key is not None and key in self._forwards:
            result, made = self._forwards[key]
            for number, fields in made.items():
                self._store.clear(number)
                for name, value in fields.items():
                    self.set_field(number, name, value)
            return result
        unit = function.closure.unit
        self._budget.enter(function.node, unit)
        frame = self._new_frame(unit, function.node, function.closure, self._frame, call.node)
        given = settling(call)
        self._bind_parameters(frame, function.node.args, (*target.items, *given.args), dict(given.keywords))
        modes, self._modes = self._modes, self._modes | function.modes
        self._running.append(running)
        node = function.node
        if isinstance(node, ast.Lambda):
            result = self._in_lambda(frame, node)
        else:
            body = node.body
            result = self._returned(self._in_frame(frame, lambda: self._block(body)))
            if result.kind is Kind.ITERATOR and result.name == "generator":
                found = suppressing.around_yield(self.facts, node)
                result = result.but(tags=result.tags | suppressing.by(self.facts, found))
        self._modes = modes
        self._running.pop()
        if given.args and given.args[0].kind is not Kind.INSTANCE and self._moves(node, target):
            result = given.args[0]
        several = result.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT)
        self.facts.see_returned(function.node, self.element(result) if several else result)
        if self._store is not None and frame.number not in self._captured:
            self._store.drop(frame.number)
        if key is not None and self._store is not None and not any(each.again for each in self.assumed.values()):
            self._forwards[key] = result, self._made_within(result, (*self.calls(), id(call.node)))
        return result

    def _moves(self, function: ast.AST, target: Value) -> bool:
        """Whether a function gives what it is given first, as it is but for where it is kept."""
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        return self.semantics.moves(function, bound=bool(target.items))

    def _flags(self, function: ast.AST) -> frozenset[str]:
        """The parameters for which calls of a function are given different flags, which tell the calls apart."""
        if function not in self._given_flags:
            known = self.semantics.tells_apart and isinstance(function, ast.FunctionDef)
            given = self._given_literals(function) if known and isinstance(function, ast.FunctionDef) else []
            self._given_flags[function] = frozenset(
                name
                for name in dict.fromkeys(each for call in given for each in call)
                if len({call.get(name, _GIVEN) for call in given}) > 1
            )
        return self._given_flags[function]

    def _given_literals(self, function: ast.FunctionDef) -> list[dict[str, bool | str | None]]:
        """The names, truth values and ``None`` that each call of a function, as far as one sees, gives to it."""
        spec = function.args
        names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
        found = []
        for node in (call for unit in self._modules for call in self._called(unit).get(function.name, ())):
            bound = isinstance(node.func, ast.Attribute) and names[:1] == ["self"]
            given = _defaults(spec) | dict(zip(names[bound:], node.args, strict=False))
            given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
            flags = ((name, value) for name, value in given.items() if isinstance(value, ast.Constant))
            found.append({name: v.value for name, v in flags if isinstance(v.value, (bool, str, type(None)))})
        return found

    def _called(self, unit: Unit) -> dict[str, list[ast.Call]]:
        """The calls in a file, by the last names of what they call."""
        if unit not in self._calls_of:
            found = self._calls_of[unit] = {}
            for node in unit.source.nodes.of(ast.Call):
                found.setdefault(getattr(node.func, "attr", getattr(node.func, "id", "")), []).append(node)
        return self._calls_of[unit]

    def _made_within(self, result: Value, calls: tuple[int, ...]) -> dict[int, dict[str, Value]]:
        """The fields of the objects in a result that were made on a path of calls."""
        found: dict[int, dict[str, Value]] = {}
        waiting = [result]
        while waiting:
            value = waiting.pop()
            waiting += value.items
            if value.obj and value.obj not in found and self._made_on.get(value.obj, ())[: len(calls)] == calls:
                found[value.obj] = dict(self.fields(value.obj))
                waiting += found[value.obj].values()
        return found

    def _returned(self, left: Exits) -> Value:
        if left.yields:
            element = self.either(left.yields)
            passed = self._handed_on(left)
            if passed:
                name = ENDLESS if any(loop is not None and loop.repeats for _, loop in left.handed) else BATCHES
                return Value(Kind.ITERATOR, name=name, sites=passed, items=(Value(Kind.TUPLE, items=(element,)),))
            return Value(Kind.ITERATOR, name="generator", items=(Value(Kind.TUPLE, items=(element,)),))
        return self.either(left.values) if left.values else NONE

    def _handed_on(self, left: Exits) -> frozenset[int]:
        """The loaders whose batches a generator hands on; the pass is then that of who loops over it."""
        nodes, loops = {node for node, _ in left.handed}, [loop for _, loop in left.handed if loop is not None]
        summed = {
            fact.variable for fact in self.facts.accumulations.values() if any(fact.loop is p.node for p in loops)
        }
        counted = any(not name.isidentifier() or name in _assigned(p.node) for name in summed for p in loops)
        known = len(nodes) == 1 and len(loops) == len(left.handed) and all(map(_is_of_one_pass, loops))
        if not self.semantics.hands_on or not known or counted:
            return frozenset()
        for loop in loops:
            others = [each for each in self.facts.loops.pop(loop.node, []) if each.frame is not loop.frame]
            if others:
                self.facts.loops[loop.node] = others
        return frozenset().union(*(loop.loaders for loop in loops))

    def _forward_key(self, target: Value, call: Call) -> Hashable | None:
        """What a method of a module depends on: loops run to a fixed point, and visit it with the same many times."""
        if not target.items or target.items[0].kind is not Kind.MODULE:
            return None
        path = self.calls()
        fields = frozenset(self.fields(target.items[0].obj).items())
        switches = self.read_once(SWITCHES, _set_by_hand)
        tests = tuple(test.value for test in self._tests)
        given = (call.args, frozenset(call.keywords.items()))
        running = tuple(self.assumed)  # what is taken to be given to them matters where they are called again
        agreed = frozenset(self.agreed.items())
        return (target, call.node, given, path, fields, switches, tests, self._modes, running, agreed)

    def _in_lambda(self, frame: Frame, node: ast.Lambda) -> Value:
        result: list[Value] = []
        self._in_frame(frame, lambda: result.append(self.eval(node.body)))
        return result[0]

    def _bind_parameters(
        self, frame: Frame, spec: ast.arguments, args: tuple[Value, ...], keywords: dict[str, Value]
    ) -> None:
        names = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
        defaults = _defaults(spec)
        given = dict(zip([a.arg for a in (*spec.posonlyargs, *spec.args)], args, strict=False))
        given.update({k: v for k, v in keywords.items() if k in names})
        unnamed = _unnamed(args, keywords)
        for name in names:
            value = given.get(name)
            if value is None and name in defaults:
                value = settle(defaults[name], self.facts.values.get(defaults[name], UNKNOWN))
            if unnamed and (name not in given or STARRED in given[name].tags):
                value = self.either([*unnamed, *([value] if value is not None and name not in given else [])])
            if value is not None and name in self._flags(frame.scope.node):
                value = _told(frame, name, value)
            self._set(frame, name, value if value is not None else UNKNOWN)
        if spec.vararg is not None:
            rest = args[len(spec.posonlyargs) + len(spec.args) :]
            self._set(frame, spec.vararg.arg, self._rest_of(spec.vararg, rest))
        if spec.kwarg is not None:
            extra = {name: value for name, value in keywords.items() if name not in names}
            self._set(frame, spec.kwarg.arg, self._named_rest(spec.kwarg, extra))

    def _rest_of(self, node: ast.arg, args: tuple[Value, ...]) -> Value:
        """What ``*args`` of a function holds."""
        if not any(STARRED in value.tags for value in args):
            return Value(Kind.TUPLE, combine(v.placement for v in args), items=args)
        rest = self.new_object(node, Kind.LIST)
        for value in args:
            self.put_element(rest, given_one(value))
        return rest

    def _named_rest(self, node: ast.arg, keywords: dict[str, Value]) -> Value:
        """What ``**kwargs`` of a function holds."""
        rest = self.new_object(node, Kind.DICT)
        for name, value in keywords.items():
            if name == "**":
                self.put_element(rest, value)
            else:
                self.set_field(rest.obj, f"[k]{name!r}", value)
        return rest


def _set_by_hand(switches: Mapping[str, Value]) -> frozenset[tuple[str, Value]]:
    """The switches that are not as they were made, which is as good as none."""
    return frozenset((name, value) for name, value in switches.items() if value.kind is not Kind.NONE)


def _told(frame: Frame, name: str, value: Value) -> Value:
    """The value of a parameter that tells calls apart: a flag, or something that other calls leave out."""
    there = value.kind in THERE and not value.may_be_none
    if not there and SETTLED not in value.tags:
        return value
    left_out = value.kind is Kind.NONE
    frame.told[f"{name} is not None" if there or left_out else name] = there if there or left_out else value.const
    return value.but(tags=value.tags | {TELLING})


@lru_cache(maxsize=4096)
def _defaults(spec: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of parameters by name."""
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    only = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return defaults | {arg.arg: default for arg, default in only if default is not None}


def _is_of_one_pass(loop: Loop) -> bool:
    """Whether a loop goes over one loader, or over a progress bar or a generator around it, from its first batch on."""
    return _is_plain(loop.iterable, opened=python.opens_in_head(loop.node))


def _is_plain(iterable: Value, *, opened: bool) -> bool:
    around = iterable.kind is Kind.PROGRESS or (iterable.kind is Kind.ITERATOR and iterable.name == "enumerate")
    if (around or (opened and python.is_opened(iterable))) and iterable.items:
        return _is_plain(iterable.items[0], opened=opened)
    return iterable.kind is Kind.LOADER or (iterable.kind is Kind.ITERATOR and iterable.name == BATCHES)


def _assigned(node: ast.AST) -> set[str]:
    """The names that are given a value within a statement."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _unnamed(args: tuple[Value, ...], keywords: dict[str, Value]) -> list[Value]:
    """Values that differ between processes, of which it is not known which parameter gets them."""
    starred = [given_one(value) for value in args if STARRED in value.tags and not value.placement.is_equal]
    others = keywords.get("**", UNKNOWN)
    return starred if others.placement.is_equal else [*starred, others]


def _own_step(target: Value, call: ast.Call) -> str:
    """The name of a method that a script writes for an optimizer of its own: it is called as that of a library."""
    of_optimizer = target.kind is Kind.FUNCTION and target.items and target.items[0].kind is Kind.OPTIMIZER
    return call.func.attr if of_optimizer and isinstance(call.func, ast.Attribute) else ""


def _object(target: Value) -> Value | None:
    if target.kind is Kind.FUNCTION:
        return target.items[0] if target.items else None
    return target if target.kind not in (Kind.LIBRARY, Kind.METHOD, Kind.CLASS, Kind.CHOICE) else None
