"""Notebooks for tests, made with nbformat, which the program itself does not use: it is the judge of what it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

DATA = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
loader = DataLoader(data, batch_size=32, shuffle=True)"""
MODEL = "model = nn.Linear(8, 3)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)"
TRAIN = """\
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(epoch, total / len(data))"""
TRAINING = (DATA, MODEL, TRAIN)


def notebook(*cells: str, **metadata: Any) -> nbformat.NotebookNode:
    """A notebook of code cells; a text that begins with ``#md`` becomes a Markdown cell."""
    v4 = nbformat.v4
    made = [
        v4.new_markdown_cell(text[3:].strip()) if text.startswith("#md") else v4.new_code_cell(text) for text in cells
    ]
    for number, cell in enumerate(made, start=1):
        cell["id"] = f"c{number}"
    language = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return v4.new_notebook(cells=made, metadata=metadata or language)


def write(path: Path, *cells: str, **metadata: Any) -> Path:
    """A file with such a notebook."""
    path.write_text(nbformat.writes(notebook(*cells, **metadata)) + "\n", encoding="utf-8")
    return path


def sources(data: bytes | str) -> list[str]:
    """The texts of a notebook's cells, after nbformat has found it right."""
    text = data if isinstance(data, str) else data.decode("utf-8")
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    return [cell.source for cell in book.cells]
