"""The properties on made-up records: each reports its own fault, and nothing is held against a right run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from corro.verify.evidence import Announced, Ending, Evidence, Stuck
from corro.verify.properties import judge, properties
from corro.verify.records import Beginning, DataSet, Difference, Pass, Printed, Record, Saved
from corro.verify.verdict import Status
from unit.verify.made_up import LINES, RANKS, TENSOR, a_record, evidence

Change = Callable[[list[Record]], object]
ALL = ("alone", "start", "coverage", "gradient", "update", "agreement", "metrics", "effects", "end")


def test_they_are_found_in_their_order() -> None:
    assert tuple(name for name, _ in properties()) == ALL


def test_nothing_is_held_against_a_right_run() -> None:
    verdict = judge(evidence())
    assert {each.name: (each.status, each.faults, each.unknown) for each in verdict.results} == dict.fromkeys(
        ALL, (Status.PASS, (), ())
    )
    assert not verdict.failed


def _all(name: str, value: object) -> Change:
    """The same on every process and at every step."""
    return lambda ranks: [vars(step).update({name: value}) for record in ranks for step in record.steps]


def _set(rank: int, name: str, value: object) -> Change:
    return lambda ranks: vars(ranks[rank]).update({name: value})


def _each(name: str, value: object) -> Change:
    """The same on every process."""
    return lambda ranks: [vars(record).update({name: value}) for record in ranks]


def _same_order(ranks: list[Record]) -> None:
    for record in ranks:
        record.passes[2].batches = record.passes[0].batches


def _sorted(ranks: list[Record]) -> None:
    for rank, record in enumerate(ranks):
        record.passes[0].batches = [[rank, 2 + rank], [4 + rank, 6 + rank], [8 - 8 * rank]]


def _rising(ranks: list[Record]) -> None:
    """Dealt out in turns, as a sampler does that does not shuffle; the last batch is filled up."""
    for rank, record in enumerate(ranks):
        record.passes[0].batches = [[at + rank, at + 2 + rank] for at in range(0, 36, 4)] + [[0]]


def _printed(*lines: str) -> list[Printed]:
    return [Printed(line, "train.py:18") for line in lines]


def _saved(**entries: str) -> list[Saved]:
    return [Saved("out/model.pt", "dict", {f".{name}": text for name, text in entries.items()}, "train.py:20")]


OTHER_WEIGHT = "torch.float32[2, 1] 0000abce 1.33457"

FAULTS: dict[str, tuple[Change, str, str]] = {
    "same order in each epoch": (_same_order, "coverage", "has the order of the epoch before"),
    "not shuffled": (_rising, "coverage", "epoch (pass 0) is not shuffled"),
    "sample left out": (
        lambda ranks: ranks[0].passes[0].batches.__setitem__(0, [1, 1]),
        "coverage",
        "different samples in an epoch (pass 0): 8 instead of 9",
    ),
    "a sample that is not there": (
        lambda ranks: ranks[1].passes[0].batches[0].__setitem__(0, 77),
        "coverage",
        "uses 1 samples that the sequential run does not have",
    ),
    "batches not divided": (
        lambda ranks: ranks[1].passes[0].batches.append([0]),
        "coverage",
        "other numbers of batches: [3, 4] instead of 3",
    ),
    "a batch too large": (
        lambda ranks: ranks[1].passes[0].batches[0].append(0),
        "coverage",
        "wrong size: 5 samples instead of 4 [train.py:9, step 0]",
    ),
    "evaluated twice": (
        lambda ranks: ranks[1].passes[1].batches.append([0]),
        "coverage",
        "0 samples are missing, 1 are counted twice",
    ),
    "a pass too few": (lambda ranks: ranks[1].passes.pop(), "coverage", "ranks [1] do not make pass 3"),
    "equal noise": (_set(1, "noise", {"torch": 0}), "coverage", "noise (dropout) is equal on several processes"),
    "rate doubled": (_all("rates", [0.2]), "update", "learning rates: [0.2] instead of [0.1]"),
    "other weights after the step": (_all("weights", [1, 40]), "update", "equal gradients lead to different weights"),
    "a step too few": (
        lambda ranks: [each.steps.pop() for each in ranks],
        "update",
        "optimizer steps: 5 instead of 6 [train.py:12, rank 0]",
    ),
    "other parameters": (
        _all("weights", [30]),
        "update",
        "a different optimizer steps, or one with different parameters",
    ),
    "ranks drift apart": (
        lambda ranks: setattr(ranks[1].steps[4], "weights", [0, 40]),
        "agreement",
        "weights differ between processes: norm 1.5 instead of norm 1.5 [train.py:12, step 4, rank 1, weight]",
    ),
    "gradients not reduced": (
        lambda ranks: setattr(ranks[1].steps[2], "gradients", [12, 0]),
        "agreement",
        "gradients differ between processes: norm 2.5 instead of norm 2.5 [train.py:12, step 2, rank 1, bias]",
    ),
    "rates drift apart": (
        lambda ranks: setattr(ranks[1].steps[5], "rates", [0.05]),
        "agreement",
        "learning rates differ between processes: [0.05] instead of [0.1]",
    ),
    "a rank steps less often": (lambda ranks: ranks[1].steps.pop(), "agreement", "optimizer steps: 5 instead of 6"),
    "plateau on a local loss": (
        lambda ranks: [each.judged.update({"train.py:16": ["0.5", f"0.{each.rank}"]}) for each in ranks],
        "agreement",
        "depends on a value that differs between processes: 0.1 instead of 0.0 [train.py:16, rank 1]",
    ),
    "ranks start differently": (
        _set(1, "start", {"weight": 1, "bias": 3}),
        "start",
        "is not rank 0's: checksum 00000003 instead of checksum 00000002 [train.py:12, step 0, rank 1, bias]",
    ),
    "another start": (
        _each("start", {"weight": 9, "bias": 2}),
        "start",
        "is not the sequential run's",
    ),
    "optimizer state lost": (
        _each("optimizer_start", [{}]),
        "start",
        "the state of optimizer 0 is not the sequential run's: none instead of checksum 00000005",
    ),
    "metric of one rank": (
        _set(0, "stdout", _printed(LINES[0], "epoch 2 loss 0.02365, 3 of 9")),
        "metrics",
        "another number is written",
    ),
    "count of one rank": (
        _set(0, "stdout", _printed(LINES[0], "epoch 2 loss 0.02345, 2 of 9")),
        "metrics",
        "'epoch 2 loss 0.02345, 2 of 9' instead of 'epoch 2 loss 0.02345, 3 of 9' [train.py:18]",
    ),
    "logged number of one rank": (
        _set(0, "stderr", [*_printed("INFO epoch 3"), Printed("epoch: 100%|####\r", "")]),
        "metrics",
        "'INFO epoch 3' instead of 'INFO epoch 2'",
    ),
    "number in a file": (
        _set(0, "files", {"out/log.csv": "1,0.12345\n2,0.03345\n"}),
        "metrics",
        "'2,0.03345' instead of '2,0.02345' [out/log.csv]",
    ),
    "lines in a file": (_set(0, "files", {"out/log.csv": "1,0.12345\n"}), "metrics", "1 line instead of 2"),
    "scalar of one rank": (
        _set(0, "reports", [Saved("loss", "1", {"value": "0.2"})]),
        "metrics",
        "another scalar is reported: loss 0.2 instead of loss 0.12345",
    ),
    "scalar not reported": (_set(0, "reports", []), "metrics", "scalars are reported: 0 instead of 1"),
    "printed by all": (_set(1, "stdout", _printed(LINES[0])), "effects", f"rank 1 prints {LINES[0]!r}"),
    "line missing": (_set(0, "stdout", _printed(LINES[0])), "effects", "1 line is missing"),
    "line too many": (_set(0, "stdout", _printed(*LINES, "done")), "effects", "1 line is too many, first 'done'"),
    "other words": (
        _set(0, "stdout", _printed(LINES[0], "epoch 2 cost 0.02345, 3 of 9")),
        "effects",
        "another line is written",
    ),
    "logged by all": (_set(1, "stderr", _printed("INFO epoch 2")), "effects", "rank 1 logs 'INFO epoch 2' as well"),
    "bars on all": (
        _set(1, "stderr", [Printed("epoch:  50%|##\r", "")]),
        "effects",
        "rank 1 shows a progress bar",
    ),
    "bar gone": (_set(0, "stderr", _printed("INFO epoch 2")), "effects", "the progress bar is gone"),
    "written by all": (
        _set(1, "writes", ["out/model.pt"]),
        "effects",
        "out/model.pt is written by ranks [0, 1]",
    ),
    "not written": (_set(0, "writes", ["out/", "out/log.csv"]), "effects", "out/model.pt is written by no process"),
    "another file": (
        _set(1, "writes", ["out/other"]),
        "effects",
        "out/other is written by ranks [1] and not by the sequential run",
    ),
    "module. in keys": (
        _set(0, "saves", [Saved("out/model.pt", "dict", {".module.weight": "x", ".epoch": "2"})]),
        "effects",
        "out/model.pt is saved with another .module.weight: x instead of none",
    ),
    "other weights saved": (
        _set(0, "saves", _saved(weight=OTHER_WEIGHT, epoch="2")),
        "effects",
        "out/model.pt is saved with another .weight",
    ),
    "not saved": (_set(0, "saves", []), "effects", "objects are saved: 0 instead of 1"),
    "an error": (
        _set(1, "error", "Traceback (most recent call last):\n  File\nValueError: x\nmore\n"),
        "end",
        "rank 1 fails: ValueError: x [rank 1]",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_by_its_property(fault: str) -> None:
    change, name, message = FAULTS[fault]
    found = evidence()
    change(list(found.ranks))
    result = judge(found).of(name)
    assert result.status is Status.FAIL
    assert any(message in str(fault) for fault in result.faults), [str(fault) for fault in result.faults]


def test_every_property_but_those_on_other_runs_has_faults_here() -> None:
    assert {name for _, name, _ in FAULTS.values()} == {*ALL} - {"alone", "gradient"}


def _differs(by: float) -> Evidence:
    found = evidence()
    assert found.reference is not None
    found.reference.steps[3].difference = Difference(by, 1, 1.0, 2.0)
    return found


@pytest.mark.parametrize("by", [1e-4, 0.7, float("inf"), float("nan")])
def test_another_gradient(by: float) -> None:
    (fault,) = judge(_differs(by)).of("gradient").faults
    assert (fault.step, fault.tensor, fault.own, fault.wanted) == (3, "bias", "norm 2", "1")


def _spread(by: float) -> Record:
    record = a_record(0, 1)
    for step in record.steps:
        step.difference = Difference(by, 0, 1.0, 1.0)
    return record


def test_rounding_of_the_script_is_allowed_for() -> None:
    found = replace(_differs(1e-4), spread=_spread(2e-5))
    assert judge(found).of("gradient").status is Status.PASS


def test_a_script_that_rounding_leads_astray_is_not_judged() -> None:
    found = replace(_differs(0.7), spread=_spread(0.03))
    assert judge(found).of("gradient").status is Status.ABSTAIN


def test_half_precision_is_rounded_by_each_process() -> None:
    found = _differs(2e-3)
    assert judge(found).of("gradient").status is Status.FAIL
    for record in found.ranks:
        record.epsilon = 2.0**-7
    assert judge(found).of("gradient").status is Status.PASS
    assert judge(replace(found, reference=_differs(0.5).reference)).of("gradient").status is Status.FAIL


@pytest.mark.parametrize(("name", "value"), [("noise", "torch"), ("closure", True)])
def test_what_cannot_be_compared_is_said_and_no_pass(name: str, value: object) -> None:
    found = evidence()
    _all(name, value)(list(found.ranks))
    result = judge(found).of("gradient")
    assert (result.status, result.faults, len(result.unknown)) == (Status.ABSTAIN, (), 1)


def test_what_an_optimizer_makes_of_losses_of_its_own_is_not_compared() -> None:
    found = evidence()
    _all("closure", True)(list(found.ranks))
    found.ranks[0].steps[0].weights[0] += 1
    assert judge(found).of("update").status is Status.ABSTAIN


def test_a_sampler_that_chooses_a_part() -> None:
    found = evidence()
    assert found.reference is not None
    for each in found.reference.passes[::2]:
        each.drawn = [[0, 1, 2, 3], [4, 5, 6, 7]]
    faults = [str(fault) for fault in judge(found).of("coverage").faults]
    assert "epoch (pass 0) uses 1 samples that the sequential run does not have [train.py:9]" in faults


def test_a_sampler_that_draws_at_random() -> None:
    found = evidence()
    assert found.reference is not None
    for each in found.reference.passes[::2]:
        each.drawn, each.steady = [[0, 1, 2, 3], [4, 5, 6, 7], [7]], False
    result = judge(found).of("coverage")
    assert (result.status, len(result.unknown)) == (Status.ABSTAIN, 1)
    for each in found.reference.passes[::2]:
        each.drawn = [[0, 0, 0, 1], [1, 1, 2, 2], [2]]
    assert "drawn differently" in str(judge(found).of("coverage").faults[0])


def test_a_loader_that_is_not_shuffled_keeps_its_order() -> None:
    found = evidence()
    assert found.reference is not None
    for each in found.reference.passes:
        each.shuffled = False
    assert "another order than the data set" in str(judge(found).of("coverage").faults[0])
    _sorted(list(found.ranks))
    for record in found.ranks:
        record.passes[2].batches = record.passes[0].batches
    assert judge(found).of("coverage").status is Status.PASS


def test_an_evaluation_that_only_rank_0_makes_of_everything() -> None:
    found = evidence()
    del found.ranks[1].passes[3], found.ranks[1].passes[1]
    for each in found.ranks[0].passes[1::2]:
        each.batches = [[0], [1], [2]]
    assert judge(found).of("coverage").status is Status.PASS


@pytest.mark.parametrize(
    ("evened", "status"), [(True, Status.ABSTAIN), (False, Status.FAIL)], ids=["by a library", "by hand"]
)
def test_a_last_batch_that_is_filled_up_to_its_full_size(evened: bool, status: Status) -> None:
    made = evidence()
    for record in made.ranks:
        for each in record.passes[::2]:
            first, second, last = each.batches
            each.evened, each.batches = evened, [first, second, [*last, first[-1]]]
    verdict = judge(made)
    assert verdict.of("coverage").status is status
    assert "3 samples" in str([*verdict.of("coverage").unknown, *verdict.of("coverage").faults])


@pytest.mark.parametrize(("trimmed", "status"), [(True, Status.PASS), (False, Status.FAIL)], ids=["yes", "no"])
def test_what_fills_up_an_evaluation_is_no_fault_where_it_is_left_out_of_the_result(
    trimmed: bool, status: Status
) -> None:
    made = evidence()
    made.ranks[1].passes[1].batches = [[1], [0]]
    for record in made.ranks:
        vars(record.passes[1]).update(evened=True, trimmed=trimmed)
    assert judge(made).of("coverage").status is status


@pytest.mark.parametrize("where", ["output", "file", "scalar"])
def test_a_number_that_may_count_samples_twice_is_not_judged(where: str) -> None:
    made = evidence()
    for record in made.ranks:
        for each in record.passes[::2]:
            each.evened, each.batches = True, [*each.batches[:2], [*each.batches[2][:1], *each.batches[0][:1]]]
    once = a_record(0, 1)
    assert judge(replace(made, once=once)).of("metrics").status is Status.PASS
    if where == "output":
        once.stdout[0] = replace(once.stdout[0], text=LINES[0].replace("0.12345", "0.11345"))
    elif where == "file":
        once.files = {name: text.replace("0.12345", "0.11345") for name, text in once.files.items()}
    else:
        once.reports[0].entries["value"] = "0.11345"
    found = judge(replace(made, once=once)).of("metrics")
    assert found.status is Status.ABSTAIN
    assert "fill up the last batch" in found.unknown[0]


def test_subsets_are_known_by_the_numbers_below_them() -> None:
    found = evidence()
    for record in found.ranks:
        record.data_sets[0] = DataSet(9, [*range(8), 70])
    assert "uses 1 samples that the sequential run does not have" in str(judge(found).of("coverage").faults[0])


def test_decisions_that_must_be_equal() -> None:
    found = replace(evidence(), equal_decisions={"train.py:9:7": "train.py:7"})
    found.ranks[0].decisions["train.py:9:7"] = ["0.5", "0.4"]
    found.ranks[1].decisions["train.py:9:7"] = ["0.5", "0.3"]
    (fault,) = judge(found).of("agreement").faults
    assert (fault.line, fault.rank, fault.own, fault.wanted) == ("train.py:7", 1, "0.3", "0.4")


WEAK: dict[str, tuple[list[float], bool]] = {
    "unscaled": ([0.1] * 6, False),
    "scaled": ([0.2] * 6, True),
    "warmed up": ([0.1, 0.12, 0.14, 0.16, 0.18, 0.2], True),
    "not to the end": ([0.1, 0.1, 0.1, 0.1, 0.1, 0.15], False),
    "scaled twice": ([0.4] * 6, False),
}


@pytest.mark.parametrize("name", WEAK)
def test_weak_scaling_reaches_the_multiple_of_the_rate(name: str) -> None:
    rates, right = WEAK[name]
    found = replace(evidence(), weak=True, growth=2.0)
    for record in found.ranks:
        for step, rate in zip(record.steps, rates, strict=True):
            step.rates = [rate]
    assert (judge(found).of("update").status is Status.PASS) is right


def test_no_difference_of_one_process_is_overlooked() -> None:
    def changed(change: Callable[[Record], object]) -> list[str]:
        found = evidence()
        assert found.alone is not None
        change(found.alone)
        return [str(fault) for fault in judge(found).of("alone").faults]

    assert changed(lambda record: setattr(record.steps[2], "gradients", [0, 20])) == [
        "other gradients: norm 1.5 instead of norm 1.5 [train.py:12, step 2, weight]"
    ]
    assert changed(lambda record: setattr(record.stdout[0], "text", "epoch 1 loss 0.12346")) == [
        "another line is written: 'epoch 1 loss 0.12346' instead of 'epoch 1 loss 0.12345' [train.py:18]"
    ]
    assert changed(lambda record: record.steps.pop()) == ["optimizer steps: 5 instead of 6"]
    assert changed(lambda record: record.stdout.pop()) == ["lines of output: 1 instead of 2"]
    assert changed(lambda record: record.passes.pop()) == ["passes over loaders: 3 instead of 4"]
    assert changed(lambda record: record.saves.pop()) == ["saved objects: 0 instead of 1"]
    assert changed(lambda record: record.writes.append("x")) == ["x is written not by the original"]
    assert changed(lambda record: record.writes.pop()) == ["out/log.csv is written by the original only"]
    assert changed(lambda record: record.files.update({"out/log.csv": ""})) == ["out/log.csv has other contents"]
    assert changed(lambda record: setattr(record, "status", 3)) == ["exit status: 3 instead of 0"]
    assert changed(lambda record: setattr(record.steps[0], "rates", [0.2])) == [
        "other learning rates: [0.2] instead of [0.1] [train.py:12, step 0]"
    ]
    assert changed(lambda record: record.start.update(weight=9)) == ["it starts from different weights [weight]"]
    assert changed(lambda record: record.passes[0].batches.reverse()) == [
        "pass 0 over a loader gives other batches [train.py:9]"
    ]
    assert changed(lambda record: setattr(record, "error", "KeyError: 1")) == [
        "the run on one process ends with KeyError: 1"
    ]


def test_numbers_that_a_script_writes_differently_by_itself_are_no_fault() -> None:
    found = evidence()
    for number, record in enumerate((found.alone, found.alone_reference, again := a_record(0, 1))):
        assert record is not None
        record.stdout.append(Printed(f"drawn: {number}.5", "train.py:21"))
    assert judge(found).of("alone").status is Status.FAIL
    assert judge(replace(found, again=again)).of("alone").status is Status.PASS


def test_without_a_run_on_one_process_nothing_is_said_of_it() -> None:
    assert judge(replace(evidence(), alone=None)).of("alone").status is Status.ABSTAIN
    failed = replace(evidence(), alone=None, alone_ending=Ending(1, (), "ValueError: x"))
    assert [str(fault) for fault in judge(failed).of("alone").faults] == [
        "the program fails on one process: ValueError: x"
    ]
    by_hand = judge(replace(failed, converted=False)).of("alone")
    assert (by_hand.status, by_hand.unknown) == (Status.ABSTAIN, ("the program fails on one process: ValueError: x",))


def test_a_run_that_hangs_says_where() -> None:
    stuck = (Stuck(0, "barrier", "train.py:5"), Stuck(1, "all_reduce", "train.py:7"))
    found = replace(evidence(), ranks=[], reference=None, ending=Ending(137, stuck), lines={"train.py:5": "train.py:4"})
    verdict = judge(found)
    assert [str(fault) for fault in verdict.of("end").faults] == [
        "rank 0 waits for ever in barrier [train.py:4, rank 0]",
        "rank 1 waits for ever in all_reduce [train.py:7, rank 1]",
    ]
    assert {each.status for each in verdict.results if each.name not in ("end", "alone")} == {Status.ABSTAIN}


def test_the_exit_status_is_the_sequential_run_s() -> None:
    three = Ending(3)
    assert judge(replace(evidence(), ending=three, reference_ending=three)).of("end").status is Status.PASS
    assert judge(replace(evidence(), reference_ending=three)).of("end").status is Status.FAIL


def test_a_rank_without_a_record_leaves_nothing_to_judge() -> None:
    found = evidence()
    verdict = judge(replace(found, ranks=found.ranks[: RANKS - 1]))
    assert verdict.of("agreement").status is Status.ABSTAIN
    assert verdict.of("coverage").status is Status.ABSTAIN


@pytest.mark.parametrize(
    ("devices", "unlike", "status", "shown"),
    [
        (1, {}, Status.ABSTAIN, ""),
        (2, {}, Status.PASS, "6 steps of 2 devices with bit-equal weights"),
        (2, {"bias": 3}, Status.FAIL, "weights differ between devices [train.py:12, step 3, rank 0, bias]"),
    ],
)
def test_devices_of_one_process_agree_where_their_copies_were_seen(
    devices: int, unlike: dict[str, int], status: Status, shown: str
) -> None:
    own = replace(a_record(0, 1), devices=devices, unlike=unlike)
    found = judge(replace(evidence(), size=1, ranks=[own])).of("agreement")
    assert found.status is status
    assert shown in ("", *found.seen, *map(str, found.faults))


def test_the_process_that_failed_first_is_told_first() -> None:
    found = evidence()
    for record, reason in zip(found.ranks, ("RuntimeError: connection lost", "KeyError: 1"), strict=True):
        record.error, record.ended, record.line = reason, -float(record.rank), "train.py:7"
    faults = [str(fault) for fault in judge(found).of("end").faults]
    assert faults == [
        "rank 1 fails: KeyError: 1 [train.py:7, rank 1]",
        "rank 0 fails: RuntimeError: connection lost [train.py:7, rank 0]",
    ]


def _another_number(lines: frozenset[str], name: str = "metrics") -> tuple[Status, tuple[str, ...]]:
    found = evidence()
    found.ranks[0].stdout[0] = Printed("epoch 1 loss 0.54321", "train.py:18")
    result = judge(replace(found, announced=(Announced(name, "rank 0's is reported.", lines),))).of("metrics")
    return result.status, result.unknown


@pytest.mark.parametrize("lines", [frozenset({"train.py:18", "train.py:19"}), frozenset()])
def test_what_the_compiler_announced_is_neither_fault_nor_pass(lines: frozenset[str]) -> None:
    said = ("announced by the compiler: rank 0's is reported.",)
    assert _another_number(lines) == (Status.ABSTAIN, said)


def test_what_was_announced_elsewhere_excuses_nothing() -> None:
    assert _another_number(frozenset({"train.py:17"})) == (Status.FAIL, ())
    assert _another_number(frozenset(), "gradient") == (Status.FAIL, ())


@pytest.mark.parametrize(("in_files", "status"), [(True, Status.ABSTAIN), (False, Status.FAIL)])
def test_what_was_announced_of_a_line_that_writes_holds_for_files(in_files: bool, status: Status) -> None:
    found = evidence()
    assert found.reference is not None
    for record, loss in ((found.ranks[0], "0.5"), (found.reference, "0.25")):
        record.files["log.csv"] = f"epoch,largest\n1,{loss}\n"
    said = Announced("metrics", "rank 0's is reported.", frozenset({"train.py:18"}), in_files)
    assert judge(replace(found, announced=(said,))).of("metrics").status is status


def test_devices_of_one_process_may_repeat_a_sample_each_to_fill_up_a_batch() -> None:
    found = evidence()
    assert found.reference is not None
    alone = replace(found, size=1, ranks=[found.reference], alone=None, alone_reference=None)
    first = next(each for each in alone.ranks[0].passes if each.training)
    first.batches[-1] = [*first.batches[-1], first.batches[0][0]]
    statuses = [judge(replace(alone, devices=devices)).of("coverage").status for devices in (1, 2)]
    assert statuses == [Status.FAIL, Status.PASS]


def _by_content(found: Evidence, **more: object) -> Evidence:
    """The same run, with samples that have no numbers but are known by their content, as Keras' are."""
    for record in filter(None, (*found.ranks, found.reference, found.alone, found.alone_reference)):
        for each in record.passes:
            vars(each).update({"data": -1, "batches": [[100 + n for n in batch] for batch in each.batches]})
    assert found.reference is not None
    for each in found.reference.passes:
        vars(each).update(more)
    return found


