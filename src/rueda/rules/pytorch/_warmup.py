"""Shared by the learning-rate rule: the warm-up of weak scaling, composed with the script's own scheduler."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.rules.pytorch.epoch_order import loader_expression
from rueda.source import After, Before, Edit, Import, parenthesised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.rules.base import Answer, Job

NAME = "learning-rate"

_MULTIPLY = frozenset({"StepLR", "MultiStepLR", "ExponentialLR", "MultiplicativeLR", "LinearLR", "ConstantLR",
                       "PolynomialLR", "ReduceLROnPlateau", "CosineAnnealingLR"})  # fmt: skip


def warm_up(job: Job) -> Iterator[Answer]:
    """A ``LinearLR`` stepped once a batch: from the script's rate to N times it.

    It lasts five epochs, and never more than a tenth of the run (Goyal et al., section 2.2; Horovod's default).
    """
    step = job.step
    optimizer = _optimizer_name(job)
    loader = loader_expression(job, step.loop)
    epochs = _epochs(job)
    obstacle = _obstacle(job, optimizer, loader, epochs)
    if obstacle:
        yield job.review(NAME, f"the rate is scaled without warm-up: {obstacle}.", step.loop, "Watch the first epochs.")
        return
    assert optimizer is not None
    assert loader is not None
    assert step.epoch_loop is not None
    name = job.names.fresh("warmup")
    length = f"max(1, int(min(5, {epochs} / 10) * len({job.source.segment(loader)})))"
    made = f"{name} = LinearLR({optimizer}, start_factor=1 / {job.target.world_size}, total_iters={length})"
    update = job.source.statement(step.update)
    edits: list[Edit] = [
        Before(step.epoch_loop, made, order=-2),
        After(update, f"{name}.step()"),
        Import("from torch.optim.lr_scheduler import LinearLR"),
    ]
    yield job.change(NAME, "the scaled rate is reached step by step", step.epoch_loop, edits)


def _obstacle(job: Job, optimizer: str | None, loader: ast.expr | None, epochs: str | None) -> str:
    if optimizer is None or loader is None or epochs is None or job.step.epoch_loop is None:
        return "the length of the run is not known where the optimizer is"
    if not job.is_own(job.step.update) or not _one_frame(job):
        return "the optimizer's step is in another function than the epoch loop"
    for fact in job.calls:
        if fact.result.kind is Kind.SCHEDULER and fact.result.name and fact.result.name not in _MULTIPLY:
            return f"{fact.result.name} sets the rate itself"
    return ""


def _one_frame(job: Job) -> bool:
    step = job.step
    return step.epoch_loop in tuple(job.source.ancestors(step.update))


def _optimizer_name(job: Job) -> str | None:
    function = job.step.update.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id
    return None


def _epochs(job: Job) -> str | None:
    """The number of epochs as an expression: of ``range(n)`` and ``range(1, n + 1)``."""
    loop = job.step.epoch_loop
    if not isinstance(loop, ast.For):
        return None
    call = next(
        (n for n in ast.walk(loop.iter) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "range"), None
    )
    if call is None or not call.args:
        return None
    last = parenthesised(job.source, call.args[min(1, len(call.args) - 1)])
    return last if len(call.args) == 1 else f"({last} - {parenthesised(job.source, call.args[0])})"
