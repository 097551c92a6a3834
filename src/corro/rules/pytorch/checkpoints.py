"""Read what rank 0 has written only when it is complete, onto the right device, and with the optimizer's state.

Why
---
Files are written on rank 0 only. A process that reads one of them later must wait until it is there: a barrier, outside
any condition on the rank, and once for several files where nothing is written between. So must rank 0 before it writes
again to a file that others may still be reading. A checkpoint written on ``cuda:0`` would be loaded to ``cuda:0`` by
every process: it is loaded to the CPU, from where ``load_state_dict`` copies it to the model's device. A whole model
that takes the place of the trained one, or is called, goes to the process's own GPU, where it was saved from one; so
does a file with a tensor that is used as it is: by a model, or in computing. With Horovod the optimizer's loaded state
is sent around once.

Before
------
::

    torch.save(model.state_dict(), "best.pt")
    ...
    model.load_state_dict(torch.load("best.pt"))

After
-----
::

    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "best.pt")
    ...
    dist.barrier()
    model.load_state_dict(torch.load("best.pt", map_location="cpu"))

Source
------
PyTorch DDP tutorial, "Save and Load Checkpoints"; Horovod, ``examples/pytorch/pytorch_imagenet_resnet50.py``.
"""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass, field
from corro.frontends.effects import EffectKind, effects
from corro.rules import mending, rank_0_first
from corro.rules.alone import around, only_effects
from corro.rules.places import blocks, way
from corro.rules.pytorch import _workers
from corro.rules.pytorch._devices import uses_gpu
from corro.rules.pytorch._files import follows, may_be_of, overwrites, reads, writes
from corro.rules.pytorch._loaded import meets_device
from corro.rules.reducing import is_uniform
from corro.source import After, Before, Edit, add_keyword, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "checkpoints"

_FIRST = -99
"""In front of what other rules take out of the statement, which may be what reads the file."""
_LAST = 99
_TO_OWN_GPU = '(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage)'


def apply(job: Job) -> Iterable[Answer]:
    """Barriers, devices, and the optimizer's state."""
    yield from _barriers(job)
    if uses_gpu(job):
        yield from _map_locations(job)
    yield from _optimizer_state(job)


def _barriers(job: Job) -> Iterator[Answer]:
    writing = [e.fact for e in effects(job.calls) if writes(e) and not rank_0_first.holds(job, e.node)]
    written = min((fact.order for fact in writing), default=None)
    opened = {fact.node for fact in writing}
    if written is None:
        return
    waits = _Waits(job, {node for fact in writing for node in way(fact)})
    for fact in reads(job):
        if fact.order < written or fact.node in opened or rank_0_first.holds(job, fact.node):
            continue
        if mending.holds(job, fact.node):
            continue  # rank 0 reads there what it has written
        before = [each for each in writing if may_be_of(job, each, fact)]
        if not before:
            continue
        statement = _in_front(job, around(job, job.statement(fact.node)), before)
        if isinstance(statement, ast.If) and only_effects(job, statement):
            continue
        if waits.are_over(statement) and not any(follows(job, each, fact) for each in before):
            continue
        together = all(is_uniform(job, f.context) for f in job.calls_of(fact.node))
        if together and not _workers.may_run(job, fact.node):
            waits.before.add(statement)
            yield _waiting(job, fact, statement, any(overwrites(job, each, fact) for each in writing))
        elif all(_is_settled(job, each, fact) for each in before):
            places = dict.fromkeys(around(job, job.statement(each.node)) for each in before)
            yield from (_settled(job, place) for place in places if place not in waits.after)
            waits.after.update(places)
        else:
            yield job.refuse(
                NAME,
                "a file that rank 0 may just be writing is read on a path that not all processes take.",
                fact.node,
                "Read it in the script itself, not under a condition that differs between processes.",
            )


@dataclass(frozen=True)
class _Waits:
    """The statements before which, and after which, all processes wait until rank 0 has written its files.

    Args:
        job: what the rule is given.
        writing: calls that write, and those that lead to them.
    """

    job: Job
    writing: AbstractSet[ast.AST]
    before: set[ast.stmt] = field(default_factory=set)
    after: set[ast.stmt] = field(default_factory=set)

    def are_over(self, statement: ast.stmt) -> bool:
        """Whether all have waited, on every way to a statement, since anything was written."""
        above = takewhile(lambda node: not isinstance(node, rank_0_first.SCOPES), self.job.ancestors(statement))
        for each in (statement, *above):
            block = next((body for body in blocks(self.job.parent(each)) if each in body), [])
            for passed in reversed(block[: block.index(each) + 1] if isinstance(each, ast.stmt) and block else []):
                if passed in self.after and passed is not each:
                    return True
                if not self.writing.isdisjoint(walk(passed)):
                    return False
                if passed in self.before:
                    return True
        return False


