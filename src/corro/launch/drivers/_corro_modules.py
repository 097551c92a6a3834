"""Has imports of the user's modules load the texts that were generated in their place.

Beside a generated program there may be a table, ``PROGRAM.modules``: a JSON object that leads from files, as seen from
the script's folder, to generated texts, as seen from that of the table. Whatever finds such a file for an import, by
whatever name, Python loads it by ``SourceFileLoader.get_code``; there the text is exchanged and nothing else, so
``__file__``, packages and names of modules stay the user's. The code carries the name of the generated file, and no
bytecode of it is kept.

Imports the standard library only.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from types import CodeType

_transforms: list[Callable[[bytes, str], ast.Module]] = []


def install(generated: str, script: str) -> None:
    """Exchange the texts of the modules that the table of a generated program names."""
    try:
        with open(f"{generated}.modules", encoding="utf-8") as file:
            table = file.read()
    except FileNotFoundError:
        return
    import json

    home, folder = os.path.dirname(os.path.realpath(script)), os.path.dirname(generated)
    files = {os.path.join(home, file): os.path.join(folder, text) for file, text in json.loads(table).items()}
    texts = {os.path.realpath(file): text for file, text in files.items()}
    names = {os.path.basename(file) for file in (*files, *texts)}
    plain = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        text = texts.get(os.path.realpath(path)) if os.path.basename(path) in names else None
        return plain(self, fullname) if text is None else _compiled(self, text)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


def transform_by(transform: Callable[[bytes, str], ast.Module]) -> None:
    """Has generated texts loaded as the trees that ``transform`` makes of text and file name."""
    _transforms.append(transform)


def _compiled(loader: SourceFileLoader, path: str) -> CodeType:
    with open(path, "rb") as file:
        text = file.read()
    code: CodeType = loader.source_to_code(_transforms[-1](text, path) if _transforms else text, path)
    return code
