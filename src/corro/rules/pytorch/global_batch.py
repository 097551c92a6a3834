"""Gather the features of all processes where a loss compares the samples of a batch with each other.

Why
---
A contrastive loss sets each sample against all others of its batch. A process that has 1/N of the batch has 1/N of the
negatives, and trains with another loss. So the features are gathered from all processes, in the order of the global
batch, and each process computes the loss that the sequential script computes. Gradients come back from all processes,
and are added up: each of them has the whole loss, so the gradients of the parameters are right once they are averaged.
Labels, masks and sizes that meet the features are those of the global batch then, too.

Before
------
::

    first, second = model(images), model(others)
    logits = first @ second.t()

After
-----
::

    first, second = model(images), model(others)
    logits = gather_batch(first) @ gather_batch(second).t()

Source
------
Chen et al., "A Simple Framework for Contrastive Learning of Visual Representations": in-batch negatives over all
devices. PyTorch's ``all_gather`` has no backward pass, and that of Horovod's ``allgather`` averages: the class that is
written adds gradients up.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch.global_batch import is_count, is_of_batch_size, is_rows, mixing, set_at, uses_beside
from corro.frontends.pytorch.partial_sums import is_training
from corro.rules.places import defined_before
from corro.source import After, Before, Wrap, position
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import ReducedFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "global-batch"
EVEN_SHARES = True

_ELSEWHERE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.DictComp,
              ast.SetComp)  # fmt: skip
_PLAIN = (ast.Assign, ast.AnnAssign, ast.Call, ast.keyword, ast.Tuple, ast.Return)
"""Where a product needs no parentheses."""
_REASON = "the loss compares the samples of the global batch"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place, and the functions that they call, once in each file."""
    found: dict[ast.expr, list[ReducedFact]] = {}
    for fact in job.facts.reduced:
        if not is_of_batch_size(job.facts, fact.node):
            found.setdefault(fact.node, []).append(fact)
    for here, nodes in job.by_file([node for node, facts in found.items() if any(map(_is_gathered, facts))]):
        facts = {node: found[node] for node in nodes}
        against = next((refused for node in nodes if (refused := _against(here, node, found[node])) is not None), None)
        against = against or _in_two_orders(here, facts)
        yield from (against,) if against is not None else _written(here, facts)
    for node in mixing(job.facts):
        message = "samples of the global batch, which the loss needs, are combined here with this process's shard."
        advice = "Give the loss variables of its own, as in out = model(x); scores, targets = out, y."
        yield job.refuse(NAME, message, node, advice, effort="one line")


def _against(job: Job, node: ast.expr, facts: list[ReducedFact]) -> Answer | None:
    """Why something cannot be gathered where it stands."""
    if not job.is_strong:
        message = "the loss compares the samples of the whole batch, which is written for strong scaling only."
        return job.refuse(NAME, message, node, "Use --scaling strong.", effort="one line")
    training = [fact for fact in facts if "no_grad" not in fact.context.modes]
    together = all(fact.context.passes and _is_uniform(fact) for fact in training)
    between = [each for each in job.ancestors(node) if isinstance(each, (ast.expr, ast.comprehension))]
    trained = frozenset(number for step in job.anatomy.steps for number in step.loaders)
    known = all(fact.value.sources <= trained and _is_gathered(fact) for fact in training)
    if together and known and not any(isinstance(each, _ELSEWHERE) for each in between):
        return None
    return job.refuse(
        NAME,
        "the loss compares the samples of the whole batch, and not all processes compute it together.",
        node,
        "Compute it in a statement of its own, in each training step; evaluate under torch.no_grad().",
    )


def _in_two_orders(job: Job, found: dict[ast.expr, list[ReducedFact]]) -> Answer | None:
    """Batches of which some are shared out row by row and some in parts are not gathered in one file."""
    if len(_spread(job, found)) < 2:
        return None
    message = "the loss compares the samples of the whole batch, of batches that are shared out in two ways."
    return job.refuse(NAME, message, next(iter(found)), "Take all batches from DataLoaders.")


def _is_gathered(fact: ReducedFact) -> bool:
    return is_training(fact.context) and (is_rows(fact.value) or is_count(fact.value))


def _is_uniform(fact: ReducedFact) -> bool:
    return all(test.value.placement.is_equal for test in fact.context.tests)