def _in_front(job: Job, statement: ast.stmt, writing: Sequence[CallFact]) -> ast.stmt:
    """The outermost loop around a statement in which nothing is written: one waits once; else the statement."""
    loops = {loop.node for fact in writing for loop in fact.context.loops}
    above = takewhile(lambda node: not isinstance(node, rank_0_first.SCOPES), job.ancestors(statement))
    inside = takewhile(lambda node: node not in loops, above)
    return next((node for node in reversed([*inside]) if isinstance(node, (ast.For, ast.While))), statement)


def _is_settled(job: Job, writing: CallFact, reading: CallFact) -> bool:
    """Whether a file is written once, by a statement that all processes come to, before it is read."""
    place = around(job, job.statement(writing.node))
    opens = any(e.fact is writing and e.kind is EffectKind.OPEN for e in effects(job.calls))
    if isinstance(place, ast.Return) or (opens and not isinstance(place, ast.With)):
        return False  # nothing comes after it, or the file is not closed then
    return all(
        each.order < reading.order and not each.context.loops and is_uniform(job, each.context)
        for each in job.calls_of(writing.node)
    )


def _settled(job: Job, statement: ast.stmt) -> Answer:
    """A barrier behind what writes a file: it is there on whatever path it is read."""
    target = job.at(statement).target
    code = Code(target.barrier, (target.engine,))
    edits: list[Edit] = [After(statement, code.text, order=_LAST)]
    return job.change(NAME, "wait until rank 0 has written the file", statement, edits, code)


def _waiting(job: Job, reading: CallFact, statement: ast.stmt, is_overwritten: bool) -> Answer:
    """A barrier in front of what reads a file; after it, too, where rank 0 may write to the file again."""
    target = job.at(statement).target
    code = Code(target.barrier, (target.engine,))
    before = Before(statement, code.text, order=_FIRST)
    if not is_overwritten:
        return job.change(NAME, "wait until rank 0 has written the file", statement, [before], code)
    if isinstance(statement, ast.Return):
        return job.refuse(
            NAME,
            "rank 0 may write to this file again while other processes still read it.",
            reading.node,
            "Assign what is read to a name, and return that.",
            effort="one line",
        )
    reason = "wait until rank 0 has written the file, and then until all have read it"
    return job.change(NAME, reason, statement, [before, After(statement, code.text, order=_LAST)], code)


def _map_locations(job: Job) -> Iterator[Answer]:
    """All calls of the script, also where nothing is known to call them."""
    for node in job.nodes.of(ast.Call):
        if job.names_of(node.func).qualified(node.func) != {"torch.load"} or _is_located(node):
            continue
        located = _TO_OWN_GPU if _takes_place(job, node) or meets_device(job, node) else '"cpu"'
        edits = add_keyword(job.file_of(node), node, "map_location", located)
        yield job.change(NAME, "not all processes load to the first GPU", node, edits)


def _takes_place(job: Job, node: ast.Call) -> bool:
    """Whether what is loaded takes the place of a model, by its name: it is no weights, and nothing moves it."""
    parent = job.parent(node)
    names = {site.name for site in job.anatomy.models}
    return isinstance(parent, ast.Assign) and any(job.segment(target) in names for target in parent.targets)


def _is_located(node: ast.Call) -> bool:
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    return starred or len(node.args) > 1 or any(each.arg in (None, "map_location") for each in node.keywords)


def _optimizer_state(job: Job) -> Iterator[Answer]:
    numbers = {each.number for each in job.anatomy.optimizers}
    seen: set[ast.AST] = set()
    for fact in job.calls:
        receiver = fact.receiver
        if fact.name != "load_state_dict" or receiver is None or receiver.kind is not Kind.OPTIMIZER:
            continue
        if fact.node in seen or not receiver.sites & numbers or not isinstance(fact.node.func, ast.Attribute):
            continue
        seen.add(fact.node)
        code = job.at(fact.node).target.broadcast_optimizer(job.segment(fact.node.func.value))
        if code is None:
            continue
        statement = job.statement(fact.node)
        edits: list[Edit] = [After(statement, code.text, order=5)]
        yield job.change(NAME, "all processes go on from rank 0's optimizer state", statement, edits, code)