def test_samples_known_by_their_content_are_each_seen_once() -> None:
    assert not judge(_by_content(evidence())).failed


@pytest.mark.parametrize(
    ("batches", "text"),
    [
        ([[103, 101], [105, 108], [999, 107]], "uses 1 samples that the sequential run does not have"),
        ([[103, 101], [105, 108], [103, 107]], "4 samples are repeated in an epoch (pass 0)"),
        ([[103, 101], [105, 108]], "other numbers of batches: [2, 3] instead of 3"),
        ([[103], [105], [107]], "the batch of all processes together has the wrong size: 3 samples instead of 4"),
    ],
)
def test_faults_among_samples_known_by_their_content(batches: list[list[int]], text: str) -> None:
    found = _by_content(evidence())
    found.ranks[0].passes[0].batches = batches
    result = judge(found).of("coverage")
    assert text in " ".join(map(str, result.faults))


def test_samples_that_are_equal_may_come_as_often_as_in_the_data() -> None:
    found = _by_content(evidence())
    assert found.reference is not None
    for record in (*found.ranks, found.reference):
        record.passes[0].batches = [[100 + n % 8 for n in (each - 100 for each in b)] for b in record.passes[0].batches]
    assert judge(found).of("coverage").status is Status.PASS


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"endless": True}, "an endless stream"),
        ({"augmented": True}, "random numbers change the samples"),
    ],
)
def test_samples_that_are_others_each_time_are_not_judged(fields: dict[str, object], reason: str) -> None:
    found = _by_content(evidence(), **fields)
    found.ranks[0].passes[0].batches[0][0] = 999
    result = judge(found).of("coverage")
    assert (result.status, reason in result.unknown[0]) == (Status.ABSTAIN, True)


