"""Equal random numbers for the split and the model, different ones for noise.

Why
---
A random split that differs between processes trains one process on another's validation data, so what is drawn before
training must be equal: where the script sets no seed, rank 0's is shared. Dropout and augmentation that are equal on
all processes repeat the same noise N times, so ranks above 0 take another seed just before training. One process stays as
it was.

Before
------
::

    torch.manual_seed(0)
    ...
    for epoch in range(epochs):

After
-----
::

    torch.manual_seed(0)
    ...
    if dist.get_rank() > 0:
        torch.manual_seed(0 + dist.get_rank())
    for epoch in range(epochs):

Source
------
Lightning issues 7727 and 18638 (splits that differ); detr issue 297, deit issue 150, timm issue 1519 (noise that does not).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.frontends.pytorch.recognise import outer_loops
from rueda.rules.pytorch.startup import _first_statement, main_guard
from rueda.source import Before, Edit, Import
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer, Job

NAME = "seeds"

_SEEDS = {"torch.manual_seed": "torch", "torch.random.manual_seed": "torch", "numpy.random.seed": "numpy",
          "random.seed": "random"}  # fmt: skip
_TORCH_DRAWS = ("torch.rand", "torch.normal", "torch.bernoulli", "torch.multinomial", "torch.utils.data.random_split")
_NUMPY_DRAWS = ("numpy.random.", "sklearn.model_selection.", "sklearn.utils.shuffle", "sklearn.datasets.make_")
_NOT_DRAWS = ("seed", "manual_seed", "RandomState", "default_rng", "Generator", "get_state", "set_state", "KFold",
              "cross_val_score", "rng_state", "initial_seed", "ParameterGrid")  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """Share a seed where one is needed, and take different ones before training."""
    seeded = {_SEEDS[f.name]: f for f in job.calls if f.name in _SEEDS and not f.context.loops}
    needed = _needed(job, seeded)
    if needed:
        yield _shared(job, needed)
    yield from _noise(job, seeded)


def _needed(job: Job, seeded: dict[str, CallFact]) -> tuple[str, ...]:
    """Libraries whose random numbers are drawn, unseeded, before training."""
    found: dict[str, None] = {}
    for fact in job.calls:
        library = None if fact.context.loops or _in_model(job, fact) else _draws(fact)
        seed = seeded.get(library or "")
        if library is not None and (seed is None or seed.order > fact.order):
            found[library] = None
    return tuple(found)


def _in_model(job: Job, fact: CallFact) -> bool:
    """Random numbers in the making of a model are equal because the weights are sent around."""
    return any(
        isinstance(frame.closure.scope.node, ast.ClassDef) for frame in fact.context.frame.path() if frame.closure
    )


def _draws(fact: CallFact) -> str | None:
    if fact.name.endswith(_NOT_DRAWS) or fact.receiver is not None:
        return None
    given = fact.keywords.get("random_state") or fact.keywords.get("generator")
    if given is not None and given.const is not None:
        return None
    if fact.name.startswith(_TORCH_DRAWS):
        return "torch"
    if fact.name.startswith(_NUMPY_DRAWS):
        return "numpy"
    return "random" if fact.name.startswith("random.") else None


def _shared(job: Job, libraries: tuple[str, ...]) -> Answer:
    guard = main_guard(job.source.tree)
    start = _first_statement(
        guard.body if guard is not None and job.facts.values.get(guard.test) else job.source.tree.body
    )
    first = start
    name = job.names.fresh("seed")
    code = job.target.broadcast_seed(name)
    lines, imports = [code.text], [*code.imports, *job.torch_import]
    for library in libraries:
        if library == "torch":
            lines.append(f"{job.target.torch}.manual_seed({name})")
        elif library == "numpy":
            lines.append(f"{job.names.fresh('np') if not _has(job, 'np') else 'np'}.random.seed({name} % 2**32)")
            imports.append(Import("import numpy as np"))
        else:
            lines.append(f"random.seed({name})")
            imports.append(Import("import random"))
    text = "\n".join(lines)
    reason = "what is drawn before training must be equal on all processes"
    return job.change(NAME, reason, first, [Before(first, text, order=-90), *imports])


def _has(job: Job, name: str) -> bool:
    return any(
        isinstance(node, ast.Import) and any((a.asname or a.name) == name and a.name == "numpy" for a in node.names)
        for node in job.source.tree.body
    )


def _noise(job: Job, seeded: dict[str, CallFact]) -> Iterator[Answer]:
    anchor = job.anatomy.models[0].anchor if job.anatomy.models else None
    backward = job.calls_of(job.step.backward)
    if anchor is None or not backward or (not outer_loops(backward[0]) and anchor is not job.step.loop):
        return
    lines: list[str] = []
    for fact in seeded.values():
        if not job.is_own(fact.node) or len(fact.node.args) != 1:
            continue
        seed = _visible_seed(job, fact, anchor)
        if seed is not None and isinstance(fact.node.func, (ast.Attribute, ast.Name)):
            lines.append(f"    {job.source.segment(fact.node.func)}({seed} + {job.target.rank})")
    if not lines:
        return
    text = "\n".join([f"if {job.target.rank} > 0:", *lines])
    edits: list[Edit] = [Before(anchor, text, order=-4)]
    yield job.change(NAME, "noise differs between processes", anchor, edits, Code("", (job.target.engine,)))


def _visible_seed(job: Job, fact: CallFact, anchor: ast.stmt) -> str | None:
    """The seed as an expression that means the same at the start of training."""
    node = fact.node.args[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value)
    if isinstance(node, ast.Name):
        same = job.names.lookup(node.id, job.names.scope(anchor)) is job.names.binding(node)
        return node.id if same else None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        same = job.names.lookup(node.value.id, job.names.scope(anchor)) is job.names.binding(node.value)
        return job.source.segment(node) if same else None
    return None
