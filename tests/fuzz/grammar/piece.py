"""What scripts are composed of: pieces of text, each with its place in a training script.

In the text ``$name`` stands for a name of the script (the model's, a batch's, the piece's own), and ``<<a || b>>`` for
one of several ways to write something.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, fields, replace

_CHOICE = re.compile(r"<<((?:(?!<<).)*?)>>", re.DOTALL)


@dataclass(frozen=True)
class Value:
    """Something that a metric has to say: a label, an expression and how its number is written."""

    label: str
    expression: str
    format: str = ".4f"


@dataclass(frozen=True)
class Piece:
    """A part of a script. All texts are optional.

    Args:
        name: what it is called in statistics.
        imports: lines with imports.
        defs: definitions at module level.
        data: how data sets are made.
        build: behind the model, before the optimizer.
        made: behind the optimizer.
        before: before the first epoch.
        epoch: at the start of an epoch.
        batch: in the loop over batches, first.
        loss: computes ``$loss``.
        checked: behind the loss, before the backward pass.
        update: the backward pass, ``STEP`` with the optimizer's step, ``ZERO`` where gradients are set to zero then.
        gradients: between the backward pass and the step.
        stepped: behind the step.
        step: at the end of the loop over batches.
        after: behind that loop.
        judged: behind the evaluation.
        finish: behind the last epoch.
        values: what is reported.
        state: names that live longer than an epoch.
        rebinds: whether such a name is bound anew within an epoch.
        own: names within an epoch.
        needs: tags that the data must have.
        forbids: tags that the data must not have.
        tags: tags that the piece gives.
        weight: how often it is chosen.
    """

    name: str
    imports: str = ""
    defs: str = ""
    data: str = ""
    build: str = ""
    made: str = ""
    before: str = ""
    epoch: str = ""
    batch: str = ""
    loss: str = ""
    checked: str = ""
    update: str = ""
    gradients: str = ""
    stepped: str = ""
    step: str = ""
    after: str = ""
    judged: str = ""
    finish: str = ""
    values: tuple[Value, ...] = ()
    state: tuple[str, ...] = ()
    rebinds: bool = False
    own: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset()
    forbids: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    weight: float = 1.0

    def resolved(self, chance: random.Random) -> Piece:
        """The piece with one way chosen wherever there are several."""

        def choose(text: str) -> str:
            while "<<" in text:  # from the innermost outwards
                text = _CHOICE.sub(lambda match: chance.choice(match.group(1).split("||")).strip(" "), text)
            return text

        texts = {f.name: choose(getattr(self, f.name)) for f in fields(self) if f.type == "str" and f.name != "name"}
        values = tuple(replace(each, expression=choose(each.expression)) for each in self.values)
        return replace(self, **texts, values=values)

    def fits(self, tags: frozenset[str]) -> bool:
        """Whether it can be used with data that have these tags."""
        return self.needs <= tags and not self.forbids & tags


def tags(*names: str) -> frozenset[str]:
    """A set of tags."""
    return frozenset(names)


def pick(chance: random.Random, pieces: tuple[Piece, ...], given: frozenset[str] = frozenset()) -> Piece:
    """One of the pieces that fit, by their weights."""
    fitting = [each for each in pieces if each.fits(given)]
    return chance.choices(fitting, [each.weight for each in fitting])[0].resolved(chance)