@pytest.mark.parametrize(
    ("shuffled", "repeating", "status"),
    [(True, True, Status.ABSTAIN), (True, False, Status.FAIL), (False, True, Status.FAIL)],
)
def test_how_often_samples_come_of_a_stream_is_chance_where_the_sequential_run_repeats_some(
    shuffled: bool, repeating: bool, status: Status
) -> None:
    found = _by_content(evidence(), endless=True, shuffled=shuffled)
    assert found.reference is not None
    natural = found.reference.passes[0].batches
    if repeating:
        natural[-1].append(natural[0][0])
    batches = found.ranks[0].passes[0].batches
    batches[0] = [batches[-1][0]] * len(batches[0])
    assert judge(found).of("coverage").status is status


def test_a_pipeline_that_is_not_shuffled_keeps_its_order() -> None:
    found = _by_content(evidence(), shuffled=False)
    first = found.ranks[0].passes[0].batches
    first[0], first[1] = first[1], first[0]
    assert "has another order than the data set" in str(judge(found).of("coverage").faults[0])


def _fed(*, converted: bool = True) -> Evidence:
    """The same run, of sessions: each run of a training step is fed a batch, and rank 0 alone is fed all for a test."""
    found = replace(evidence(), converted=converted)
    for record in filter(None, (*found.ranks, found.reference, found.alone, found.alone_reference)):
        given = [[1, 2, 3, 4], [5, 6, 7], [1, 5, 7, 8]]
        share = [(batch + batch[: -len(batch) % record.size])[record.rank :: record.size] for batch in given]
        record.passes = [Pass(0, -1, -1, 4, False, False, "train.py:9", share, 6, True, fed=True)]
        if record.rank == 0:
            record.passes.append(Pass(9, -1, -1, 0, False, False, "train.py:15", [[1, 2], [3]], 0, True, fed=True))
    return found


