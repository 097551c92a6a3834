"""Forward passes of models in a training step, and what else is called of a model there."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import NONE
from corro.frontends.pytorch.parts import go_along, goes_along, in_training, is_forward, may_train
from corro.frontends.pytorch.passing import is_filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Context, Facts, Frame

DERIVING = "torch.autograd.grad"
"""What computes gradients that are no parameter's."""
_FORWARD = frozenset({"forward", "__call__"})
TRANSPARENT = frozenset(
    {"train", "eval", "parameters", "zero_grad", "to", "cuda", "cpu", "requires_grad_",
     "float", "half", "double"}
)  # fmt: skip
_BARE = (
    r"(Feature|Alpha|FeatureAlpha)?Dropout[123]?d?|(Leaky|R|Hards?)?(ReLU6?|wish)|[ESCG]E?LU|SiLU|Mish|GLU|(Log|Hard)?[Ss]igmoid|LocalResponseNorm"
    r"|(Hard)?[Tt]anh(shrink)?|(Log)?Soft(max(2d)?|min|plus|sign|shrink)|Hardshrink|Threshold|(Un)?[Ff]latten|Identity"
    r"|(Adaptive|Fractional)?(Max|Avg|LP)(Unp|P)ool[123]d|Upsampl(e|ing\w*)|Pixel(Uns|S)huffle|ChannelShuffle"
    r"|(Zero|Constant|Reflection|Replication|Circular)Pad[123]d|(Unf|F)old|CosineSimilarity|PairwiseDistance"
)


def training_forwards(facts: Facts, step: Step) -> Iterator[CallFact]:
    """Calls of a model in the pass that trains, with gradients, before the backward pass, outside any other model.

    A part of a model that is called as well is no model of its own.
    """
    found = list(_forwards(facts, step))
    parts = go_along(facts, step, found)
    yield from (fact for fact in found if fact.node not in parts)


def called_parts(facts: Facts, step: Step) -> Iterator[CallFact]:
    """Calls of a part of a model in the training step, beside the forward pass of the whole."""
    found = list(_forwards(facts, step))
    parts = go_along(facts, step, found)
    yield from (fact for fact in found if fact.node in parts)


def called_methods(facts: Facts, step: Step) -> Iterator[CallFact]:
    """Calls of other methods of a model in the training step, that gradients may go through."""
    around = trained_in(facts, [step])
    for fact in facts.calls:
        of_model = fact.receiver is not None and fact.receiver.kind is Kind.MODULE and fact.result.sources
        other = facts.values.get(fact.node.func, NONE).kind is Kind.FUNCTION and not _names_forward(fact)
        if of_model and other and may_train(facts, step, fact) and not inside_module(facts, fact.context, around):
            yield fact


def bypassing(facts: Facts, step: Step) -> Iterator[CallFact]:
    """Calls of other methods that a step's gradients may go through, of models that not every step calls as a whole.

    Where the whole is called as well, its wrapper averages a gradient when it is complete, whoever computed it. No
    wrapper does beside ``torch.autograd.grad``: all calls of models are then such calls.
    """
    forwards = list(training_forwards(facts, step))
    if any(fact.name == DERIVING and in_training(step, fact.context) for fact in facts.calls):
        yield from forwards
    for fact in called_methods(facts, step):
        if fact.receiver is not None and not goes_along(facts, step, forwards, fact.receiver):
            yield fact


def _forwards(facts: Facts, step: Step) -> Iterator[CallFact]:
    calls = list(facts.calls)
    names: dict[ast.AST, str] = {fact.node: fact.name for fact in calls}
    backward = max((fact.order for fact in calls if step.has_backward(fact.node)), default=0)
    around = trained_in(facts, [step])
    for fact in calls:
        receiver = fact.receiver
        if receiver is None or receiver.kind is not Kind.MODULE or not is_forward(fact) or fact.order > backward:
            continue
        if facts.values.get(fact.node.func, receiver).kind is Kind.FUNCTION and not _names_forward(fact):
            continue  # another method
        if not in_training(step, fact.context) or "no_grad" in fact.context.modes:
            continue
        if inside_module(facts, fact.context, around):
            continue
        made = [names.get(facts.nodes[n]) for n in receiver.sites]
        trained = made and None not in made and not all(is_bare(name) for name in made)
        if trained and not is_filter(facts, step.loops, receiver):
            yield fact


def is_bare(name: str | None) -> bool:
    """Whether a layer has no parameters: DDP refuses to wrap one, and there is nothing to make equal."""
    return name is not None and name.startswith("torch.nn.") and bool(re.fullmatch(_BARE, name.rpartition(".")[2]))


def _names_forward(fact: CallFact) -> bool:
    return getattr(fact.node.func, "attr", "") in _FORWARD


def called_model(facts: Facts, call: ast.Call) -> ast.expr:
    """The model that is called, by itself or by one of its methods, as it is written there."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return function
    is_method = facts.values.get(function, NONE).kind is Kind.FUNCTION
    return function.value if is_method or function.attr in _FORWARD else function


def ends_training_mode(fact: CallFact) -> bool:
    """``model.eval()``, ``model.train(False)`` and ``model.train(is_training)``."""
    if fact.receiver is None or fact.receiver.kind is not Kind.MODULE:
        return False
    mode = fact.argument(0, "mode")
    return fact.name == "eval" or (fact.name == "train" and mode is not None and mode.const is not True)


def trained_in(facts: Facts, steps: Iterable[Step]) -> frozenset[Frame]:
    """The calls that the backward passes of some steps are made in: methods of a model, where it trains itself."""
    backward = (fact for step in steps for site in step.backwards for fact in facts.calls_of(site.node))
    return frozenset(frame for fact in backward for frame in fact.context.frame.path())


def inside_module(facts: Facts, context: Context, around: Set[Frame] = frozenset()) -> bool:
    """Whether a model's own method is being run; those that are ``around`` train, and are no part of a forward pass."""
    for frame in context.frame.path():
        if frame.call is None or frame in around:
            continue
        callee = facts.values.get(frame.call.func)
        if callee is not None and (
            callee.kind in (Kind.MODULE, Kind.LOSS)
            or (callee.kind is Kind.FUNCTION and callee.items and callee.items[0].kind is Kind.MODULE)
        ):
            return True
    return False
