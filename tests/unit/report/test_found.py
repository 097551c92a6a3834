"""Which files belong to a script, and what is read from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench_support import rows
from corro.bench import kept
from corro.bench.analysis import analysed
from corro.bench.store import opened
from corro.errors import UsageError
from corro.report.found import files_of, found
from report_support import SCRIPT, bench, profile, trace, verdict


def test_an_experiment_is_the_one_that_was_made(tmp_path: Path) -> None:
    made = bench(tmp_path / "train_bench.sqlite")
    (one,) = kept.read(tmp_path / "train_bench.sqlite")
    assert one.design == made
    assert one.script == SCRIPT
    assert one.analysis.comparisons == analysed(made, one.rows).comparisons
    assert [each.name for each in one.analysis.equal] == ["accuracy"] * len(made.cells)


def test_an_experiment_without_limits_has_none(tmp_path: Path) -> None:
    """Files of before do not say it."""
    file = tmp_path / "train_bench.sqlite"
    bench(file)
    described = dict(kept.read(file)[0].described)
    del described["limits"]
    with opened(file, "older") as store:
        store.begin(SCRIPT, described, "here")
        design = kept.Experiment(SCRIPT, {**described, "limits": False}, "here", "", ()).design
        for row in rows(design, 1):
            store.add(row)
    newest = kept.read(file)[0]
    assert newest.design == design
    assert all(each.target != "unconnected" for each in newest.design.treatments)


def test_the_experiment_with_the_newest_run_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "train_bench.sqlite"
    bench(file, seed=1)
    bench(file, seed=2)
    (one,) = found([str(file)], tmp_path)
    assert (one.older, [each.described["seed"] for each in one.experiments]) == (1, [2])


def test_results_of_a_script_are_found_by_their_names(tmp_path: Path) -> None:
    bench(tmp_path / "train_bench.sqlite")
    trace(tmp_path / "train_trace.json")
    trace(tmp_path / "train_trace_horovod.json", "horovod")
    verdict(tmp_path / "train_verify.json")
    profile(tmp_path / "train_forecast.json")
    bench(tmp_path / "other_bench.sqlite", script="other.py")
    (one,) = found([SCRIPT], tmp_path)
    assert one.script == SCRIPT
    assert [len(each) for each in (one.experiments, one.traces, one.verdicts, one.profiles)] == [1, 2, 1, 1]


def test_a_profile_is_of_the_script_with_its_name_in_whatever_folder(tmp_path: Path) -> None:
    bench(tmp_path / "train_bench.sqlite", script="code/train.py")
    profile(tmp_path / "train_forecast.json")
    (one,) = found([SCRIPT], tmp_path)
    assert (one.script, len(one.experiments), len(one.profiles)) == ("code/train.py", 1, 1)


def test_a_name_with_characters_of_patterns(tmp_path: Path) -> None:
    for name in ("a[1]_bench.sqlite", "a1_bench.sqlite"):
        (tmp_path / name).touch()
    assert files_of(Path("a[1].py"), tmp_path) == [tmp_path / "a[1]_bench.sqlite"]


def test_files_that_are_named_are_read_once_and_sorted_by_script(tmp_path: Path) -> None:
    bench(tmp_path / "train_bench.sqlite")
    trace(tmp_path / "train_trace.json")
    verdict(tmp_path / "b.json", script="other.py")
    names = [str(tmp_path / each) for each in ("train_trace.json", "b.json", "train_bench.sqlite", "b.json")]
    one, other = found(names, tmp_path)
    assert (one.script, len(one.traces), len(one.experiments)) == (SCRIPT, 1, 1)
    assert (other.script, len(other.verdicts)) == ("other.py", 1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"{}", "has no results"),
        ("a.json", b'{"about": {"corro": "something"}}', "has no results"),
        ("a.json", b'{"about": 3}', "has no results"),
        ("a.json", b"[1, 2]", "has no results"),
        ("a.json", b'{"shares": []}', "is no profile"),
        ("a.json", b"\xff\xfe", "has no results"),
        ("a.json", b"", "has no results"),
        ("a.sqlite", b"SQLite format 3\0 and then nothing of it", "has no runs of corro bench"),
    ],
)
def test_a_file_that_has_no_results(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=message):
        found([str(tmp_path / name)], tmp_path)


def test_a_database_of_others(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
        connection.execute("CREATE TABLE things (name TEXT)")
    with pytest.raises(UsageError, match="no such table"):
        found([str(tmp_path / "a.sqlite")], tmp_path)


def test_only_a_first_run_is_nothing_to_compare(tmp_path: Path) -> None:
    made = bench(tmp_path / "a.sqlite", blocks=0)
    assert made.treatments
    with pytest.raises(UsageError, match="no runs that could be compared"):
        found([str(tmp_path / "a.sqlite")], tmp_path)


def test_a_script_without_results(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no results of train.py here") as error:
        found([SCRIPT], tmp_path)
    assert error.value.advice == "Make some first: corro bench train.py -n 2"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        found([str(tmp_path / "nothing.json")], tmp_path)