@pytest.mark.parametrize("converted", [True, False])
def test_each_run_of_a_session_is_fed_the_samples_of_the_sequential_run(converted: bool) -> None:
    result = judge(_fed(converted=converted)).of("coverage")
    assert (result.status, result.seen[0]) == (
        Status.PASS,
        "3 batches of the same samples, 1 repeated to fill up batches",
    )


@pytest.mark.parametrize(
    ("rank", "number", "batches", "fault", "by_hand"),
    [
        (1, 0, [[2, 4], [6, 5], [5, 9]], "1 samples of a batch are missing, 1 are not in it or repeated", "ABSTAIN"),
        (1, 0, [[2, 4], [6, 5], [8, 1]], "1 samples of a batch are missing, 1 are not in it or repeated", "ABSTAIN"),
        (1, 0, [[3, 1], [5, 7], [1, 7]], "all processes train on the same samples", "FAIL"),
        (1, 0, [[2, 4, 1], [6, 5], [5, 8]], "not in it or repeated", "ABSTAIN"),
        (1, 0, [[2], [6, 5], [5, 8]], "the wrong size: 3 samples instead of 4 [train.py:9, step 0]", "FAIL"),
        (1, 0, [[2, 4], [6, 5]], "batches of training: [3, 2] instead of 3", "FAIL"),
        (0, 1, [[1, 2]], "runs that do not train have other samples", "ABSTAIN"),
    ],
)
def test_faults_among_what_a_session_is_fed(
    rank: int, number: int, batches: list[list[int]], fault: str, by_hand: str
) -> None:
    for converted, status in ((True, "FAIL"), (False, by_hand)):
        found = _fed(converted=converted)
        found.ranks[rank].passes[number].batches = batches
        result = judge(found).of("coverage")
        assert result.status is Status[status]
        assert (fault if status == "FAIL" else "differently from the script") in " ".join(
            map(str, (*result.faults, *result.unknown))
        )


