"""What is chosen by chance during or after training, when processes have different random numbers: rank 0 tells it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.rules.pytorch import _workers
from corro.source import After, Before, replace_node, walk

if TYPE_CHECKING:
    from corro.flow.facts import CallFact, Context
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

_STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_PLAIN = (ast.Call, ast.keyword, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.Starred)
"""What an expression may stand in that is always computed, and once."""
_DRAWN = ("randperm", "permutation", "choice", "choices", "sample")
"""What draws numbers or items: to tell a part of the data is dear."""
_MADE = (Kind.LIST, Kind.TENSOR, Kind.NUMBER, Kind.TEXT)
_REASON = "rank 0 chooses"


def told(job: Job, rule: str, fact: CallFact) -> Answer | None:
    """The change of a statement that draws; ``None`` where not all processes come to it, or it draws in other ways."""
    statement = job.statement(fact.node)
    together = all(_is_together(job, each.context) for each in job.calls_of(fact.node))
    if not together or _workers.may_run(job, fact.node):
        return None
    here, file = job.at(statement), job.file_of(statement)
    if fact.name.endswith("shuffle"):
        given = fact.node.args[0] if fact.node.args else None
        plain = isinstance(given, (ast.Name, ast.Attribute)) and job.value(given).kind in (Kind.LIST, Kind.TENSOR)
        if given is None or not plain or not isinstance(statement, ast.Expr) or statement.value is not fact.node:
            return None
        code, value = here.share(job.segment(given))
        text = f"{code.text}\n{job.segment(given)}[:] = {value}".lstrip("\n")
        return job.change(rule, _REASON, fact.node, [After(statement, text)], code)
    drawn = fact.name.endswith(_DRAWN) and fact.result.kind in _MADE
    if not drawn or not _is_computed_first(job, fact.node, statement):
        return None
    code, value = here.share(job.segment(fact.node))
    before = [Before(statement, code.text)] if code.text else []
    return job.change(rule, _REASON, fact.node, [*before, *replace_node(file, fact.node, value)], code)


def _is_together(job: Job, context: Context) -> bool:
    """Whether all processes draw here, and equally often; in a pass, workers may."""
    local = any(loop.iterable.form is Form.LOCAL for loop in context.loops)
    return job.is_uniform(context) and not context.passes and not local


def _is_computed_first(job: Job, node: ast.Call, statement: ast.stmt) -> bool:
    """Whether a call is made before any other one of its statement, whatever happens."""
    above = []
    for each in job.ancestors(node):
        if each is statement:
            break
        above.append(each)
    inside = {*walk(node), *above}
    calls = (part for part in walk(statement) if isinstance(part, ast.Call))
    return isinstance(statement, _STATEMENTS) and all(isinstance(a, _PLAIN) for a in above) and inside.issuperset(calls)
