"""Expressions: their values, recorded as facts."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import WHOLE, Form, Placement, combine, elementwise, join
from corro.classes import replace
from corro.flow import anew, python
from corro.flow.agreeing import decided, deciding
from corro.flow.chance import may_train
from corro.flow.facts import Loop, Test
from corro.flow.loops import CARRIED, carrying
from corro.flow.python import FIGURE
from corro.flow.semantics import Call, Iteration
from corro.flow.settled import settled
from corro.flow.state import (
    BATCHES,
    ELEMENT,
    ENDLESS,
    FACTORY,
    LITERAL,
    NAMES,
    OPAQUE,
    TEXT_FILE,
    UNORDERED,
    Flow,
    join_all,
    name_of_round,
)
from corro.flow.store import ITEM
from corro.flow.values import (
    NONE,
    NOT_YET,
    ONE_EACH,
    OPTIONS,
    TELLING,
    UNKNOWN,
    UNSET,
    Value,
    chosen,
    constant,
    likeness,
    number,
    put_together,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    _Item = TypeVar("_Item")

_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare)
"""What gives a number or an array of its own."""
_NUMBERS = frozenset({Kind.NUMBER, Kind.TENSOR, Kind.UNKNOWN})


class Expressions(Flow):
    """All expressions but operators, attributes and calls."""

    def eval(self, node: ast.expr) -> Value:
        """The value of an expression; recorded in the facts."""
        self._budget.spend(node, self._frame.unit)
        self._visited.add(node)
        self.facts.units.setdefault(node, self._frame.unit)
        method = getattr(self, f"_eval_{type(node).__name__}", None)
        value: Value = method(node) if method is not None else self._eval_other(node)
        sources = self.semantics.batch_sources
        if sources is not None and node in sources.nodes:
            self._here = node
            value = sources.batch(self, node, value)
        if self._observations:
            value = self._observed(node, value)
        if node in self.semantics.assumed:
            given, value = value, self.semantics.assume(self, value)
            if value is not given:
                self.facts.assumed[node] = None
        if node in self.semantics.reduced:
            self.facts.add_reduced(node, self.context, value)
            value = self.semantics.reduce(self, node, value)
        if value.locations or value.obj:
            value = value.but(locations=frozenset()) if isinstance(node, _OPERATIONS) else self.filled(value)
        if value.obj and value.kind in (Kind.LIST, Kind.DICT, Kind.INSTANCE):
            contents = self._contents(value)
            self.facts.see_element(node, contents)
            if value.kind is not Kind.INSTANCE and not contents.placement.is_equal:
                self.facts.see_held(node, dict(self._parts_held(value, frozenset())))
        self._here = node
        value = self.facts.see(node, value)
        self._latest[node] = (self._frame, value)
        if node in self.semantics.pooled and value.placement.is_partial:
            self.facts.pooled[node] = self.context
            return value.but(placement=WHOLE, const=UNSET)
        return value

    def _contents(self, value: Value) -> Value:
        """What is known of all that a container holds, also in containers; or of what is in an object's fields."""
        if value.kind is not Kind.INSTANCE:
            return self._held(value, frozenset())
        parts = list(self.fields(value.obj).values())
        known = self._earlier.numbers.get(value.obj)
        if known is not None and known[0] == parts:  # of ``self``, mostly, asked for in each line
            numbers = known[1]
        else:
            numbers = join_all(part for part in parts if part.kind in _NUMBERS)
            self._earlier.numbers[value.obj] = parts, numbers
        inner = self._store.held(value.obj) if self._store is not None else ()
        others = [each for each in inner if not each.is_equal]
        return numbers.but(placement=combine((numbers.placement, *others))) if others else numbers

    def _held(self, container: Value, seen: frozenset[int]) -> Value:
        """What a container holds; of containers in it, that they differ where what they hold does."""
        parts = [part for name, part in self.fields(container.obj).items() if name != LITERAL]
        inner = [p for p in parts if p.kind in (Kind.LIST, Kind.DICT) and p.obj and p.obj not in seen]
        held = [self._held(part, seen | {part.obj}).placement for part in inner]
        item = self.element(container)
        equal = all(placement.is_equal for placement in held)
        return item if equal else item.but(placement=combine((item.placement, *held)))

    def _parts_held(self, container: Value, seen: frozenset[int]) -> Iterator[tuple[str, Value]]:
        """What a list or a dict holds under each key, and what containers in it do, under longer names."""
        for name, part in self.fields(container.obj).items():
            if name == LITERAL:
                continue
            yield f"in {name}" if seen else name, part
            if part.kind in (Kind.LIST, Kind.DICT) and part.obj and part.obj not in seen:
                yield from self._parts_held(part, seen | {container.obj, part.obj})

    def _eval_other(self, node: ast.expr) -> Value:
        parts = [self.eval(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        return Value(placement=combine(p.placement for p in parts))

    def _eval_Constant(self, node: ast.Constant) -> Value:
        return constant(node.value, self.facts.number(node))

    def _eval_Name(self, node: ast.Name) -> Value:
        frame = self._frame_of(node)
        value = self._get(frame if frame is not None else self._outermost(), node.id)
        if value is None:
            names = self._frame.unit.names.qualified(node) if frame is None else frozenset()
            dotted = self.semantics.choose(names) if names else node.id
            return python.of_library(dotted.removeprefix("builtins."))
        for loop, name in value.pending:
            fact = self.facts.accumulations.get((loop, name))
            if fact is not None and not any(running.node is fact.loop for running in self._loops):
                fact.used = True
        return self._looked_up(node, value)

    def _looked_up(self, node: ast.expr, value: Value) -> Value:
        """A variable, an attribute or an item, which may be what another batch has left there."""
        if CARRIED in value.tags:
            self.facts.carried.setdefault(node, self.context)
        return value

    def _eval_Attribute(self, node: ast.Attribute) -> Value:
        owner = self.eval(node.value)
        value = self._looked_up(node, self.attribute_of(owner, node.attr))
        if owner.kind is Kind.INSTANCE and value.kind in OPAQUE:
            value = chosen(value, owner.placement)
        return self._read_option(node, owner, node.attr, value)

    def _read_option(self, node: ast.Attribute | ast.Subscript, owner: Value, name: Any, value: Value) -> Value:
        """An attribute, or an item of ``vars(args)``: if it is an option, where it is read first is its origin."""
        if not isinstance(name, str):
            return value
        value = self._option(owner, name, value)
        if owner.kind is Kind.NAMESPACE or owner.name == OPTIONS:
            first = self._namespace.setdefault(name, node)
            return value.but(origins=frozenset({self.facts.number(first)}))
        return value

    def _eval_Subscript(self, node: ast.Subscript) -> Value:
        if self._loops and self._frame.number not in (seen := self.facts.in_loops.setdefault(node, {})):
            seen[self._frame.number] = self.context
        owner, index = self.eval(node.value), self.eval(node.slice)
        if (
            owner.kind is Kind.TUPLE
            and isinstance(index.const, int)
            and -len(owner.items) <= index.const < len(owner.items)
        ):
            return owner.items[index.const]
        if owner.name == NAMES and owner.items:
            named = isinstance(index.const, str)
            module = owner.items[0]
            return self.attribute_of(module, index.const) if named else self.any_of(module, likeness(index))
        known = self.semantics.subscript(self, owner, index) or self.special(owner, "__getitem__", index)
        if known is not None:
            decides = (
                bool(index.sources) and index.form is not Form.SHARDED
            )  # rows of the samples of a batch are followed
            return chosen(known, index.placement) if decides and known.placement.is_equal else known
        item = self._looked_up(node, self._container_item(owner, index, node))
        named = owner.kind is Kind.DICT and index.is_const
        item = chosen(item, index.placement if named else combine((index.placement, self.size(owner))))
        return self._read_option(node, owner, index.const, item) if owner.name == OPTIONS else item

    def _container_item(self, owner: Value, index: Value, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            return self._sliced(owner, node, node.slice)
        if owner.kind is Kind.DICT and owner.obj:
            if index.is_const:
                found = self.field(owner.obj, f"[k]{index.const!r}") or self.field(owner.obj, ELEMENT)
                return found or self._made_first(owner, index, node) or Value(placement=owner.placement)
            element = (None if self.every_item(owner) else self._made_first(owner, index, node)) or self.element(owner)
            several = len(element.sites) > 1
            return element.but(tags=element.tags | {"chosen"}) if several else element
        items = self.literal_items(owner) or self.items_of_one(owner)
        if items is not None and isinstance(index.const, int) and -len(items) <= index.const < len(items):
            return items[index.const]
        if owner.kind in (Kind.LIST, Kind.TUPLE):
            item = self.element(owner)
            return item.but(tags=item.tags | {NOT_YET}) if self._is_empty(owner) else item
        if owner.kind is Kind.ITERATOR:
            element = self.iterate(owner).element
            return (
                chosen(element, owner.placement)
                if element.kind is Kind.TUPLE or element.placement.is_equal
                else Value(placement=combine((owner.placement, element.placement)))
            )
        return Value(placement=owner.placement, tags=owner.tags & {FIGURE})

    def _is_empty(self, owner: Value) -> bool:
        """Whether nothing is in a list so far."""
        return owner.kind is Kind.LIST and self.literal_items(owner) == () == self.every_item(owner)

    def _made_first(self, owner: Value, index: Value, node: ast.Subscript) -> Value | None:
        """What a ``defaultdict`` makes for a key that it has not got; a pass may go on adding to it."""
        item = self.made_by_factory(owner.obj, node)
        if item is None:
            return None
        if index.is_const and item.kind is Kind.NUMBER:
            running = (self.facts.number(loop.node) for loop in self._loops)
            roots = frozenset((number_, owner.obj, f"{ITEM}{index.const!r}") for number_ in running)
            self.put_item(owner, index, item.but(carry=item.carry | roots))
            return item.but(carry=item.carry | roots)
        self.put_item(owner, index, item)
        return item

    def made_by_factory(self, owner: int, node: ast.expr | None = None) -> Value | None:
        """What a ``defaultdict`` makes; ``None`` of another dict."""
        factory = self.field(owner, FACTORY)
        if factory is None:
            return None
        where = f"factory {node.lineno}:{node.col_offset}" if node is not None else "factory"
        return self.call_value(factory, Call(self.unwritten(where), ()))

    def _sliced(self, owner: Value, node: ast.expr, part: ast.Slice) -> Value:
        """Some items, in order, of a list or tuple."""
        items = self.literal_items(owner)
        bounds = [NONE if p is None else self.now(p) for p in (part.lower, part.upper, part.step)]
        known = all(b.const is None or isinstance(b.const, int) for b in bounds) and bounds[2].const != 0
        if items is not None and known:
            some = items[slice(*(b.const for b in bounds))]
            return owner.but(items=some) if owner.kind is Kind.TUPLE else self.listed(node, some)
        if owner.kind is Kind.TUPLE:
            return Value(placement=owner.placement)
        if owner.kind is not Kind.LIST or not owner.obj:
            return owner
        result = self.new_object(node, Kind.LIST)
        self.put_element(result, self.element(owner))
        self.resize(result, self.size(owner))
        return result

    def listed(self, node: ast.expr, items: Sequence[Value]) -> Value:
        """A list of these items."""
        value = self.new_object(node, Kind.LIST)
        for item in items:
            self.put_element(value, item)
        self.set_field(value.obj, LITERAL, Value(Kind.TUPLE, items=tuple(items)))
        return value

    def _eval_Slice(self, node: ast.Slice) -> Value:
        parts = [self.eval(p) for p in (node.lower, node.upper, node.step) if p is not None]
        whole = node.lower is node.upper is node.step is None
        bounds = (NONE if p is None else self.facts.values[p] for p in (node.lower, node.upper, node.step))
        tags = frozenset({"slice", "whole"} if whole else {"slice"})
        return Value(placement=combine(p.placement for p in parts), items=tuple(bounds), tags=tags)

    def _eval_Tuple(self, node: ast.Tuple) -> Value:
        items = self._written_out(node.elts) or tuple(self.now(each) for each in node.elts)
        return Value(Kind.TUPLE, reduce(join, (i.placement for i in items), Placement()), items=items)

    def _eval_List(self, node: ast.List | ast.Set) -> Value:
        items = self._written_out(node.elts)
        return self._some_of(node) if items is None else self.listed(node, items)

    def _written_out(self, nodes: Sequence[ast.expr]) -> tuple[Value, ...] | None:
        """The items of a list or tuple, those after a star too; ``None`` where it is not known how many these are."""
        found: list[Value] = []
        known = True
        for node in nodes:
            value = self.eval(node)
            items = self.each(value) if isinstance(node, ast.Starred) else (value,)
            known = known and items is not None
            starred = isinstance(node, ast.Starred)
            found += [chosen(item, value.placement) if starred else item for item in items or ()]
        return tuple(found) if known else None

    def _some_of(self, node: ast.List | ast.Set) -> Value:
        """A list of items of which some come after a star, and nobody knows how many."""
        result, sizes = self.new_object(node, Kind.LIST), list[Placement]()
        for part in node.elts:
            value = self.now(part)
            starred = isinstance(part, ast.Starred)
            self.put_element(result, self.iterate(value).element if starred else value)
            sizes += [self.size(value)] if starred else []
        self.resize(result, *sizes)
        return result

    def _eval_Set(self, node: ast.Set) -> Value:
        return self._eval_List(node).but(tags=frozenset({UNORDERED}))

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
            pairs = self._as_pairs(other)
            if pairs is not None:
                for key, item in pairs:
                    self.put_item(into, key, item)
                return
            pair = self.iterate(other).element
            item = pair.items[1] if pair.kind is Kind.TUPLE and len(pair.items) == 2 else Value()
            placement = combine((other.placement, self.whole(pair)))
            self.add_element(into, item if placement.is_equal else Value(placement=placement))
            return
        for name, value in self.fields(other.obj).items():
            if name.startswith("[k]"):
                self.set_field(into.obj, name, value)
            elif name == ELEMENT:
                self.add_element(into, value)

    def _as_pairs(self, value: Value) -> list[tuple[Value, Value]] | None:
        """The keys and items of a batch that is a dict, or of pairs that come one after the other."""
        known = self.pairs(value)
        each = None if known is not None else self.each(value)
        if known is None and each is not None and all(p.kind is Kind.TUPLE and len(p.items) == 2 for p in each):
            return [(pair.items[0], pair.items[1]) for pair in each]
        return None if known is None else list(known)

    def keyword_items(self, value: Value) -> dict[str, Value]:
        """The known string keys of a dict."""
        found: dict[str, Value] = {}
        for name, item in self.fields(value.obj).items() if value.obj else ():
            if name.startswith("[k]'"):
                found[name[4:-1]] = item
        return found

    def _eval_IfExp(self, node: ast.IfExp) -> Value:
        test = self.eval(node.test)
        agreed = decided(self, node.test)
        if agreed is not None:
            return self.eval(node.body if agreed else node.orelse)
        with self._where(node.test, True), deciding(self, node.test, True):
            body = self.eval(node.body)
        with self._where(node.test, False), deciding(self, node.test, False):
            other = self.eval(node.orelse)
        taken = settled(self, node.test)
        if taken is not None:
            return body if taken else other
        either, by = self.either((body, other)), self.size(test)
        noise = by.form is Form.LOCAL and not by.sources and either.form is Form.SHARDED and either.kind is Kind.TENSOR
        if noise and not may_train(self, node.body, node.orelse):
            return either.but(placement=elementwise((either.placement, by)), const=UNSET)
        return chosen(either, by)

    def _eval_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self._assign(node.target, value)
        return value

    def _eval_JoinedStr(self, node: ast.JoinedStr) -> Value:
        parts = [self.eval(v) for v in node.values]
        return carrying(Value(Kind.TEXT, combine(p.placement for p in parts), name=put_together(parts)), parts)

    def _eval_FormattedValue(self, node: ast.FormattedValue) -> Value:
        value = self.eval(node.value)
        if node.format_spec is not None:
            self.eval(node.format_spec)
        plain = node.format_spec is None and node.conversion == -1 and value.kind is Kind.TEXT
        return carrying(Value(Kind.TEXT, self.shown(value), name=likeness(value) if plain else ""), [value])

    def _eval_Starred(self, node: ast.Starred) -> Value:
        return self.eval(node.value)

    def _eval_Lambda(self, node: ast.Lambda) -> Value:
        return self._function(node)

    def _eval_Yield(self, node: ast.Yield) -> Value:
        self._yielded(NONE if node.value is None else self.eval(node.value))
        self._function_exits[-1].handed.append((node, self._pass_here()))
        return UNKNOWN

    def _eval_YieldFrom(self, node: ast.YieldFrom) -> Value:
        iterable = self.eval(node.value)
        iteration = self.iterate(iterable)
        self._yielded(iteration.element)
        around = [loop for loop in self._loops if loop.frame is self._frame]
        asked = [test.value.placement for test in self._tests[self._entered :]]
        alone = not any(loop.loaders for loop in around) and all(p.is_equal and not p.data_dependent for p in asked)
        handed = Loop(ast.Pass(), self._frame, iterable, iteration.loaders, self._tests, repeats=bool(around))
        self._function_exits[-1].handed.append((node, handed if alone and iteration.loaders else None))
        return UNKNOWN

    def _pass_here(self) -> Loop | None:
        """The pass over loaders that a generator is in, if each of its batches gets here, and nothing else does."""
        loops = [loop for loop in self._loops if loop.frame is self._frame]
        asked = [test.value.placement for test in self._tests[self._entered :]]
        around = loops[:-1]
        known = loops and loops[-1].loaders and not any(loop.loaders for loop in around)
        if not known or any(p.data_dependent or not p.is_equal for p in asked):
            return None
        return replace(loops[-1], repeats=bool(around))

    def _yielded(self, value: Value) -> None:
        exits = self._function_exits[-1]
        exits.yields.append(value)
        exits.paused = self._store.copy() if self._store is not None else None

    def _eval_Await(self, node: ast.Await) -> Value:
        return self.eval(node.value)

    def _eval_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        first = self.eval(node.generators[0].iter)
        each = self._by_rounds(node, node.generators, first, lambda: self.eval(node.elt))
        if each is not None:
            return self.listed(node, each)
        result = self.new_object(node, Kind.LIST)
        governed = self._comprehension(
            node, node.generators, first, lambda: self.add_element(result, self.eval(node.elt))
        )
        one_each = not (node.generators[1:] or node.generators[0].ifs)
        batch = anew.of_each_part(self, first, self.element(result)) if one_each else None
        if batch is not None:
            return batch
        if not governed.is_equal:
            self.add_element(result, self._chosen_by(self.element(result), governed))
        return result

    def _chosen_by(self, item: Value, governed: Placement) -> Value:
        """What stands for the items of a list of which a condition says what is in it: some models, or not known."""
        if governed.is_chance and item.kind in (Kind.MODULE, Kind.LAYERS):
            return item.but(placement=governed)
        return Value(placement=governed.with_form(Form.UNKNOWN))

    def _eval_SetComp(self, node: ast.SetComp) -> Value:
        return self._eval_ListComp(node).but(tags=frozenset({UNORDERED}))

    _eval_GeneratorExp = _eval_ListComp

    def _eval_DictComp(self, node: ast.DictComp) -> Value:
        first = self.eval(node.generators[0].iter)
        pairs = self._by_rounds(node, node.generators, first, lambda: (self.eval(node.key), self.eval(node.value)))
        result = self.new_object(node, Kind.DICT)
        if pairs is not None:
            for key, value in pairs:
                self.put_item(result, key, value)
            return result

        def item() -> None:
            self.eval(node.key)
            element = self.eval(node.value)
            self.add_element(result, element.but(tags=element.tags | {"chosen"}))

        self._comprehension(node, node.generators, first, item)
        return result

    def _by_rounds(
        self, node: ast.expr, generators: Sequence[ast.comprehension], first: Value, item: Callable[[], _Item]
    ) -> list[_Item] | None:
        """What each round of a comprehension over some parts of the data gives; ``None`` where they are not known."""
        generator, outer = generators[0], self._frame
        if len(generators) != 1 or generator.ifs:
            return None
        rounds = self.rounds(first) or self._rounds_unpacked(node, first)
        if rounds is None:
            return None
        found = []
        for call, part in rounds:
            self._frame = self._new_frame(outer.unit, node, outer, outer, call)
            self._assign(generator.target, part)
            name, known = name_of_round(generator.target, part)
            if name and TELLING in (part.items[0] if part.items else part).tags:
                self._frame.told[name] = known
            found.append(item())
            if self._store is not None and self._frame.number not in self._captured:
                self._store.drop(self._frame.number)
            self._frame = outer
        return found

    def _rounds_unpacked(self, node: ast.expr, value: Value) -> tuple[tuple[ast.Call, Value], ...] | None:
        """The same where it is the assignment that says how many parts of the data there are.

        ``x, y = [part.to(device) for part in batch]``
        """
        above = self._frame.unit.source.parent(node)
        target = above.targets[0] if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
        if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(e, ast.Starred) for e in target.elts):
            return None
        found = [self.semantics.part(self, value, place) for place in range(len(target.elts))]
        parts = [part for part in found if part is not None]
        if len(parts) < len(found) or all(self.whole(part).is_equal for part in parts):
            return None
        return tuple((self.unwritten(f"round {n}"), part) for n, part in enumerate(parts))

    def _comprehension(
        self, node: ast.expr, generators: Sequence[ast.comprehension], first: Value, item: Callable[[], None]
    ) -> Placement:
        """Run the parts of a comprehension; gives the placement of what decides how many items there are."""
        deciding: list[Placement] = []
        outer, loops, tests = self._frame, self._loops, self._tests
        self._frame = self._new_frame(outer.unit, node, outer, outer.caller, outer.call)
        for position, generator in enumerate(generators):
            iterable = first if position == 0 else self.eval(generator.iter)
            iteration = self.iterate(iterable)
            if not iteration.loaders:
                deciding.append(self._extent(iterable))
            if iteration.loaders:
                loop = Loop(generator, self._frame, iterable, iteration.loaders, self._tests)
                self.facts.loops.setdefault(generator, []).append(loop)
                self._loops = (*self._loops, loop)
            self._assign(generator.target, iteration.element)
            for condition in generator.ifs:
                test = self.eval(condition)
                test = test.but(placement=self.size(test))
                deciding.append(test.placement)
                self._tests = (*self._tests, Test(generator, test))
        item()
        if self._store is not None and self._frame.number not in self._captured:
            self._store.drop(self._frame.number)
        self._frame, self._loops, self._tests = outer, loops, tests
        return combine(deciding)

    def _extent(self, iterable: Value) -> Placement:
        """The placement of the number of items: a list of metrics has as many everywhere, a batch has not."""
        if ONE_EACH in iterable.tags:
            return Placement()
        if iterable.kind in (Kind.LIST, Kind.DICT):
            inner = self.element(iterable)
            of_batch = inner.batch_dim is not None and self.is_of_this_batch(iterable)
            differs = inner.form in (Form.UNKNOWN, Form.LOCAL) or (inner.form is Form.SHARDED and not of_batch)
            return combine((self.size(iterable), inner.placement)) if differs else self.size(iterable)
        if iterable.kind is Kind.ITERATOR:
            return combine(self._extent(item) for item in iterable.items)
        return iterable.placement

    def iterate(self, value: Value) -> Iteration:
        """What looping over a value yields."""
        known = self.semantics.iterate(self, value)
        if known is not None:
            return known
        if value.kind is Kind.ITERATOR:
            return self._iterate_wrapped(value)
        here = self._here
        given = self.special(value, "__iter__") if self.semantics.hands_on else None
        if given is not None and given.kind is Kind.ITERATOR:
            return self.iterate(given)
        self._here = here
        taken = self.special(given, "__next__") if given is not None else None
        if taken is None and given is None and self.semantics.hands_on:
            taken = self.special(value, "__getitem__", number(integer=True, tags=frozenset({"index"})))
        if taken is not None:
            return Iteration(taken)
        if value.kind in (Kind.LIST, Kind.DICT):
            keys = Value(Kind.TEXT) if value.kind is Kind.DICT else self.element(value)
            return Iteration(chosen(keys, self.size(value)))
        if value.kind is Kind.TUPLE:
            return Iteration(self.element(value))
        if value.kind is Kind.RANGE:
            return Iteration(number(value.placement, integer=True, tags=frozenset({"index"})))
        has_text = value.kind is Kind.TEXT or (value.kind is Kind.FILE and value.name == TEXT_FILE)
        kind = Kind.TEXT if has_text else Kind.UNKNOWN
        return Iteration(Value(kind, combine([value.placement]), tags=value.tags & {FIGURE}))

    def _iterate_wrapped(self, value: Value) -> Iteration:
        inner = [self.iterate(item) for item in value.items]
        loaders = frozenset().union(*(i.loaders for i in inner)) if inner else frozenset()
        if value.name in (BATCHES, ENDLESS):
            return Iteration(inner[0].element, value.sites)
        if value.name == "enumerate":
            index = number(Placement(Form.STEP, loaders) if loaders else value.placement, integer=True)
            return Iteration(Value(Kind.TUPLE, items=(index, inner[0].element)), loaders)
        if value.name == "zip":
            return Iteration(Value(Kind.TUPLE, items=tuple(i.element for i in inner)), loaders)
        if value.name == "filter":
            kept = inner[0].element if inner else UNKNOWN
            asked = combine((value.placement, kept.placement))
            return Iteration(chosen(kept, asked) if kept.placement.is_equal else Value(placement=asked), loaders)
        return Iteration(inner[0].element if inner else UNKNOWN, loaders)
