"""Which cells make the program of a kernel."""

from __future__ import annotations

from corro.notebook._history import Executed, selected


def numbers(*earlier: Executed, current: str = "train()", cell: str = "") -> list[int]:
    return [each.number for each in selected(earlier, Executed(99, current, cell)).cells]


def test_all_cells_count_in_their_order() -> None:
    assert numbers(Executed(1, "a = 1"), Executed(2, ""), Executed(3, "a += 1"), Executed(4, "a += 1")) == [1, 3, 4]


def test_a_cell_that_failed_is_left_out() -> None:
    chosen = selected([Executed(1, "a = 1"), Executed(2, "b = a / 0", failed=True)], Executed(3, "a"))
    assert [each.number for each in chosen.cells] == [1]
    assert chosen.told == ("In [2] failed and is left out.",)


def test_a_cell_counts_as_it_was_run_last_in_its_first_place() -> None:
    earlier = (Executed(1, "import os", "x"), Executed(2, "a = os.sep", "y"), Executed(3, "import os, sys", "x"))
    chosen = selected(earlier, Executed(4, "a"))
    assert [each.number for each in chosen.cells] == [3, 2]
    assert chosen.told == ("In [1] counts as it was run last, as In [3].",)


def test_a_cell_that_needs_later_ones_by_now_comes_after_them() -> None:
    earlier = (Executed(1, "a = 1", "x"), Executed(2, "width = 5", "y"), Executed(3, "a = width", "x"))
    assert numbers(*earlier) == [2, 3]
    function = (Executed(1, "a = 1", "x"), Executed(2, "width = 5", "y"), Executed(3, "def f(): return width", "x"))
    assert numbers(*function) == [3, 2], "functions read names when they are called"


def test_a_run_that_failed_does_not_replace_one_that_did_not() -> None:
    assert numbers(Executed(1, "a = 1", "x"), Executed(2, "a = 1 / 0", "x", failed=True)) == [1]


def test_earlier_runs_of_the_cell_itself_do_not_count() -> None:
    magic = "%%distribute -n 2\ntrain()"
    assert numbers(Executed(1, "train()"), Executed(2, "%%distribute -n 4\ntrain()"), current=magic) == []
    assert numbers(Executed(1, "train(5)", "x"), Executed(2, "train()", "y"), current=magic, cell="x") == [2]
    assert numbers(Executed(1, "train(5)"), current=magic) == [1], "nobody says that it is the same cell"


def test_another_cell_that_is_distributed_runs_again() -> None:
    chosen = selected([Executed(1, "%%distribute -n 2\ntrain(1)")], Executed(2, "%%distribute -n 2\ntrain(2)"))
    assert [each.number for each in chosen.cells] == [1]
    assert chosen.told == ("In [1] is distributed, too, and runs again before this cell.",)


def test_cells_with_magics_are_read() -> None:
    earlier = (
        Executed(1, "%matplotlib inline\na = 1", "x"),
        Executed(2, "files = !ls", "y"),
        Executed(3, "%time a = files", "x"),
    )
    assert numbers(*earlier) == [2, 3]
