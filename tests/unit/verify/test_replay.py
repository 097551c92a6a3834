"""The order of samples that a sequential run takes over from records."""

from __future__ import annotations

from dataclasses import replace

from corro.verify.records import DataSet, Pass, Record, aligned
from corro.verify.replay import Order, Replay
from corro.verify.settings import Following
from unit.verify.made_up import a_record

FOLLOWING = Following("runs/ranks")


def _replay(*shares: Pass, following: Following = FOLLOWING) -> Replay:
    ranks = [
        Record(rank=rank, size=len(shares), data_sets=[DataSet(20)], passes=[share])
        for rank, share in enumerate(shares)
    ]
    return Replay(ranks, following)


def _share(*batches: list[int], steps: int = 0, batch_size: int = 2) -> Pass:
    return Pass(0, 0, len(batches), batch_size, False, False, batches=list(batches), steps=steps)


NATURAL = Pass(0, 0, 2, 4, False, shuffled=True)


def test_training_batches_are_those_of_all_processes_one_rank_behind_the_other() -> None:
    replay = _replay(_share([1, 2], [5, 6], steps=2), _share([3, 4], [7], steps=2))
    assert replay.order(0, NATURAL) == Order([[1, 2, 3, 4], [5, 6, 7]], [[2, 2], [2, 1]])


def test_a_process_that_ran_out_of_batches_gives_nothing_to_the_last() -> None:
    replay = _replay(_share([1, 2], [5], steps=2), _share([3, 4], steps=1))
    assert replay.order(0, NATURAL) == Order([[1, 2, 3, 4], [5]], [[2, 2], [1]])


def test_summed_in_reverse_each_share_is_turned_round() -> None:
    replay = _replay(_share([1, 2], steps=1), _share([3, 4], steps=1), following=replace(FOLLOWING, reverse=True))
    assert replay.order(0, NATURAL) == Order([[2, 1, 4, 3]], [[2, 2]])


def test_an_evaluation_in_order_is_left_to_the_script() -> None:
    replay = _replay(_share([0, 2]), _share([1, 3]))
    assert replay.order(0, replace(NATURAL, shuffled=False)) is None


def test_a_shuffled_evaluation_takes_over_whole_batches() -> None:
    replay = _replay(_share([9, 8, 7, 6], [1]), _share([5, 4, 3, 2]))
    assert replay.order(0, NATURAL) == Order([[9, 8, 7, 6], [5, 4, 3, 2], [1]], [])


def test_a_shuffled_evaluation_made_by_all_processes_is_made_once() -> None:
    replay = _replay(_share([9, 8], [7]), _share([9, 8], [7]))
    assert replay.order(0, NATURAL) == Order([[9, 8], [7]], [])


def test_samples_dealt_out_singly_are_batched_anew() -> None:
    replay = _replay(_share([9, 7], [5]), _share([8, 6], [4]))
    assert replay.order(0, NATURAL) == Order([[9, 7, 8, 6], [5, 4]], [])


def test_one_process_is_followed_as_it_is() -> None:
    assert _replay(_share([3, 4], [5])).order(0, NATURAL) == Order([[3, 4], [5]], [[2], [1]])


def test_a_pass_that_was_not_recorded_keeps_its_order() -> None:
    assert _replay(_share([3, 4])).order(1, NATURAL) is None


def test_steps_and_loaders_by_number() -> None:
    replay = Replay([a_record(rank, 2) for rank in range(2)], FOLLOWING)
    assert replay.size == 2
    assert (replay.trains(0), replay.trains(1)) == (True, False)
    step = replay.step(5)
    assert step is not None
    assert step.weights == [35, 40]
    assert replay.step(6) is None


def test_passes_side_by_side() -> None:
    ranks = [a_record(rank, 2) for rank in range(2)]
    left_out = ranks[1].passes.pop(1)
    rows = aligned(ranks)
    assert [[each is not None for each in row] for row in rows] == [
        [True, True],
        [True, False],
        [True, True],
        [True, True],
    ]
    ranks[1].passes.append(replace(left_out, loader=7))
    assert aligned(ranks)[-1] == [None, ranks[1].passes[-1]]


def test_what_fills_up_the_last_batch_can_be_left_out() -> None:
    shares = _share([0, 1], [4], steps=2), _share([2, 3], [0], steps=2)
    once = _replay(*shares, following=replace(FOLLOWING, once=True))
    for record in once.ranks:
        record.data_sets = [DataSet(5)]
    assert once.order(0, NATURAL) == Order([[0, 1, 2, 3], [4]], [[2, 2], [1]])
    assert _replay(*shares).order(0, NATURAL) == Order([[0, 1, 2, 3], [4, 0]], [[2, 2], [1, 1]])


def test_what_a_library_fills_up_an_evaluation_with_is_left_out() -> None:
    shares = _share([9, 8], [5, 9]), _share([7, 6], [8, 7])
    replay = _replay(*(replace(each, evened=True) for each in shares))
    assert replay.order(0, NATURAL) == Order([[9, 8, 7, 6], [5]], [])
