"""Loops: run to a fixed point; what grows over a pass is the whole only after a reduction."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import WHOLE, Form, Placement, combine
from corro.flow import depths, turns
from corro.flow.chance import may_train
from corro.flow.facts import Accumulation, Frame, Loop, Round, Test
from corro.flow.semantics import Iteration
from corro.flow.state import Exits, Flow, name_of_round
from corro.flow.store import ITEM, OPTIONAL, Key, Store, as_written, join_stores
from corro.flow.values import ROUNDS, UNKNOWN, UNSET, Value, joined, number
from corro.source.walking import names_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corro.flow.values import Root

    _Marked = tuple[int, Mapping[str, Value], Mapping[str, Value]]  # an owner, what it had before a loop, and marked

_COUNTED = frozenset({Form.REPLICATED, Form.SUM, Form.COUNT})
_MOST_MARKED = 20_000
"""So many objects are kept as a loop has marked them."""
_MAX_PASSES = 40
"""Far more than any script needs; what still changes then is unknown."""
ACCUMULATED = "accumulated in an unknown way"
"""The tag of a value that has grown over a pass and that no reduction mends."""
CARRIED = "from the previous batch"
"""The tag of a value that a batch left to the next one."""


def carrying(value: Value, parts: Iterable[Value]) -> Value:
    """A value that is made of others: of a number that no reduction mends comes nothing that one does.

    What is made of a whole tensor or list, such as its mean, may be one of rank 0's.
    """
    numbers = (part for part in parts if part.scalar or part.kind not in (Kind.TENSOR, Kind.LIST))
    return value.but(tags=value.tags | {ACCUMULATED}) if any(ACCUMULATED in each.tags for each in numbers) else value


class Restart(Exception):
    """An accumulator turned out to go on in the next pass; the analysis starts again knowing it."""


class Loops(Flow):
    """``while`` and ``for``."""

    def _do_While(self, node: ast.While) -> None:
        sources = self.semantics.batch_sources
        taken = sources.passed(self, node) if sources is not None and node in sources.nodes else None
        passed = taken if taken is not None else Iteration(Value())
        self._loop(
            node,
            passed.element,
            lambda: self.eval(node.test),
            node.body,
            node.orelse,
            passed.loaders,
            test=node.test,
        )

    def _do_For(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.eval(node.iter)
        iteration = self.semantics.entered(self, node, iterable) or self.iterate(iterable)
        names = self.named_parts(iterable) if not iteration.loaders else None
        if names is not None:
            self._each_by_itself(node, iterable, names)
            return
        loaders, sources = iteration.loaders, self.semantics.batch_sources
        taken = sources.passed(self, node) if sources is not None and node in sources.nodes else None
        if taken is not None:
            iterable, loaders = iterable if loaders else taken.element, loaders | taken.loaders
        counting = turns.counting(node) if _counts_samples(iterable) and isinstance(node, ast.For) else None
        before = [self._visible_now(name) for name, _ in counting.counted] if counting is not None else []
        self._loop(
            node, iterable, lambda: self._assign(node.target, iteration.element), node.body, node.orelse, loaders
        )
        if counting is not None and self._store is not None:
            self._counted_in_turn(counting, iterable, before)

    def _counted_in_turn(self, counting: turns.Counting, numbers: Value, before: Sequence[Value]) -> None:
        """What a loop has counted of its samples, one after the other, is a sum over them."""
        samples = [self.now(name) for name in counting.samples]
        in_place = [self.semantics.has_each(value) and depths.APART not in value.tags for value in samples]
        each = all(in_place) and all(value.sources == numbers.sources for value in samples)
        known = all(value.kind is Kind.NUMBER and value.form in _COUNTED for value in before)
        if not each or not known or not all(self.now(name).form is Form.REPLICATED for name in counting.equal):
            return
        for (name, _), value in zip(counting.counted, before, strict=True):
            whole = all(isinstance(other, int) for same, other in counting.counted if same.id == name.id)
            grown = number(Placement(Form.SUM, numbers.sources, True), integer=True if whole else None)
            self._bind(name, self.binary(ast.Add(), value, grown))

    def _visible_now(self, name: ast.Name) -> Value:
        """What a variable is now."""
        return self._get(self._frame_of(name) or self._frame, name.id) or UNKNOWN

    _do_AsyncFor = _do_For

    def _each_by_itself(self, node: ast.For | ast.AsyncFor, iterable: Value, names: Sequence[Value]) -> None:
        """A loop over a few names or flags, such as the phases of an epoch: what each of them decides is known."""
        loop = Loop(node, self._frame, iterable, frozenset(), self._tests, by_rounds=True)
        self.facts.loops.setdefault(node, []).append(loop)
        loops, rounds, parted, ways = self._loops, self.facts.rounds, self._parted, self._ways
        self._loops, self._parted, self._ways = (*loops, loop), [], set()
        exits = Exits()
        self._loop_exits.append(exits)
        for number_, name in enumerate(names):
            variable, known = name_of_round(node.target, name)
            self.facts.rounds = (*rounds, Round(node, number_, variable, self._frame.number, known))
            self._assign(node.target, name)
            self._block(node.body)
            self._store = join_stores([self._store, *exits.continues])
            exits.continues.clear()
        self.facts.rounds = rounds
        self._loop_exits.pop()
        self._loops, self._ways = loops, ways | (self._ways & {ast.Return})
        left = [each for each in self._parted if each.ways & {ast.Break, ast.Return}]
        self._parted = [*parted, *(each for each in left if ast.Return in each.ways)]
        entry = self._store
        self._block(node.orelse)
        self._store = join_stores([self._store, *exits.stores])
        if entry is not None:
            self._rounds_decided(node, entry, combine(each.test.value.placement for each in left))

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
        loop = Loop(node, self._frame, iterable, loaders, self._tests)
        self.facts.loops.setdefault(node, []).append(loop)
        number_ = self.facts.number(node)
        loops, tests, parted, ways = self._loops, self._tests, self._parted, self._ways
        self._loops, self._parted, self._ways = (*loops, loop), [], set()
        governed = self.size(iterable) if loaders == frozenset() else Placement()
        if not governed.is_equal:
            self._tests = (*tests, Test(node, iterable))
        inner_tests = self._tests
        exits = Exits()
        self._loop_exits.append(exits)
        marked: list[_Marked] = []
        state = self._carried(entry.copy(), number_, marked)
        start, overwritten = state.copy(), self._overwritten
        end: Store | None = None
        for round_ in range(_MAX_PASSES):
            self._budget.join(state.size)
            self._store = state.copy()
            head()
            if test is not None:
                asked = self.facts.values.get(test, UNKNOWN)
                governed = self.size(asked)
                self._tests = (*tests, Test(node, asked.but(placement=governed)))
            self._block(body)
            self._tests = inner_tests
            end = join_stores([self._store, *exits.continues])
            if end is not None and loaders:
                end = self._counted(state, end, number_, loaders)
            new = join_stores([state, end])
            assert new is not None
            if loaders:
                kept = frozenset() if self._overwritten != overwritten else self._kept(node, start)
                _mark_carried(new, loaders, kept)
            if new == state:
                break
            for key, value in new.changes(state) if round_ == _MAX_PASSES - 1 else ():
                new.set(key, Value(placement=value.placement.with_form(Form.UNKNOWN)))
            state = new
        self._loop_exits.pop()
        self._loops, self._tests, self._ways = loops, tests, ways | (self._ways & {ast.Return})
        left = [each for each in self._parted if each.ways & {ast.Break, ast.Return}]
        self._parted = [*parted, *(each for each in left if ast.Return in each.ways)]
        self._store = _left(entry, state, end, number_) if _has_rounds(loop) else state
        self._block(orelse)
        self._store = join_stores([self._store, *exits.stores])
        end = end if end is not None else Store()
        self._unmark(marked)
        is_set = frozenset(end.written(start)).__contains__
        self._finish_carry(entry, end, loop, number_, lambda root: end.get(root[1:]) != start.get(root[1:]), is_set)
        self._rounds_decided(node, entry, combine((governed, *(each.test.value.placement for each in left))))

    def _rounds_decided(self, loop: ast.stmt, before: Store, cause: Placement) -> None:
        """What a loop has changed hangs on its number of rounds: by chance, a shard is one with noise."""
        noise = cause.is_chance and (self.semantics.runs_model(self) or not may_train(self, loop))
        self._taint(before, cause, noise=noise)

    def going_on(self, call: ast.Call, run: Callable[[], Value]) -> Value:
        """What a call gives that calls a function again and again; outside of loops it stands for one."""
        unit = self._frame.unit
        statement = unit.source.parent(call)
        if self._loops or not isinstance(statement, (ast.Expr, ast.Assign)):
            return run()
        sources = self.semantics.batch_sources
        taken = sources.passed(self, statement) if sources is not None and statement in sources.nodes else None
        passed = taken if taken is not None else Iteration(Value())
        loop = Loop(statement, self._frame, passed.element, passed.loaders, self._tests)
        self.facts.loops.setdefault(statement, []).append(loop)
        self._loops = (loop,)
        result = run()
        self._loops, self._going_on[call] = (), loop
        return result

    def _carried(self, store: Store, loop: int, marked: list[_Marked]) -> Store:
        """Mark what could be an accumulator of this loop.

        A program has many objects, and a loop changes few of them: those with nothing but plain numbers are marked as
        a whole, as they were by the last visit of the loop, and are noted, so that it can be taken back like that.
        """
        earlier = self._earlier.marked
        if len(earlier) > _MOST_MARKED:
            earlier.clear()
        for owner in self._reachable():
            names = store.fields(owner)  # as they were when the store was copied
            known, others = earlier.get((loop, owner), (None, names))
            if known is not names:
                others, plain = _marked(names, loop, owner)
                if not plain:
                    store.put(owner, others)
                    continue
                earlier[loop, owner] = names, others
            if others is not names:
                store.put(owner, others)
                marked.append((owner, names, others))
        return store

    def _unmark(self, marked: Sequence[_Marked]) -> None:
        """What was marked as a whole, and is as it was, is what it was before."""
        if self._store is not None:
            for owner, before, names in marked:
                self._store.put_back(owner, names, before)

    def _reachable(self) -> list[int]:
        """The frames a loop can assign to, all objects that hold numbers, and the dicts of its own frame."""
        owners = [*self._instances, *(self._dicts(self._frame))]
        frame: Frame | None = self._frame
        while frame is not None:
            owners.append(frame.number)
            frame = frame.closure
        return owners

    def _dicts(self, frame: Frame) -> dict[int, str]:
        """The dicts that are made for a variable of a frame, and that it stands for, with its name."""
        fields = self.fields(frame.number).items()
        dicts = [(value.obj, name) for name, value in fields if value.kind is Kind.DICT and value.obj]
        return {obj: name for obj, name in dicts if self._is_made_for(frame, obj, name)}

    def _is_made_for(self, frame: Frame, obj: int, name: str) -> bool:
        parent = frame.unit.source.parent(self.facts.made[obj]) if obj in self.facts.made else None
        targets = parent.targets if isinstance(parent, ast.Assign) else []
        return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name

    def _kept(self, node: ast.stmt, start: Store) -> frozenset[Key]:
        """The variables of this function that hold samples, and that the loop never sets."""
        before = start.fields(self._frame.number)
        sharded = {name for name, value in before.items() if value.form is Form.SHARDED}
        if not sharded:
            return frozenset()
        stored = {*names_set(node)}
        reached = self._frame.unit.source.nodes.of(ast.Global, ast.Nonlocal)
        stored.update(name for part in reached for name in part.names)
        return frozenset((self._frame.number, name) for name in sharded - stored)

    def _counted(self, state: Store, end: Store, loop: int, loaders: frozenset[int]) -> Store:
        """A counter that grows in a pass over a loader counts batches."""
        for key, value in end.changes(state):
            if _of_loop(loop, value.carry) and value.placement.is_equal:
                placement = Placement(Form.STEP, value.sources | loaders, value.placement.data_dependent)
                end.set(key, value.but(placement=placement, const=UNSET))
        return end

    def _finish_carry(
        self,
        entry: Store,
        end: Store,
        loop: Loop,
        number_: int,
        changed: Callable[[Root], bool],
        is_set: Callable[[Key], bool],
    ) -> None:
        """At the end of a pass its accumulators, which it has set, are the whole, provided they are reduced there.

        What is added may depend on what rounds before have ``changed``: then the wholes of parts are no part of it.
        """
        if self._store is None:
            return
        again = False
        for key, held in self._store.changes(entry):
            value = held
            if CARRIED in value.tags and loop.loaders:
                value = value.but(tags=value.tags - {CARRIED})
                self._store.set(key, value)
            here = _of_loop(number_, value.carry | value.mixed)
            if not here:
                continue
            value = value.but(carry=value.carry - here, mixed=value.mixed - here)
            grown = end.get(key)
            carried = grown is not None and bool(_of_loop(number_, grown.carry))
            if loop.loaders and grown is not None and carried and grown.form is Form.UNKNOWN:
                value = value.but(tags=value.tags | {ACCUMULATED})
            grows = grown is not None and _grows(grown) and _is_sum(grown, (number_, *key), changed) and is_set(key)
            start = entry.get(key)
            if start is None and key[1].startswith(ITEM):
                start = self.made_by_factory(key[0])
            written = self._written_as(key, grown, loop)
            again |= bool(loop.loaders) and self._goes_on(key, written, start, grown, loop, number_)
            if loop.loaders and grows and value.sources & loop.loaders:
                value = self._accumulated(written, value, start, loop, number_)
            elif loop.loaders and grows and grown is not None and grown.placement.is_partial:
                self.facts.grown_apart[loop.node] = key[1].removeprefix(ITEM)
            self._store.set(key, value)
        if again or self._again:
            raise Restart

    def _written_as(self, key: Key, grown: Value | None, loop: Loop) -> tuple[str, Frame] | None:
        """How a variable, or an item of a dict, is written after a loop, and in which frame; ``None`` where it is not.

        An item that some rounds do not put in may be missing then.
        """
        owner, name = key
        frame = self._owner(owner)
        if frame is not None:
            return name, frame
        in_each = grown is not None and OPTIONAL not in grown.tags
        quoted = name.removeprefix(ITEM)
        if not in_each or not name.startswith(ITEM) or quoted[:1] not in ("'", '"'):
            return None
        variable = self._dicts(self._frame).get(owner, "")
        if not variable:
            return None
        return None if variable in names_set(loop.node) else (f"{variable}[{as_written(quoted)}]", self._frame)

    def _goes_on(
        self,
        key: Key,
        written: tuple[str, Frame] | None,
        start: Value | None,
        grown: Value | None,
        loop: Loop,
        number_: int,
    ) -> bool:
        """Whether what was reduced after the last pass has grown in this one; noted for the next interpretation."""
        name = key[1] if written is None else written[0]
        if start is None or (number_, name) not in start.pending or grown is None:
            return False
        if not _of_loop(number_, grown.carry):
            return False
        if grown.placement.is_equal and grown.form is not Form.STEP:
            return False
        if isinstance(loop.node, ast.stmt):
            self._continued.add((loop.node, name))
        return isinstance(loop.node, ast.stmt)

    def _accumulated(
        self, written: tuple[str, Frame] | None, value: Value, start: Value | None, loop: Loop, number_: int
    ) -> Value:
        if written is None or not isinstance(loop.node, ast.For):
            return value
        name, frame = written
        if not (value.scalar or name.isidentifier()):
            return value
        known = self.facts.accumulations.get((number_, name))
        fact = Accumulation(loop.node, name, value.form, value.but(pending=frozenset()), frame)
        fact.continued = (loop.node, name) in self._continued
        fact.used = not name.isidentifier()  # an item is read by way of its dict, under whatever name
        if known is not None:
            both = joined(known.value, fact.value)
            fact = Accumulation(loop.node, name, both.form, both, frame, known.used, known.continued or fact.continued)
        if not fact.continued and not _starts_afresh(start, value):
            self._continued.add((loop.node, name))
            self._again = True
        self.facts.accumulations[(number_, name)] = fact
        if fact.continued:
            return value
        return value.but(
            placement=WHOLE if value.form is not Form.STEP else Placement(),
            const=UNSET,
            pending=value.pending | {(number_, name)},
        )

    def _owner(self, owner: int) -> Frame | None:
        frame: Frame | None = self._frame
        while frame is not None:
            if frame.number == owner:
                return frame
            frame = frame.closure
        return None


def _counts_samples(iterable: Value) -> bool:
    """``range(len(labels))``: the numbers of all samples of a batch."""
    return iterable.kind is Kind.RANGE and depths.LENGTH in iterable.tags and bool(iterable.sources)


def _marked(names: Mapping[str, Value], loop: int, owner: int) -> tuple[Mapping[str, Value], bool]:
    """The variables or fields of an owner with the marks of a loop; and whether the marks are all there is to them.

    These are the same where there is nothing to mark.
    """
    found: dict[str, Value] = {}
    plain = True
    for name, value in names.items():
        if value.kind in (Kind.NUMBER, Kind.TENSOR) and (value.placement.is_equal or value.placement.is_partial):
            found[name] = value.but(carry=value.carry | {(loop, owner, name)})
            known = _of_loop(loop, value.carry | value.mixed)
            plain = plain and value.form is Form.REPLICATED and not (value.pending or known or CARRIED in value.tags)
    return ({**names, **found} if found else names), plain


def _mark_carried(store: Store, loaders: frozenset[int], kept: frozenset[Key]) -> None:
    """Mark what the next batch would see of this one; what stays as it was in front of the loop is ``kept``."""
    for key, value in store.items():
        if key not in kept and value.form is Form.SHARDED and value.sources & loaders and CARRIED not in value.tags:
            store.set(key, value.but(tags=value.tags | {CARRIED}))


def _has_rounds(loop: Loop) -> bool:
    return isinstance(loop.node, ast.For) and (bool(loop.loaders) or ROUNDS in loop.iterable.tags)


def _left(entry: Store, state: Store, end: Store | None, loop: int) -> Store:
    """What a loop leaves that has rounds, as passes are taken to: what each sets is not what was there before."""
    left = state.copy()
    for key, value in end.changes(state) if end is not None else ():
        before = entry.get(key)
        stays = before is None or (before.placement.is_equal and not before.may_be_none)
        if not stays and not _of_loop(loop, value.carry | value.mixed):
            left.set(key, value)
    return left


def _of_loop(loop: int, roots: frozenset[Root]) -> frozenset[Root]:
    return frozenset(root for root in roots if root[0] == loop) if roots else roots


def _is_sum(grown: Value, root: Root, changed: Callable[[Root], bool]) -> bool:
    """Whether a variable has grown by summands that do not depend on what rounds before have left."""
    others = _of_loop(root[0], grown.carry | grown.mixed) - {root}
    return root in grown.carry and root not in grown.mixed and not any(map(changed, others))


def _grows(value: Value) -> bool:
    return value.placement.is_partial or value.form is Form.STEP


def _starts_afresh(start: Value | None, value: Value) -> bool:
    """Whether a reduced accumulator holds this pass only; a mean over ranks keeps any equal start."""
    if start is None or start.pending:
        return False
    return start.is_zero or (
        value.form is Form.MEAN and start.form is Form.REPLICATED and not start.placement.data_dependent
    )
