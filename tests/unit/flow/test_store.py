"""The store: owners that are put in as a whole, and taken back."""

from corro.flow.store import Store
from corro.flow.values import UNKNOWN, constant

BEFORE = {"x": constant(1)}
MARKED = {"x": constant(2)}


def marked() -> Store:
    """A store with an owner that was put in as a whole."""
    store = Store()
    store.put(7, BEFORE)
    copy = store.copy()
    copy.put(7, MARKED)
    return copy


def test_an_owner_is_what_it_was_before() -> None:
    store = marked()
    store.put_back(7, MARKED, BEFORE)
    assert store.fields(7) is BEFORE
    assert store.size == 1


def test_an_owner_that_was_changed_stays() -> None:
    store = marked()
    store.set((7, "y"), UNKNOWN)
    store.put_back(7, MARKED, BEFORE)
    assert store.fields(7) == {**MARKED, "y": UNKNOWN}


def test_what_was_put_in_is_not_changed_itself() -> None:
    store = marked()
    store.set((7, "x"), UNKNOWN)
    assert {"x": constant(2)} == MARKED
