"""Cells as the text of one program, and places of that text as those of cells: ``In [5], line 3``."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corro.errors import SourceError
from corro.source.notebook import NotebookFile

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Part:
    """A text of the program: a cell, or some lines of one.

    Args:
        number: that of ``In [number]``; 0 for what is no cell.
        text: as it was typed.
        above: the number of lines of the cell above it.
    """

    number: int
    text: str
    above: int = 0


def notebook_of(parts: Sequence[Part], path: Path) -> NotebookFile:
    """The parts as the cells of a notebook.

    Raises:
        SourceError: one of them is no Python.
    """
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": part.text}
        for part in parts
    ]
    book = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    return NotebookFile.from_bytes(json.dumps(book).encode(), path)


def python_of(text: str) -> ast.Module | None:
    """The tree of a cell; ``None`` for what is no Python."""
    try:
        return notebook_of([Part(1, text)], Path("cell.ipynb")).tree
    except SourceError:
        return None


def in_cells(text: str, parts: Sequence[Part], path: Path) -> str:
    """A text that names places of the notebook, with those of the cells as they were run."""

    def place(match: re.Match[str]) -> str:
        part = parts[int(match[1]) - 1]
        return f"In [{part.number}], line {int(match[2]) + part.above}" if part.number else "what comes back"

    return re.sub(rf"{re.escape(str(path))}:cell (\d+):(\d+)(?::\d+)?", place, text)