def test_a_program_by_hand_may_feed_a_session_in_an_order_of_its_own() -> None:
    found = _fed(converted=False)
    for rank, batches in enumerate(([[1, 7], [6, 8], [2, 5]], [[5, 3], [1, 4], [7, 5]])):
        found.ranks[rank].passes[0].batches = batches  # the samples of all batches, each as often
    assert found.reference is not None
    found.reference.passes[0].batches[1].append(5)
    assert judge(found).of("coverage").status is Status.PASS
    found = replace(found, converted=True)
    assert judge(found).of("coverage").status is Status.FAIL


def test_batches_that_are_not_seen_are_not_judged() -> None:
    found = _fed()
    for record in (*found.ranks, found.reference, found.alone, found.alone_reference):
        assert record is not None
        record.passes = record.passes[1:]
    verdict = judge(found)
    assert [each.name for each in verdict.results if each.status is Status.ABSTAIN] == ["coverage", "gradient"]


def test_what_each_process_computes_of_its_part_is_not_judged() -> None:
    found = evidence()
    for record in (*found.ranks, found.reference):
        assert record is not None
        for step in record.steps:
            step.partwise = "statistics of batch normalisation"
    assert found.reference is not None
    found.reference.steps[0].difference = Difference(0.5, 0, 1.5, 1.0)
    found.reference.stdout = _printed("epoch 1 loss 0.5")
    found.reference.saves = _saved(weight=OTHER_WEIGHT, epoch="2")
    verdict = judge(found)
    unknown = {each.name: each.unknown[0] for each in verdict.results if each.status is Status.ABSTAIN}
    assert unknown.keys() == {"gradient", "metrics", "effects"} - {each.name for each in verdict.failed}
    assert all("statistics of batch normalisation of its own shard" in each for each in unknown.values())


