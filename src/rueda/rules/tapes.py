"""Make the gradients of tapes whole: where a tape is wrapped, for loops and for steps of a model's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rueda.frontends.tensorflow.recognise import minimizes
from rueda.source import AddArgument, After, Edit, Wrap

if TYPE_CHECKING:
    from rueda.rules.base import Answer, Job
    from rueda.targets.base import Code


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
            yield self.job.change(self.rule, "gradients of the whole batch", node, [edit], code)

    def _in_place(self, node: ast.Call, summed: bool) -> Edit:
        """The gradient made whole where it is computed."""
        if any(minimizes(fact) for fact in self.job.calls_of(node)):
            return AddArgument(node, f"tape={self.wrap_tape(f'{self.tf}.GradientTape()', summed=summed)}")
        if node in self.flat:
            assert isinstance(node.func, ast.Attribute)
            before, _, after = self.wrap_tape("\0", summed=summed).partition("\0")
            return Wrap(self.job.source.span(node.func.value), before, after)
        before, _, after = self.all_reduce("\0", summed=summed).partition("\0")
        return Wrap(self.job.source.span(node), before, after)

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
        statement = self.job.source.statement(node)
        parent = self.job.source.parent(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                yield block, block.index(statement)

    def _uses(self, with_: ast.With, name: str) -> Iterator[ast.expr]:
        """What a tape is used for behind its block, up to the next of its name: calls of its methods, or the name."""
        parent = self.job.source.parent(with_)
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
                    attribute = self.job.source.parent(part)
                    call = self.job.source.parent(attribute) if isinstance(attribute, ast.Attribute) else None
                    yield call if isinstance(call, ast.Call) and call.func is attribute else part
