"""Divide a loss with class weights, or with targets to ignore, by what counts in the global batch.

Why
---
The mean of such a loss is divided by the weights of the targets, or by the number of targets that are not ignored.
Each process's shard of the batch has another divisor, so that the average of their means is not the mean over the
global batch; a part in which all targets are ignored is even ``nan``. The sum over a process's part, divided by the
average of the divisors, has the exact gradient once gradients are averaged.

Before
------
::

    loss = F.cross_entropy(model(x), y, ignore_index=0)

After
-----
::

    counted = (y != 0).sum()
    dist.all_reduce(counted)
    counted = counted / dist.get_world_size()
    loss = F.cross_entropy(model(x), y, ignore_index=0, reduction="sum") / counted

Source
------
PyTorch documentation, ``CrossEntropyLoss``: the formula for ``reduction="mean"``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.classes import dataclass
from corro.flow import depths
from corro.frontends.pytorch import losses
from corro.source import AddArgument, Before, Replace, Wrap, set_keyword
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "weighted-loss"
EVEN_SHARES = True

_FUNCTIONS = {"CrossEntropyLoss": "cross_entropy", "NLLLoss": "nll_loss", "NLLLoss2d": "nll_loss"}
_PLAIN = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)
_ELSEWHERE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.DictComp,
              ast.SetComp)  # fmt: skip
_VIEWS = frozenset({"view", "reshape", "flatten", "squeeze", "long", "to", "cuda", "contiguous", "transpose", "permute",
                    "t"})  # fmt: skip
_PAIR = 2
"""How many arguments a loss is given: predictions and targets."""


@dataclass(frozen=True)
class _Weighted:
    """A loss that is divided by what counts.

    Args:
        call: of the loss.
        target: the targets.
        function: the name of the loss in ``torch.nn.functional``.
        weight: the text of the weights of the classes, empty without.
        ignored: the text of the target that is ignored, empty without.
        owner: the text of the loss as an object, empty for a function.
        others: the names of what else the object was given.
    """

    call: ast.Call
    target: ast.expr
    function: str
    weight: str
    ignored: str
    owner: str = ""
    others: tuple[str, ...] = ()

    @property
    def divisor(self) -> str:
        """A name for what is summed over the targets that count."""
        return "counted" if not self.weight else "weights"

    @property
    def tells_classes(self) -> bool:
        """Whether the script names the target to ignore, which only class indices can be."""
        return "ignore_index" in self.others or any(each.arg == "ignore_index" for each in self.call.keywords)


def apply(job: Job) -> Iterable[Answer]:
    """Divide by the sum over all processes where that can be written; say so where it can not."""
    said = False
    for node in dict.fromkeys(fact.node for fact in _facts(job)):
        weighted = _read(job, node)
        if weighted is not None:
            yield _divided(job, weighted)
        elif not said:
            said = True
            yield _review(job, node)


def _facts(job: Job) -> Iterator[CallFact]:
    """The losses that are written as such, maybe in functions; those that models compute are of another rule."""
    means = (fact for fact in losses.divided_by_what_counts(job.facts) if fact.result.form is Form.MEAN)
    found = [fact for fact in means if fact.result.sources & job.anatomy.trained_on]
    outer = {frame.call for fact in found for frame in fact.context.frame.path()}
    return (fact for fact in found if fact.node not in outer)


def _review(job: Job, node: ast.Call) -> Answer:
    return job.review(
        NAME,
        "the mean of a class-weighted (or padded) loss is divided by the weights of each process's shard, not of "
        "the global batch: gradients differ from the sequential ones, the more the smaller the batches.",
        node,
        "Compute it from names in a statement of its own, as in loss = criterion(output, target), with targets that "
        "are known to be class indices (target.long()): then it is divided by what counts in the global batch.",
        differs=("gradient", "metrics"),
    )


def _divided(job: Job, weighted: _Weighted) -> Answer:
    job = job.at(weighted.call)
    name = job.names.fresh(weighted.divisor)
    code = job.target.all_reduce(name, _counted(job, weighted))
    statement = job.statement(weighted.call)
    text = f"{code.text}\n{name} = {name} / {job.target.world_size}"
    edits: list[Edit] = [Before(statement, text, -3, (weighted.target,))]
    imports = [*code.imports, job.target.engine]
    if weighted.owner:
        library, dotted = job.target.library, "torch.nn.functional"
        function = f"{library.name(dotted, 'F')}.{weighted.function}"
        edits.append(Replace(job.span(weighted.call.func), function))
        edits += [AddArgument(weighted.call, f"{each}={weighted.owner}.{each}") for each in weighted.others]
        imports.append(library.imports(dotted, "F"))
    edits += set_keyword(job.file_of(weighted.call), weighted.call, "reduction", '"sum"')
    alone = isinstance(job.parent(weighted.call), ast.stmt)
    edits.append(Wrap(job.span(weighted.call), "" if alone else "(", f" / {name}" + ("" if alone else ")")))
    reason = "each shard of a batch has its own divisor"
    return job.change(NAME, reason, weighted.call, edits, Code("", tuple(imports)))


def _counted(job: Job, weighted: _Weighted) -> str:
    """The text of the sum over the targets that count."""
    target = job.segment(weighted.target)
    counts = f"{target} != {weighted.ignored}"
    if not weighted.weight:
        return f"({counts}).sum()"
    return f"{weighted.weight}[{f'{target}[{counts}]' if weighted.ignored else target}].sum()"


# ---------------------------------------------------------------------- what a call divides by


def _read(job: Job, call: ast.Call) -> _Weighted | None:
    """What is known of a loss that all processes compute together in training, and nobody otherwise."""
    facts = job.calls_of(call)
    together = all(f.context.passes and "no_grad" not in f.context.modes and _is_uniform(f) for f in facts)
    target = (
        call.args[1] if len(call.args) >= _PAIR else next((k.value for k in call.keywords if k.arg == "target"), None)
    )
    if not together or target is None or not _is_movable(job, call, target):
        return None
    found = _of_object(job, facts[0], target) if _is_object(facts[0]) else _of_function(job, facts[0], target)
    if found is None or not (found.weight or found.ignored):  # it is only known that something does not count
        return None
    return found if found.tells_classes or all(_are_classes(fact) for fact in facts) else None


def _is_uniform(fact: CallFact) -> bool:
    return all(test.value.placement.is_equal for test in fact.context.tests)


def _is_object(fact: CallFact) -> bool:
    return fact.receiver is not None and fact.receiver.kind is Kind.LOSS


def _are_classes(fact: CallFact) -> bool:
    """Whether targets are known to be numbers of classes, not their probabilities."""
    value = fact.argument(1, "target")
    return value is not None and (value.integer is True or depths.is_flat(value))


def _of_function(job: Job, fact: CallFact, target: ast.expr) -> _Weighted | None:
    """``F.cross_entropy(…)`` and ``F.nll_loss(…)``."""
    given = {k.arg: k.value for k in fact.node.keywords}
    if len(fact.node.args) > _PAIR + 1 or None in given or any(isinstance(a, ast.Starred) for a in fact.node.args):
        return None
    weight = fact.node.args[_PAIR] if len(fact.node.args) > _PAIR else given.get("weight")
    texts = _texts(job, weight, given.get("ignore_index"))
    return texts and _Weighted(fact.node, target, fact.name.rpartition(".")[2], *texts)


def _texts(job: Job, weight: ast.expr | None, ignored: ast.expr | None) -> tuple[str, str] | None:
    """The texts of weights and of what is ignored, where they can be written a second time."""
    said = [each for each in (weight, ignored) if each is not None]
    if not all(is_repeatable(each) for each in said):
        return None
    if weight is not None and _may_be_left_out(job, weight):
        return None
    none = weight is None or job.value(weight).kind is Kind.NONE
    standard = str(losses.IGNORED) if losses.ignores_targets(job.facts) else ""
    weights = "" if weight is None or none else job.segment(weight)
    return weights, standard if ignored is None else job.segment(ignored)


def _may_be_left_out(job: Job, weight: ast.expr) -> bool:
    """Whether weights are given with some options only."""
    value = job.value(weight)
    return value.kind is not Kind.NONE and value.may_be_none


def _of_object(job: Job, fact: CallFact, target: ast.expr) -> _Weighted | None:
    """``nn.CrossEntropyLoss(…)`` and its like, by the attributes that they have."""
    assert fact.receiver is not None
    made = [job.facts.nodes[number] for number in fact.receiver.sites]
    call = made[0] if len(made) == 1 else None
    if not isinstance(call, ast.Call) or len(call.args) > 1 or len(fact.node.args) != _PAIR or fact.node.keywords:
        return None
    weights = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "weight"), None)
    given = {k.arg or "**" for k in call.keywords} | ({"weight"} if call.args else set())
    if not given <= {"weight", "ignore_index", "label_smoothing", "reduction"} or not is_repeatable(fact.node.func):
        return None
    if weights is not None and _may_be_left_out(job, weights):
        return None
    if weights is not None and job.value(weights).kind is Kind.NONE:
        given -= {"weight"}
    owner, others = job.segment(fact.node.func), tuple(sorted(given - {"reduction"}))
    ignored = f"{owner}.ignore_index" if "ignore_index" in given or losses.ignores_targets(job.facts) else ""
    weight = f"{owner}.weight" if "weight" in given else ""
    return _Weighted(fact.node, target, _FUNCTIONS[fact.receiver.name], weight, ignored, owner, others)


# ---------------------------------------------------------------------- where it can be written


def _is_movable(job: Job, call: ast.Call, target: ast.expr) -> bool:
    """Whether a statement in front of that of the call can compute with the targets what the call would."""
    statement = job.statement(call)
    between = [each for each in job.ancestors(call) if isinstance(each, (ast.expr, ast.comprehension))]
    return (
        isinstance(statement, _PLAIN) and is_repeatable(target) and not any(isinstance(e, _ELSEWHERE) for e in between)
    )


def is_repeatable(node: ast.expr) -> bool:
    """Whether an expression reads names, and views what they name, so that it may be computed twice."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=owner) | ast.UnaryOp(operand=owner):
            return is_repeatable(owner)
        case ast.Subscript(value=owner):
            return is_repeatable(owner) and not any(
                isinstance(n, (ast.Call, ast.NamedExpr)) for n in ast.walk(node.slice)
            )
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=given, keywords=[]):
            return name in _VIEWS and all(map(is_repeatable, (owner, *given)))
    return False
