"""Conditions: arms, what is left early, exceptions that are caught; what they decide is as unequal as they are."""

from __future__ import annotations

import ast
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.observations import ORELSE
from corro.anatomy.placement import WHOLE, Form, Placement, combine
from corro.flow.agreeing import decided, deciding
from corro.flow.chance import may_train, trains_alike
from corro.flow.facts import ExitFact, Test, TestFact
from corro.flow.python import asked, asks_for_main
from corro.flow.settled import settled
from corro.flow.state import CONTENT, Flow, Parting
from corro.flow.store import HOLDERS, Store, join_stores
from corro.flow.values import NONE, NONE_BY_CHANCE, UNKNOWN, UNSET, Value, chosen
from corro.source.walking import names_set

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from corro.anatomy.observations import Observation
    from corro.flow.store import Key

_ALL = frozenset({"", "Exception", "BaseException"})
"""What is caught by handlers that catch nearly all exceptions."""
_CHANGED = (Kind.NUMBER, Kind.TENSOR, Kind.UNKNOWN, Kind.TEXT, Kind.STATE, Kind.TUPLE, Kind.WRITER)
"""What has no content of its own that is followed: where a condition decides upon it, all of it is decided upon."""


class Conditions(Flow):
    """``if``, ``match`` and ``try``, and the statements that leave."""

    def _rest(self, body: Sequence[ast.stmt], stayed: Sequence[Test]) -> None:
        """What is run unless some conditions have left it: they decide upon it, as if it stood in their arms."""
        before = self._store
        if before is None or not body:
            return
        tests, self._tests = self._tests, (*self._tests, *stayed)
        self._store = before.copy()
        self._block(body)
        self._tests = tests
        cause = combine(test.value.placement for test in stayed)
        noise = cause.is_chance and (self.semantics.runs_model(self) or not may_train(self, *body))
        self._taint(before, cause, noise=noise)

    def _do_If(self, node: ast.If) -> None:
        test = self.eval(node.test)
        test = test.but(placement=self.size(test))
        untaken = self._untaken(node, node.test)
        taken = self._static_truth(node.test) if untaken is None else untaken.name == ORELSE
        if taken is not None:
            self._block(node.body if taken else node.orelse)
            return
        agreed = decided(self, node.test)
        if agreed is not None:
            self._arm(node, agreed)
            return
        inside = self.semantics.mends and self._loops
        if not test.placement.is_equal and inside and self._is_mendable(node.test):
            self.facts.mended[node] = self.context
            test = test.but(placement=WHOLE)
        written = settled(self, node.test)
        arms = [lambda: self._arm(node, True), lambda: self._arm(node, False)]
        self._branch(node, test, arms, None if written is None else int(not written))

    def _untaken(self, node: ast.If | ast.ExceptHandler, place: ast.expr | None) -> Observation | None:
        """The arm that the program is made without, which is noted."""
        if not self._observations or place is None:
            return None
        untaken = self._observations.untaken(self._frame.unit.source.path, place)
        if untaken is not None:
            self.facts.untaken[node] = untaken
        return untaken

    def _arm(self, node: ast.If, outcome: bool) -> None:
        self._note_given(node.test, outcome)
        with deciding(self, node.test, outcome):
            self._block(node.body if outcome else node.orelse)

    def _is_mendable(self, node: ast.expr) -> bool:
        """Whether reducing single numbers makes a condition equal on all ranks, outside the models' own code."""
        for frame in self._frame.path():
            callee = self.facts.values.get(frame.call.func) if frame.call is not None else None
            if callee is not None and callee.kind in (Kind.MODULE, Kind.LOSS):
                return False
        return self._reduces(node)

    def _reduces(self, node: ast.expr) -> bool:
        value = self.facts.values.get(node)
        if value is None or self.size(value).is_equal:
            return value is not None
        if isinstance(node, ast.Attribute) and value.kind is Kind.METHOD:  # of a number: ``loss.isnan()``
            return not node.attr.endswith("_") and self._reduces(node.value)
        if value.placement.is_partial:
            return value.scalar
        parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        combines = isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Call))
        unequal = [p for p in parts if p in self.facts.values and not self.facts.values[p].placement.is_equal]
        return combines and bool(unequal) and all(self._reduces(part) for part in parts)

    def _static_truth(self, node: ast.expr) -> bool | None:
        """Conditions that are decided by how the script is started, not by its data."""
        main = asks_for_main(node)
        if main is not None:
            return main == (self._frame.unit.name == "__main__")
        if isinstance(node, ast.Name) and node.id == "TYPE_CHECKING":
            return False
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and len(node.ops) == 1:
            none = isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None
            if none and self._is_left_out(node.left):
                return isinstance(node.ops[0], ast.Is)
        denied = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        if self._is_left_out(node.operand if isinstance(node, ast.UnaryOp) and denied else node):
            return denied
        return None

    def _is_left_out(self, node: ast.expr) -> bool:
        """Whether a parameter of this function, which the function never sets, is ``None`` as it is called here.

        What is decorated may be given more than is written in the call.
        """
        function, call = self._frame.scope.node, self._frame.call
        if not isinstance(function, ast.FunctionDef) or call is None or not isinstance(node, ast.Name):
            return False
        if function.decorator_list:
            return False
        bound = self._called_bound(function, call)
        if bound is None:
            return False
        spec, name = function.args, node.id
        names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        unpacked = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
        if name not in names or unpacked or name in names_set(function):
            return False
        given: dict[str, ast.expr] = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
        given.update(zip(names[bound:], call.args, strict=False))
        given.update({k.arg: k.value for k in call.keywords if k.arg is not None})
        value, known = given.get(name), self._get(self._frame, name)
        none = known is not None and known.kind is Kind.NONE  # in a tree of modules, what each of them is given
        return none and isinstance(value, ast.Constant) and value.value is None

    def _called_bound(self, function: ast.FunctionDef, call: ast.Call) -> bool | None:
        """Whether a function is called as a method, or to make an object; ``None`` where something else is called."""
        called = self.facts.values.get(call.func, UNKNOWN)
        class_ = self._classes.get(called.obj) if called.kind is Kind.CLASS else None
        if class_ is not None and class_.node.decorator_list:
            return None
        makes = called.kind is Kind.CLASS
        target = self._class_member(called.obj, "__init__") if makes else called
        known = self._functions.get(target.obj) if target is not None and target.kind is Kind.FUNCTION else None
        return None if known is None or known.node is not function else makes or bool(called.items)

    def _branch(self, node: ast.AST, test: Value, arms: Sequence[Callable[[], None]], taken: int | None = None) -> None:
        """Run each arm from the same store; what differs under an unequal condition is unequal itself.

        Where it is known which arm is ``taken``, nothing comes of the others.
        """
        before = self._store
        if before is None:
            return
        self.facts.add_test(TestFact(node, test, self.context))
        ends: list[Store | None] = []
        tests, ways = self._tests, self._ways
        self._tests, self._ways = (*tests, Test(node, test)), set()
        for position, arm in enumerate(arms):
            if taken is not None:
                self._tests = (*tests, Test(node, test, happens=position == taken))
            self._budget.join(before.size)
            self._store = before.copy()
            with self._dropped() if taken not in (None, position) else nullcontext():
                arm()
            ends += [self._store] if taken in (None, position) else []
        left, self._tests, self._ways = self._ways, tests, ways | self._ways
        if left and not test.placement.is_equal:
            self._parted.append(Parting(Test(node, test), frozenset(left)))
        self._store = join_stores(ends)
        chance = test.placement.is_chance
        same = chance and trains_alike(self, node)
        noise = same or (chance and (self.semantics.runs_model(self) or not may_train(self, *_arms(node))))
        written = () if test.placement.is_equal else self._set_in_arms(before, ends)
        alike = self._in_both(before, ends) if same else ()
        self._taint(before, test.placement, noise=noise, alike=alike, written=written)

    def _set_in_arms(self, before: Store, ends: Sequence[Store | None]) -> frozenset[Key]:
        """What is set in some arms of a condition."""
        return frozenset(key for end in ends if end is not None for key in end.written(before))

    def _in_both(self, before: Store, ends: Sequence[Store | None]) -> frozenset[Key]:
        """What is set in all arms of a condition in training."""
        if not any(loop.loaders for loop in self._loops) or "no_grad" in self._modes:
            return frozenset()
        changed = [frozenset(key for key, _ in end.changes(before)) for end in ends if end is not None]
        return frozenset.intersection(*changed) if len(changed) == len(ends) else frozenset()

    @contextmanager
    def _dropped(self) -> Iterator[None]:
        """What is run here is looked at, but never happens: nothing is left by it."""
        lists = [
            left
            for exits in (*self._function_exits[-1:], *self._loop_exits[-1:])
            for left in (exits.stores, exits.continues, exits.values, exits.yields, exits.handed)
        ]
        kept = [(each, len(each)) for each in (*lists, self._raised, self._parted)]
        ways = set(self._ways)
        yield
        for each, length in kept:
            del each[length:]
        self._ways = ways

    def _taint(
        self,
        before: Store,
        cause: Placement,
        *,
        noise: bool = False,
        alike: Collection[Key] = frozenset(),
        written: Collection[Key] = frozenset(),
    ) -> None:
        """What has changed is unequal or data-dependent as the condition was: a count of bad epochs, for instance.

        Args:
            before: what there was in front of the condition.
            cause: what the condition depends on.
            noise: a shard that is changed by chance is one with noise: no parameter is left out that others use.
            alike: what is set whichever way it turns out, by the same parameters: a mean is one with noise, too.
            written: what was set: samples that are like those before are other ones.
        """
        if self._store is None or (cause.is_equal and not cause.data_dependent):
            return
        changed = dict(self._store.changes(before))
        again = ((key, self._store.get(key)) for key in written if key not in changed)
        changed |= {key: value for key, value in again if value is not None and value.kind is Kind.TENSOR}
        for key, value in changed.items():
            is_shard = value.form is Form.SHARDED and (value.kind is Kind.TENSOR or key[1] == CONTENT)
            is_mean = value.form is Form.MEAN and value.kind is Kind.TENSOR
            if cause.is_chance and ((noise and is_shard) or (key in alike and is_mean)):
                chance = frozenset({NONE_BY_CHANCE} if value.may_be_none else ())
                self._store.set(key, value.but(const=UNSET, tags=value.tags | chance))
            else:
                self._store.set(key, self._decided_by(value, [cause]))

    def _decided_by(self, value: Value, causes: Sequence[Placement]) -> Value:
        """A value that is what it is because of conditions."""
        cause = combine(causes)
        if cause.is_equal and not cause.data_dependent:
            return value

        def tainted(value: Value) -> Value:
            if cause.is_equal:
                return chosen(value, cause)
            known = cause.form is Form.LOCAL and value.form is not Form.UNKNOWN  # chance makes no samples known again
            form = Form.LOCAL if known else Form.UNKNOWN
            return value.but(placement=combine((value.placement, cause)).with_form(form), const=UNSET)

        return _decided(value, tainted)

    def _do_Match(self, node: ast.Match) -> None:
        subject = self.eval(node.subject)
        arms: list[Callable[[], None]] = [lambda: None]
        for case in node.cases:
            arms.append(lambda body=case.body: self._block(body))  # type: ignore[misc]
        self._branch(node, subject, arms)

    def _do_Return(self, node: ast.Return) -> None:
        value = NONE if node.value is None else asked(self, node.value, self.eval(node.value))
        self._leave(node)
        self._ways.add(ast.Return)
        if self._store is not None:
            exits = self._function_exits[-1]
            value = self._decided_by(value, [test.value.placement for test in self._tests[self._entered :]])
            exits.values.append(value)
            exits.stores.append(self._store)
        self._store = None

    def _do_Raise(self, node: ast.Raise) -> None:
        for part in (node.exc, node.cause):
            if part is not None:
                self.eval(part)
        self._leave(node)
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        self._raised.append((_last_name(raised), combine(test.value.placement for test in self._tests)))
        self._store = None

    def _do_Break(self, node: ast.Break) -> None:
        self._leave(node)
        self._ways.add(ast.Break)
        if self._loop_exits and self._store is not None:
            self._loop_exits[-1].stores.append(self._store)
        self._store = None

    def _do_Continue(self, node: ast.Continue) -> None:
        self._leave(node)
        self._ways.add(ast.Continue)
        if self._loop_exits and self._store is not None:
            self._loop_exits[-1].continues.append(self._store)
        self._store = None

    def _leave(self, node: ast.stmt | ast.Call) -> None:
        self.facts.units.setdefault(node, self._frame.unit)
        self.facts.add_exit(ExitFact(node, self.context))

    def _do_Try(self, node: ast.Try) -> None:
        before = self._store
        if before is None:
            return
        outer, self._raised = self._raised, []
        self._block(node.body)
        raised, self._raised = self._raised, outer
        after = self._store
        self._block(node.orelse)
        ends = [self._store]
        entry = join_stores([before, after])
        handlers = [each for each in node.handlers if self._untaken(each, each.type) is None]
        for handler in handlers:
            self._store = (entry or before).copy()
            tests = self._tests
            self._tests = (*tests, Test(handler, Value(placement=Placement(Form.LOCAL))))
            self._block(handler.body)
            self._tests = tests
            ends.append(self._store)
        self._store = join_stores(ends)
        caught = {_last_name(each) for handler in handlers for each in _types(handler)}
        for name, cause in raised:
            if name in caught or caught & _ALL:
                self._taint(before, cause)
            else:
                self._raised.append((name, cause))
        if node.finalbody:
            alive = self._store
            self._store = alive if alive is not None else before.copy()
            self._block(node.finalbody)
            if alive is None:
                self._store = None

    _do_TryStar = _do_Try

    def _do_Assert(self, node: ast.Assert) -> None:
        self._raised.append(("AssertionError", self.size(self.eval(node.test))))
        self._note_given(node.test, True)


def _arms(node: ast.AST) -> Sequence[ast.AST]:
    """What is run or left out on a condition."""
    return [*node.body, *node.orelse] if isinstance(node, ast.If) else [node]


def _decided(value: Value, change: Callable[[Value], Value]) -> Value:
    """A value that a condition has decided upon; an object that one arm has made is no longer followed."""
    if value.kind is Kind.TUPLE:
        value = value.but(items=tuple(_decided(item, change) for item in value.items))
    followed = value.kind not in _CHANGED and (value.kind not in HOLDERS or value.obj)
    return value if followed else change(value)


def _types(handler: ast.ExceptHandler) -> list[ast.expr | None]:
    """The exceptions that are caught; ``None`` for all of them."""
    return [*handler.type.elts] if isinstance(handler.type, ast.Tuple) else [handler.type]


def _last_name(node: ast.expr | None) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))
