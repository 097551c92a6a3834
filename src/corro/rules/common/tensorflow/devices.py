"""Leave the choice of a GPU to the engine; refuse devices that the script names otherwise.

Why
---
Under Horovod each process takes the GPU with its local rank, and a strategy takes all that there are. A script that
names one GPU for itself would put all processes on it, or keep a strategy from the others. Where it names several, or
places operations on them, it is refused.

Before
------
::

    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    model = build()

After
-----
::

    model = build()

Source
------
Horovod documentation, "Horovod with Keras", step 2; TensorFlow guide, "Use a GPU".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras.names import canonical
from corro.rules.written import sources
from corro.source import Remove

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-devices"
FRONTENDS = ("keras", "tensorflow")

_CHOOSES = ("tensorflow.config.set_visible_devices", "tensorflow.config.experimental.set_visible_devices")
_LISTING = ("list_logical_devices", "list_physical_devices", "list_local_devices")
_ON_CPU = ("-1", "")


def apply(job: Job) -> Iterable[Answer]:
    """One change for each choice of one GPU; at most one refusal."""
    return answers(job, NAME)


def answers(job: Job, rule: str) -> Iterator[Answer]:
    """The same in the name of another rule."""
    for node in dict.fromkeys(_chosen(job)):
        statement = job.statement(node)
        if not _takes_one(node, statement):
            yield job.refuse(
                rule,
                "the script names the devices it runs on.",
                node,
                "Remove this: the engine chooses the devices.",
                effort="one line",
            )
            return
        yield job.change(rule, "the engine decides which GPUs are used", statement, (Remove(statement),))


def _takes_one(node: ast.AST, statement: ast.stmt) -> bool:
    """Whether a statement does nothing but choose one GPU: ``"0"``, or ``[gpu]``."""
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Constant) and str(node.value.value).isdigit() and len(node.targets) == 1
    alone = isinstance(statement, ast.Expr) and statement.value is node
    if not alone or not isinstance(node, ast.Call) or len(node.args) != 2 or node.keywords:
        return False
    given, kind = node.args
    one = isinstance(given, ast.List) and len(given.elts) == 1 and not isinstance(given.elts[0], ast.Starred)
    return one and isinstance(kind, ast.Constant) and kind.value == "GPU"


def _chosen(job: Job) -> Iterator[ast.AST]:
    for node in job.nodes.of(ast.Assign):
        target = node.targets[0]
        key = target.slice if isinstance(target, ast.Subscript) else None
        named = isinstance(key, ast.Constant) and key.value == "CUDA_VISIBLE_DEVICES"
        if named:
            value = node.value
            if not (isinstance(value, ast.Constant) and value.value in _ON_CPU):
                yield node
    for fact in job.calls:
        name = canonical(fact.name) if fact.receiver is None else ""
        if name in _CHOOSES:
            first = fact.node.args[0] if fact.node.args else None
            if not (isinstance(first, ast.List) and not first.elts):  # an empty list means the CPU
                yield fact.node
        if name == "tensorflow.device":
            device = fact.args[0].const if fact.args else ""
            if _is_another(job, fact) if not isinstance(device, str) else _is_named(job, device):
                yield fact.node


def _is_named(job: Job, device: str) -> bool:
    """Whether the name of a device says which GPU, or any where a strategy has several."""
    return "gpu" in device.lower() and (job.target.scope is not None or not device.endswith(":0"))


def _is_another(job: Job, fact: CallFact) -> bool:
    """Whether a device is one of several: ``gpus[1].name``, or ``f"/gpu:{i}"`` where nobody asks how many there are."""
    parts = list(sources(job.file_of(fact.node).tree, fact.node.args))
    if any(isinstance(p, ast.Subscript) and isinstance(p.slice, ast.Constant) and p.slice.value != 0 for p in parts):
        return True
    asked = any(call.name.endswith(_LISTING) for call in job.calls)
    made = (ast.JoinedStr, ast.BinOp)
    return not asked and any(isinstance(p, made) or getattr(p, "attr", "") == "format" for p in parts)
