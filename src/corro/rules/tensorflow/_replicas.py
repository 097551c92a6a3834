"""Shared by rules for strategies: what every replica makes with its shard of a batch, and what happens there."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.classes import dataclass, field
from corro.frontends.tensorflow.semantics import GRAPH
from corro.rules.keras._abilities import shares_by_program
from corro.rules.tensorflow.pipelines import training_loops
from corro.source import position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import CallFact, Loop
    from corro.flow.values import Value
    from corro.rules.tensorflow._job import Job

UPDATES = frozenset({"", "update_state", "__call__"})
"""How a metric is updated: it is called, or by its method."""
_WHOLES = (Form.MEAN, Form.SUM, Form.COUNT)


@dataclass(frozen=True, eq=False)
class Step:
    """What is done with the parts of a batch in a training loop: a call in its body, or statements there.

    Args:
        job: the script.
        loop: the loop.
        batch: the names in its head that stand for parts of the batch.
        call: the call of a function of the script that is given the batch; ``None`` where statements use it.
        block: these statements, neighbours, which become a function.
    """

    job: Job
    loop: ast.For
    batch: frozenset[str]
    call: ast.Call | None = None
    block: tuple[ast.stmt, ...] = ()

    @property
    def place(self) -> ast.AST:
        """Where it is."""
        return self.call if self.call is not None else self.block[0]

    @cached_property
    def nodes(self) -> frozenset[ast.AST]:
        """What stands in the statements, or the call."""
        return frozenset([self.call] if self.call else (n for statement in self.block for n in ast.walk(statement)))

    def contains(self, fact: CallFact) -> bool:
        """Whether a call is made within it, at any depth."""
        written = self.call is None and fact.node in self.nodes
        return written or any(frame.call in self.nodes for frame in fact.context.frame.path() if frame.call is not None)

    @cached_property
    def facts(self) -> tuple[CallFact, ...]:
        """All calls that are made within it."""
        return tuple(fact for fact in self.job.calls if self.contains(fact))

    @cached_property
    def trains(self) -> bool:
        """Whether gradients are computed in it."""
        return any(fact in self.job.updates for fact in self.facts)

    @cached_property
    def functions(self) -> tuple[ast.AST, ...]:
        """The script's functions that run within it."""
        found: dict[ast.AST, None] = {}
        called = self.job.calls_of(self.call) if self.call is not None else []
        for fact in (*called, *self.facts):
            value = self.job.facts.values.get(fact.node.func)
            node = self.job.facts.functions.get(value.obj) if value is not None else None
            if node is not None:
                found[node] = None
        for fact in self.facts:
            frame = fact.context.frame
            if frame.call is not None and frame.call in self.job.facts.units and not self._is_around(frame.scope.node):
                found[frame.scope.node] = None
        return tuple(found)

    def _is_around(self, function: ast.AST) -> bool:
        return self.call is None and function in (*self.job.ancestors(self.block[0]),)

    @cached_property
    def result(self) -> Value | None:
        """What the call gives, where it is the same in all contexts."""
        values = [fact.result for fact in self.job.calls_of(self.call)] if self.call is not None else []
        return values[0] if values and all(value == values[0] for value in values) else None

    def gives(self, value: Value) -> bool:
        """Whether the whole can be made of something that is returned; a graph returns tensors for numbers."""
        graph = any(GRAPH in fact.context.modes for fact in self.facts)
        return is_reducible(value.but(kind=Kind.TENSOR) if graph and value.kind is Kind.NUMBER else value)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The parts of the batch that the statements use, in the order of the loop's head."""
        used = {n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        names = (n.id for n in ast.walk(self.loop.target) if isinstance(n, ast.Name) and n.id in self.batch)
        return tuple(dict.fromkeys(name for name in names if name in used))

    @cached_property
    def kept(self) -> dict[str, Value]:
        """Numbers that the statements compute and others use, with what is known of them."""
        return {name: value for name, value in self._leaving().items() if is_reducible(value)}

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """Names that the statements bind and others use, which are no such numbers."""
        return tuple(name for name, value in self._leaving().items() if not is_reducible(value))

    def _leaving(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, nodes in stored(self.job, self.loop, self.block).items():
            if name not in found and next(reads(self.job, self.loop, name, self.nodes), None) is not None:
                found[name] = _final(self.job, nodes, self.job.parent(self.block[0]))
        return found


def _final(job: Job, nodes: Sequence[ast.Name], block: ast.AST | None) -> Value:
    """What is known of a name after the statements of a block that bind it."""
    node = max(nodes, key=position)
    parent = job.parent(job.statement(node))
    while isinstance(parent, ast.With):
        parent = job.parent(parent)
    value = job.value(node)
    if parent is block:
        return value
    alike = ((v.kind, v.form, v.scalar) == (value.kind, value.form, value.scalar) for v in map(job.value, nodes))
    return value if all(alike) else value.but(kind=Kind.UNKNOWN)


def is_reducible(value: Value) -> bool:
    """Whether a number of the whole batch can be made of what the replicas have."""
    return value.kind is Kind.TENSOR and value.scalar and value.form in _WHOLES


@dataclass(frozen=True, eq=False)
class Replicated:
    """What the replicas make in all training loops, or why that cannot be told.

    Args:
        steps: the calls and statements.
        obstacle: a place, what stands against it, and what to do.
    """

    steps: tuple[Step, ...] = ()
    obstacle: tuple[ast.AST, str, str] | None = None

    @cached_property
    def nodes(self) -> frozenset[ast.AST]:
        """All calls that are made on replicas."""
        return frozenset(fact.node for step in self.steps for fact in step.facts)

    def contains(self, fact: CallFact) -> bool:
        """Whether a call is made on replicas."""
        return any(step.contains(fact) for step in self.steps)

    @cached_property
    def metrics(self) -> frozenset[int]:
        """The sites of metrics that are updated there: their variables have a part on every replica."""
        return frozenset(
            number
            for step in self.steps
            for fact in step.facts
            if fact.receiver is not None and fact.receiver.kind is Kind.METRIC and fact.name in UPDATES
            for number in fact.receiver.sites
        )


def replicated(job: Job) -> Replicated:
    """What the replicas make in the training loops of a script."""
    found: list[Step] = []
    seen: set[ast.AST] = set()
    for node in job.facts.batches:
        reason = f"the script makes its batches itself, and {job.target.title} shards those of a tf.data pipeline."
        advice = job.or_target("Make a pipeline with tf.data.Dataset.from_tensor_slices()", shares_by_program)
        return Replicated(obstacle=(node, reason, advice))
    for fact in job.updates:
        for loop in fact.context.passes[-1:]:
            if len(fact.context.passes) > 1:
                reason = "a training loop is inside another loop over batches."
                return Replicated(obstacle=(loop.node, reason, "Loop over one pipeline at a time."))
            if not isinstance(loop.node, ast.For):
                return Replicated(obstacle=(loop.node, "the loop is a comprehension.", "Write it as a for loop."))
            if job.file_of(loop.node) is not job.script:
                reason = (
                    "the training loop is in a project module, which cannot reach the strategy that the script creates."
                )
                return Replicated(obstacle=(loop.node, reason, "Move the loop into the script."))
            if _in_graph(job, loop):
                reason = "the loop over the batches is part of a graph; that is not converted to a strategy yet."
                advice = "Decorate the training step with @tf.function, not the loop around it."
                return Replicated(obstacle=(loop.node, reason, advice))
            if loop.node not in seen:
                seen.add(loop.node)
                found += _Parts(job, loop.node).steps(loop.node.body)
    result = Replicated(tuple(found))
    missed = next((f for f in job.updates if f.context.passes and not result.contains(f)), None)
    if missed is not None:
        reason = "the gradient is not computed by the statements that use the batch of the loop."
        return Replicated(obstacle=(missed.node, reason, "Compute it in a function that the loop gives the batch."))
    return result


def _in_graph(job: Job, loop: Loop) -> bool:
    """Whether a loop stands in a function that TensorFlow makes a graph of."""
    inner = (f for f in job.calls if f.context.frame.number == loop.frame.number)
    return any(GRAPH in f.context.modes and any(x.node is loop.node for x in f.context.loops) for f in inner)


@dataclass(frozen=True, eq=False)
class _Parts:
    """The body of a training loop, taken apart."""

    job: Job
    loop: ast.For
    effects: set[ast.stmt] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.effects.update(
            self.job.statement(e.node) for e in self.job.effects if self.job.file_of(e.node) is self.job.script
        )

    @cached_property
    def batch(self) -> frozenset[str]:
        """The names in the head of the loop that stand for parts of the batch."""
        names = (n for n in ast.walk(self.loop.target) if isinstance(n, ast.Name))
        return frozenset(n.id for n in names if not self._counts(n))

    def _counts(self, name: ast.Name) -> bool:
        value = self.job.value(name)
        return value.kind is Kind.NUMBER and value.form in (Form.STEP, Form.REPLICATED)

    def steps(self, statements: Sequence[ast.stmt]) -> Iterator[Step]:
        """The calls and the runs of statements that use the batch."""
        position = 0
        while position < len(statements):
            statement = statements[position]
            position += 1
            if not any(self._touching(statement, self.batch)):
                continue
            call = self._call(statement)
            if call is not None:
                yield Step(self.job, self.loop, self.batch, call)
            elif isinstance(statement, ast.If) and not any(self._touching(statement.test, self.batch)):
                yield from self.steps(statement.body)
                yield from self.steps(statement.orelse)
            else:
                end = self._end(statements, position - 1)
                yield Step(self.job, self.loop, self.batch, None, tuple(statements[position - 1 : end]))
                position = end

    def _touching(self, node: ast.AST, names: Iterable[str]) -> Iterator[ast.Name]:
        scope = self.job.names_of(self.loop).scope(self.loop)
        for part in (n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in names):
            mine = self.job.names_of(part).binding(part) is self.job.names.lookup(part.id, scope)
            if isinstance(part.ctx, ast.Load) and mine and not self._is_rebound(node, part):
                yield part

    def _is_rebound(self, node: ast.AST, name: ast.Name) -> bool:
        """Whether a statement itself binds a name before it reads it, as a loop over other data does."""
        above = list(self.job.ancestors(name))
        since = self.job.statement(node).lineno - 1
        stores = (n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name.id)
        return any(not isinstance(n.ctx, ast.Load) and _binds_before(self.job, n, name, above, since) for n in stores)

    def _call(self, statement: ast.stmt) -> ast.Call | None:
        """The call of a function of the script that alone uses the batch, as its arguments."""
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign)) or statement in self.effects:
            return None
        used = list(self._touching(statement, self.batch))
        calls = {self.job.parent(name) for name in used}
        calls = {self.job.parent(c) if isinstance(c, ast.keyword) else c for c in calls}
        call = calls.pop() if len(calls) == 1 else None
        if not isinstance(call, ast.Call) or self.job.value(call.func).kind is not Kind.FUNCTION:
            return None
        inner = [a for a in self.job.ancestors(call) if isinstance(a, (ast.Lambda, ast.ListComp, ast.GeneratorExp))]
        if any(name is call.func for name in used) or inner:
            return None
        step = Step(self.job, self.loop, self.batch, call)
        alone = isinstance(statement, ast.Expr) and statement.value is call
        return call if step.trains or alone or all(map(step.gives, parts_of(step) or (step.job.value(call),))) else None

    def _end(self, statements: Sequence[ast.stmt], start: int) -> int:
        """Where a run of statements ends: after the last one that uses what they make of the batch."""
        end, parent = start + 1, self.job.parent(statements[start])
        while True:
            bound = stored(self.job, self.loop, statements[start:end])
            finals = {name: _final(self.job, nodes, parent) for name, nodes in bound.items()}
            names = {name for name, value in finals.items() if name in self.batch or not is_reducible(value)}
            using = [i for i in range(end, len(statements)) if any(self._touching(statements[i], names))]
            if not using:
                return end
            end = using[-1] + 1