def test_numbers_that_are_logged_only_are_reported_numbers() -> None:
    found = evidence()
    for record in (*found.ranks, found.reference):
        assert record is not None
        record.stdout, record.files, record.reports, record.writes, record.saves = [], {}, [], [], []
    result = judge(found).of("metrics")
    assert (result.status, result.seen) == (Status.PASS, ("1 line",))


def _each_with_its_own(ranks: list[Record], *, sent: bool) -> None:
    for record in ranks:
        record.start = {"weight": 50 + record.rank, "bias": 2}
        record.beginnings = [Beginning(0, record.start)]
        record.steps[0].weights = [60 + record.rank, 40]
        if sent:
            record.beginnings = [Beginning(0, record.start, 1, {"weight": 60, "bias": 40})]


def test_weights_that_are_sent_behind_the_first_step() -> None:
    found = evidence()
    _each_with_its_own([*found.ranks], sent=True)
    assert found.reference is not None
    found.reference.start, found.reference.steps[0].weights = found.ranks[0].start, [60, 40]
    verdict = judge(found)
    assert not verdict.failed
    for name in ("start", "gradient", "metrics"):
        assert "step 0 with its own weights" in verdict.of(name).unknown[0]
    found.reference.followed = [0]
    assert [each.name for each in judge(found).results if each.status is not Status.PASS] == ["start"]


