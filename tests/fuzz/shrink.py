"""Makes a recipe smaller as long as its script stays as bad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

from fuzz.grammar.data import DATA, LOADERS
from fuzz.grammar.losses import LOSSES
from fuzz.grammar.models import MODELS
from fuzz.grammar.piece import Piece
from fuzz.grammar.training import OPTIMIZERS
from fuzz.oracle import Outcome
from fuzz.recipe import Recipe, Style
from fuzz.trial import Result, attempt

_PLAIN_STYLE = Style()


def shrunk(recipe: Recipe, outcome: Outcome, folder: Path, target: str = "ddp") -> Result:
    """The result of the smallest script that was found to come to the same outcome."""
    best, result = recipe, attempt(recipe, folder, target)
    better = result.outcome is outcome
    while better:
        better = False
        for smaller in _smaller(best):
            tried = attempt(smaller, folder, target)
            if tried.outcome is outcome:
                best, result, better = smaller, tried, True
                break
    return result


def _smaller(recipe: Recipe) -> Iterator[Recipe]:
    for name in ("extras", "metrics", "test_metrics"):
        pieces: tuple[Piece, ...] = getattr(recipe, name)
        for number in range(len(pieces)):
            yield replace(recipe, **{name: pieces[:number] + pieces[number + 1 :]})  # type: ignore[arg-type]
    yield from _plainer_pieces(recipe)
    for each in fields(Style):
        plain = getattr(_PLAIN_STYLE, each.name)
        if getattr(recipe.style, each.name) != plain:
            yield replace(recipe, style=replace(recipe.style, **{each.name: plain}))
    for name, number in (("train", 48), ("test", 24), ("batch", 12), ("test_batch", 12), ("epochs", 2)):
        if getattr(recipe, name) != number:
            yield replace(recipe, **{name: number})  # type: ignore[arg-type]


def _plainer_pieces(recipe: Recipe) -> Iterator[Recipe]:
    given = recipe.data.tags
    for name, choices in (("model", MODELS), ("optimizer", OPTIMIZERS), ("loaders", LOADERS), ("loss", LOSSES)):
        needed = given | recipe.loss.tags if name == "model" else given
        plain = next((each for each in choices if each.fits(needed) and "<<" not in repr(each)), None)
        plain = plain or next(each for each in choices if each.fits(needed)).resolved(_first())
        if getattr(recipe, name).name != plain.name:
            yield replace(recipe, **{name: plain})  # type: ignore[arg-type]
    plain = next(each for each in DATA if each.tags >= given and each.tags <= given).resolved(_first())
    if recipe.data.name != plain.name:
        yield replace(recipe, data=plain)


def _first() -> _First:
    return _First()


class _First:
    """A chance that always takes the first."""

    def choice(self, items: list[str]) -> str:
        """The first."""
        return items[0]
