"""What is decided by leaving early, by special methods, by orders and by exceptions that are caught."""

from __future__ import annotations

import textwrap

import pytest

from unit.flow.interpreting import Seen, train

START = """
import contextlib, dataclasses, heapq, itertools, functools
import numpy as np
import pandas as pd

class Meter:
    last = 0.0
    def __init__(self):
        self.v = 0.0
    @property
    def value(self):
        return self.v
    @value.setter
    def value(self, v):
        self.v = v
    def __add__(self, other):
        return self.v + other
    def __getitem__(self, index):
        return self.v
    def __setitem__(self, index, v):
        self.v = v
    def __len__(self):
        return int(self.v)
    def __float__(self):
        return self.v
    def __lt__(self, other):
        return self.v < other
    def __contains__(self, v):
        return self.v == v
    def __str__(self):
        return str(self.v)

class Further(Meter):
    pass

@dataclasses.dataclass
class Record:
    v: float = 0.0
    w: float = 0.0

@contextlib.contextmanager
def opened(v):
    yield v

def rate(v):
    if v > 3:
        return 0.1
    return 0.05

def first(v):
    for k in range(3):
        if k > v:
            return k
    return 3

def guarded(v):
    if v > 3:
        return
    meter.v = 1.0

meter, further, record = Meter(), Further(), Record()
heap, kept, value, nested = [], [1.0, 2.0], 1.0, [[0.0], [1.0]]
"""
UNEQUAL = [
    ("value = rate(high)", "value"),
    ("value = first(high)", "value"),
    ("guarded(high)", "meter.v"),
    ("for k in range(3):\n    if k > high:\n        break", "k"),
    ("for k in range(3):\n    if k > high:\n        break\n    value = 2.0 * k", "value"),
    ("for k in range(3):\n    if k > high:\n        break\nelse:\n    value = 3.0", "value"),
    ("for k in range(3):\n    if k > high:\n        continue\n    value += 1", "value"),
    ("for k in range(3):\n    if k == 1:\n        if high > 3:\n            continue\n    value += 1", "value"),
    ("k = 0\nwhile True:\n    k += 1\n    if k > high:\n        break", "k"),
    ("try:\n    if high > 3:\n        raise ValueError\nexcept ValueError:\n    value = 0.0", "value"),
    ("try:\n    if high > 3:\n        raise ValueError('x')\nexcept Exception:\n    value = 0.0", "value"),
    ("try:\n    assert high > 3\n    value = 5.0\nexcept AssertionError:\n    value = 0.0", "value"),
    ("meter.v = high", "meter + 1"),
    ("meter.v = high", "meter[0]"),
    ("meter[0] = high", "meter.v"),
    ("meter.v = high", "len(meter)"),
    ("meter.v = high", "float(meter)"),
    ("meter.v = high", "str(meter)"),
    ("meter.v = high", "1.0 if meter else 2.0"),
    ("meter.v = high", "meter < 3"),
    ("meter.v = high", "3 in meter"),
    ("meter.v = high", "meter.value"),
    ("further.v = high", "further.value"),
    ("Meter.last = high", "meter.last"),
    ("Meter.last = high", "further.last"),
    ("record = Record(high)", "record.v"),
    ("record = Record(1.0, high)", "record.w"),
    ("with opened(high) as given:\n    value = given", "value"),
    ("heapq.heappush(heap, high)", "heap[0]"),
    ("heapq.heappush(heap, high)", "heapq.heappop(heap)"),
    ("kept = list(zip([high], [1]))", "kept[0][0]"),
    ("kept = list(map(lambda v: v * high, kept))", "kept[0]"),
    ("nested[0][0] = high", "sum(map(max, nested))"),
    ("value = max(kept, key=lambda v: abs(v - high))", "value"),
    ("kept = sorted(kept, key=lambda v: abs(v - high))", "kept[0]"),
    ("kept.sort(key=lambda v: abs(v - high))", "kept[0]"),
    ("table = pd.DataFrame({'a': [high]})", "table['a'].mean()"),
]
EQUAL = [
    ("for j in range(2):\n    if high > 3:\n        rate(epoch)\n    value = 2.0", "value"),
    ("for j in range(2):\n    if high > 3:\n        for k in kept:\n            break\n    value = 2.0", "value"),
    ("value = rate(epoch)", "value"),
    ("value = first(epoch)", "value"),
    ("for k in range(3):\n    if k > epoch:\n        break", "k"),
    ("for k in range(3):\n    if k > high:\n        continue\n    kept[0] = 1.0\nvalue = 3.0", "value"),
    ("for k in range(3):\n    for j in range(3):\n        if j > high:\n            break\n    value = 2.0", "value"),
    ("try:\n    if high > 3:\n        raise ValueError\nexcept KeyError:\n    value = 0.0", "value"),
    ("meter.w = high", "len(meter)"),
    ("meter.w = high", "meter.value"),
    ("record = Record(1.0, high)", "record.v"),
    ("kept = list(map(lambda v: v * 2, kept))", "kept[0]"),
    ("kept = sorted(kept, key=lambda v: -v)", "kept[0]"),
    ("value = max(kept, key=lambda v: abs(v - epoch))", "value"),
]


def probed(body: str, expression: str) -> Seen:
    text = f"high = x.max().item()\n{body}\nprobe({expression})"
    return train(f"{START}\nfor epoch in range(3):\n    for x, y in loader:\n{textwrap.indent(text, ' ' * 8)}")


@pytest.mark.parametrize(("body", "expression"), UNEQUAL)
def test_what_something_unequal_decides_is_unequal(body: str, expression: str) -> None:
    assert not probed(body, expression).value().placement.is_equal


@pytest.mark.parametrize(("body", "expression"), EQUAL)
def test_what_is_decided_by_equal_values_is_equal(body: str, expression: str) -> None:
    assert probed(body, expression).value().placement.is_equal