def test_weights_that_are_never_sent() -> None:
    found = evidence()
    _each_with_its_own([*found.ranks], sent=False)
    assert {"start", "agreement"} <= {each.name for each in judge(found).failed}


def test_weights_that_are_sent_but_do_not_arrive() -> None:
    found = evidence()
    _each_with_its_own([*found.ranks], sent=True)
    found.ranks[1].beginnings[0].shared_weights = {"weight": 61, "bias": 40}
    assert {"start", "agreement"} <= {each.name for each in judge(found).failed}


def test_steps_before_weights_are_sent_are_not_judged() -> None:
    found = evidence()
    _each_with_its_own([*found.ranks], sent=True)
    assert found.reference is not None
    for number in (1, 2):
        for record in found.ranks:
            record.beginnings[0].shared = number
        found.reference.steps[1].difference = Difference(0.5, 0, 1.0, 2.0)
        result = judge(replace(found)).of("gradient")
        assert (bool(result.faults), "with its own weights" in result.unknown[0]) == (number == 1, True)


def test_weights_of_another_model_that_are_sent_behind_its_first_step() -> None:
    found = evidence()
    assert found.reference is not None
    for record in found.ranks:
        record.steps[1].weights = [60 + record.rank, 40]
        record.beginnings = [
            Beginning(0, record.start, 1, {"weight": 1}),
            Beginning(1, {"weight'": 50 + record.rank}, 2, {"weight'": 60}),
        ]
    found.reference.steps[1].weights = [60, 40]
    for name in ("start", "gradient", "metrics"):
        assert "step 1 with its own weights" in judge(found).of(name).unknown[0]
    found.reference.followed = [1]
    found = replace(found)
    assert [each.name for each in judge(found).results if each.status is not Status.PASS] == ["start"]
    found.ranks[1].steps[2].weights = [61, 40]
    assert "agreement" in {each.name for each in judge(replace(found)).failed}
    found.ranks[1].beginnings[1].shared = -1
    assert "step 1" in str(judge(replace(found)).of("agreement").faults[0])


