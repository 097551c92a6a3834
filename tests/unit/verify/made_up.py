"""A right run as records that nobody trained: two processes, the sequential run that follows them, and one process."""

from __future__ import annotations

from corro.verify.evidence import Evidence
from corro.verify.records import DataSet, Difference, Pass, Printed, Record, Saved, Step

SAMPLES, BATCH, RANKS = 9, 4, 2
"""Nine samples in batches of four: three steps, and one sample repeated to fill up the last."""

ORDERS = [[3, 1, 4, 0, 5, 8, 2, 6, 7], [8, 0, 7, 1, 6, 2, 5, 3, 4]]
LINES = ["epoch 1 loss 0.12345", "epoch 2 loss 0.02345, 3 of 9"]
TENSOR = "torch.float32[2, 1] 0000abcd 1.23457"


def a_record(rank: int, size: int) -> Record:
    """Two epochs of training and evaluation, of one process or (size 1) of the sequential run."""
    record = Record(rank=rank, size=size, folder=f"rank{rank}", data_sets=[DataSet(SAMPLES), DataSet(3)])
    for order in ORDERS:
        full = [*order, *order[: -len(order) % size]][rank::size]
        share = BATCH // size
        batches = [full[at : at + share] for at in range(0, len(full), share)]
        record.passes.append(Pass(0, 0, 3, share, False, size == 1, "train.py:9", batches, 3, True))
        of_test = [[number] for number in range(rank, 3, size)]
        record.passes.append(Pass(1, 1, len(of_test), 1, False, False, "train.py:15", of_test, 0, True))
    record.tensors = [["weight", "bias"]]
    record.steps = [a_step(number, reference=size == 1) for number in range(6)]
    record.start = {"weight": 1, "bias": 2}
    record.optimizer_start = [{"weight.step": 5}]
    record.noisy, record.noise = ["dropout"], {"torch": rank}
    if rank == 0:
        record.stdout = [Printed(line, "train.py:18") for line in LINES]
        record.stderr = [Printed("INFO epoch 2", "train.py:19"), Printed("epoch: 100%|####\r", "")]
        record.writes = ["out/", "out/model.pt", "out/log.csv"]
        record.files = {"out/log.csv": "1,0.12345\n2,0.02345\n"}
        record.saves = [Saved("out/model.pt", "dict", {".weight": TENSOR, ".epoch": "2"}, "train.py:20")]
        record.reports = [Saved("loss", "1", {"value": "0.12345"}, "train.py:17")]
    return record


def a_step(number: int, *, reference: bool) -> Step:
    """One optimizer step."""
    difference = Difference(1e-7, 0, 1.5, 1.5) if reference else None
    norms = [1.5, 2.5]
    return Step(
        0, "train.py:12", [0.1], [0.1], [10 + number, 20], norms, [30 + number, 40], norms, difference=difference
    )


def evidence() -> Evidence:
    """Nothing can be held against this run."""
    return Evidence(
        size=RANKS,
        ranks=[a_record(rank, RANKS) for rank in range(RANKS)],
        reference=a_record(0, 1),
        alone=a_record(0, 1),
        alone_reference=a_record(0, 1),
    )
