"""Shared by rules for shapes: labels that are alike for all samples, made with the batch size in front of a pass.

``real = torch.ones(batch_size, 1)`` holds nothing of a batch. Where it does nothing but meet what a model gives for a
batch, in a loss, a process needs as many rows of it as it has samples, whoever makes it, and whenever.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.classes import dataclass
from corro.frontends.pytorch import batch_sizes
from corro.frontends.pytorch.losses import FUNCTIONAL_LOSSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

_ALIKE = frozenset({"torch.ones", "torch.zeros", "torch.full"})
_VARIABLE = "torch.autograd.Variable"
_KEEPING = frozenset({"to", "cuda", "cpu", "float", "double", "half", "type", "type_as", "detach", "clone", "unsqueeze",
                      "squeeze", "requires_grad_", "contiguous"})  # fmt: skip
"""Methods that keep the rows of a tensor, and leave them alike."""
_SCALING = (ast.Add, ast.Sub, ast.Mult, ast.Div)


@dataclass(frozen=True, eq=False)
class Fills:
    """Labels that belong together: all calls that make them, and all uses of the names they have."""

    makers: frozenset[ast.Call]
    uses: frozenset[ast.Name]


def fills(job: Job) -> tuple[Fills, ...]:
    """All labels of this kind of which one is made with the batch size, in front of a pass."""
    origins = batch_sizes.of_loaders(job.facts, job.anatomy.trained_on)
    found: list[Fills] = []
    for fact in job.calls if origins else ():
        before = fact.name in _ALIKE and fact.receiver is None and not fact.context.passes
        if before and not any(fact.node in each.makers for each in found):
            found += _Tracing(job, origins).of(fact.node)
    return tuple(found)


class _Tracing:
    """Follows labels from a call to all names they get, and back to all calls these names stand for."""

    def __init__(self, job: Job, origins: frozenset[int]) -> None:
        self._job = job
        self._origins = origins
        self._makers: set[ast.Call] = set()
        self._uses: set[ast.Name] = set()

    def of(self, call: ast.Call) -> Iterator[Fills]:
        if self._is_label(call) and self._goes(call) and self._uses:
            yield Fills(frozenset(self._makers), frozenset(self._uses))

    def _is_label(self, node: ast.expr) -> bool:
        """Whether an expression makes labels that are alike, or gives those of a name on."""
        if isinstance(node, ast.Name):
            return self._is_name(node)
        inner = self._inner(node)
        if inner is not None:
            return self._is_label(inner)
        if not isinstance(node, ast.Call) or node in self._makers:
            return isinstance(node, ast.Call)
        facts = self._job.calls_of(node)
        self._makers.add(node)
        return bool(facts) and all(map(self._is_made, facts))

    def _is_made(self, fact: CallFact) -> bool:
        """Whether a call makes as many rows as a batch of the training has."""
        first = fact.args[0] if fact.args else None
        if fact.name not in _ALIKE or fact.receiver is not None or first is None or self._asks_loader(fact.node):
            return False
        shape = first.items if first.kind is Kind.TUPLE else fact.args[: 1 if fact.name == "torch.full" else None]
        given = fact.args[1:2] if fact.name == "torch.full" else ()
        rows = bool(shape) and (shape[0].origins == self._origins or self._is_counted(shape[0]))
        return rows and all(value.is_const for value in (*shape[1:], *given))

    def _asks_loader(self, call: ast.Call) -> bool:
        """``loader.batch_size``, which is said for each process, or for the batch, by itself."""
        parts = (part for each in call.args for part in ast.walk(each) if isinstance(part, ast.Attribute))
        return any(self._job.value(part.value).kind is Kind.LOADER for part in parts)

    def _is_counted(self, value: Value) -> bool:
        counted = value.form is Form.COUNT and value.kind is Kind.NUMBER
        return counted and bool(value.sources) and value.sources <= self._job.anatomy.trained_on

    def _inner(self, node: ast.AST) -> ast.expr | None:
        """The labels in an expression that keeps their rows, and leaves them alike."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, _SCALING):
            parts = [each for each in (node.left, node.right) if not isinstance(each, ast.Constant)]
            return parts[0] if len(parts) == 1 else None
        if not isinstance(node, ast.Call):
            return None
        facts = self._job.calls_of(node)
        if facts and all(fact.name == _VARIABLE for fact in facts) and len(node.args) == 1:
            return node.args[0]
        keeps = isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING
        alone = bool(facts) and all(fact.receiver is not None and fact.receiver.kind is Kind.TENSOR for fact in facts)
        return node.func.value if keeps and alone and isinstance(node.func, ast.Attribute) else None

    def _is_name(self, name: ast.Name) -> bool:
        """Whether a name stands for such labels wherever it is set, and goes nowhere but into losses."""
        if name in self._uses:
            return True
        names = self._job.names_of(name)
        every = names.uses(name.id, names.binding(name)) if names.binding(name) is not None else ()
        self._uses.update(every)
        return bool(every) and all(
            self._is_set(use) if isinstance(use.ctx, ast.Store) else isinstance(use.ctx, ast.Load) and self._goes(use)
            for use in every
        )

    def _is_set(self, target: ast.Name) -> bool:
        value = self._value_of(target)
        return value is not None and self._is_label(value)

    def _value_of(self, target: ast.Name) -> ast.expr | None:
        """What an assignment sets a name to."""
        above = self._job.parent(target)
        whole: ast.AST = target
        if isinstance(above, ast.Tuple):
            whole, above = above, self._job.parent(above)
        if not isinstance(above, ast.Assign) or above.targets != [whole]:
            return None
        if whole is target:
            return above.value
        same = isinstance(whole, ast.Tuple) and isinstance(above.value, ast.Tuple)
        if not same or len(whole.elts) != len(above.value.elts):  # type: ignore[attr-defined]
            return None
        return above.value.elts[whole.elts.index(target)]  # type: ignore[attr-defined, no-any-return]

    def _goes(self, node: ast.expr) -> bool:
        """Whether labels get another name of this kind, or meet a batch in a loss."""
        above = self._job.parent(node)
        if isinstance(above, ast.Attribute):
            above = self._job.parent(above)
        if isinstance(above, ast.expr) and self._inner(above) is node:
            return self._goes(above)
        if isinstance(above, ast.keyword):
            above = self._job.parent(above)
        if isinstance(above, ast.Call):
            facts = self._job.calls_of(above)
            return bool(facts) and all(map(self._meets, facts))
        whole: ast.AST = node
        if isinstance(above, ast.Tuple):
            whole, above = above, self._job.parent(above)
        if not isinstance(above, ast.Assign) or above.value is not whole or len(above.targets) != 1:
            return False
        target = above.targets[0]
        if whole is not node:
            paired = isinstance(target, ast.Tuple) and isinstance(whole, ast.Tuple)
            if not paired or len(target.elts) != len(whole.elts):  # type: ignore[attr-defined]
                return False
            target = target.elts[whole.elts.index(node)]  # type: ignore[attr-defined]
        return isinstance(target, ast.Name) and self._is_name(target)

    def _meets(self, fact: CallFact) -> bool:
        """Whether a call is a loss in a training step, which compares the labels with what a model gives for it."""
        passed = frozenset().union(*(loop.loaders for loop in fact.context.passes))
        trained = bool(passed) and passed <= self._job.anatomy.trained_on
        of_class = fact.receiver is not None and fact.receiver.kind is Kind.LOSS
        functional = fact.receiver is None and fact.name.rpartition(".")[2] in FUNCTIONAL_LOSSES
        given = [*fact.args, *fact.keywords.values()]
        batches = [value for value in given if value.form is Form.SHARDED]
        known = [value.depth for value in given if value.kind is Kind.TENSOR and value.depth]
        alike = not known or bool(frozenset.intersection(*known))  # [B] and [B, 1] are set against each other crosswise
        return trained and (of_class or functional) and bool(batches) and alike


def resets(job: Job, node: ast.AST, labels: tuple[Fills, ...]) -> bool:
    """Whether a comparison decides about nothing but whether such labels are made anew."""
    above = job.parent(node)
    if not isinstance(above, ast.If) or above.test is not node or above.orelse:
        return False
    uses = frozenset().union(*(each.uses for each in labels))
    for statement in above.body:
        if not isinstance(statement, ast.Assign):
            return False
        stored = [part for target in statement.targets for part in ast.walk(target) if isinstance(part, ast.expr)]
        if not all(part in uses or isinstance(part, ast.Tuple) for part in stored):
            return False
    return True