def _written(job: Job, found: dict[ast.expr, list[ReducedFact]]) -> Iterator[Answer]:
    """The changes of one file."""
    also = any("no_grad" in fact.context.modes for facts in found.values() for fact in facts)
    rows = {node: facts for node, facts in found.items() if any(is_rows(fact.value) for fact in facts)}
    counts = [node for node in found if node not in rows]
    first, target = next(iter(found)), job.target
    gathering, size = job.names.fresh("gather_batch"), job.names.fresh("global_size")
    codes = [_gathering(job, gathering, rows, also=also)] if rows else []
    if counts and also:
        alone = f"    return count * {target.world_size} if {target.torch}.is_grad_enabled() else count"
        codes.append(Code(f"def {size}(count):\n{alone}", (target.engine, *target.torch_import)))
    if codes:
        imports = tuple(dict.fromkeys(each for code in codes for each in code.imports))
        text = "\n\n\n".join(code.text for code in codes)
        yield job.change(NAME, _REASON, first, [defined_before(job, first, text)], Code("", imports))
    told = "each process gathers what the loss compares, and computes the loss of the global batch."
    yield job.note(NAME, told, first)
    effects = frozenset(effect.node for effect in job.effects)
    for nodes in _by_variable(job, rows):
        edits = _edits(job, nodes, gathering)
        shown = next((n for n in nodes if not effects.isdisjoint(job.ancestors(n))), None)
        if shown is not None and any(isinstance(edit, Wrap) for edit in edits):
            yield job.refuse(
                NAME,
                "samples of the whole batch, which the loss compares, are gathered here, where rank 0 alone comes.",
                shown,
                "Compute it in a statement of its own, before it is shown.",
                effort="one line",
            )
            continue
        yield job.change(NAME, _REASON, nodes[0], edits)
    for node in counts:
        bare = isinstance(job.parent(node), _PLAIN)
        before, after = ("", f" * {target.world_size}") if bare else ("(", f" * {target.world_size})")
        before, after = (f"{size}(", ")") if also else (before, after)
        yield job.change(NAME, _REASON, node, [Wrap(job.span(node), before, after)], Code("", (target.engine,)))


def _by_variable(job: Job, nodes: Iterable[ast.expr]) -> list[list[ast.expr]]:
    """Expressions, those that read the same variable together."""
    found: dict[object, list[ast.expr]] = {}
    for node in nodes:
        together = uses_beside(job.facts.units[node], node) if isinstance(node, ast.Name) else node
        found.setdefault(together, []).append(node)
    return list(found.values())


def _edits(job: Job, nodes: Sequence[ast.expr], function: str) -> list[Edit]:
    """A call around an expression, or one for a variable where it is set."""
    first = nodes[0]
    several = isinstance(first, ast.Name) and len(nodes) > 1
    where = set_at(job.facts.units[first], first) if several and isinstance(first, ast.Name) else None
    if where is None or not isinstance(first, ast.Name) or not _is_in_front(job, where, first, nodes):
        return [Wrap(job.span(node), f"{function}(", ")") for node in nodes]
    text = f"{first.id} = {function}({first.id})"
    return [Before(where.body[0], text) if isinstance(where, ast.For) else After(where, text)]


def _is_in_front(job: Job, where: ast.For | ast.Assign, name: ast.Name, nodes: Sequence[ast.expr]) -> bool:
    """Whether all reading of a variable comes after where it is set, and is of what is gathered."""
    loads = uses_beside(job.facts.units[name], name)
    around = where if isinstance(where, ast.For) else job.parent(where)
    later = all(position(node) > position(where) and around in (*job.ancestors(node),) for node in nodes)
    return loads == set(nodes) and later and not isinstance(around, (ast.If, ast.Try, ast.With))


def _gathering(job: Job, name: str, found: dict[ast.expr, list[ReducedFact]], *, also: bool) -> Code:
    """The function that gathers; ``also``: where no gradients are computed, too, and each process works alone."""
    target = job.target
    spread = True in _spread(job, found)
    alone = [f"    if not {target.torch}.is_grad_enabled():", "        return values"] if also else []
    return target.gather(name, alone, spread=spread)


def _spread(job: Job, found: dict[ast.expr, list[ReducedFact]]) -> set[bool]:
    """Whether processes have every N-th row of what is gathered, or rows that follow one another."""
    numbers = {number for facts in found.values() for fact in facts for number in fact.value.sources}
    return {each.is_spread for step in job.anatomy.steps for each in step.sources if each.number in numbers}