def test_a_sequential_run_that_cannot_follow_is_no_fault_of_the_program() -> None:
    found = evidence()
    assert found.reference is not None
    found.reference.error = "Traceback (most recent call last):\n  File\nValueError: no such batch"
    result = judge(replace(found, reference_ending=Ending(1))).of("end")
    assert (result.status, result.unknown) == (
        Status.ABSTAIN,
        ("the sequential run that follows fails: ValueError: no such batch",),
    )


def test_the_steps_before_a_hang_are_judged() -> None:
    found = evidence()
    for record in found.ranks:
        record.hung = True
    found.ranks[0].steps.pop()
    found.ranks[1].passes.pop()
    assert found.reference is not None
    found.reference.steps = found.reference.steps[:4]
    stuck = (Stuck(0, "barrier", "train.py:5"), Stuck(1, "all_reduce", "train.py:7"))
    found = replace(found, ending=Ending(137, stuck))
    for name in ("gradient", "update", "agreement"):
        result = judge(found).of(name)
        assert result.status is Status.ABSTAIN
        assert result.unknown[0].startswith("the run did not finish: only")
    assert [each.name for each in judge(found).failed] == ["end"]
    assert found.reference is not None
    vars(found.reference.steps[2]).update(difference=Difference(0.5, 0, 1.5, 2.5))
    assert [each.name for each in judge(found).failed] == ["gradient", "end"]


def test_of_a_program_that_cannot_be_observed_nothing_is_said() -> None:
    found = evidence()
    found.ranks[0].unseen = "the program does what is not seen [train.py:3]"
    assert {(each.status, each.unknown) for each in judge(found).results} == {
        (Status.ABSTAIN, ("the program does what is not seen [train.py:3]",))
    }


def test_a_program_by_hand_may_round_otherwise_on_one_process() -> None:
    found = replace(evidence(), converted=False)
    assert found.alone is not None
    found.alone.stdout = [Printed("epoch 1 loss 0.12346", "train.py:18"), *found.alone.stdout[1:]]
    found.alone.saves = _saved(weight=TENSOR.replace("0000abcd", "0000abce"), epoch="2")
    assert judge(found).of("alone").status is Status.PASS
    assert judge(replace(found, converted=True)).of("alone").status is Status.FAIL
    assert found.alone_reference is not None
    found.alone_reference.steps[1].difference = Difference(1e-3, 0, 1.5, 1.6)
    (fault,) = judge(found).of("alone").faults
    assert "other gradients: norm 1.6 instead of norm 1.5 [train.py:12, step 1, weight]" in str(fault)


def test_numbers_that_chance_decides_are_not_held_against_a_program() -> None:
    found = evidence()
    found.ranks[0].stdout = [Printed("epoch 1 loss 0.5", "train.py:18"), *found.ranks[0].stdout[1:]]
    assert judge(found).of("metrics").status is Status.FAIL
    found.ranks[0].steps[0].noise = "torch"
    assert judge(found).of("metrics").unknown == (
        "the training step draws random numbers (torch) that belong to no sample",
    )