def parts_of(step: Step) -> tuple[Value, ...]:
    """What a call returns, one by one; nothing where its result is not used."""
    if step.call is None:
        return ()
    statement = step.job.statement(step.call)
    if isinstance(statement, ast.Expr) and statement.value is step.call:
        return ()
    result = step.result
    if result is None:
        return ()
    return result.items if result.kind is Kind.TUPLE and result.items else (result,)


# ---------------------------------------------------------------------- names


def stored(job: Job, loop: ast.For, statements: Iterable[ast.stmt]) -> dict[str, list[ast.Name]]:
    """The names of the loop's scope that some statements bind, with the places."""
    scope = job.names_of(loop).scope(loop)
    found: dict[str, list[ast.Name]] = {}
    for statement in statements:
        for node in (n for n in ast.walk(statement) if isinstance(n, ast.Name)):
            mine = job.names_of(node).binding(node) is job.names.lookup(node.id, scope)
            if mine and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id, []).append(node)
    return found


def reads(job: Job, loop: ast.For, name: str, apart: frozenset[ast.AST]) -> Iterator[ast.Name]:
    """Where a name may be read with what a loop has left in it, some nodes apart."""
    binding = job.names.lookup(name, job.names_of(loop).scope(loop))
    mine = [n for n in job.nodes.of(ast.Name) if n.id == name and job.names_of(n).binding(n) is binding]
    inside = set(ast.walk(loop))
    stores = [n for n in mine if not isinstance(n.ctx, ast.Load) and n not in inside]
    bound = [n for n in mine if not isinstance(n.ctx, ast.Load) and n in inside and n not in apart]
    around = [a for a in job.ancestors(loop) if isinstance(a, (ast.For, ast.While))]
    for node in mine:
        if not isinstance(node.ctx, ast.Load) or node in apart:
            continue
        above = list(job.ancestors(node))
        if _function(above) is not _function(list(job.ancestors(loop))):
            yield node
            continue
        if node in inside:
            if not any(_binds_before(job, store, node, above, loop.lineno) for store in mine if store in bound):
                yield node
            continue
        after = node.lineno > (loop.end_lineno or 0)
        common = next((a for a in around if a in above), None)
        if not after and common is None:
            continue
        since = (loop.end_lineno or 0) if after else getattr(common, "lineno", 0) - 1
        if not any(_binds_before(job, store, node, above, since) for store in stores):
            yield node


def _function(above: Sequence[ast.AST]) -> ast.AST | None:
    return next((a for a in above if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))), None)


def _binds_before(job: Job, store: ast.Name, node: ast.Name, above: Sequence[ast.AST], since: int) -> bool:
    """Whether a name is surely bound anew, after a line, before it is read."""
    statement = job.statement(store)
    if not since < statement.lineno <= node.lineno:
        return False
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
        return statement in above
    plain = isinstance(statement, ast.Assign) and statement not in above
    return plain and job.parent(statement) in above


def loops_of(job: Job) -> Iterator[tuple[Loop, ast.For]]:
    """The loops over batches that train."""
    for loop in training_loops(job):
        if isinstance(loop.node, ast.For):
            yield loop, loop.node
