"""What a script is made of, drawn from a seed."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from fuzz.grammar.batches import WAYS, fits
from fuzz.grammar.data import DATA, LOADERS
from fuzz.grammar.decisions import DECISIONS, EXTRAS, PEEKS
from fuzz.grammar.evaluations import EVALUATIONS
from fuzz.grammar.losses import LOSSES
from fuzz.grammar.metrics import METRICS
from fuzz.grammar.models import MODELS
from fuzz.grammar.piece import Piece, pick
from fuzz.grammar.training import EDITS, GRADIENTS, OPPONENTS, OPTIMIZERS, SCHEDULES, UPDATES

OPPOSED = 0.04
MADE = 0.1
SEVERAL = 0.08
TRAININGS = ("each anew", "all anew", "going on", "one by one", "called")
"""How a script trains more than once: each time with a new model, with new data too, with the same ones, ..."""
LAYOUTS = ("module", "main", "functions", "functions in main", "globals", "trainer", "phases")
_REPEATED = LAYOUTS[:4]


OPENED = ("generator", "next", "islice", "endless", "zip", "next in while", "restarted", "restarted by number",
          "next of endless")  # fmt: skip
"""What a loop over a loader may be instead."""


@dataclass(frozen=True)
class Style:
    """How a script is written. The first of each is the plain way."""

    layout: str = "module"
    constants: str = "names"  # or literals, args
    device: bool = False
    shuffle: bool = False
    unpack: str = "in the head"  # or in the body, by index
    zero: str = "first"  # or before the backward pass, last, set to none
    fetch: str = "loop"  # or one of ``OPENED``, or the name of a way to make batches
    report: str = "f-string"
    bound: bool = True
    evaluation: str = "inline"  # or function, decorated, none
    returned: str = "tuple"  # or dict
    enumerated: bool = False
    guard: bool = True
    rate: float = 0.1
    seeded: str = "torch.manual_seed(0)\n"
    names: int = 0  # the seed that names are drawn with; 0 for plain ones
    trainings: str = "once"  # or one of several


@dataclass(frozen=True)
class Recipe:
    """All that a script is made of; ``text.write`` makes its text."""

    train: int
    test: int
    batch: int
    test_batch: int
    epochs: int
    data: Piece
    loaders: Piece
    model: Piece
    loss: Piece
    optimizer: Piece
    update: Piece
    metrics: tuple[Piece, ...]
    test_metrics: tuple[Piece, ...]
    extras: tuple[Piece, ...]
    style: Style

    def divides(self, size: int) -> bool:
        """Whether each of so many processes trains with as many samples as the others, none of them twice."""
        way = WAYS.get(self.style.fetch)
        left_out = way.all_alike if way is not None else "drop_last" in self.loaders.tags
        drawn = self.train // 2 if "$N // 2" in self.loaders.data else self.train
        return drawn % size == 0 or left_out

    @property
    def framework(self) -> str:
        """What it trains with."""
        return "torch"

    @property
    def files(self) -> dict[str, str]:
        """The texts by the names of the files."""
        return {"script.py": self.text}

    @property
    def text(self) -> str:
        """The script."""
        from fuzz.text import write

        return write(self)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces."""
        return (self.loaders, *self.parts, *self.metrics, *self.test_metrics)

    @property
    def parts(self) -> tuple[Piece, ...]:
        """The pieces that are written once, besides how they are loaded."""
        return (self.data, self.model, self.loss, self.optimizer, self.update, *self.extras)


