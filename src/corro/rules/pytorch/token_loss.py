"""Weigh a loss that is a mean over tokens by how many tokens each process has.

Why
---
The models of Transformers for language, translation and tagging divide their loss by the number of labels that are not
-100. Each process's shard of the batch has another number of them, so that the average of their losses is not the loss
of the global batch. Each loss times its number of labels, divided by the number of all processes, is.

Before
------
::

    outputs = model(**batch)

After
-----
::

    outputs = model(**batch)
    outputs.loss = mean_over_tokens(outputs.loss, batch["labels"])

Source
------
Hugging Face, "Fixing Gradient Accumulation" (2024): a mean over tokens of parts of a batch is not that of the batch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch import pretrained
from corro.frontends.pytorch.partial_sums import is_training
from corro.rules.places import defined_before
from corro.rules.pytorch.weighted_loss import is_repeatable
from corro.source import After, Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "token-loss"
EVEN_SHARES = True

_NAME = "mean_over_tokens"
_WITHOUT = frozenset({"no_grad", "maybe_grad"})
_IGNORED = -100
_ADVICE = "Give the output of the model a name in a statement of its own, as in outputs = model(**batch)."


def apply(job: Job) -> Iterable[Answer]:
    """One change for each call that trains, and a function that they call, once in each file."""
    found: dict[ast.Call, list[CallFact]] = {}
    for fact in pretrained.of_tokens(job.facts):
        found.setdefault(fact.node, []).append(fact)
    trained = [node for node, facts in found.items() if any(is_training(fact.context) for fact in facts)]
    for here, nodes in job.by_file([node for node in trained if _is_read(job, found[node])]):
        name = here.names.fresh(_NAME)
        written = {node: _edits(here, found[node], name) for node in nodes}
        against = next((node for node, edits in written.items() if not edits), None)
        if against is not None:
            message = (
                "the loss is a mean over tokens, of which each process has another number, and cannot be weighed here."
            )
            yield job.refuse(NAME, message, against, _ADVICE, effort="one line")
            continue
        also = any(fact.context.modes & _WITHOUT for node in nodes for fact in found[node])
        code = _definition(here, name, also=also)
        reason = "each process has another number of tokens"
        yield here.change(NAME, reason, nodes[0], [defined_before(here, nodes[0], code.text)], Code("", code.imports))
        for node, edits in written.items():
            yield here.change(NAME, reason, node, edits)


def _is_read(job: Job, facts: Sequence[CallFact]) -> bool:
    """Whether the loss of a model is used; without it there need be no labels."""
    if all(pretrained.is_certain(fact.result) for fact in facts):
        return True
    reads = job.nodes.of(ast.Attribute, ast.Subscript)
    return any(job.value(node.value).name == pretrained.OUTPUT and _is_loss(node) for node in reads)


def _is_loss(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "loss"
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in ("loss", 0)


def _edits(job: Job, facts: Sequence[CallFact], name: str) -> list[Edit]:
    """What is written behind a call, or around the loss that is taken of it; nothing where that cannot be done."""
    call = facts[0].node
    labels = _labels(job, call) if pretrained.is_of_one(facts) else ""
    labels += "[..., 1:]" if labels and pretrained.SHIFTED in facts[0].result.tags else ""
    uniform = all(job.is_uniform(fact.context) for fact in facts if is_training(fact.context))
    if not labels or not uniform or not all(fact.context.passes for fact in facts):
        return []
    parent, statement = job.parent(call), job.statement(call)
    if isinstance(parent, (ast.Attribute, ast.Subscript)) and _is_loss(parent):
        above = job.parent(parent)
        plain = isinstance(above, (ast.Assign, ast.Return, ast.Attribute))
        return [Wrap(job.span(parent), f"{name}(", f", {labels})")] if plain else []
    sliced = isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Slice) and parent.slice.lower is None
    given = parent if sliced else call
    targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is given else []
    target = targets[0] if len(targets) == 1 else None
    plain_tuple = any(k.arg == "return_dict" for k in call.keywords)
    if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        loss = target.elts[0].id
    elif isinstance(target, (ast.Name, ast.Attribute)) and not sliced and not plain_tuple:
        loss = f"{job.segment(target)}.loss"
    else:
        return []
    return [After(statement, f"{loss} = {name}({loss}, {labels})")]


def _labels(job: Job, call: ast.Call) -> str:
    """The text of the labels that a call is given; empty where it cannot be written a second time."""
    for keyword in call.keywords:
        if keyword.arg == pretrained.LABELS:
            return job.segment(keyword.value) if is_repeatable(keyword.value) else ""
    spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
    known = len(spread) == 1 and isinstance(spread[0], (ast.Name, ast.Attribute))
    return f'{job.segment(spread[0])}["{pretrained.LABELS}"]' if known else ""


def _definition(job: Job, name: str, *, also: bool) -> Code:
    """The function that is called; ``also``: where no gradients are computed, too, and each process does it alone."""
    target = job.target
    total = target.all_reduce("total", "counted.clone()")
    alone = [f"    if not {target.torch}.is_grad_enabled():", "        return loss"] if also else []
    lines = [
        f"def {name}(loss, labels):",
        *alone,
        f"    counted = (labels != {_IGNORED}).sum()",
        *(f"    {line}" for line in total.text.splitlines()),
        f"    return {target.torch}.where(counted > 0, loss, 0) * (counted * {target.world_size} / total)",
    ]
    return Code("\n".join(lines), (*total.imports, target.engine, *target.torch_import))
