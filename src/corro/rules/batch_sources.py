"""Shared by rules: the rows of a process in batches that no loop hands out, and why some cannot be shared out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.steps import Batches
from corro.frontends.batch_sources import outermost
from corro.rules.reducing import differs
from corro.source import Before, position, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corro.rules.base import Answer, Job
    from corro.rules.reducing import ReducingJob
    from corro.source import Edit


def is_whole(job: Job, node: ast.expr) -> bool:
    """Whether a batch is all data."""
    return job.facts.batches[node].source.how is Batches.WHOLE


def is_head(job: Job, node: ast.expr) -> bool:
    """Whether an expression gives all batches of a loop."""
    return job.facts.batches[node].source.how is Batches.HEAD


def in_order(job: Job) -> list[ast.expr]:
    """The expressions that give batches, in the order of the text."""
    return sorted(job.facts.batches, key=position)


def all_rows(job: Job, rule: str, batches: Sequence[ast.Name], *, in_a_row: bool = False) -> Iterator[Answer]:
    """Each step trains on all data: each process keeps its rows, and as many as the others.

    Rows ``in_a_row`` are a view that can be reshaped as the whole can be.
    """
    by_loop: dict[ast.stmt, dict[str, list[ast.Name]]] = {}
    for node in batches:
        loop = _outermost(job, node)
        by_loop.setdefault(loop, {}).setdefault(node.id, []).append(node)
    for loop, names in by_loop.items():
        here = job.at(loop)
        size = here.ranked.world_size
        shares = {name: here.names.fresh(f"{name}_share") for name in names}
        first, *others = names
        uneven = " or ".join([f"len({first}) % {size} != 0", *(f"len({name}) != len({first})" for name in others)])
        said = ", ".join(f"{{len({name})}}" for name in names)
        rows = f"{', '.join(names)} of {said} rows" if others else f"{said} samples"
        lines = [
            f"if {uneven}:",
            f'    raise SystemExit(f"{rows} cannot be shared out evenly over {{{size}}} processes")',
            *_cut(here, shares, in_a_row=in_a_row),
        ]
        edits: list[Edit] = [Before(loop, "\n".join(lines), order=-8)]
        for name, nodes in names.items():
            for node in nodes:
                edits += replace_node(job.file_of(node), node, shares[name])
        code = Code("", (here.target.engine,))
        yield job.change(rule, f"each process trains on its own rows of {', '.join(names)}", loop, edits, code)


def _cut(job: Job, shares: Mapping[str, str], *, in_a_row: bool) -> Iterator[str]:
    """Statements that give each process its rows of some arrays, under other names."""
    rank, size = job.ranked.rank, job.ranked.world_size
    taken = f"[{rank} :: {size}]"
    if in_a_row:
        rows = job.names.fresh("rows")
        yield f"{rows} = len({next(iter(shares))}) // {size}"
        taken = f"[{rank} * {rows} :][:{rows}]"
    yield from (f"{share} = {name}{taken}" for name, share in shares.items())


def _outermost(job: Job, node: ast.expr) -> ast.stmt:
    """The outermost loop around that in which a batch is trained on."""
    loop = job.facts.batches[node].source.loop
    found = outermost(job.file_of(loop), loop)
    assert isinstance(found, ast.stmt)
    return found


def obstacles(job: ReducingJob, rule: str, batches: Sequence[ast.expr]) -> Iterator[Answer]:
    """Why batches cannot be shared out where they are taken."""
    for node in batches:
        if is_whole(job, node) and job.file_of(node) is not job.file_of(_outermost(job, node)):
            message = "the data is used in another file than the one with the training loop."
            yield job.refuse(rule, message, node, "Give the data to the function as an argument.")
        if node in job.facts.batches_outside:
            message = "data become a batch in a function that is called outside of this training loop, too."
            yield job.refuse(rule, message, node, "Give the data to the function as an argument.")
        if not job.is_uniform(job.facts.batches[node].context):
            message = "whether this batch is made depends on what differs between processes."
            yield job.refuse(rule, message, node, "Make the condition depend on values that are equal everywhere.")


def steered(job: ReducingJob, rule: str, batches: Sequence[ast.expr]) -> Iterator[Answer]:
    """Batches that are chosen by what processes have computed of their shards."""
    for node in (node for node in batches if not is_whole(job, node) and _is_steered(job, node)):
        message = "which batch is made depends on what each process has computed from its own shard."
        yield job.refuse(rule, message, node, "Choose batches by values that are equal on all processes.")


def _is_steered(job: ReducingJob, node: ast.expr) -> bool:
    """Whether parts of the data go into the making of a batch: its rows are chosen by their losses, for one."""
    inside = (fact for fact in job.calls if any(frame.call is node for frame in fact.context.frame.path()))
    given = [job.value(part) for part in ast.walk(node) if isinstance(part, ast.expr) and part is not node]
    return any(differs(job, value) for value in (*given, *(v for fact in inside for v in fact.args)))
