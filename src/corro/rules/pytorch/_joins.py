"""Shared by rules: what is drawn between trainings, and where numbers are made equal for it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch.peeks import takes_of
from corro.frontends.pytorch.sampling import draws
from corro.frontends.randomness import SEEDS
from corro.rules import handed
from corro.rules.places import way
from corro.rules.pytorch._drawn import drawn_alike, drawn_apart
from corro.rules.pytorch._peeks import shared
from corro.rules.pytorch._trainings import backwards, is_between, is_repeated, ways

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.rules.pytorch._job import Job

_BLOCKS = ("body", "orelse", "finalbody")


def drawn(job: Job) -> Iterator[tuple[str, CallFact]]:
    """The libraries from which numbers are drawn outside of training, but not for the weights of models that train."""
    yield from ((library, fact) for fact in job.calls if (library := draws(fact)) is not None)
    yield from handed.drawing(job)
    yield from (("torch", fact) for peek in shared(job) for fact in takes_of(job.facts, peek))
    yield from (("torch", fact) for fact in drawn_apart(job))


def joins(job: Job) -> dict[ast.stmt, tuple[str, ...]]:
    """The statements that draw numbers between trainings, in front of which they have to be equal again, and whose."""
    if not is_repeated(job):
        return {}
    leading = {node for fact in backwards(job) for node in ways(job, fact)}
    blocks = {id(block): block for node in leading for block, _ in _blocks(job, node)}
    drawing: dict[ast.stmt, list[tuple[int, str, bool]]] = {}
    alike = drawn_alike(job)  # these never part
    for library, fact in drawn(job):
        if library not in alike and is_between(job, fact):
            _noted(job, fact, library, drawing, blocks, seeds=False)
    for fact in job.calls:
        if fact.name in SEEDS and not fact.context.tests:
            _noted(job, fact, SEEDS[fact.name], drawing, blocks, seeds=True)
    passing = {node for fact in job.calls if fact.context.passes for node in way(fact)}
    parting = {above for node in passing for above in job.ancestors(node)}
    found: dict[ast.stmt, tuple[str, ...]] = {}
    for block in blocks.values():
        equal: set[str] = set()
        for statement in block:
            needed: dict[str, None] = {}
            for _, library, seeds in sorted(drawing.get(statement, ()), key=lambda each: each[0]):
                needed |= {} if seeds or library in equal else {library: None}
                equal.add(library)
            found |= {statement: tuple(needed)} if needed else {}
            equal = set() if statement in parting else equal
    return found


def _noted(
    job: Job,
    fact: CallFact,
    library: str,
    drawing: dict[ast.stmt, list[tuple[int, str, bool]]],
    blocks: dict[int, list[ast.stmt]],
    *,
    seeds: bool,
) -> None:
    """Note what a call does with a library's numbers at the innermost statement beside those that lead to training."""
    first, *calls = way(fact)
    for node in (first, *reversed(calls)):
        for block, statement in _blocks(job, node):
            if id(block) in blocks:
                drawing.setdefault(statement, []).append((fact.order, library, seeds))
                return


def _blocks(job: Job, node: ast.AST) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """The blocks of statements that a node stands in, and its statement in each, from the inside out."""
    inner = node
    for outer in (*([node] if isinstance(node, ast.stmt) else []), *job.ancestors(node)):
        for name in _BLOCKS if outer is not inner else ():
            block = getattr(outer, name, None)
            if isinstance(block, list) and isinstance(inner, ast.stmt) and inner in block:
                yield block, inner
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return
        inner = outer
