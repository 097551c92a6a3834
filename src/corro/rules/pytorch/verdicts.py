"""Let rank 0 decide where each process has measured for itself.

Why
---
What every process computes on all of the data is equal but for its last digits: kernels, threads and machines add up in
another order. Where that decides when training ends, which rate comes next, or whether processes meet in a collective,
one digit is enough for them to part ways, and they wait for one another for ever. So the verdict, or the value that
training goes on with, is rank 0's. What is reduced over processes is equal in every bit, and stays as it is; so does
what only prints or saves.

Before
------
::

    if stopper(val_loss):
        break
    scheduler.step(val_loss)

After
-----
::

    if from_rank_0(stopper(val_loss)):
        break
    scheduler.step(from_rank_0(val_loss))

Source
------
PyTorch documentation, "Reproducibility" (results may differ between devices and releases, and from run to run), and
``torch.distributed.broadcast_object_list``; ``horovod.torch.broadcast_object``.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.changes import Change
from corro.classes import dataclass
from corro.flow.python import ASKING_TYPES
from corro.frontends.pytorch.steering import Steered, writes
from corro.rules import parting
from corro.rules.places import blocks, defined_before
from corro.rules.pytorch.decisions import must_be_uniform
from corro.rules.reducing import differs, is_uniform, sharded_sources
from corro.source import Wrap, arguments_of, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Context, ExitFact, StoreFact, Test, TestFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "verdicts"

_NAME = "from_rank_0"
_NUMBERS = (Form.STEP, Form.COUNT, Form.LOCAL)
"""How many batches and samples there are, of which every process has the same number; what is refused elsewhere."""
_FIGURES = (Kind.NUMBER, Kind.TENSOR, Kind.UNKNOWN, Kind.LIST, Kind.DICT, Kind.TUPLE, Kind.STATE, Kind.TEXT)
_CONDITIONS = (ast.If, ast.While, ast.IfExp)
_Condition = ast.If | ast.While | ast.IfExp
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LEAVING = (ast.Break, ast.Return, ast.Raise, ast.Call, ast.Continue)


def apply(job: Job) -> Iterable[Answer]:
    """Nothing before it is known where the other rules let processes meet."""
    return ()


def conclude(job: Job, answers: Iterable[Answer]) -> Iterable[Answer]:
    """The conditions that let processes meet or part, and the values that training goes on with, are rank 0's."""
    script = _Script(job)
    changes = [answer for answer in answers if isinstance(answer, Change)]
    values = list(dict.fromkeys(script.steering()))
    tests = script.decisive([*script.parting(), *script.meeting(changes)], values)
    apart = next((node for node in tests if not all(is_uniform(job, each) for each in script.contexts(node))), None)
    if apart is not None:
        yield job.refuse(
            NAME,
            "each process decides here on what it has measured for itself, and not all of them get here together.",
            apart,
            "Decide after the loop over the batches, under conditions that are equal on all processes.",
        )
        return
    for here, nodes in job.by_file([*(node.test for node in tests), *values]):
        yield from _written(here, nodes)


def _written(job: Job, nodes: list[ast.expr]) -> Iterator[Answer]:
    """The changes of one file."""
    name, reason = job.names.fresh(_NAME), "each process has measured it for itself"
    telling = job.target.telling(name)
    if telling is not None:
        yield job.change(NAME, "rank 0's values", nodes[0], [defined_before(job, nodes[0], telling.text)], telling)
    before, after = job.target.told(name, "\n").split("\n")
    for node in nodes:
        edits: list[Edit] = [Wrap(job.span(node), before, after)]
        yield job.change(NAME, reason, node, edits, Code("", (job.target.engine,)))


