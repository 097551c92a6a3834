"""Recognise calls that draw from PyTorch's own generator, besides those that any script may make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends import randomness
from corro.frontends.pytorch import fields
from corro.frontends.pytorch.steering import PARAMETER

if TYPE_CHECKING:
    from corro.flow.facts import CallFact

METHODS = frozenset({"normal_", "uniform_", "bernoulli_", "random_", "exponential_", "cauchy_", "geometric_",
                     "log_normal_", "bernoulli", "multinomial"})  # fmt: skip
"""Methods of tensors that draw random numbers: torch's in-place random sampling, and two that give a new tensor."""

_FUNCTIONS = frozenset({"torch.poisson", "torch.binomial", "torch.nn.functional.gumbel_softmax"})
_OF_DISTRIBUTIONS = frozenset({"sample", "rsample", "sample_n"})
_INITIALISERS = "torch.nn.init."
_EVEN = frozenset({"constant_", "zeros_", "ones_", "eye_", "dirac_", "constant", "eye", "dirac", "calculate_gain"})
"""Initialisers that draw nothing."""


def draws(fact: CallFact) -> str | None:
    """The library from whose own generator a call draws: ``torch``, ``numpy`` or ``random``.

    What a parameter or a buffer is filled with is left out: the wrapper sends it to all processes.
    """
    if fields.draws(fact):
        return "random"
    if "generator" in fact.keywords:
        return randomness.draws(fact)
    if fact.receiver is not None and fact.receiver.kind is Kind.TENSOR and fact.name in METHODS | _OF_DISTRIBUTIONS:
        return None if PARAMETER in fact.receiver.tags else "torch"
    if fact.name.startswith(_INITIALISERS) and fact.name.rpartition(".")[2] not in _EVEN and fact.args:
        return "torch" if fact.args[0].kind is Kind.TENSOR and PARAMETER not in fact.args[0].tags else None
    return "torch" if fact.name in _FUNCTIONS else randomness.draws(fact)
