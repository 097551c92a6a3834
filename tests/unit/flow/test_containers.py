"""What lists, sets, dicts and objects hold, and how much of it, when what decides differs between processes."""

from __future__ import annotations

import textwrap

import pytest

from unit.flow.interpreting import Seen, train

START = """
import bisect, collections, functools
import numpy as np

class Settings:
    pass

settings = Settings()
settings.rates = []
settings.rate = 0.1
pair = (0.1, (1, 2))
kept, seen, names, value = [], set(), {}, 1.0
rates = [0.1, 0.05]
stats = {"a": 1.0}
counts = collections.defaultdict(float)
"""
CHOSEN = [
    "value = rates[int(high > 3)]",
    "value = {True: 0.1, False: 0.2}[bool(high > 3)]",
    "value = {True: 0.1}.get(bool(high > 3), 1.0)",
    "value = 0.5 if high > 3 else 0.1",
    "value = rates[bisect.bisect(rates, high) - 1]",
    "value = list(rates).pop(int(high > 3))",
    "value = [r for r in rates if r < high][0]",
    "value = next((r for r in rates if r < high), 1.0)",
    "value = list(filter(lambda r: r < high, rates))[0]",
    "value = (high > 3 and 0.1) or 0.2",
]
DECIDED = [
    ("pair = (0.05, (2, 3))", "pair[0]"),
    ("pair = (0.05, (2, 3))", "pair[1][0]"),
    ("rates = [0.5, 0.2]", "rates[0]"),
    ("stats = {'a': 0.6}", "stats['a']"),
    ("settings = Settings()\nsettings.rate = 0.5", "settings.rate"),
    ("setattr(settings, 'rate', 0.5)", "settings.rate"),
    ("kept.append(1)", "0.5 if kept else 1.0"),
    ("kept.append(1)", "0.5 if not kept else 1.0"),
    ("kept.append(1)", "1 in kept"),
    ("kept.append(1)", "len(kept)"),
    ("rates.pop(0)", "rates[0]"),
    ("rates.pop(0)", "len(rates)"),
    ("rates.remove(0.1)", "sum(rates)"),
    ("rates.clear()", "len(rates)"),
    ("del rates[0]", "len(rates)"),
    ("stats.pop('a')", "len(stats)"),
    ("del stats['a']", "len(stats)"),
    ("names['b'] = 1", "len(names)"),
]
FILLED = [
    ("kept.append(high)", "3.0 in kept"),
    ("kept.append(high)", "kept == [3.0]"),
    ("kept.append(high)", "max(kept)"),
    ("kept.append(high)", "str(kept)"),
    ("kept.append(high)", "f'{kept}'"),
    ("kept.append(high)", "'{}'.format(kept)"),
    ("kept.append(high)", "'%s' % kept"),
    ("kept.append(str(high))", "' '.join(kept)"),
    ("kept.append(high)", "kept[-3:][0]"),
    ("kept.append(high)", "np.mean(kept)"),
    ("kept.append({'a': high})", "kept[0]['a']"),
    ("kept.append([high])", "kept[0][0]"),
    ("settings.rates.append(high)", "settings.rates[-1]"),
    ("kept = kept + [high]", "kept[-1]"),
    ("kept = [high] * 3", "kept[-1]"),
    ("kept.insert(0, high)", "kept[0]"),
    ("kept.extend([high])", "kept[0]"),
    ("kept.__setitem__(0, high)", "kept[0]"),
    ("kept = list(range(int(high)))", "len(kept)"),
    ("kept = [1, 2, 3, 4][int(high) :]", "len(kept)"),
    ("kept.extend([v for v in range(10) if v > high])", "len(kept)"),
    ("seen.add(int(high))", "3 in seen"),
    ("seen.add(int(high))", "len(seen)"),
    ("seen.discard(int(high))", "len(seen)"),
    ("names[int(high)] = 1", "3 in names"),
    ("names[int(high)] = 1", "len(names)"),
    ("names[high] = 1", "list(names)[0]"),
    ("names[high] = 1", "list(names.keys())[0]"),
    ("names['a'] = high", "names.popitem()[1]"),
    ("names.setdefault('a', high)", "names['a']"),
    ("names = dict(zip('a', [high]))", "names['a']"),
    ("names = {'b': 1} | {'a': high}", "names['a']"),
    ("names = {**{'a': high}}", "names['a']"),
    ("counts['a'] += high", "counts['a']"),
    ("stats = {'a': high}", "stats['a']"),
    ("setattr(settings, 'rate', high)", "settings.rate"),
    ("kept = np.where(high > 3, 0.1, 0.05)", "kept"),
]
SEVERAL = [
    ("parts = {'a': [], 'b': []}\nfor k in parts:\n    parts[k].append(high)", "parts['a'][0]"),
    ("parts = {'a': [], 'b': []}\nparts['a' if epoch else 'b'].append(high)", "parts['a'][0]"),
    ("parts = {'a': Settings(), 'b': Settings()}\nfor k in parts:\n    parts[k].rate = high", "parts['a'].rate"),
    ("parts = {'a': Settings()}\nfor part in parts.values():\n    part.rate = high", "parts['a'].rate"),
    ("a, b = [], []\nfor part in (a, b):\n    part.append(high)", "b[0]"),
    ("a, b = [], []\npart = a if epoch else b\npart.append(high)", "a[0]"),
    ("a, b = Settings(), Settings()\npart = [a, b][epoch % 2]\npart.rate = high", "b.rate"),
    ("a, b = Settings(), Settings()\nfor part, k in zip([a, b], [1, 2]):\n    part.rate = high", "b.rate"),
    ("part = [] if epoch else [1.0]\npart.append(high)", "part[-1]"),
    ("part = Settings() if epoch else settings\npart.rate = high", "settings.rate"),
    ("parts = [[], []]\nparts[0].append(high)\nfor part in parts:\n    value = part[-1]", "value"),
    ("parts = {'a': [], 'b': []}\nparts['a'].append(high)\nfor part in parts.values():\n    value = part[0]", "value"),
    ("a, b = [], []\npart = a if epoch else b\nif high > 3:\n    part.append(1.0)", "len(a)"),
]
EQUAL = [
    ("a, b = [], []\npart = a if epoch else b\npart.append(1.0)", "a[0]"),
    ("a, b = Settings(), Settings()\na.rate = high\nb.rate = 0.1", "b.rate"),
    ("parts = {'a': [], 'b': []}\nparts['a'].append(high)\nparts['b'].append(1.0)", "parts['b'][0]"),
    ("kept.append(1.0)", "len(kept)"),
    ("kept.append(1.0)\nif epoch == 1:\n    kept.clear()", "0.5 if kept else 1.0"),
    ("names['a'] = 1", "len(names)"),
    ("stats['a'] = high", "'a' in stats"),
    ("value = rates[epoch % 2]", "value"),
    ("kept = rates[1:]", "len(kept)"),
    ("kept = rates[1:]", "kept[0]"),
]


