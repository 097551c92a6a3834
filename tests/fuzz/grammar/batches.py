"""Batches that a script cuts, draws or makes itself, of data that it holds in memory."""

from __future__ import annotations

from dataclasses import dataclass

from fuzz.grammar.piece import Piece

OF_TENSORS = "(x[:$N], y[:$N]"
"""What data sets look like that are made of tensors ``x`` and ``y``."""


@dataclass(frozen=True)
class Way:
    """How the batches come about.

    ``head`` begins the loop and ``lines`` are its first lines; both are templates, where ``BATCH`` stands for the names
    of a batch, ``DATA`` for those of all rows, and ``ROWS(text)`` for some of them. With ``all_alike``, no batch is
    shorter than the others.
    """

    head: str
    lines: str = ""
    before: str = ""
    defs: str = ""
    all_alike: bool = False


WAYS = {
    "cut": Way("for $i in range(0, $N, $B):\n", "BATCH = ROWS($i : $i + $B)\n"),
    "cut by number": Way("for $i in range($N // $B):\n", "BATCH = ROWS($i * $B : ($i + 1) * $B)\n", all_alike=True),
    "permuted": Way(
        "for $i in range(0, $N, $B):\n", "rows = order[$i : $i + $B]\nBATCH = ROWS(rows)\n", "order = torch.randperm($N)\n"
    ),
    "drawn": Way("for $i in range(3):\n", "rows = torch.randint(0, $N, ($B,))\nBATCH = ROWS(rows)\n", all_alike=True),
    "drawn by a function": Way(
        "for $i in range(3):\n",
        "BATCH = draw_batch(DATA, $B)\n",
        defs="def draw_batch(ARGUMENTS, size):\n    rows = torch.randint(len(features), (size,))\n    return RETURNED[rows]\n",
        all_alike=True,
    ),
    "cut by a generator": Way(
        "for BATCH in cut_batches(DATA, $B):\n",
        defs=(
            "def cut_batches(ARGUMENTS, size):\n    for start in range(0, len(features), size):\n"
            "        yield RETURNED[start : start + size]\n"
        ),
    ),
    "cut in while": Way(
        "while $i < $N:\n", "BATCH = ROWS($i : $i + $B)\n$i += $B\n", "$i = 0\n"
    ),
    "cut by an object": Way(
        "for BATCH in Cutter(DATA, $B):\n",
        defs=(
            "class Cutter:\n    def __init__(self, ARGUMENTS, size):\n        self.data = ARGUMENTS\n"
            "        self.size, self.start = size, 0\n\n    def __iter__(self):\n        self.start = 0\n"
            "        return self\n\n    def __next__(self):\n        ARGUMENTS = self.data\n"
            "        if self.start >= len(features):\n            raise StopIteration\n        self.start += self.size\n"
            "        return RETURNED[self.start - self.size : self.start]\n"
        ),
    ),
    "whole": Way("for $i in range(2):\n", "BATCH = DATA\n"),
}  # fmt: skip


def fits(data: Piece) -> bool:
    """Whether a script can make batches of these data itself."""
    return OF_TENSORS in data.data and "dict" not in data.tags


def data_of(piece: Piece) -> str:
    """All rows that are trained on, by names of their own."""
    more = ", w[:$N]" if "w" in piece.tags else ""
    return f"{_names(piece, 'train_')} = x[:$N], y[:$N]{more}\n"


def filled(text: str, piece: Piece) -> str:
    """A text of a way, for these data."""
    while "ROWS(" in text:
        before, _, after = text.partition("ROWS(")
        rows, _, after = _closed(after)
        text = before + ", ".join(f"{name}[{rows}]" for name in _names(piece, "train_").split(", ")) + after
    arguments = "features, labels" + ", weights" * ("w" in piece.tags)
    if "RETURNED" in text:
        rows = text.partition("RETURNED[")[2].partition("]")[0]
        text = text.replace(f"RETURNED[{rows}]", ", ".join(f"{name}[{rows}]" for name in arguments.split(", ")))
    text = text.replace("ARGUMENTS", arguments).replace("DATA", _names(piece, "train_"))
    return text.replace("BATCH", _names(piece, ""))


def _closed(text: str) -> tuple[str, str, str]:
    """What stands before and behind the bracket that closes."""
    depth = 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            return text[:place], ")", text[place + 1 :]
    raise ValueError(text)


def _names(piece: Piece, prefix: str) -> str:
    return ", ".join(f"${prefix}{name}" for name in ("x", "y", "w")[: 2 + ("w" in piece.tags)])
