"""How each evaluation can be shared out with exact metrics.

What is computed from a sharded evaluation must be a sum over samples (any sharding is exact) or a sum of batch
averages (exact when whole batches are dealt out; so are they where a batch is padded to its longest sample). Whatever
else leaves the loop — predictions in lists, the last batch's loss, values printed on the way, counts of batches used
elsewhere — is exact when every process evaluates everything, so that is done.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.sites import Sharding
from corro.flow.state import HOLDS
from corro.flow.values import NONE, RatioOf, Value, without_bar
from corro.frontends.effects import EffectKind, effects
from corro.frontends.pytorch import graphs, metric_objects
from corro.frontends.pytorch.handing import handed_away
from corro.frontends.pytorch.loaders import DROPPING, SIZE, is_sampler, own_sampler, reads
from corro.frontends.pytorch.losses import divided_by_what_counts
from corro.frontends.pytorch.modes import STATISTICS
from corro.frontends.pytorch.padding import pads
from corro.frontends.pytorch.peeks import peeks
from corro.frontends.pytorch.squeezing import squeezes
from corro.frontends.pytorch.steps import begins
from corro.frontends.pytorch.streams import is_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Context, Facts

_TOGETHER = "processes wait for each other in every forward pass"
LEFT_EARLY = "the loop is left early"
_SUMS = frozenset({Form.SUM, Form.COUNT})
_INNER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
"""Where nothing can be put in front of a call."""
_QUIET = frozenset({EffectKind.REPORT, EffectKind.PROGRESS})
"""Effects that show rank 0's shard of a pass while it runs, and nothing else."""


def shardings(
    facts: Facts, loops: dict[ast.AST, frozenset[int]], trained: frozenset[int], *, apart: bool
) -> dict[int, tuple[Sharding, str]]:
    """The sharding of each loader that is only evaluated on, and why not a cheaper one.

    Loaders that share a loop share a sharding. Shards may differ by a batch: all processes evaluate everything unless
    one may make more forward passes than another (``apart``).
    """
    chosen: dict[int, tuple[Sharding, str]] = {}
    for group in _groups(facts, loops, trained):
        verdict = _sharding(facts, group, loops, trained) if apart else (Sharding.EVERYWHERE, _TOGETHER)
        chosen.update(dict.fromkeys(group, verdict))
    return chosen


def _groups(facts: Facts, loops: dict[ast.AST, frozenset[int]], trained: frozenset[int]) -> list[frozenset[int]]:
    groups: list[frozenset[int]] = []
    known = frozenset().union(*loops.values())
    by_call: dict[ast.AST, frozenset[int]] = {}
    for number in known:
        node = facts.nodes[number]
        by_call[node] = by_call.get(node, frozenset()) | {number}
    for numbers in (*loops.values(), *by_call.values()):
        merged = numbers - trained
        if not merged:
            continue
        apart = []
        for group in groups:
            if group & merged:
                merged |= group
            else:
                apart.append(group)
        groups = [*apart, merged]
    return groups


