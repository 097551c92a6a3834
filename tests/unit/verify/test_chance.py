"""Names that chance makes are no difference between runs; all else is."""

from __future__ import annotations

from corro.verify.chance import ANY, Text, steadied, texts_of_chance
from corro.verify.records import Printed, Saved
from unit.verify.made_up import a_record

ONE, TWO, THREE = "tmpab12_x9z", "tmpqwerty__", "tmp0000aaaa"


def test_names_of_chance_are_read_as_one() -> None:
    records = [a_record(0, 1) for _ in range(3)]
    for record, name, loss in zip(records, (ONE, TWO, THREE), ("0.51", "0.51", "0.52"), strict=True):
        record.stdout = [Printed(f"loss {loss}, saved to /tmp/{name}/best.pt"), Printed(name), Printed("the end")]
        record.saves = [Saved(f"../../tmp/{name}/best.pt", "dict", {".run": name, ".epoch": "2"})]
        record.writes = [f"runs/{name}/", "log.txt"]
        record.files = {f"runs/{name}/log.txt": f"in {name}\n3"}
    texts = texts_of_chance(*records[:2])
    first, second, third = (steadied(record, texts) for record in records)
    assert first == second
    assert third.stdout[0].text == f"loss 0.52, saved to /tmp/{ANY}/best.pt"
    assert third.stdout[1:] == first.stdout[1:]
    assert (third.saves, third.writes, third.files) == (first.saves, first.writes, first.files)


def test_other_words_and_other_places_stay_what_they_are() -> None:
    one, two = a_record(0, 1), a_record(0, 1)
    one.stdout = [Printed(f"run {ONE}"), Printed("took 3.1 s"), Printed("good"), Printed("more words than one")]
    two.stdout = [Printed(f"run {TWO}"), Printed("took 3.2 s"), Printed("evil"), Printed("less words")]
    texts = texts_of_chance(one, two)
    assert len(texts) == 1
    assert steadied(one, texts).stdout[1:] == one.stdout[1:]
    (run,) = texts
    assert run.read(f"walk {ONE}") is None
    assert run.read(f"run {ONE[:-1]}") is None
    assert run.read(f"run/{ONE}") is None
    assert steadied(one, ()) is one


def test_numbers_in_names_may_have_more_digits() -> None:
    text = Text.of("runs/events.17645.host.998.0", "runs/events.17646.host.999.0")
    assert text is not None
    assert text.read("runs/events.17649.host.1021.0") == f"runs/{ANY}"
    assert text.read("runs/events.17649.other.1021.0") is None
