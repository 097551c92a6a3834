"""What arrays and tensors hold that are changed in place, under whatever name."""

from __future__ import annotations

import textwrap

import pytest

from unit.flow.interpreting import Seen, train

START = """
import numpy as np

class Holder:
    pass

def put(array, value):
    array[0] = value

def put_further(array, value):
    put(array, value)

def add(array, value):
    array += value

def view(array):
    return array

bank, sums, table = torch.zeros(8, 3), torch.zeros(1), np.zeros((3, 3))
another, arrays = table, [table]
holder = Holder()
holder.table = table
"""
CHANGED = [
    ("bank.add_(high)", "bank"),
    ("bank.mul_(0.5).add_(high)", "bank"),
    ("bank.data.add_(high)", "bank"),
    ("bank.view(-1).add_(high)", "bank"),
    ("bank[0].fill_(high)", "bank"),
    ("bank.lerp_(y.mean(), 0.1)", "bank"),
    ("bank.copy_(bank * 0.9 + y.mean())", "bank"),
    ("bank.index_copy_(0, torch.arange(8), x)", "bank"),
    ("bank.scatter_(0, torch.arange(8), x)", "bank"),
    ("bank.uniform_()", "bank"),
    ("torch.add(bank, high, out=bank)", "bank"),
    ("sums.add_(y.mean())", "sums"),
    ("table.fill(high)", "table"),
    ("table.put([0], high)", "table"),
    ("np.put(table, [0], high)", "table"),
    ("np.copyto(table, high)", "table"),
    ("np.add.at(table, [0], high)", "table"),
    ("np.add(table, high, out=table)", "table"),
    ("table[0] = high", "another"),
    ("another[0] = high", "table"),
    ("arrays[0][0] = high", "table"),
    ("holder.table[0] = high", "table"),
    ("table[0] = high", "holder.table"),
    ("put(table, high)", "table"),
    ("put_further(table, high)", "another"),
    ("add(table, high)", "table"),
    ("view(table)[0] = high", "table"),
    ("if high > 3:\n    bank.add_(1.0)", "bank"),
    ("if high > 3:\n    table.fill(1.0)", "another"),
]
EQUAL = [
    ("bank.add_(1.0)", "bank"),
    ("bank.mul_(0.5).add_(0.1 * epoch)", "bank"),
    ("bank.resize_(len(x), 3)", "bank"),
    ("table.fill(1.0)", "table"),
    ("np.add.at(table, [0], 1.0)", "table"),
    ("put(table, 1.0)", "table"),
    ("other = np.zeros(3)\nother[0] = high", "table"),
    ("put(np.zeros(3), high)", "table"),
    ("table = np.zeros(3)", "table"),
]


def probed(body: str, expression: str) -> Seen:
    text = f"high = x.max().item()\n{body}\nprobe({expression})"
    return train(f"{START}\nfor epoch in range(3):\n    for x, y in loader:\n{textwrap.indent(text, ' ' * 8)}")


@pytest.mark.parametrize(("body", "expression"), CHANGED)
def test_what_something_unequal_is_put_into_is_unequal(body: str, expression: str) -> None:
    assert not probed(body, expression).value().placement.is_equal


@pytest.mark.parametrize(("body", "expression"), EQUAL)
def test_what_only_equal_values_are_put_into_stays_equal(body: str, expression: str) -> None:
    assert probed(body, expression).value().placement.is_equal


def test_an_array_that_is_made_anew_holds_nothing_of_the_last_batch() -> None:
    seen = train(f"""{START}
for x, y in loader:
    fresh = np.zeros(3)
    probe(fresh)
    fresh[0] = x.max().item()
""")
    assert seen.value().placement.is_equal


def test_a_buffer_of_a_module_is_followed() -> None:
    seen = train("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(8, 1)
        self.register_buffer("centre", torch.zeros(1))

    def forward(self, x):
        out = self.dense(x)
        self.centre.mul_(0.9).add_(out.mean())
        return out

net = Net()
for x, y in loader:
    net(x)
    probe(net.centre)
""")
    assert not seen.value().placement.is_equal
