"""Interpret a text, and ask what is known where it says so.

A mark is a call ``probe(x)``, or ``probe(x, "name")`` where there are several: it gives the value of ``x`` at each
visit. The last visit of a path counts, as loops run to a fixed point; ``value`` joins them over all calls.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.budget import Budget
from corro.flow.facts import CallFact, Facts, Unit
from corro.flow.interpreter import interpret
from corro.flow.semantics import Semantics
from corro.flow.state import join_all
from corro.flow.values import Value
from corro.frontends.pytorch.recognise import again
from corro.frontends.pytorch.semantics import PyTorchSemantics
from corro.names import Names
from corro.source import SourceFile

LOADER = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=8, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=8)
model = nn.Linear(8, 1)
"""
"""A head with loaders: what differs between ranks comes from their batches."""


@dataclass(frozen=True)
class Seen:
    """The facts of a text, asked by its marks."""

    facts: Facts

    def probes(self, name: str = "") -> list[CallFact]:
        """The visits of a mark, one for each path of calls."""
        return [fact for fact in self.facts.calls if fact.name.rpartition(".")[2] == "probe" and _name(fact) == name]

    def value(self, name: str = "") -> Value:
        """What is known at a mark, on all paths."""
        found = self.probes(name)
        assert found, f"nobody gets to the mark {name!r}"
        return join_all(fact.args[0] for fact in found)

    def kind(self, name: str = "") -> Kind:
        return self.value(name).kind

    def form(self, name: str = "") -> Form:
        return self.value(name).form

    def const(self, name: str = "") -> object:
        return self.value(name).const

    def call(self, name: str) -> CallFact:
        """The one call of a library function or method."""
        (found,) = [fact for fact in self.facts.calls if fact.name == name]
        return found


def _name(fact: CallFact) -> object:
    return fact.args[1].const if len(fact.args) > 1 else ""


def see(text: str, modules: Mapping[str, str] = {}, *, head: str = "", repeatedly: bool = False) -> Seen:
    """Interpret a script, with modules of its own by their dotted names; ``repeatedly``: as long as that teaches."""
    units = {name: _unit(textwrap.dedent(module), name) for name, module in modules.items()}

    def find(importer: Unit, module: str) -> Unit | None:
        return units.get(module.lstrip("."))

    script, budget = _unit(head + textwrap.dedent(text), "__main__"), Budget()
    semantics: Semantics = PyTorchSemantics()
    facts = interpret(script, semantics, find, budget)
    while repeatedly and (learned := again(semantics, facts)) is not None:
        facts, semantics = interpret(script, learned, find, budget), learned
    return Seen(facts)


def train(text: str, modules: Mapping[str, str] = {}) -> Seen:
    """Interpret a script that has loaders already."""
    return see(text, modules, head=LOADER)


def _unit(text: str, name: str) -> Unit:
    source = SourceFile.from_text(text, f"{name}.py")
    return Unit(source, Names(source), name)
