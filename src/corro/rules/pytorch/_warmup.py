"""Shared by the learning-rate rule: the warm-up of weak scaling, composed with the script's own scheduler."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeGuard

from corro.anatomy.kinds import Kind
from corro.frontends.following import outside, rooted
from corro.rules.pytorch._loaders import loader_expression
from corro.source import After, Before, Edit, add_keyword, add_parameter, parenthesised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.anatomy.steps import Step, Update
    from corro.flow.facts import Frame
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "learning-rate"

_LINEAR = "torch.optim.lr_scheduler.LinearLR"

_MULTIPLY = frozenset({"StepLR", "MultiStepLR", "ExponentialLR", "MultiplicativeLR", "LinearLR", "ConstantLR",
                       "PolynomialLR", "ReduceLROnPlateau", "CosineAnnealingLR"})  # fmt: skip


def warm_up(job: Job) -> Iterator[Answer]:
    """A ``LinearLR`` stepped once a batch: from the script's rate to N times it.

    It lasts five epochs, and never more than a tenth of the run (Goyal et al., section 2.2; Horovod's default). Where
    the step is made in a function of its own, the function is given the warm-up as a further argument.
    """
    taken: dict[ast.AST, str] = {}
    for step in job.anatomy.steps:
        for update in step.updates:
            yield _warmed_up(job, step, update, taken)


def _warmed_up(job: Job, step: Step, update: Update, taken: dict[ast.AST, str]) -> Answer:
    names = _names(job, step, update)
    epochs = _epochs(job, step)
    obstacle = _obstacle(job, step, update, names, epochs)
    if obstacle or names is None or step.epoch_loop is None:
        message = f"the rate is scaled without warm-up: {obstacle}."
        return job.review(NAME, message, step.loop, "Check that the loss does not diverge in the first epochs.")
    job = job.at(step.epoch_loop)
    optimizer, loader, functions = names
    name = taken.setdefault(update.node, job.names.fresh("warmup", taken.values()))
    length = f"max(1, int(min(5, {epochs} / 10) * len({loader})))"
    scheduler, start = job.target.library.name(_LINEAR), f"start_factor=1 / {job.target.world_size}"
    made = f"{name} = {scheduler}({optimizer}, {start}, total_iters={length})"
    edits: list[Edit] = [
        Before(step.epoch_loop, made, order=-2),
        After(job.statement(update.node), f"{name}.step()"),
        job.target.library.imports(_LINEAR),
    ]
    for function, call in functions:
        edits += add_keyword(job.file_of(call), call, name, name)
        edits += add_parameter(job.file_of(function), function, name)
    return job.change(NAME, "the scaled rate is reached step by step", step.epoch_loop, edits)


_Names = tuple[str, str, list[tuple[ast.FunctionDef, ast.Call]]]


def _names(job: Job, step: Step, update: Update) -> _Names | None:
    """The optimizer and the loader as they are called at the epoch loop, and the functions on the way to the step."""
    loader = loader_expression(job, step.loop)
    if loader is None:
        return None
    for fact in job.calls_of(update.node):
        path = fact.context.frame.path()
        outer = next((loop.frame for loop in fact.context.loops if loop.node is step.epoch_loop), None)
        if outer is None:
            continue
        frames = path[path.index(outer) :]
        optimizer = _outside(job, update.optimizer, frames, step)
        length = _outside(job, loader, frames, step)
        functions = [(frame.scope.node, frame.call) for frame in frames[1:]]
        found = [(f, c) for f, c in functions if isinstance(f, ast.FunctionDef) and c is not None]
        if optimizer is not None and length is not None and len(found) == len(functions):
            return optimizer, length, found
    return None


def _outside(job: Job, expression: ast.expr, frames: Sequence[Frame], step: Step) -> str | None:
    """What an expression of the innermost frame is called in front of the epoch loop."""
    found = outside(expression, frames)
    names = (n for n in ast.walk(step.epoch_loop or step.loop) if isinstance(n, ast.Name))
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    key = found[0].slice if found is not None and isinstance(found[0], ast.Subscript) else None
    keyed = key is not None and any(isinstance(part, ast.Name) and part.id in bound for part in ast.walk(key))
    if found is None or keyed or _is_made_within(job, found[0], step):
        return None
    return job.segment(found[0]) + found[1]


def _is_made_within(job: Job, expression: ast.expr, step: Step) -> bool:
    """Whether a name is first given a value in the epoch loop: in front of it, there is none."""
    root, _ = rooted(expression)
    if root is None or step.epoch_loop is None:
        return False
    names = job.names_of(root)
    stores = [use for use in names.uses(root.id, names.binding(root)) if isinstance(use.ctx, ast.Store)]
    return bool(stores) and all(step.epoch_loop in job.ancestors(use) for use in stores)


def _obstacle(job: Job, step: Step, update: Update, names: _Names | None, epochs: str | None) -> str:
    if names is None or epochs is None or step.epoch_loop is None:
        return "the length of the run, or the optimizer, is not known where the training loop begins"
    if any(
        job.file_of(node) is not job.file_of(step.epoch_loop)
        for node in (update.node, *(part for pair in names[2] for part in pair))
    ):
        return "the optimizer's step is in another file than the training loop"
    if update.governed:
        return "the optimizer makes no step for each batch"
    for function, _ in names[2]:
        spec = function.args
        calls = {fact.node for fact in job.calls if job.value(fact.node.func) == job.value(_name_of(job, function))}
        if spec.defaults or spec.vararg or spec.kwonlyargs or spec.kwarg or not spec.args or len(calls) > 1:
            return "the optimizer's step is in a function that cannot be given the warm-up"
    for fact in job.calls:
        if fact.result.kind is Kind.SCHEDULER and fact.result.name and fact.result.name not in _MULTIPLY:
            return f"{fact.result.name} sets the rate itself"
    return ""


def _name_of(job: Job, function: ast.FunctionDef) -> ast.AST:
    """A node whose value is this function."""
    for fact in job.calls:
        path = fact.context.frame
        if path.scope.node is function and path.call is not None:
            return path.call.func
    return function


def _epochs(job: Job, step: Step) -> str | None:
    """The number of epochs as an expression: of ``range(n)`` and ``range(1, n + 1)``."""
    loop = step.epoch_loop
    if not isinstance(loop, ast.For):
        return None
    call = next(
        (n for n in ast.walk(loop.iter) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "range"), None
    )
    if call is None or not call.args:
        return None
    last = call.args[min(1, len(call.args) - 1)]
    if len(call.args) == 1:
        return parenthesised(job.file_of(last), last)
    first = job.segment(call.args[0])
    for added, rest in ((last.left, last.right), (last.right, last.left)) if _is_sum(last) else ():
        if job.segment(added) == first:
            return parenthesised(job.file_of(rest), rest)
    return f"({parenthesised(job.file_of(last), last)} - {parenthesised(job.file_of(call.args[0]), call.args[0])})"


def _is_sum(node: ast.expr) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
