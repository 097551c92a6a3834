"""The comparison itself, on made-up records: each check reports its own fault, and a right pair of records has none."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from paritykit.compare import Expectation, Fault, compare, compare_alone, numbers_agree, skeleton
from paritykit.records import Pass, Record, Saved, Step

SAMPLES, BATCH, RANKS = 9, 4, 2
"""Nine samples in batches of four: three steps, and one sample repeated to fill up the last."""

ORDERS = [[3, 1, 4, 0, 5, 8, 2, 6, 7], [8, 0, 7, 1, 6, 2, 5, 3, 4]]


def a_record(folder: Path, rank: int, size: int) -> Record:
    """Two epochs of training and evaluation, of one process or (size 1) of the sequential run."""
    folder.mkdir(parents=True)
    record = Record(rank=rank, size=size, folder=str(folder), data_sets=[list(range(SAMPLES)), list(range(3))])
    for order in ORDERS:
        full = [*order, *order[: -len(order) % RANKS]][rank::size] if size > 1 else order
        share = BATCH // size
        batches = [full[at : at + share] for at in range(0, len(full), share)]
        record.passes.append(Pass(0, 0, 3, share, False, size == 1, batches, steps=3))
        share_of_test = [[number] for number in range(rank, 3, size)]
        record.passes.append(Pass(1, 1, len(share_of_test), 1, False, False, share_of_test))
    record.steps = [Step([0.1], [0.1], [2, 1], 100 + n, 200 + n, 3 * n) for n in range(6)]
    np.arange(1, 19, dtype=np.float32).tofile(folder / "gradients.bin")
    np.savez(folder / "final.npz", **{"0000": np.ones(3, np.float32)})  # type: ignore[arg-type]
    if rank == 0:
        record.stdout = "epoch 1 loss 0.12345\nepoch 2 loss 0.02345, 3 of 9\n"
        record.stderr = "INFO epoch 2\nepoch:  50%|##\repoch: 100%|####\n"
        record.writes = ["out/", "out/model.pt"]
        record.saves = [Saved("out/model.pt", "dict", {".weight": "torch.float32[2, 1]", ".epoch": "2"})]
    return record


@pytest.fixture
def ranks(tmp_path: Path) -> list[Record]:
    return [a_record(tmp_path / f"rank{rank}", rank, RANKS) for rank in range(RANKS)]


@pytest.fixture
def reference(tmp_path: Path) -> Record:
    return a_record(tmp_path / "reference", 0, 1)


def test_a_right_run_has_no_faults(ranks: list[Record], reference: Record) -> None:
    assert compare(ranks, reference, free=reference, spread=reference) == []
    assert compare_alone(reference, deepcopy(reference)) == []


def _same_order(ranks: list[Record]) -> None:
    for record in ranks:
        record.passes[2].batches = record.passes[0].batches


def _all(name: str, value: object) -> Callable[[list[Record]], None]:
    def change(ranks: list[Record]) -> None:
        for record in ranks:
            for step in record.steps:
                setattr(step, name, value)

    return change


def _set(rank: int, name: str, value: object) -> Callable[[list[Record]], None]:
    return lambda ranks: setattr(ranks[rank], name, value)


def _other_gradients(ranks: list[Record]) -> None:
    (np.arange(1, 19, dtype=np.float32) * RANKS).tofile(Path(ranks[0].folder, "gradients.bin"))


def _other_end(ranks: list[Record]) -> None:
    np.savez(Path(ranks[0].folder, "final.npz"), **{"0000": np.full(3, 1.001, np.float32)})  # type: ignore[arg-type]


FAULTS: dict[str, tuple[Callable[[list[Record]], None], str]] = {
    "same order in each epoch": (_same_order, "shuffle"),
    "rate doubled": (_all("rates", [0.2]), "rate"),
    "other weights after the step": (_all("weights", 1), "weights"),
    "summed gradients": (_other_gradients, "gradient"),
    "other weights at the end": (_other_end, "final"),
    "ranks drift apart": (lambda ranks: setattr(ranks[1].steps[4], "weights", 0), "ranks"),
    "ranks start differently": (_set(1, "start_digest", 7), "ranks"),
    "another start": (lambda ranks: [setattr(each, "start_digest", 7) for each in ranks] and None, "start"),
    "a step too few": (lambda ranks: [each.steps.pop() for each in ranks] and None, "steps"),
    "batches not divided": (lambda ranks: ranks[1].passes[0].batches.append([0]), "steps"),
    "sample left out": (lambda ranks: ranks[0].passes[0].batches.__setitem__(0, [1, 1]), "coverage"),
    "evaluated twice": (lambda ranks: ranks[1].passes[1].batches.append([0]), "coverage"),
    "a pass too few": (lambda ranks: ranks[1].passes.pop() and None, "passes"),
    "metric of one rank": (_set(0, "stdout", "epoch 1 loss 0.12345\nepoch 2 loss 0.02365, 3 of 9\n"), "metric"),
    "count of one rank": (_set(0, "stdout", "epoch 1 loss 0.12345\nepoch 2 loss 0.02345, 2 of 9\n"), "metric"),
    "printed by all": (_set(1, "stdout", "epoch 1 loss 0.12345\n"), "output"),
    "line missing": (_set(0, "stdout", "epoch 1 loss 0.12345\n"), "output"),
    "other words": (_set(0, "stdout", "epoch 1 loss 0.12345\nepoch 2 cost 0.02345, 3 of 9\n"), "output"),
    "logged by all": (_set(1, "stderr", "INFO epoch 2\n"), "log"),
    "bars on all": (_set(1, "stderr", "epoch:  50%|##\r"), "log"),
    "written by all": (_set(1, "writes", ["out/model.pt"]), "files"),
    "not written": (_set(0, "writes", ["out/"]), "files"),
    "module. in keys": (_set(0, "saves", [Saved("out/model.pt", "dict", {".module.weight": "x"})]), "saves"),
    "not saved": (_set(0, "saves", []), "saves"),
    "an error": (_set(1, "error", "Traceback\nValueError: x"), "ends"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found(name: str, ranks: list[Record], reference: Record) -> None:
    change, check = FAULTS[name]
    change(ranks)
    faults = compare(ranks, reference, free=reference)
    assert check in {fault.check for fault in faults}, faults


def test_no_difference_of_one_process_is_overlooked(reference: Record) -> None:
    alone = deepcopy(reference)
    alone.steps[2].gradient += 1
    alone.stdout = alone.stdout.replace("0.12345", "0.12346")
    assert [fault.check for fault in compare_alone(alone, reference)] == ["bits", "bits"]


def test_weak_scaling_reaches_the_multiple_of_the_rate(ranks: list[Record], reference: Record) -> None:
    weak = Expectation(weak=True)
    assert Fault("rate", "step 5 uses learning rates [0.1], the script's are [0.1]") in compare(ranks, reference, weak)
    for record in ranks:
        for number, step in enumerate(record.steps):
            step.rates = [min(0.2, 0.1 + 0.05 * number)]
    assert compare(ranks, reference, weak) == []


@pytest.mark.parametrize(
    ("own", "other", "agree"),
    [
        ("0.12345", "0.12346", True),
        ("0.1234567", "0.1234667", True),
        ("0.12345", "0.12348", False),
        ("acc 97 %", "acc 96 %", False),
        ("1,500 of 3", "1,500 of 3", True),
        ("1.5e-05", "1.4999e-05", True),
        ("nan", "nan", True),
        ("nan", "0.5", False),
    ],
)
def test_numbers(own: str, other: str, agree: bool) -> None:
    assert numbers_agree(own, other) is agree


def test_skeleton_keeps_words_and_names() -> None:
    assert skeleton("conv1  loss -0.5, 10%") == "conv1 loss #, #%"
