"""Refuse gradient clipping and other changes of gradients between backward and step, for now.

Why
---
Gradients must be averaged before they are clipped. DDP has averaged them when ``backward`` returns; Horovod averages
them in ``step``, so that clipping needs ``synchronize`` and ``skip_synchronize``.

Before
------
::

    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()

After
-----
::

    refused: gradients are clipped

Source
------
``horovod/torch/optimizer.py`` (``skip_synchronize``); horovod issues 1099 and 1346.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "clipping"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place that touches gradients."""
    return tuple(_touches(job))[:1]


def _touches(job: Job) -> Iterator[Answer]:
    for fact in job.calls:
        if "clip_grad" in fact.name or fact.name.endswith(("clip_grad_norm", "clip_grad_value_")):
            yield job.refuse(
                NAME, "gradients are clipped, which is not converted yet.", fact.node, "Remove the clipping for now."
            )
        elif _called(fact.node) in _HOOKS:
            yield job.refuse(NAME, "a hook changes or reads gradients.", fact.node, "Remove the hook for now.")
        elif fact.name in ("register_forward_hook", "register_forward_pre_hook"):
            yield job.refuse(
                NAME,
                "a hook on the forward pass may change what the model computes, or keep parts of a batch.",
                fact.node,
                "Return from forward what is needed, or remove the hook for now.",
            )
        elif fact.name in ("torch.autograd.grad",) and fact.context.passes:
            yield job.refuse(
                NAME,
                "gradients are computed by torch.autograd.grad, past the averaging over processes.",
                fact.node,
                "Compute them with backward().",
            )
    loops = {step.loop for step in job.anatomy.steps}
    for fact in job.calls:
        in_step = any(running.node in loops for running in fact.context.loops)
        touches = any(isinstance(n, ast.Attribute) and n.attr == "grad" for n in walk(fact.node.func))
        if in_step and touches and not fact.name.startswith("torch.autograd"):
            yield job.refuse(
                NAME,
                "gradients are read or changed in the training loop, which is not converted yet.",
                fact.node,
                "Leave the gradients to the optimizer, and report their norms outside the training loop.",
            )
    for part in (*loops, *_followed(job, loops)):
        for node in walk(part):
            if isinstance(node, ast.Attribute) and node.attr == "grad" and not _is_torch(node):
                yield job.refuse(
                    NAME,
                    "gradients are read or changed in the training loop, which is not converted yet.",
                    node,
                    "Leave the gradients to the optimizer.",
                )


_HOOKS = frozenset({"register_hook", "register_full_backward_hook", "register_backward_hook",
                    "register_full_backward_pre_hook", "register_post_accumulate_grad_hook",
                    "register_module_full_backward_hook", "register_module_backward_hook",
                    "register_module_full_backward_pre_hook", "register_multi_grad_hook"})  # fmt: skip


def _called(call: ast.Call) -> str:
    """The last word of what is called, whatever is known of it."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _followed(job: Job, loops: set[ast.For]) -> Iterator[ast.AST]:
    """Functions of the script that are called in the training loop."""
    called = {
        job.value(fact.node.func).obj
        for fact in job.calls
        if any(running.node in loops for running in fact.context.loops)
    }
    yield from (node for number, node in job.facts.functions.items() if number in called)


def _is_torch(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "autograd"