def _sharding(
    facts: Facts, group: frozenset[int], loops: dict[ast.AST, frozenset[int]], trained: frozenset[int]
) -> tuple[Sharding, str]:
    reason = next(_obstacles(facts, group, loops), "")
    if reason:
        return Sharding.EVERYWHERE, reason
    used = [a for a in facts.accumulations.values() if a.used and a.value.sources & group]
    if not used:
        return Sharding.EVERYWHERE, "nothing is summed up in the loop"
    by_batch = any(a.form not in _SUMS for a in used) or any(_lengths(facts, group))
    by_batch = by_batch or any(isinstance(tag, RatioOf) for a in used for tag in a.value.tags)
    by_batch = by_batch or any(_drops_last(facts, number) for number in group)
    by_batch = by_batch or any(fact.result.sources & group for fact in divided_by_what_counts(facts))
    by_batch = by_batch or any(squeezes(facts, group))  # the last samples of a process may be one
    by_batch = by_batch or any(pads(facts, fact) for fact in facts.calls if fact.result.sites & group)
    read = next((r for r in reads(facts) if by_batch and r.what in (SIZE, DROPPING) and r.loader.sites & group), None)
    if read is not None:
        return (
            Sharding.EVERYWHERE,
            f"its {read.what} is read (line {read.node.lineno}), which a loader sharded by batches does not have",
        )
    peek = next((p for p in (peeks(facts) if by_batch else ()) if p.value.sites & group), None)
    if peek is not None:
        return (
            Sharding.EVERYWHERE,
            f"a batch is taken from it outside of the loop (line {peek.loader.lineno}), which a loader that is "
            "sharded by batches does not have",
        )
    if by_batch and any(numbers & group and numbers & trained for numbers in loops.values()):
        return Sharding.EVERYWHERE, "the loop over its batches goes over training data, too"
    if by_batch and any(_also_trains(facts, number, trained) for number in group):
        return Sharding.EVERYWHERE, "the call that makes its loader makes the one for training, too"
    if by_batch and any(_is_fixed(facts, number) for number in group):
        return Sharding.EVERYWHERE, "the loader's arguments are given in a way that cannot be changed to whole batches"
    if any(_is_inner(facts, number) and not _also_trains(facts, number, trained) for number in group):
        return Sharding.EVERYWHERE, "the loader is made in a comprehension or a lambda"
    return (Sharding.BY_BATCH if by_batch else Sharding.BY_SAMPLE), ""


def _is_inner(facts: Facts, number: int) -> bool:
    """Whether a call is made where nothing can be put in front of it."""
    node = facts.nodes[number]
    files = (fact.context.frame.unit.source for fact in facts.calls if fact.node is node)
    return any(isinstance(above, _INNER) for above in next(files).ancestors(node))


def _also_trains(facts: Facts, number: int, trained: frozenset[int]) -> bool:
    """Whether one call makes this loader and, elsewhere, one for training: that call gets one kind of sampler."""
    return any(facts.nodes[each] is facts.nodes[number] for each in trained)


def _is_fixed(facts: Facts, number: int) -> bool:
    """Arguments by ``**mapping``, or too many by position."""
    node = facts.nodes[number]
    return isinstance(node, ast.Call) and (len(node.args) > 3 or any(k.arg is None for k in node.keywords))


def _obstacles(facts: Facts, group: frozenset[int], loops: dict[ast.AST, frozenset[int]]) -> Iterator[str]:
    """Reasons why the evaluation over these loaders cannot be sharded; first the one that more is said of."""
    yield from _left_early(facts, group)
    yield from _loader_obstacles(facts, group)
    for call in handed_away(facts, group):
        yield f"it is passed to {call.name or 'an object'}, which Corro cannot follow (line {call.node.lineno})"
    if any(not isinstance(node, ast.For) for node, numbers in loops.items() if numbers & group):
        yield "the loop over the batches is a comprehension"
    passes = (loop for each in loops for loop in facts.loops[each])
    if any(loop.loaders & group and not begins(loop, number) for loop in passes for number in loop.loaders):
        yield "the loop may not go over all of its batches, or over another loader's beside them"
    yield from _added_up(facts, group, loops)
    yield from _escapes(facts, group)
    noisy = (fact for fact in facts.calls if STATISTICS in fact.result.tags and fact.context.is_reached)
    if any(_inside(fact.context, group) for fact in noisy):
        yield "the model is evaluated in training mode, where batch normalisation depends on the batch"
    for read in reads(facts):
        if read.loader.sites & group and "batch_sampler" in read.what:
            yield f"its batch_sampler is read (line {read.node.lineno})"
    for length in _lengths(facts, group):
        if not _follows_pass(facts, length, group):
            yield "the number of batches is used away from the loop"
    for total in _totals(facts, group):
        yield f"a progress bar is asked for the number of its batches (line {total.lineno})"


