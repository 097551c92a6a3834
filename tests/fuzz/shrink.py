"""Makes a recipe smaller as long as its script stays as bad."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from fuzz.grammar.data import DATA, LOADERS
from fuzz.grammar.losses import LOSSES
from fuzz.grammar.models import MODELS
from fuzz.grammar.piece import Piece
from fuzz.grammar.training import OPTIMIZERS
from fuzz.oracle import Outcome
from fuzz.recipe import Recipe, Style
from fuzz.trial import Result, attempt

Composed = Any
"""A recipe of one grammar or another."""
Step = Callable[[Composed], Composed]


def shrunk(recipe: Composed, outcome: Outcome, folder: Path, target: str = "ddp") -> Result:
    """The result of a small script that comes to the same outcome: no step makes it smaller."""
    best, result = recipe, attempt(recipe, folder, target)
    sizes = (3,) if result.reason.startswith("3 ") else (2,)
    better = result.outcome is outcome
    while better:
        better = False
        for step in _steps(best):
            smaller = step(best)
            tried = attempt(smaller, folder, target, sizes) if smaller != best else result
            if smaller != best and tried.outcome is outcome:
                best, result, better = smaller, tried, True
    return result


def _steps(recipe: Composed) -> Iterator[Step]:
    """Ways to make a recipe smaller, the largest first; each can be taken or left."""
    lists = [each.name for each in fields(recipe) if isinstance(getattr(recipe, each.name), tuple)]
    for name in lists:
        yield partial(_with, name, ())
    for name in lists:
        for piece in getattr(recipe, name):
            yield partial(_without, name, piece)
    if isinstance(recipe, Recipe):
        yield from _plainer_steps(recipe)


def _plainer_steps(recipe: Recipe) -> Iterator[Step]:
    for each in fields(Style):
        yield partial(_plainer, each.name)
    yield from (partial(_with, name, piece) for name, piece in _plainer_pieces(recipe))
    for name, number in (("train", 48), ("test", 24), ("batch", 12), ("test_batch", 12), ("epochs", 2)):
        yield partial(_with, name, number)


def _with(name: str, value: Any, recipe: Composed) -> Composed:
    return replace(recipe, **{name: value})


def _without(name: str, piece: Piece, recipe: Composed) -> Composed:
    return replace(recipe, **{name: tuple(each for each in getattr(recipe, name) if each != piece)})


def _plainer(name: str, recipe: Composed) -> Composed:
    return replace(recipe, style=replace(recipe.style, **{name: getattr(Style(), name)}))


def _plainer_pieces(recipe: Recipe) -> Iterator[tuple[str, Piece]]:
    given = recipe.data.tags
    for name, choices in (("model", MODELS), ("optimizer", OPTIMIZERS), ("loaders", LOADERS), ("loss", LOSSES)):
        fitting = (each for each in choices if each.fits(given) and not (each.tags - given) & {"raw", "scaled"})
        yield name, next(fitting).resolved(_First())
    yield "data", next(each for each in DATA if each.tags == given).resolved(_First())


class _First(random.Random):
    """Always takes the first."""

    def choice(self, items: Any) -> Any:
        return items[0]
