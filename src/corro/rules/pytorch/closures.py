"""Let the closure that an optimizer's step is given return the global loss, with averaged gradients.

Why
---
``LBFGS`` evaluates loss and gradients several times a step, and chooses the length of its step by the loss. DDP
averages the gradients in each backward pass of the closure; where no wrapper does, they are averaged at its end. The
loss is that of a process's shard: with losses that differ, processes would go on for different numbers of evaluations,
each waiting for the others, or take steps of different lengths. What other optimizers return of a closure is only
handed on to the script.

Before
------
::

    def closure():
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        return loss

After
-----
::

    def closure():
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        total = torch.tensor(float(loss), dtype=torch.float64)
        dist.all_reduce(total)
        mean_loss = (total / dist.get_world_size()).to(loss.dtype)
        return mean_loss

Source
------
PyTorch documentation, ``torch.optim.Optimizer.step`` and ``LBFGS``; horovod issue 1292: its optimizer averages in front
of its step, where nothing is computed yet, and so takes no closures.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.following import rooted
from corro.frontends.pytorch.steps import closure_of, stepped_by, update_calls
from corro.rules.pytorch._averaging import by_hand, is_seen
from corro.rules.reducing import differs, leftovers, partial_parts, reduce_before
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Update
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "closures"
GATE = 1

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_HANDING_ON = frozenset({"SGD", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop", "Adagrad", "Adadelta",
                         "ASGD"})  # fmt: skip
"""Optimizers of PyTorch that do nothing with a loss but return it; those that are not known may go by it."""
_ADVICE = (
    "Define it beside the step, as in PyTorch's documentation: it sets gradients to zero, computes the loss, calls "
    "loss.backward() and ends with return loss."
)


def apply(job: Job) -> Iterable[Answer]:
    """Refuse the first step whose closure is not evaluated alike everywhere; else reduce what closures return."""
    found = [fact for fact in update_calls(job.facts) if closure_of(fact) is not None]
    updates = {update.node: update for update in job.anatomy.updates}
    refused = next((answer for fact in found for answer in _against(job, updates.get(fact.node), fact)), None)
    if refused is not None:
        yield refused
        return
    known = (fact for fact in found if fact.node in updates and _is_used(job, fact))
    closures = (updates[fact.node].closure for fact in known)
    for function in dict.fromkeys(filter(None, closures)):
        yield from _reduced(job, function)


def _against(job: Job, update: Update | None, fact: CallFact) -> Iterator[Answer]:
    """Why a step with a closure cannot be converted."""
    known = closure_of(fact)
    followed = known is not None and isinstance(job.facts.functions.get(known.obj), ast.FunctionDef)
    if update is None and followed:
        return  # it is in no pass, which is said elsewhere
    if update is None or update.closure is None:
        message = "Corro cannot follow the closure that the optimizer's step is given."
    elif job.uneven:
        message = "the loss of a closure cannot be weighed by the sizes of uneven shares."
    elif by_hand(job, update) and not _ends_alike(job, update, update.closure):
        message = "the gradients of this closure have to be averaged at its end, which Corro cannot follow."
    else:
        return
    yield job.refuse(NAME, message, fact.node, _ADVICE)


def _ends_alike(job: Job, update: Update, function: ast.FunctionDef) -> bool:
    """Whether a closure has one end, at which the optimizer is known by the name that its step has."""
    last = function.body[-1]
    seen = is_seen(job, update.optimizer, last) or _is_of_one_object(update, function)
    return [*_returns(function)] == [last] and seen


def _is_of_one_object(update: Update, function: ast.FunctionDef) -> bool:
    """Whether the optimizer and the closure are of one object, ``self.optimizer.step(self.closure)``.

    So it is called in the closure as it is in the step.
    """
    given = [*update.node.args, *(keyword.value for keyword in update.node.keywords)]
    owner, first = rooted(update.optimizer)[0], next(iter(function.args.args), None)
    method = next((each for each in given if isinstance(each, ast.Attribute) and each.attr == function.name), None)
    if owner is None or first is None or method is None or not isinstance(method.value, ast.Name):
        return False
    names = (part for part in walk(function) if isinstance(part, ast.Name))
    kept = not any(part.id == first.arg and not isinstance(part.ctx, ast.Load) for part in names)
    return kept and owner.id == method.value.id == first.arg


def _is_used(job: Job, fact: CallFact) -> bool:
    """Whether the loss that a closure returns steers its optimizer, or the script goes on with it."""
    name = stepped_by(fact).name
    return name not in _HANDING_ON or not isinstance(job.parent(fact.node), ast.Expr)


def _reduced(job: Job, function: ast.FunctionDef) -> Iterator[Answer]:
    for node in _returns(function):
        if node.value is None or not differs(job, job.value(node.value)):
            continue
        nodes = [part for part, _, _ in partial_parts(job, node.value)]
        if not nodes or leftovers(job, node.value, nodes):
            message = f"{job.segment(node.value)} steers the optimizer's step, and differs between processes."
            yield job.refuse(NAME, message, node.value, "Return the loss alone, a mean or a sum over the samples.")
        else:
            yield reduce_before(job, NAME, node, nodes, tensors=[n for n in nodes if _is_derived(job, function, n)])


def _is_derived(job: Job, function: ast.FunctionDef, node: ast.expr) -> bool:
    """Whether a name is that of the loss whose gradients a closure computes, and so of a tensor."""
    derived = (each.node.func for step in job.anatomy.steps for each in step.backwards)
    owners = (each.value for each in derived if isinstance(each, ast.Attribute))
    inside = set(walk(function))
    return isinstance(node, ast.Name) and any(
        isinstance(each, ast.Name) and each in inside and each.id == node.id for each in owners
    )


def _returns(function: ast.FunctionDef) -> Iterator[ast.Return]:
    others = (each for each in walk(function) if each is not function and isinstance(each, _FUNCTIONS))
    inner = {part for each in others for part in walk(each)}
    yield from (node for node in walk(function) if isinstance(node, ast.Return) and node not in inner)
