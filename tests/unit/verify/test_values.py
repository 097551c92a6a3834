"""Numbers in text, records and settings as files, verdicts as values."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest

from corro.cli._verdict import render_verdict
from corro.verify.numbers import NUMBER, agree, differing, same, skeleton
from corro.verify.records import DataSet, Difference, Printed, Record, read_ranks
from corro.verify.settings import Following, Settings
from corro.verify.verdict import Fault, Result, Seen, Status, Unknown, Verdict
from unit.verify.made_up import a_record


@pytest.mark.parametrize(
    ("own", "other", "equal"),
    [
        ("0.12345", "0.12346", True),
        ("0.1234567", "0.1234667", True),
        ("0.12345", "0.12348", False),
        ("97", "96", False),
        ("1,500", "1,500", True),
        ("1,500.5", "1,500.6", True),
        ("1.5e-05", "1.4999e-05", True),
        ("-1.0", "1.0", False),
        ("nan", "nan", True),
        ("nan", "0.5", False),
        ("inf", "1.5", False),
        ("1.5", "inf", False),
        ("-inf", "inf", False),
        ("inf", "inf", True),
    ],
)
def test_numbers_agree_up_to_rounding_and_whole_ones_exactly(own: str, other: str, equal: bool) -> None:
    assert agree(own, other) is equal


@pytest.mark.parametrize(
    ("own", "other", "equal"),
    [
        ("0.4043004", "0.40430039167404175", True),
        ("0.4043004", "0.4043005", False),
        ("0.5", "0.5", True),
        ("16777217", "16777216", False),
        ("1e39", "1.1e39", False),
        ("1,000.5", "1000.5", True),
    ],
)
def test_one_number_with_other_digits(own: str, other: str, equal: bool) -> None:
    assert same(own, other) is equal


def test_skeletons_keep_words_and_names() -> None:
    assert skeleton("conv1  loss -0.5, 10%") == "conv1 loss #, #%"
    assert skeleton("v1.2: 1e-3") == "v1.2: #"
    assert skeleton("loss tensor(0.5, grad_fn=<MeanBackward0>)") == skeleton("loss tensor(0.5)")


def test_differing_numbers_are_told_by_their_place() -> None:
    assert list(differing("epoch 2 loss 0.5 acc 7", "epoch 2 loss 0.5 acc 8")) == [(2, "7", "8")]


def test_a_comma_stands_between_thousands_or_between_cells() -> None:
    """A number and the next cell are not one: its digits would be rounded at another place."""
    assert NUMBER.findall("1,0.7816901206970215,12,34") == ["1", "0.7816901206970215", "12", "34"]
    assert NUMBER.findall("1,234.5 of 12,345,678") == ["1,234.5", "12,345,678"]


def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    record = a_record(0, 1)
    record.folder = str(tmp_path / "rank0")
    record.judged, record.epsilon, record.status = {"train.py:3": ["0.5"]}, 0.5, 3
    record.data_sets.append(DataSet(2, [5, 6]))
    record.write()
    assert Record.read(tmp_path / "rank0") == record


def test_what_a_script_prints_of_its_folder_is_equal_in_all_runs(tmp_path: Path) -> None:
    texts = []
    for name in ("ranks", "reference"):
        record = a_record(0, 1)
        record.folder = str(tmp_path / name / "rank0")
        record.stdout = [Printed(f"saved to {tmp_path / name / 'room' / 'home' / 'model.pt'}")]
        record.write()
        texts.append(read_ranks(tmp_path / name)[0].stdout)
    assert texts == [[Printed("saved to /home/model.pt")]] * 2


def test_records_are_read_by_rank(tmp_path: Path) -> None:
    for rank in range(11):
        Record(rank=rank, folder=str(tmp_path / f"rank{rank}")).write()
    (tmp_path / "rank99").mkdir()
    assert [each.rank for each in read_ranks(tmp_path)] == list(range(11))


def test_a_process_that_left_no_record(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Record.read(tmp_path)


def test_a_reference_s_differences_are_kept(tmp_path: Path) -> None:
    record = a_record(0, 1)
    record.folder = str(tmp_path)
    record.write()
    assert Record.read(tmp_path).steps[0].difference == record.steps[0].difference


@pytest.mark.parametrize(
    ("own", "other", "found"),
    [
        ([(3.0, 4.0), ()], [(3.0, 0.0), ()], (4 / 3, 0)),
        ([(1.0,), (2.0,)], [(1.0,), (2.5,)], (0.5 / 7.25**0.5, 1)),
        ([(0.0,)], [(0.0,)], (0.0, 0)),
        ([(1.0,)], [(0.0,)], (math.inf, 0)),
        ([(1.0,), (1.0, 2.0)], [(1.0,), (1.0,)], (math.inf, 1)),
        ([(1.0,)], [(1.0,), (1.0,)], (math.inf, 1)),
    ],
)
def test_gradients_are_apart_by_the_norm_of_all(
    own: list[tuple[float, ...]], other: list[tuple[float, ...]], found: tuple[float, int]
) -> None:
    a, b = ([np.array(each) for each in side] for side in (own, other))
    difference = Difference.between(a, b, lambda each: float(np.linalg.norm(each)))
    assert difference.relative == pytest.approx(found[0])
    assert difference.tensor == found[1]


def test_a_subset_hides_the_other_samples() -> None:
    assert list(DataSet(3).population) == [0, 1, 2]
    assert list(DataSet(2, [5, 7]).population) == [5, 7]


@pytest.mark.parametrize("following", [None, Following("runs/ranks", weak=True, reverse=True)])
def test_settings_come_back_as_they_were_written(following: Following | None, tmp_path: Path) -> None:
    settings = Settings("runs/ranks", "pytorch", "p.py", "s.py", steps=3, following=following, rooms=("a", "b"))
    settings.write(tmp_path / "new" / "settings.json")
    assert Settings.read(tmp_path / "new" / "settings.json") == settings


def test_a_fault_decides_and_what_is_unknown_is_no_pass() -> None:
    fault, unknown, seen = Fault("wrong"), Unknown("why"), Seen("what")
    status: dict[Status, list[list[Fault | Unknown | Seen]]] = {
        Status.FAIL: [[fault], [seen, unknown, fault]],
        Status.ABSTAIN: [[], [unknown], [seen, unknown]],
        Status.PASS: [[seen]],
    }
    for wanted, cases in status.items():
        for case in cases:
            assert Result.of("x", "X", case).status is wanted
    assert Result.of("x", "X", []).unknown == ("the run showed nothing that could be compared",)
    assert Result.of("x", "X", [unknown, unknown]).unknown == ("why",)


def test_a_fault_as_a_line() -> None:
    assert str(Fault("weights differ", "train.py:3", 4, 1, "fc.bias", "1", "2")) == (
        "weights differ: 1 instead of 2 [train.py:3, step 4, rank 1, fc.bias]"
    )
    assert str(Fault("it fails")) == "it fails"
    assert str(Fault("first step", step=0, rank=0)) == "first step [step 0, rank 0]"


def test_a_verdict_for_json() -> None:
    results = (Result.of("end", "E", [Fault("hangs", rank=1)]), Result.of("start", "S", [Seen("2 tensors")]))
    verdict = Verdict(results, ("dropout is off",))
    told = json.loads(json.dumps(verdict.to_dict()))
    assert [(each["property"], each["status"]) for each in told["results"]] == [("end", "FAIL"), ("start", "PASS")]
    assert told["results"][0]["faults"][0]["rank"] == 1
    assert told["comparable"] == ["dropout is off"]
    assert verdict.failed == results[:1]
    assert verdict.of("start") is results[1]


def test_of_several_faults_the_first_is_told() -> None:
    at = {"update": 4, "gradient": 3, "agreement": 3, "metrics": None, "alone": 0}
    faults = {name: Fault(f"wrong {name}", step=step) for name, step in at.items()}
    results = tuple(Result(name, "", (fault,), (), ()) for name, fault in faults.items())
    verdict = Verdict((*results, Result("end", "", (), (), ("seen",))))
    assert verdict.first == (results[1], faults["gradient"])
    assert verdict.to_dict()["first"]["property"] == "gradient"
    assert Verdict((results[3], results[4])).first == (results[3], faults["metrics"])
    assert Verdict(()).first is None
    stream = io.StringIO()
    render_verdict(verdict, stream)
    told = "First: gradient: wrong gradient [step 3]. What may follow from it: update, agreement, metrics, alone."
    assert told in stream.getvalue()
    stream = io.StringIO()
    render_verdict(Verdict(results[:1]), stream)
    assert "First" not in stream.getvalue()
