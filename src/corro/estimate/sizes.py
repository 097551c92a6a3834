"""How large what a training step works with is, on one process."""

from __future__ import annotations

from corro.classes import dataclass


@dataclass(frozen=True)
class Unknown:
    """A size that is not known, and why.

    Args:
        what: a phrase, such as "the size of nn.Linear".
        where: the place that shows it, as ``file:line``.
    """

    what: str
    where: str


@dataclass(frozen=True)
class Sizes:
    """Sizes in bytes, and numbers of elements; ``None`` where one is not known.

    Args:
        parameters: elements of all parameters.
        trained: elements of those that an optimizer steps.
        parameter_bytes: of all parameters.
        gradient_bytes: of the gradients that the processes exchange.
        buffer_bytes: of buffers, such as the running averages of batch normalisation.
        optimizer_bytes: of what the optimizers remember of earlier steps.
        saved_bytes: of what one forward pass keeps for the backward pass, for the batch of one process.
        batch: samples in that batch.
        resident_bytes: the largest resident memory of the process, with Python and its libraries.
    """

    parameters: int
    trained: int
    parameter_bytes: int
    gradient_bytes: int
    buffer_bytes: int
    optimizer_bytes: int | None = None
    saved_bytes: int | None = None
    batch: int | None = None
    resident_bytes: int | None = None
