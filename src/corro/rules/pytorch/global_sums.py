"""Compute over all processes what a loss needs whole: sums that it divides by, squares or compares.

Why
---
The average of the losses of shards is the loss of the batch where that is a mean over samples. A ratio of sums over the
batch (Dice, the mean over the pixels of a mask), the root of a mean, or a mean over rows of which each process has
another number is none. With the global sums each process computes what the sequential script does; their gradients come
back from all processes, and are right once those of the parameters are averaged.

Before
------
::

    loss = (error * mask).sum() / mask.sum()

After
-----
::

    loss = (error * mask).sum() / sum_over_processes(mask.sum())

Source
------
PyTorch documentation, "Extending PyTorch": a function with a backward pass of its own. The gradient of a sum over
processes with respect to one summand is the sum of the gradients that all processes have for the sum.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.pytorch.partial_sums import can_be_reduced, is_plain_mean, is_training, loss_function
from corro.rules.places import defined_before
from corro.source import AddArgument, Replace, Span, Wrap, set_keyword
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import ReducedFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit, Import

NAME = "global-sums"
EVEN_SHARES = True

_NAMES = {Form.SUM: "sum_over_processes", Form.MEAN: "mean_over_processes", Form.UNKNOWN: "mean_of_all_rows"}
_ELSEWHERE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.DictComp,
              ast.SetComp)  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place, and the functions that they call, once in each file."""
    found: dict[ast.expr, list[ReducedFact]] = {}
    for fact in job.facts.reduced:
        found.setdefault(fact.node, []).append(fact)
    summed = {node: facts for node, facts in found.items() if any(can_be_reduced(fact.value) for fact in facts)}
    trained = [node for node, facts in summed.items() if any(is_training(fact.context) for fact in facts)]
    for here, nodes in job.by_file(trained):
        against = next((refused for node in nodes if (refused := _against(here, node, found[node])) is not None), None)
        if against is not None:
            yield against
            continue
        yield from _written(here, {node: found[node] for node in nodes})


def _against(job: Job, node: ast.expr, facts: list[ReducedFact]) -> Answer | None:
    """Why something cannot be computed over all processes where it stands."""
    if not job.is_strong:
        message = "the loss needs sums over the whole batch, which is written for strong scaling only."
        return job.refuse(NAME, message, node, "Use --scaling strong.", effort="one line")
    training = [fact for fact in facts if "no_grad" not in fact.context.modes]
    together = all(fact.context.passes and _is_uniform(fact) for fact in training)
    between = [each for each in job.ancestors(node) if isinstance(each, (ast.expr, ast.comprehension))]
    trained = frozenset(number for step in job.anatomy.steps for number in step.loaders)
    known = all(fact.value.sources <= trained and can_be_reduced(fact.value) for fact in training)
    one = len({fact.value.form for fact in training}) == 1
    if together and known and one and not any(isinstance(each, _ELSEWHERE) for each in between):
        return None
    return job.refuse(
        NAME,
        "the loss needs this over the whole batch, and not all processes compute it together.",
        node,
        "Compute it in a statement of its own, in each training step; evaluate under torch.no_grad().",
    )


def _is_uniform(fact: ReducedFact) -> bool:
    return all(test.value.placement.is_equal for test in fact.context.tests)


def _form(facts: list[ReducedFact]) -> Form:
    """What is to be reduced: a sum, a mean, or what is known to be neither, a mean over rows."""
    return next(fact.value.form for fact in facts if is_training(fact.context))


def _written(job: Job, found: dict[ast.expr, list[ReducedFact]]) -> Iterator[Answer]:
    """The changes of one file."""
    also = any("no_grad" in fact.context.modes for facts in found.values() for fact in facts)
    first = next(iter(found))
    names: dict[Form, str] = {}
    summing = job.names.fresh("SumOverProcesses")
    for form in sorted({_form(facts) for facts in found.values()}, key=list(_NAMES).index):
        names[form] = job.names.fresh(_NAMES[form])
    definitions = [_defined(job, form, name, summing, also=also) for form, name in names.items()]
    through = job.target.gradient_sum(summing) if names.keys() & {Form.SUM, Form.MEAN} else None
    codes = [*([through] if through is not None else []), *definitions]
    text = "\n\n\n".join(code.text for code in codes)
    imports = tuple(dict.fromkeys(each for code in codes for each in code.imports))
    reason = "what a loss needs of the whole batch"
    yield job.change(NAME, reason, first, [defined_before(job, first, text)], Code("", imports))
    for node, facts in found.items():
        edits, more = _edits(job, node, names[_form(facts)])
        yield job.change(NAME, reason, node, edits, Code("", more))


def _defined(job: Job, form: Form, name: str, summing: str, *, also: bool) -> Code:
    """The function that is called; ``also``: where no gradients are computed, too, and each process does it alone."""
    target = job.target
    if form is Form.UNKNOWN:
        count = target.all_reduce("count", f"{target.torch}.tensor(values.numel(), device=values.device)")
        alone = [f"    if not {target.torch}.is_grad_enabled():", "        return values.mean()"] if also else []
        lines = [f"def {name}(values):", *alone, *(f"    {line}" for line in count.text.splitlines()),
                 f"    return values.sum() * {target.world_size} / count"]  # fmt: skip
        return Code("\n".join(lines), (*count.imports, target.engine, *target.torch_import))
    alone = [f"    if not {target.torch}.is_grad_enabled():", "        return value"] if also else []
    mean = f" / {target.world_size}" if form is Form.MEAN else ""
    lines = [f"def {name}(value):", *alone, f"    return {target.summed(summing, 'value')}{mean}"]
    return Code("\n".join(lines), (target.engine, *target.torch_import))


def _edits(job: Job, node: ast.expr, name: str) -> tuple[list[Edit], tuple[Import, ...]]:
    """What is written around an expression, or in place of a mean over rows."""
    calls = job.calls_of(node)
    if not isinstance(node, ast.Call) or not name.startswith(_NAMES[Form.UNKNOWN]):
        if job.value(node).kind is Kind.NUMBER:
            return [Wrap(job.span(node), f"{name}({job.target.torch}.tensor(", "))")], job.target.torch_import
        return [Wrap(job.span(node), f"{name}(", ")")], ()
    if is_plain_mean(calls[0]):
        function = node.func
        assert isinstance(function, ast.Attribute)
        if node.args:
            return [Replace(job.span(function), name)], ()
        inner, whole = job.span(function.value), job.span(node)
        dot = job.file_of(node).text.rindex(".", inner.end, whole.end)
        return [Wrap(inner, f"{name}(", ")"), Replace(Span(dot, whole.end), "")], ()
    library, dotted = job.target.library, "torch.nn.functional"
    edits: list[Edit] = []
    receiver = calls[0].receiver
    if receiver is not None and receiver.kind is Kind.LOSS:
        owner, made = job.segment(node.func), job.facts.nodes[next(iter(receiver.sites))]
        assert isinstance(made, ast.Call)
        edits.append(Replace(job.span(node.func), f"{library.name(dotted, 'F')}.{loss_function(job.facts, calls[0])}"))
        others = sorted(k.arg for k in made.keywords if k.arg and k.arg != "reduction")
        edits += [AddArgument(node, f"{each}={owner}.{each}") for each in others]
    edits += set_keyword(job.file_of(node), node, "reduction", '"none"')
    edits.append(Wrap(job.span(node), f"{name}(", ")"))
    return edits, (library.imports(dotted, "F"),) if receiver is not None else ()