def probed(body: str, expression: str) -> Seen:
    text = f"high = x.max().item()\n{body}\nprobe({expression})"
    return train(f"{START}\nfor epoch in range(3):\n    for x, y in loader:\n{textwrap.indent(text, ' ' * 8)}")


@pytest.mark.parametrize("body", CHOSEN)
def test_what_is_picked_by_something_unequal_is_unequal(body: str) -> None:
    assert not probed(body, "value").value().placement.is_equal


@pytest.mark.parametrize(("body", "expression"), DECIDED)
def test_what_is_decided_by_something_unequal_is_unequal(body: str, expression: str) -> None:
    body = f"if high > 3:\n{textwrap.indent(body, ' ' * 4)}"
    assert not probed(body, expression).value().placement.is_equal


@pytest.mark.parametrize(("body", "expression"), FILLED)
def test_what_holds_something_unequal_is_unequal(body: str, expression: str) -> None:
    assert not probed(body, expression).value().placement.is_equal


@pytest.mark.parametrize(("body", "expression"), SEVERAL)
def test_what_is_put_into_one_of_several_may_be_in_each(body: str, expression: str) -> None:
    assert not probed(body, expression).value().placement.is_equal


@pytest.mark.parametrize(("body", "expression"), EQUAL)
def test_what_is_equal_stays_equal(body: str, expression: str) -> None:
    assert probed(body, expression).value().placement.is_equal


def test_a_part_of_a_list_as_written_has_its_items() -> None:
    assert probed("kept = [3, 4, 5][1:]", "len(kept)").const() == 2
    assert probed("kept = [3, 4, 5][1:]", "kept[0]").const() == 4


def test_what_is_data_dependent_stays_so_where_it_is_picked_by() -> None:
    seen = train(f"""{START}
for epoch in range(3):
    total = 0
    for x, y in held_out:
        total += (model(x) > y).sum().item()
    if total > 3:
        stats = {{"a": 0.5}}
    probe(stats["a"], "decided")
    probe(rates[int(total > 3)], "picked")
""")
    assert seen.value("decided").placement.data_dependent
    assert seen.value("picked").placement.data_dependent
