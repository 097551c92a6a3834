"""What each of N processes takes: sizes of one process, shared out."""

from __future__ import annotations

from corro.classes import dataclass
from corro.estimate.sizes import Sizes


@dataclass(frozen=True)
class Share:
    """What one of several processes takes, in bytes; ``None`` where a part of it is not known.

    Args:
        processes: how many there are.
        batch: samples that each of them takes for a step; ``None`` also where N does not divide the batch.
        model_bytes: parameters and buffers.
        gradient_bytes: gradients, and the copy of them that is exchanged.
        optimizer_bytes: the state of the optimizers.
        saved_bytes: what the forward pass keeps for the backward pass.
        sent_bytes: what the process sends, and receives, for each step: gradients by a ring all-reduce, and buffers.
    """

    processes: int
    batch: int | None
    model_bytes: int
    gradient_bytes: int
    optimizer_bytes: int | None
    saved_bytes: int | None
    sent_bytes: int

    @property
    def memory_bytes(self) -> int | None:
        """All of it together, without Python and its libraries."""
        if self.optimizer_bytes is None or self.saved_bytes is None:
            return None
        return self.model_bytes + self.gradient_bytes + self.optimizer_bytes + self.saved_bytes


def shares(sizes: Sizes, numbers: tuple[int, ...], scaling: str = "strong") -> tuple[Share, ...]:
    """What each process takes, for some numbers of processes.

    With strong scaling a process has 1/N of the batch, and keeps 1/N for the backward pass. More than one process
    exchange gradients through buckets, which hold them once more (PyTorch documentation, ``DistributedDataParallel``:
    ``gradient_as_bucket_view`` saves as much). In a ring all-reduce of b bytes each process sends 2 (N - 1) / N * b
    (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009); buffers are
    sent from one process to the next in front of each forward pass (``broadcast_buffers``).
    """
    return tuple(_share(sizes, number, 1 if scaling == "weak" else number) for number in numbers)


def _share(sizes: Sizes, number: int, parts: int) -> Share:
    exchanged = 2 * (number - 1) * sizes.gradient_bytes // number
    return Share(
        processes=number,
        batch=sizes.batch // parts if sizes.batch is not None and sizes.batch % parts == 0 else None,
        model_bytes=sizes.parameter_bytes + sizes.buffer_bytes,
        gradient_bytes=sizes.gradient_bytes * (2 if number > 1 else 1),
        optimizer_bytes=sizes.optimizer_bytes,
        saved_bytes=None if sizes.saved_bytes is None else sizes.saved_bytes // parts,
        sent_bytes=exchanged + (sizes.buffer_bytes if number > 1 else 0),
    )
