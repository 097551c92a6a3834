"""Scripts for Keras and TensorFlow: a smaller grammar, for ``fit`` and for loops with tapes."""

from __future__ import annotations

import random
from dataclasses import dataclass

from fuzz.grammar.keras import AFTER, CALLBACKS, DATA, LOOPS, MODELS, OPTIMIZERS, REPORTS, STEPS, Task
from fuzz.grammar.piece import Piece, pick


@dataclass(frozen=True)
class KerasRecipe:
    """All that a script is made of."""

    train: int
    test: int
    batch: int
    epochs: int
    data: Piece
    model: Piece
    optimizer: Piece
    task: Task
    loop: Piece
    callbacks: tuple[Piece, ...]
    steps: tuple[Piece, ...]
    reports: tuple[Piece, ...]
    after: tuple[Piece, ...]

    framework = "tensorflow"

    def divides(self, size: int) -> bool:
        """Whether each of so many processes trains with as many samples as the others, none of them twice."""
        trained = self.train * 3 // 4 if "split" in self.loop.tags else self.train
        return trained % size == 0 and trained % self.batch % size == 0

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces."""
        required = (self.data, self.model, self.optimizer, self.loop)
        return (*required, *self.callbacks, *self.steps, *self.reports, *self.after)

    @property
    def files(self) -> dict[str, str]:
        """The texts by the names of the files."""
        return {"script.py": self.text}

    @property
    def text(self) -> str:
        """The script."""
        imports = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n"
        imports += "".join(dict.fromkeys(f"{p.imports}\n" for p in self.pieces if p.imports))
        defs = "\n\n".join(dict.fromkeys(p.defs for p in self.pieces if p.defs))
        body = self.data.data + self.model.build + self.loop.build
        body += "".join(p.before for p in (*self.callbacks, *self.steps, *self.reports, *self.after))
        body += self.loop.before + "".join(p.finish for p in (*self.callbacks, *self.steps, *self.after))
        inside = {
            "CALLBACKS": ", ".join(p.batch.strip() for p in self.callbacks),
            "STEPS": _indented("".join(p.step for p in self.steps)),
            "STARTS": _indented("".join(p.epoch for p in self.steps), 4),
            "REPORTS": _indented("".join(p.judged for p in (*self.steps, *self.reports)), 4),
            "OPTIMIZER": self.optimizer.build.strip(),
            "LOSS": self.task.loss,
            "METRICS": self.task.metrics,
            "UNITS": str(self.task.units),
            "HITS": self.task.hits,
            "N": str(self.train),
            "M": str(self.test),
            "B": str(self.batch),
            "E": str(self.epochs),
        }
        text = f"{imports}\n\n{defs}\n\nkeras.utils.set_random_seed(0)\n{body}"
        for name, value in inside.items():
            text = text.replace(f"${name}", value)
        return text


def _indented(text: str, by: int = 8) -> str:
    return "".join(" " * by + line + "\n" for line in text.splitlines())


def draw_keras(seed: int) -> KerasRecipe:
    """The recipe of a seed."""
    chance = random.Random(seed)
    data = pick(chance, DATA)
    task = chance.choice([each for each in Task.every() if each.kind in data.tags]).resolved(chance)
    loop = pick(chance, LOOPS)
    fit = "fit" in loop.tags

    def some(pieces: tuple[Piece, ...], counts: tuple[int, ...]) -> tuple[Piece, ...]:
        drawn = [pick(chance, pieces, data.tags | loop.tags) for _ in range(chance.choice(counts))]
        return tuple({each.name: each for each in drawn}.values())

    return KerasRecipe(
        chance.choice((48, 48, 48, 36, 60, 50)),
        chance.choice((24, 18, 20, 17)),
        chance.choice((6, 12, 12, 24)),
        chance.choice((2, 3)),
        data,
        pick(chance, MODELS, data.tags),
        pick(chance, OPTIMIZERS),
        task,
        loop,
        some(CALLBACKS, (0, 0, 1, 1, 2)) if fit else (),
        () if fit else some(STEPS, (1, 1, 2, 3)),
        () if fit else some(REPORTS, (0, 1, 1, 2)),
        some(AFTER, (1, 1, 2, 3)),
    )
