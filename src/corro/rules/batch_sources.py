"""Shared by rules: the rows of a process in batches that no loop hands out, and why some cannot be shared out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.steps import Batches
from corro.frontends.batch_sources import is_leaf, meeting, outermost
from corro.frontends.following import at_loop, is_set_within
from corro.rules.literal_rows import literal_rows
from corro.rules.places import blocks
from corro.rules.reducing import differs
from corro.source import Before, position, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from corro.rules.base import Answer, Job
    from corro.rules.reducing import ReducingJob
    from corro.source import Edit


LEAF = ".detach().requires_grad_()"
"""What makes rows of a tensor that gradients are asked for such a tensor by themselves."""


def is_whole(job: Job, node: ast.expr) -> bool:
    """Whether a batch is all data."""
    return job.facts.batches[node].source.how is Batches.WHOLE


def is_head(job: Job, node: ast.expr) -> bool:
    """Whether an expression gives all batches of a loop."""
    return job.facts.batches[node].source.how is Batches.HEAD


def in_order(job: Job) -> list[ast.expr]:
    """The expressions that give batches, in the order of the text."""
    return sorted(job.facts.batches, key=position)


def all_rows(
    job: Job, rule: str, batches: Sequence[ast.Name | ast.Attribute], *, in_a_row: bool = False
) -> Iterator[Answer]:
    """Each step trains on all data: each process keeps its rows, and as many as the others.

    Rows ``in_a_row`` are a view that can be reshaped as the whole can be.
    """
    by_loop: dict[ast.stmt, dict[str, list[ast.Name | ast.Attribute]]] = {}
    anchors = _anchors(job, batches)
    for node in batches:
        loop = anchors[node]
        by_loop.setdefault(loop, {}).setdefault(text_at_loop(job, node), []).append(node)
    for loop, names in by_loop.items():
        here = job.at(loop)
        shares = {name: _share_name(here, name) for name in names}
        groups = _meeting(job, names)
        problems = (_not_shared(job, {name: names[name][0] for name in group}) for group in groups)
        problem = next(filter(None, problems), "")
        if problem:
            yield job.refuse(rule, problem, loop, "Give each of them one row for each of several samples.")
            return
        leaves = [name for name, nodes in names.items() if is_leaf(job.facts, nodes[0])]
        lines: list[str] = []
        for group in groups:
            mine = {name: shares[name] for name in group}
            lines += _shared(here, mine, leaves, is_all=len(groups) == 1, in_a_row=in_a_row)
        edits: list[Edit] = [Before(loop, "\n".join(lines), order=-8)]
        for name, nodes in names.items():
            for node in nodes:
                edits += replace_node(job.file_of(node), node, _share_of(job, node, shares[name]))
        code = Code("", (here.target.engine,))
        yield job.change(rule, f"each process trains on its own rows of {', '.join(names)}", loop, edits, code)


def _not_shared(job: Job, group: Mapping[str, ast.Name | ast.Attribute]) -> str:
    """Why rows that the script writes out cannot be shared out over any processes; empty where they may be."""
    counts = {name: literal_rows(job, node) for name, node in group.items()}
    known = {name: count for name, count in counts.items() if count is not None}
    said = " and ".join(f"{name} has {count} row{'' if count == 1 else 's'}" for name, count in known.items())
    if len(set(known.values())) > 1:
        return f"{said}, and rows that belong together cannot be shared out over processes."
    return f"{said}, which cannot be shared out over processes." if set(known.values()) == {1} else ""


def text_at_loop(job: Job, node: ast.Name | ast.Attribute) -> str:
    """What data is called in front of the loop that trains on all of it."""
    if isinstance(node, ast.Name):
        return node.id
    fact = job.facts.batches[node]
    loop = outermost(job.file_of(fact.source.loops[0]), fact.source.loops[0])
    return at_loop(job.facts, node, fact.context, loop) or job.segment(node)


def _share_name(job: Job, name: str) -> str:
    """A free name for the rows of a process, beside that of the data."""
    owner, dot, last = name.rpartition(".")
    taken = {each.attr for each in job.nodes.of(ast.Attribute)} if dot else frozenset[str]()
    return f"{owner}{dot}{job.names.fresh(f'{last}_share', taken)}"


def _share_of(job: Job, node: ast.Name | ast.Attribute, share: str) -> str:
    """The rows of a process where a step uses the data."""
    if isinstance(node, ast.Name):
        return share
    return f"{job.segment(node.value)}.{share.rpartition('.')[2]}"


def _meeting(job: Job, names: Mapping[str, Sequence[ast.Name | ast.Attribute]]) -> list[list[str]]:
    """The names of arrays, together where their rows meet: these are as many, and those of others may be more or less.

    A loss of several means is right where each of them is.
    """
    groups = [[name] for name in names]
    for nodes in meeting(job.facts, [node for each in names.values() for node in each]):
        joint = {name for name, each in names.items() if not set(each).isdisjoint(nodes)}
        touched = [group for group in groups if not joint.isdisjoint(group)]
        united = {name for group in touched for name in group}
        groups = [group for group in groups if group not in touched] + [[name for name in names if name in united]]
    order = list(names)
    return sorted(groups, key=lambda group: order.index(group[0]))


def _shared(
    job: Job, shares: Mapping[str, str], leaves: Collection[str], *, is_all: bool, in_a_row: bool
) -> Iterator[str]:
    """Statements that give each process its rows of some arrays, under other names, if N divides how many they are."""
    rank, size = job.ranked.rank, job.ranked.world_size
    first, *others = shares
    uneven = " or ".join([f"len({first}) % {size} != 0", *(f"len({name}) != len({first})" for name in others)])
    said = ", ".join(f"{{len({name})}}" for name in shares)
    rows = f"{said} samples" if is_all and not others else f"{', '.join(shares)} of {said} rows"
    yield f"if {uneven}:"
    yield f'    raise SystemExit(f"{rows} cannot be shared out evenly over {{{size}}} processes")'
    taken = f"[{rank} :: {size}]"
    if in_a_row:
        count = job.names.fresh("rows")
        yield f"{count} = len({first}) // {size}"
        taken = f"[{rank} * {count} :][:{count}]"
    for name, share in shares.items():
        yield f"{share} = {name}{taken}{LEAF if name in leaves else ''}"


def _outermost(job: Job, node: ast.expr) -> ast.stmt:
    """The outermost loop around that in which a batch is trained on."""
    return min(_all_outermost(job, node), key=position)


def _all_outermost(job: Job, node: ast.expr) -> list[ast.stmt]:
    found = [outermost(job.file_of(loop), loop) for loop in job.facts.batches[node].source.loops]
    return [each for each in found if isinstance(each, ast.stmt)]


def _anchors(job: Job, nodes: Sequence[ast.expr]) -> dict[ast.expr, ast.stmt]:
    """Where the rows of a process are taken: in front of the first of the loops that have some of the places alike."""
    groups: list[set[ast.stmt]] = []
    for node in nodes:
        loops = set(_all_outermost(job, node))
        touched = [group for group in groups if group & loops]
        groups = [*(group for group in groups if group not in touched), loops.union(*touched)]
    first = {loop: min(group, key=position) for group in groups for loop in group}
    return {node: first[_outermost(job, node)] for node in nodes}


def _is_lasting(job: Job, node: ast.Name | ast.Attribute) -> bool:
    """Whether what a name stands for in front of the first of several loops is that in all of them."""
    loops = _all_outermost(job, node)
    if len(set(loops)) == 1:
        return True
    names, first = job.names_of(node), min(loops, key=position)
    if isinstance(node, ast.Attribute):
        return _is_lasting_attribute(job, node, loops)
    uses = names.uses(node.id, names.binding(node))
    kept = all(isinstance(use.ctx, ast.Load) or position(use) < position(first) for use in uses)
    return kept and all(
        job.file_of(each) is job.file_of(first) and job.parent(each) is job.parent(first) for each in loops
    )


def _is_lasting_attribute(job: Job, node: ast.Attribute, loops: Sequence[ast.stmt]) -> bool:
    """Whether loops stand in one block, and nothing in it sets an attribute from the first of them to the last."""
    block = next((each for each in blocks(job.parent(loops[0])) if loops[0] in each), [])
    if any(loop not in block for loop in loops):
        return False
    places = [block.index(loop) for loop in loops]
    attributes = text_at_loop(job, node).partition(".")[2]
    return not any(is_set_within(job.facts, attributes, each) for each in block[min(places) : max(places)])


def obstacles(job: ReducingJob, rule: str, batches: Sequence[ast.expr]) -> Iterator[Answer]:
    """Why batches cannot be shared out where they are taken."""
    for node in batches:
        if is_whole(job, node) and job.file_of(node) is not job.file_of(_outermost(job, node)):
            message = "the data is used in another file than the one with the training loop."
            yield job.refuse(rule, message, node, "Give the data to the function as an argument.")
        if is_whole(job, node) and isinstance(node, (ast.Name, ast.Attribute)) and not _is_lasting(job, node):
            message = f"{job.segment(node)} is trained on in several loops, and may be something else in each of them."
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