def draw(seed: int, made: float = MADE, several: float = SEVERAL) -> Recipe:
    """The recipe of a seed.

    Args:
        seed: of all that is drawn.
        made: how many scripts make their batches themselves, of those that can.
        several: how many train more than once, of those that can.
    """
    chance = random.Random(seed)
    data = pick(chance, tuple(filter(fits, DATA)) if made == 1 else DATA)
    loss = pick(chance, LOSSES, data.tags)
    given = data.tags | loss.tags
    model = pick(chance, MODELS, given)
    optimizer = pick(chance, OPTIMIZERS, model.tags)
    loaders = pick(chance, LOADERS)
    update = pick(chance, UPDATES, given | loaders.tags)
    evaluated = chance.random() < 0.75
    metrics = _several(chance, METRICS, given, chance.choice((0, 1, 1, 1, 2, 2, 3)))
    test_metrics = _several(chance, METRICS, given, chance.choice((1, 1, 2, 2, 3))) if evaluated else ()
    extras = tuple(_extras(chance, given | model.tags))
    extras = tuple(e for e in extras if _known(e, bool(metrics), evaluated))
    style = _style(chance, (data, model, loss, optimizer, update, *extras), evaluated)
    train = chance.choice((48, 48, 48, 48, 36, 60, 42, 54, 50, 45, 33))
    if fits(data) and chance.random() < made and style.layout != "phases":
        style = replace(style, fetch=chance.choice([way for way in WAYS if way != "whole" or train % 6 == 0]))
    return Recipe(
        train,
        chance.choice((24, 24, 20, 17, 30, 12, 25)),
        chance.choice((6, 12, 12, 12, 24)),
        chance.choice((4, 5, 6, 8, 12, 12, 24, 100)),
        chance.choice((2, 2, 2, 3)),
        data,
        loaders,
        model,
        loss,
        optimizer,
        update,
        metrics,
        test_metrics,
        extras,
        _with_trainings(chance, style, several),
    )


def _with_trainings(chance: random.Random, style: Style, several: float) -> Style:
    drawn = style.layout in _REPEATED and chance.random() < several
    return replace(style, trainings=chance.choice(TRAININGS)) if drawn else style


def _several(chance: random.Random, pieces: tuple[Piece, ...], given: frozenset[str], count: int) -> tuple[Piece, ...]:
    drawn = [pick(chance, pieces, given) for _ in range(count)]
    return tuple({each.name: each for each in drawn}.values())


def _extras(chance: random.Random, given: frozenset[str]) -> list[Piece]:
    """Half of the scripts are plain, with one or two unusual pieces; the others have more of each kind."""
    rich = 2 if chance.random() < 0.4 else 1
    drawn = []
    for pieces, often in ((SCHEDULES, 0.3), (GRADIENTS, 0.1), (EDITS, 0.12), (PEEKS, 0.1), (EVALUATIONS, 0.3)):
        if chance.random() < often * rich and any(each.fits(given) for each in pieces):
            drawn.append(pick(chance, pieces, given))
    if chance.random() < OPPOSED:
        drawn.append(pick(chance, OPPONENTS, given))
    for pieces in (DECISIONS, EXTRAS):
        drawn += _several(chance, pieces, given, chance.choice((0, 0, 1, 1, 2)) * rich)
    return drawn


def _known(piece: Piece, trained: bool, judged: bool) -> bool:
    text = piece.epoch + piece.judged + piece.made + piece.finish
    return (trained or "$trained" not in text) and (
        judged or ("$judgement" not in text and "$test" not in piece.before)
    )


def _style(chance: random.Random, parts: tuple[Piece, ...], evaluated: bool) -> Style:
    layouts = [*["module"] * 6, *LAYOUTS[:5] * 3, "trainer", "phases", "phases"]
    if any(each.rebinds for each in parts):
        layouts = [each for each in layouts if not each.startswith("functions")]
    if any("flat" in each.tags for each in parts):
        layouts = ["module"]
    peeks = any(re.search(r"next\(iter|in \$loader:", each.before) for each in parts)
    return Style(
        chance.choice(layouts),
        chance.choice(("names", "names", "literals", "args")),
        chance.random() < 0.3,
        not peeks and chance.random() < 0.6,
        chance.choice(("in the head", "in the head", "in the body", "by index")),
        chance.choice(("first", "first", "before", "last", "none")),
        chance.choice(("loop",) * 200 + OPENED),
        chance.choice(REPORTS),
        chance.random() < 0.6,
        chance.choice(("inline", "function", "function", "decorated")) if evaluated else "none",
        chance.choice(("tuple", "tuple", "dict")),
        chance.random() < 0.3,
        chance.random() < 0.8,
        chance.choice((0.1, 0.05, 0.02)),
        chance.choice(
            ("torch.manual_seed(0)\n", "torch.manual_seed(0)\n", "torch.manual_seed(42)\nnp.random.seed(42)\n")
        ),
        chance.randrange(1, 1 << 30),
    )


REPORTS = (
    "f-string",
    "f-string",
    "commas",
    "rounded",
    "percent",
    "format",
    "lines",
    "joined",
    "str",
    "dict",
    "csv line",
)