@dataclass(frozen=True, eq=False)
class _Script:
    """What a script measures on every process, and where that matters."""

    job: Job

    # ------------------------------------------------------------------ what is measured

    def is_separate(self, value: Value) -> bool:
        """Whether each process computes a value for itself, on all of some data."""
        counted = value.form in _NUMBERS and not (value.form is Form.STEP and value.placement.separate)
        if counted or value.kind not in _FIGURES:
            return False
        if value.sources - self.shared_out:
            return True
        placement = value.placement
        return placement.is_equal and (placement.separate or (placement.data_dependent and self.decides_apart))

    @cached_property
    def shared_out(self) -> frozenset[int]:
        """The loaders of which each process sees its shard."""
        return sharded_sources(self.job)

    @cached_property
    def decides_apart(self) -> bool:
        """Whether a condition or a sum is not reduced that could have been, since its data are evaluated in full."""
        facts = self.job.facts
        summed = (each.value.sources for each in facts.accumulations.values() if each.used)
        tested = (self.job.value(node.test).sources for node in facts.mended)
        return any(sources - self.shared_out for sources in (*summed, *tested))

    def asks_apart(self, test: Test) -> bool:
        """Whether a condition asks for what is separate."""
        if not isinstance(test.node, _CONDITIONS):
            return False
        return self.is_separate(test.value) or self.holds_separate(test.node.test)

    def holds_separate(self, node: ast.expr) -> bool:
        """Whether something within an expression is separate, and more is asked of it than its type, which is equal."""
        value = self.job.value(node)
        of_types = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ASKING_TYPES
        if of_types and value.placement.is_equal and not value.placement.data_dependent:
            return False
        return self.is_separate(value) or any(map(self.holds_separate, _expressions(node)))

    # ------------------------------------------------------------------ where it matters

    def decisive(self, contexts: list[Context], values: list[ast.expr]) -> list[_Condition]:
        """The conditions on separate values around some places, and around one another."""
        found: dict[_Condition, None] = {}
        waiting = [*contexts, *(context for node in values for context in self.contexts(node))]
        while waiting:
            for test in waiting.pop().tests:
                if isinstance(test.node, _CONDITIONS) and test.node not in found and self.asks_apart(test):
                    found[test.node] = None
                    waiting += self.contexts(test.node)
        return list(found)

    def contexts(self, node: ast.AST) -> list[Context]:
        """Where something is evaluated: as far as that is known, else where its neighbours are."""
        own = self.seen.get(node) or [each for part in walk(_head(node)) for each in self.seen.get(part, ())]
        return own or self.around(self.job.statement(node))

    def around(self, statement: ast.stmt) -> list[Context]:
        """Where a statement is run: what is known of itself, of those of its block, or of the block."""
        job = self.job
        block = next((body for body in blocks(job.parent(statement)) if statement in body), [statement])
        for beside in (statement, *block):
            heads = [] if isinstance(beside, _DEFINITIONS) else _heads(beside)
            found = [each for head in heads for part in walk(head) for each in self.seen.get(part, ())]
            if found := [*self.seen.get(beside, ()), *found]:
                return found
        above = job.parent(statement)
        return self.around(above) if isinstance(above, ast.stmt) and not isinstance(above, _DEFINITIONS) else []

    @cached_property
    def seen(self) -> dict[ast.AST, list[Context]]:
        """Where what is known of a node was seen."""
        job = self.job
        found: dict[ast.AST, list[Context]] = {}
        facts: tuple[CallFact | StoreFact | ExitFact | TestFact, ...] = (*job.calls, *job.facts.stores)
        for fact in (*facts, *job.facts.exits, *job.facts.tests.values()):
            found.setdefault(fact.node, []).append(fact.context)
        return found

    def parting(self) -> Iterator[Context]:
        """Where loops that train are left, and where what all processes have in common is changed."""
        job = self.job
        for leave in job.facts.exits:
            if isinstance(leave.node, _LEAVING) and parting.leaves(leave, job.anatomy.training_loops):
                yield leave.context
        for fact in job.calls:
            if must_be_uniform(fact) and self.goes_on_after(fact):
                yield fact.context
        for write in writes(job.facts):
            if self.is_within_training(write.context):
                yield write.context

    def meeting(self, changes: list[Change]) -> Iterator[Context]:
        """Where other rules write what processes wait for one another in."""
        names = "|".join(sorted(map(re.escape, self.job.target.calls.collectives)))
        collective = re.compile(rf"\.(?:{names})\(")
        for edit in (edit for change in changes for edit in change.edits):
            parts = vars(edit).values()
            if any(isinstance(part, str) and collective.search(part) for part in parts):
                nodes = [part for part in parts if isinstance(part, ast.AST)]
                yield from (each for node in nodes for each in self.around(self.job.statement(node)))

    # ------------------------------------------------------------------ what training goes on with

    def steering(self) -> Iterator[ast.expr]:
        """The expressions of separate values that training goes on with: rates, options, weights."""
        job = self.job
        for fact in job.calls:
            scheduled = fact.receiver is not None and fact.receiver.kind is Kind.SCHEDULER and fact.name == "step"
            if scheduled and self.goes_on_after(fact):
                yield from self.given(fact.node)
        for write in writes(job.facts):
            if write.what is Steered.MODE or not any(map(self.is_separate, write.given)):
                continue
            if isinstance(write.node, ast.Call):
                if any(map(self.goes_on_after, job.calls_of(write.node))):
                    yield from self.given(write.node)
            elif self.is_within_training(write.context):
                statement = job.statement(write.node)
                value = statement.value if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else None
                # Where an equal value changes something in place, what is separate in the result was so before.
                equal = isinstance(statement, ast.AugAssign) and not self.holds_separate(statement.value)
                if value is not None and not equal:
                    yield value

    def given(self, call: ast.Call) -> Iterator[ast.expr]:
        """The arguments of a call that are separate."""
        for argument in arguments_of(call):
            value = self.job.value(argument)
            if self.is_separate(value) and not differs(self.job, value) and not isinstance(argument, ast.Starred):
                yield argument

    def is_within_training(self, context: Context) -> bool:
        """Whether something is done in a loop that trains."""
        return any(loop.node in self.job.anatomy.training_loops for loop in context.loops)

    def goes_on_after(self, fact: CallFact) -> bool:
        """Whether steps of training may follow something: what follows the last is saved or shown by rank 0."""
        return self.is_within_training(fact.context) or fact.order < self.last

    @cached_property
    def last(self) -> int:
        """The number of the last backward pass."""
        steps = {backward.node for backward in self.job.anatomy.backwards}
        return max((each.order for each in self.job.calls if each.node in steps), default=-1)


def _head(node: ast.AST) -> ast.AST:
    """Of a condition what is asked, of all else the whole."""
    return node.test if isinstance(node, _CONDITIONS) else node


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement but the blocks in it."""
    inner = {each for body in blocks(statement) for each in body}
    return (part for part in ast.iter_child_nodes(statement) if part not in inner)


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The outermost expressions within a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        else:
            yield from _expressions(child)
