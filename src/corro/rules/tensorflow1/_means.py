"""Shared by rules: parts of the graph that are the global value of what each process has for its shard."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.source import After

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.tensorflow1._job import Job
    from corro.source import Edit

_Place = tuple[ast.stmt, str]
"""The statement that makes a part of the graph, and what it is called there."""


class Means:
    """The means and sums that a script is given, each made once, right after what it is a mean or a sum of."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._names: dict[_Place, str] = {}
        self._written: set[_Place] = set()
        self._taken: set[str] = set()

    def can(self, node: ast.expr) -> bool:
        """Whether it is known where a part of the graph is made, and that it is one thing."""
        return self._place(node) is not None

    def name(self, node: ast.expr) -> str:
        """The expression for the whole of a part of the graph."""
        place = self._place(node)
        assert place is not None
        last = node.attr if isinstance(node, ast.Attribute) else place[1]
        if place not in self._names:
            prefix = "total" if self._job.value(node).form is Form.SUM else "mean"
            self._names[place] = self._job.names_of(place[0]).fresh(f"{prefix}_{last.lstrip('_')}", self._taken)
            self._taken.add(self._names[place])
        owner = f"{self._job.segment(node.value)}." if isinstance(node, ast.Attribute) else ""
        return f"{owner}{self._names[place]}"

    def made(self, node: ast.expr) -> Iterator[tuple[ast.stmt, Edit]]:
        """The statement that makes it and the one after which it stands, the first time it is asked for."""
        place = self._place(node)
        assert place is not None
        if place in self._written:
            return
        self._written.add(place)
        statement, text = place
        self.name(node)
        owner = text.rpartition(".")[0]
        name = f"{owner}.{self._names[place]}" if owner else self._names[place]
        summed = self._job.value(node).form is Form.SUM
        reduced = self._job.at(statement).target.all_reduce(text, summed=summed)
        yield statement, After(statement, f"{name} = {reduced}", order=-6)

    def _place(self, node: ast.expr) -> _Place | None:
        job = self._job
        if isinstance(node, ast.Name):
            found: list[ast.expr] = stores(job, node)
            text = node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found = [n for n in job.nodes.of(ast.Attribute) if _is_stored(n, node.attr)]
            text = job.segment(found[0]) if found else ""
        else:
            return None
        if len(found) != 1:
            return None
        statement = job.statement(found[0])
        inside = any(isinstance(a, (ast.For, ast.While, ast.If, ast.Try)) for a in job.ancestors(statement))
        return (statement, text) if isinstance(statement, ast.Assign) and not inside else None


def stores(job: Job, name: ast.Name) -> list[ast.expr]:
    """The places in the script that give a name its value; a parameter has none."""
    binding = job.names_of(name).binding(name)
    named = (n for n in job.nodes.of(ast.Name) if n.id == name.id)
    return [n for n in named if not isinstance(n.ctx, ast.Load) and job.names_of(n).binding(n) is binding]


def _is_stored(node: ast.Attribute, name: str) -> bool:
    return node.attr == name and not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