def _added_up(facts: Facts, group: frozenset[int], loops: dict[ast.AST, frozenset[int]]) -> Iterator[str]:
    """What is summed up in a pass, and is not the sum over these data in it."""
    for fact in facts.accumulations.values():
        if fact.value.sources & group and fact.used and not fact.value.scalar:
            yield f"{fact.variable!r} is not a single number"
        passed = loops.get(fact.loop, frozenset())
        if passed & group and fact.used and fact.value.sources - passed:
            yield f"{fact.variable!r} is computed of this data and of other data"
        if fact.value.sources & group and fact.continued:
            own = loops.get(fact.loop, frozenset()) & group
            elsewhere = (
                "is not known to be summed up anew in each pass"
                if own
                else "is computed of this data and of other data"
            )
            yield f"{fact.variable!r} {elsewhere}"
    for node, name in facts.grown_apart.items():
        if loops.get(node, frozenset()) & group:
            yield f"{name!r} grows by what other data has given"


def _loader_obstacles(facts: Facts, group: frozenset[int]) -> Iterator[str]:
    for number in group:
        node = facts.nodes[number]
        fact = next((f for f in facts.calls if f.node is node and number in f.result.sites), None)
        if fact is None:
            yield "the loader is made in a way that Corro cannot follow"
            continue
        if is_stream(facts, number):
            yield "its data set is a stream"
        if fact.name in graphs.SEED_LOADERS and (len(fact.args) > 1 or graphs.seeds_of(fact, facts) is None):
            yield "the nodes that the loader starts from are not known"
        if _is_sampled(facts, fact):
            yield "the loader has a custom sampler"
        if "**" in fact.keywords or any(isinstance(a, ast.Starred) for a in fact.node.args):
            yield "the loader's arguments are not known"
        elif not fact.node.args and not any(k.arg in ("dataset", "data") for k in fact.node.keywords):
            yield "the data set is not an argument in the call of the loader"
        if "generator" in fact.keywords or (fact.argument(1, "batch_size") is not None and _is_none(fact)):
            yield "the loader does not batch"


def _is_sampled(facts: Facts, fact: CallFact) -> bool:
    """Whether a loader is given a sampler that draws otherwise than its own would."""
    others = "batch_sampler" in fact.keywords or len(fact.args) > 3
    sampler = fact.keywords.get("sampler", NONE)
    return others or (sampler.kind is not Kind.NONE and own_sampler(facts, fact) is None)


def _is_none(fact: CallFact) -> bool:
    size = fact.argument(1, "batch_size")
    return size is not None and size.kind is Kind.NONE


def _escapes(facts: Facts, group: frozenset[int]) -> Iterator[str]:
    for fact in facts.calls:
        inside = _inside(fact.context, group)
        local = any(p.sources & group and p.form is not Form.REPLICATED for p in fact.depends)
        local = local and not (fact.name == "len" and is_sampler(fact.args[0]))
        if not local:
            continue
        place = f"line {fact.node.lineno}"
        if not inside:
            yield f"values of single batches are used after the loop ({place})"
        elif _is_output(fact):
            yield f"values of single batches are printed or saved ({place})"
        elif _feeds_object(facts, fact):
            yield f"batches are collected by an object that Corro cannot follow ({place})"
    for test in facts.tests.values():
        if test.value.sources & group and test.value.form is not Form.REPLICATED and not _inside(test.context, group):
            yield f"a decision depends on values of single batches (line {getattr(test.node, 'lineno', 0)})"
    for ratio in _ratios(facts, group):
        yield f"values of single batches are used after the loop (line {ratio.lineno})"
    yield from _ways_out(facts, group)


