"""Make the gradients of tapes whole: where a tape is wrapped, for loops and for steps of a model's own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Protocol

from corro.classes import dataclass
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.gradients import applies_gradients, minimizes
from corro.source import AddArgument, After, Before, Edit, Wrap, replace_node

if TYPE_CHECKING:
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer, Job
    from corro.targets.base import Code


class Reducing(Protocol):
    """An expression of a tape or a tensor whose gradients or values are averaged, or summed, over the processes."""

    def __call__(self, expression: str, /, *, summed: bool) -> str:
        """The expression."""


@dataclass(frozen=True, eq=False)
class Changes:
    """The changes that make some gradients whole.

    Args:
        job: the script.
        rule: the rule that says it.
        sums: the calls that compute gradients, with whether they are summed.
        flat: those among them that give a list.
        wrap_tape: what is made of a tape.
        all_reduce: what is made of a single gradient.
        tf: the name of the module ``tensorflow``.
    """

    job: Job
    rule: str
    sums: dict[ast.Call, bool]
    flat: frozenset[ast.Call]
    wrap_tape: Reducing
    all_reduce: Reducing
    tf: str

    def answers(self, code: Code) -> Iterator[Answer]:
        """One change for each tape, or for each gradient where a tape serves for other things too."""
        done: set[ast.Call] = set()
        for node, summed in self.sums.items():
            if node in done:
                continue
            with_ = self._recording(node)
            edit = self._in_place(node, summed)
            if with_ is not None and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                name = node.func.value.id
                users = list(self._uses(with_, name))
                mine = [user for user in users if isinstance(user, ast.Call) and self.sums.get(user) is summed]
                if len(mine) == len(users) and self.flat.issuperset(mine):
                    done.update(mine)
                    edit = After(with_, f"{name} = {self.wrap_tape(name, summed=summed)}")
            done.add(node)
            yield self.job.change(self.rule, "gradients of the global batch", node, [edit], code)

    def _in_place(self, node: ast.Call, summed: bool) -> Edit:
        """The gradient made whole where it is computed."""
        if any(minimizes(fact) for fact in self.job.calls_of(node)):
            return AddArgument(node, f"tape={self.wrap_tape(f'{self.tf}.GradientTape()', summed=summed)}")
        if node in self.flat:
            assert isinstance(node.func, ast.Attribute)
            before, _, after = self.wrap_tape("\0", summed=summed).partition("\0")
            return Wrap(self.job.span(node.func.value), before, after)
        before, _, after = self.all_reduce("\0", summed=summed).partition("\0")
        return Wrap(self.job.span(node), before, after)

    def _recording(self, node: ast.Call) -> ast.With | None:
        """The ``with`` statement of the tape, where it stands before the gradient in the same block."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if not isinstance(owner, ast.Name):
            return None
        sites = {self.job.facts.nodes[number] for number in self.job.value(owner).sites}
        for block, position in self._blocks(node):
            for statement in reversed(block[:position]):
                if isinstance(statement, ast.With) and any(
                    item.context_expr in sites
                    and isinstance(item.optional_vars, ast.Name)
                    and item.optional_vars.id == owner.id
                    for item in statement.items
                ):
                    return statement
                names = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == owner.id)
                if any(not isinstance(name.ctx, ast.Load) for name in names):
                    return None
        return None

    def _blocks(self, node: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
        """The block that a node stands in, with its place there."""
        statement = self.job.statement(node)
        parent = self.job.parent(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                yield block, block.index(statement)

    def _uses(self, with_: ast.With, name: str) -> Iterator[ast.expr]:
        """What a tape is used for after its block, up to the next of its name: calls of its methods, or the name."""
        parent = self.job.parent(with_)
        block = next(
            b for field in ("body", "orelse", "finalbody") if with_ in (b := getattr(parent, field, None) or [])
        )
        for statement in block[block.index(with_) + 1 :]:
            if isinstance(statement, ast.With) and any(
                isinstance(i.optional_vars, ast.Name) and i.optional_vars.id == name for i in statement.items
            ):
                return
            for part in ast.walk(statement):
                if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
                    attribute = self.job.parent(part)
                    call = self.job.parent(attribute) if isinstance(attribute, ast.Attribute) else None
                    yield call if isinstance(call, ast.Call) and call.func is attribute else part


# ---------------------------------------------------------------------- replicas


AVERAGE = "Average with tf.reduce_mean()."


def divides(fact: CallFact) -> str:
    """The name of what divides by the number of replicas itself; empty for all else."""
    name = canonical(fact.name) if fact.receiver is None else ""
    average = name == "tensorflow.nn.compute_average_loss" and fact.argument(2, "global_batch_size") is None
    return name.rpartition(".")[2] if average or name == "tensorflow.nn.scale_regularization_loss" else ""


def is_only_applied(job: Job, node: ast.Call, gradients: Collection[ast.AST]) -> bool:
    """Whether what a call computes goes from the tape to the optimizer, untouched, as other gradients may.

    Args:
        job: the script.
        node: the call.
        gradients: all calls that compute gradients.
    """
    if _is_applied(job, node):
        return True
    statement = job.statement(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is node else None
    if not isinstance(target, ast.Name) or not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return False
    binding = job.names_of(target).binding(target)
    uses = [n for n in job.nodes.of(ast.Name) if n.id == target.id and n is not target]
    mine = [n for n in uses if job.names_of(n).binding(n) is binding]
    stored = [n for n in mine if not isinstance(n.ctx, ast.Load)]
    bound = [job.statement(n) for n in stored]
    others = all(isinstance(each, ast.Assign) and each.value in gradients for each in bound)
    return others and all(_is_applied(job, n) for n in mine if n not in stored)


def _is_applied(job: Job, node: ast.expr) -> bool:
    """``optimizer.apply_gradients(zip(node, variables))``."""
    zipped = job.parent(node)
    call = job.parent(zipped) if zipped is not None else None
    if not isinstance(zipped, ast.Call) or getattr(zipped.func, "id", "") != "zip" or not isinstance(call, ast.Call):
        return False
    return zipped.args[0] is node and any(applies_gradients(fact) for fact in job.calls_of(call))


def divided(job: Job, rule: str, node: ast.Call, replicas: str, code: Code) -> Answer:
    """The gradient of the loss over the number of replicas, computed within the tape.

    Args:
        job: the script.
        rule: the rule that says it.
        node: the call that computes the gradient of what is ``recorded``.
        replicas: an expression, their number.
        code: what the expression needs.
    """
    target, place = _target(node), recorded(job, node)
    assert isinstance(target, ast.Name)
    assert place is not None
    scaled = job.names_of(node).fresh(f"scaled_{target.id}")
    line = f"{scaled} = {target.id} / {replicas}"
    edit: Edit = After(place, line) if place is not job.statement(node) else Before(place, line)
    reason = "replicas add up their gradients, but their mean is needed"
    return job.change(rule, reason, node, [edit, *replace_node(job.file_of(target), target, scaled)], code)


def _target(node: ast.Call) -> ast.expr:
    return node.args[0] if node.args else next(k.value for k in node.keywords if k.arg == "target")


def recorded(job: Job, node: ast.Call) -> ast.stmt | None:
    """Where a tape records what is made of the loss: its block's last statement, or the gradient's in the block."""
    target = _target(node)
    if not isinstance(target, ast.Name):
        return None
    sites = {job.facts.nodes[n] for f in job.calls_of(node) if f.receiver is not None for n in f.receiver.sites}
    statement = job.statement(node)
    for above in job.ancestors(node):
        if isinstance(above, ast.With) and any(item.context_expr in sites for item in above.items):
            return statement
    parent = job.parent(statement)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if not isinstance(block, list) or statement not in block:
            continue
        for position in range(block.index(statement) - 1, -1, -1):
            each = block[position]
            if isinstance(each, ast.With) and any(item.context_expr in sites for item in each.items):
                return each.body[-1]
            names = (n for n in ast.walk(each) if isinstance(n, ast.Name) and n.id == target.id)
            if any(not isinstance(n.ctx, ast.Load) for n in names):
                return None
    return None