def _ratios(facts: Facts, group: frozenset[int]) -> Iterator[ast.BinOp]:
    """Ratios after a pass of which only one side can be summed up over the processes: a part of it over the whole."""
    for node in facts.values:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
            continue
        for side, other in ((node.left, node.right), (node.right, node.left)):
            summed, beside = facts.values.get(side, Value()), facts.values.get(other, Value())
            reduced = any(facts.accumulations[key].value.sources & group for key in summed.pending)
            if reduced and beside.sources & group and beside.form is not Form.REPLICATED:
                yield node


def _ways_out(facts: Facts, group: frozenset[int]) -> Iterator[str]:
    """What one batch does to the course of the pass, and to the next batch."""
    for node, context in facts.mended.items():
        if _inside(context, group):
            yield f"a decision within the loop depends on the batches so far (line {node.lineno})"
    for carried, context in facts.carried.items():
        if _inside(context, group):
            yield f"{ast.unparse(carried)!r} is carried from batch to batch"


def _left_early(facts: Facts, group: frozenset[int]) -> Iterator[str]:
    for leave in facts.exits:
        leaves = isinstance(leave.node, (ast.Break, ast.Return, ast.Raise)) and _leaves_pass(leave.context, group)
        if leaves:
            yield f"{LEFT_EARLY} (line {leave.node.lineno})"


def _leaves_pass(context: Context, group: frozenset[int]) -> bool:
    """A statement that leaves, in the frame of the loop itself."""
    return any(loop.loaders & group and loop.frame is context.frame for loop in context.loops)


def _inside(context: Context, group: frozenset[int]) -> bool:
    return any(loop.loaders & group for loop in context.loops)


def _is_output(fact: CallFact) -> bool:
    return any(effect.kind not in _QUIET for effect in effects((fact,)))


def _feeds_object(facts: Facts, fact: CallFact) -> bool:
    """A call that changes an object of a library, such as a metric or a list that is not followed."""
    receiver = fact.receiver
    if metric_objects.is_fed(fact):
        return True
    if receiver is None or receiver.kind is not Kind.UNKNOWN or receiver.obj:
        return False
    unused = isinstance(facts.units[fact.node].source.parent(fact.node), ast.Expr)
    itself = receiver.placement.is_equal or HOLDS in receiver.tags
    return unused or (itself and not receiver.name and fact.name in _COLLECTING)


_COLLECTING = frozenset({"update", "add", "append", "extend", "put", "collect", "add_batch", "accumulate", "log",
                         "write", "writerow", "writelines"})  # fmt: skip


def _lengths(facts: Facts, group: frozenset[int]) -> Iterator[CallFact]:
    """Calls of ``len(loader)``, and of ``len(tqdm(loader))``."""
    for fact in facts.calls:
        measured = without_bar(fact.args[0]) if fact.name == "len" and fact.args else NONE
        if measured.kind is Kind.LOADER and measured.sites & group:
            yield fact


def _totals(facts: Facts, group: frozenset[int]) -> Iterator[ast.Attribute]:
    """``bar.total``, and what is set to it: a bar shows as many as it was given, and has no other length."""
    for node in facts.values:
        if isinstance(node, ast.Attribute) and node.attr == "total":
            bar = facts.values.get(node.value, NONE)
            if bar.kind is Kind.PROGRESS and without_bar(bar).sites & group:
                yield node


def _follows_pass(facts: Facts, fact: CallFact, group: frozenset[int]) -> bool:
    """``len(loader)`` stands after the pass, in the same frame, in a call of its own name."""
    for accumulation in facts.accumulations.values():
        same_frame = accumulation.frame.scope is fact.context.frame.scope
        if accumulation.value.sources & group and same_frame and fact.node.lineno > (accumulation.loop.end_lineno or 0):
            return not _inside(fact.context, group)
    return False


def _drops_last(facts: Facts, number: int) -> bool:
    node = facts.nodes[number]
    fact = next((f for f in facts.calls if f.node is node and number in f.result.sites), None)
    value = fact.keywords.get("drop_last") if fact is not None else None
    return value is not None and value.const is not False
