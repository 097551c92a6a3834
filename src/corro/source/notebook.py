"""Notebooks: the code cells of an ``.ipynb`` file as one Python text, and edits of it written back into the cells.

The text is a script in the percent format, which editors and jupytext read: each cell under a ``# %%`` line. It is
what the compiler reads, what a notebook becomes as a script, and, split at those lines again, what its cells become.
The file itself is treated like any other text: only the spans of changed cells are replaced, so that all other bytes
stay, whichever program wrote them.
"""

from __future__ import annotations

import ast
import codecs
import json
import re
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.classes import dataclass
from corro.errors import Place, SourceError
from corro.source.file import SourceFile
from corro.source.jupyter import Remark, Translation, python_words
from corro.source.span import Span
from corro.source.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_BYTES = 200 * 1024 * 1024
"""Pictures make notebooks large; larger than this it is no notebook."""

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")
_FUTURE = re.compile(r"^from __future__ import .*$", re.MULTILINE)
_HOW_TO_START = (
    "**This notebook is made for several processes**, and in Jupyter it is one. For N of them, in a terminal:\n",
    "`{}`",
)
_OF_IPYTHON = {
    "display": "from IPython.display import display",
    "get_ipython": "from IPython import get_ipython",
}


@dataclass(frozen=True)
class Cell:
    """A cell: its number among all cells, from 1, its kind and its text, and where it and its parts are in the file."""

    number: int
    kind: str
    text: str
    span: Span
    spans: dict[str, Span]


@dataclass(frozen=True)
class NotebookFile(SourceFile):
    """The code cells of a notebook as one text.

    Args:
        raw: the text of the file.
        cells: all cells.
        translation: what Jupyter adds to Python in them.
        marks: the offsets of the lines that begin the cells, and their numbers.
    """

    raw: str = ""
    cells: tuple[Cell, ...] = ()
    translation: Translation | None = None
    marks: tuple[tuple[int, int], ...] = ()
    mark: str = ""

    @classmethod
    def from_bytes(cls, data: bytes, path: str | Path, *, check: bool = True) -> NotebookFile:
        """A notebook from the content of its file.

        Args:
            data: the content.
            path: where it came from.
            check: whether each cell has to be Python; without it, the text can still be shown.

        Raises:
            SourceError: it is no notebook of format 4 with Python code.
        """
        path = Path(path)
        place = Place(str(path), 1, 1)
        if len(data) > MAX_BYTES:
            raise SourceError(f"{len(data) / 2**20:.1f} MiB is too large for a notebook.", place=place)
        try:
            raw = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SourceError(f"it cannot be decoded: {error}.", place=place, advice="Save it as UTF-8.") from error
        cells = _cells(raw, path)
        translation = _translation(cells)
        mark = _fresh("# %% cell", [cell.text for cell in cells])
        text, marks = _joined(cells, translation, mark, path if check else None)
        bom = data.startswith(codecs.BOM_UTF8)
        return cls(path, text, "utf-8", bom, raw, cells, translation, marks, mark)

    # ------------------------------------------------------------------ places

    def part(self, offset: int) -> int:
        """The number of the cell that holds an offset; the lines above the first one count to it."""
        if not self.marks:
            return 1
        return self.marks[max(bisect_right(self.marks, (offset, len(self.cells) + 1)) - 1, 0)][1]

    def place(self, where: int | Span | ast.AST) -> Place:
        """The cell, and line and column in it."""
        whole = super().place(where)
        return self._in_cell(whole)

    def _in_cell(self, place: Place) -> Place:
        offset = self.lines.starts[place.line - 1]
        starts = [start for start, _ in self.marks if start <= offset]
        line = place.line - self.lines.number(starts[-1]) if starts else 1
        cell = self.part(offset)
        for number, more in self._taken_in(cell):
            line += more if line > number else 0
        return Place(place.file, max(line, 1), place.column, cell)

    def _taken_in(self, cell: int) -> Sequence[tuple[int, int]]:
        return self.translation.taken_in.get(cell, ()) if self.translation is not None else ()

    @property
    def remarks(self) -> tuple[tuple[Span, Remark], ...]:
        """What is to be said about magics, with the lines they are on."""
        assert self.translation is not None
        starts = {number: self.lines.number(start) for start, number in self.marks}
        found = []
        for remark in self.translation.remarks:
            above = sum(more for number, more in self._taken_in(remark.cell) if number < remark.line)
            start = self.lines.starts[starts[remark.cell] + remark.line - above - 1]
            found.append((Span(start, start + len(re.split(r"[\r\n]", self.text[start:], maxsplit=1)[0])), remark))
        return tuple(found)

    # ------------------------------------------------------------------ writing

    def encode(self, text: str, suffix: str = "") -> bytes:
        """``text`` as a script, or as a notebook when ``suffix`` is ``.ipynb``: changed cells lose their outputs."""
        if suffix != ".ipynb":
            return text.encode("utf-8")
        new, old = self._split(text), self._split(self.text)
        pieces: list[tuple[Span, str]] = []
        for cell in self.cells:
            if new.get(cell.number) != old.get(cell.number):
                kept, behind = _after_display(old[cell.number], new[cell.number])
                pieces += self._changed(cell, kept)
                if behind:
                    pieces.append((Span(cell.span.end, cell.span.end), self._another(cell, behind)))
        written: list[str] = []
        position = 0
        for span, piece in sorted(pieces):
            written += self.raw[position : span.start], piece
            position = span.end
        bom = codecs.BOM_UTF8 if self.bom else b""
        return bom + ("".join(written) + self.raw[position:]).encode("utf-8")

    def program(self, text: str, command: str) -> bytes:
        """The notebook with ``text``; it begins with a cell that says by which command it is started."""
        written = NotebookFile.from_bytes(self.encode(text, ".ipynb"), self.path)
        start = written.cells[0].span.start
        bom = codecs.BOM_UTF8 if self.bom else b""
        return bom + (written.raw[:start] + written._how_to_start(command) + written.raw[start:]).encode("utf-8")

    def read_back(self, text: str) -> NotebookFile:
        """The notebook that would be written, read again."""
        return NotebookFile.from_bytes(self.encode(text, ".ipynb"), self.path)

    def _split(self, text: str) -> dict[int, str]:
        """The code cells of a text; lines above the first cell that are not the text's own begin its code."""
        parts = re.split(rf"^{re.escape(self.mark)} (\d+)(?: \[\w+\])?\n", text + "\n", flags=re.MULTILINE)
        head = _lines_added(self._head, parts[0])
        code = {cell.number for cell in self.cells if cell.kind == "code"}
        found = {int(number): body[:-2] for number, body in zip(parts[1::2], parts[2::2], strict=True)}
        cells = {number: body for number, body in found.items() if number in code}
        if head and cells:
            assert self.translation is not None
            starts = {number: self.translation.opening(cells[number]) for number in sorted(cells)}
            first = next((number for number, start in starts.items() if start is not None), min(cells))
            start = starts[first] or 0
            cells[first] = f"{cells[first][:start]}{head}\n{cells[first][start:]}"
        return cells

    @property
    def _head(self) -> str:
        return self.text[: self.marks[0][0]] if self.marks else self.text

    def _changed(self, cell: Cell, text: str) -> Iterator[tuple[Span, str]]:
        assert self.translation is not None
        source = cell.spans["source"]
        yield source, _written_like(self.raw[source.start : source.end], self.translation.notebook(text), self.raw)
        if "outputs" in cell.spans:
            yield cell.spans["outputs"], "[]"
        if "execution_count" in cell.spans:
            yield cell.spans["execution_count"], "null"

    def _another(self, cell: Cell, text: str) -> str:
        """A cell after ``cell``, laid out like it."""
        pieces = list(self._changed(cell, text))
        if "id" in cell.spans:
            old = self.raw[cell.spans["id"].start : cell.spans["id"].end]
            pieces.append((cell.spans["id"], json.dumps(_fresh(f"{json.loads(old)[:50]}-end", [self.raw]))))
        written = [self._gap]
        position = cell.span.start
        for span, piece in sorted(pieces):
            written += self.raw[position : span.start], piece
            position = span.end
        return "".join(written) + self.raw[position : cell.span.end]

    def _how_to_start(self, command: str) -> str:
        """A cell before the first one, laid out like the others."""
        first, gap = self.cells[0], self._gap
        lines = "\n".join(_HOW_TO_START).format(command)
        as_list = self.raw[first.spans["source"].start] == "["
        named = {"id": _fresh("how-to-start", [self.raw])} if "id" in first.spans else {}
        source = lines.splitlines(keepends=True) if as_list else lines
        cell: dict[str, Any] = {"cell_type": "markdown", **named, "metadata": {}, "source": source}
        _, new_line, indent = gap.partition("\n")
        if not new_line:
            return json.dumps(cell) + gap
        return json.dumps(cell, indent=max(len(indent) // 2, 1)).replace("\n", f"\n{indent}") + gap

    @property
    def _gap(self) -> str:
        """What stands between two cells."""
        first, second = [*self.cells, *self.cells[:1]][:2]
        if first.span.end < second.span.start:
            return self.raw[first.span.end : second.span.start]
        return ",\n  "


# ---------------------------------------------------------------------- from the file to one text


def _translation(cells: Sequence[Cell]) -> Translation:
    code = [cell.text for cell in cells if cell.kind == "code"]
    return Translation(_fresh("Jupyter", code), python_words(code))


def _fresh(word: str, texts: Sequence[str]) -> str:
    """``word``, or something longer that is in none of the texts."""
    while any(word in text for text in texts):
        word += "_"
    return word


def _joined(
    cells: Sequence[Cell], translation: Translation, mark: str, path: Path | None
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The cells as one text, and where each begins; without a path, they need not be Python."""
    future: dict[str, None] = {}
    shown: list[tuple[int, int]] = []
    bodies: list[tuple[str, str]] = []
    for cell in cells:
        if cell.kind == "code":
            body = translation.python(cell.text, cell.number)
            future.update(dict.fromkeys(_FUTURE.findall(body)))
            body = _FUTURE.sub(lambda match: translation.comment(match[0]), body)
            tree = _parsed(body, cell, path) if path is not None else ast.Module([], [])
            if _displays(tree) and not isinstance(tree.body[-1].value, ast.Call):  # type: ignore[attr-defined]
                shown.append((cell.number, tree.body[-1].lineno))
            bodies.append((f"{mark} {cell.number}", body))
        elif cell.kind == "markdown":
            lines = (f"# {line}".rstrip() for line in cell.text.split("\n"))
            bodies.append((f"{mark} {cell.number} [markdown]", "\n".join(lines)))
    code = "\n".join(body for _, body in bodies)
    for name, line in _OF_IPYTHON.items():
        if re.search(rf"(?<![\w.]){name}\(", code) and not re.search(rf"(?:import|def)\b.*\b{name}\b", code):
            translation.imports[line] = None
    for cell_number, last in shown[:1]:
        at = last + sum(more for _, more in translation.taken_in.get(cell_number, ()))
        message = "the last line of a cell shows its value in a notebook only, not in a script."
        translation.remarks.append(Remark(cell_number, at, "note", message, "Print what a script should show."))
    head = "".join(f"{line}\n" for line in [*future, *translation.imports])
    text, marks = head + "\n" if head else "", []
    for title, body in bodies:
        marks.append((len(text), int(re.split(r" (\d+)", title)[1])))
        text += f"{title}\n{body}\n\n"
    return text.removesuffix("\n"), tuple(marks)


def _parsed(body: str, cell: Cell, path: Path) -> ast.Module:
    """The tree of a cell; each has to be Python by itself."""
    try:
        return parse(body, str(path))
    except SourceError as error:
        place = error.place and Place(error.place.file, error.place.line, error.place.column, cell.number)
        raise SourceError(error.message, place=place, advice=error.advice) from error


def _displays(tree: ast.Module) -> bool:
    """Whether the last line of a cell shows a value."""
    last = tree.body[-1] if tree.body else None
    return isinstance(last, ast.Expr) and not (isinstance(last.value, ast.Constant) and last.value.value is ...)


def _after_display(old: str, new: str) -> tuple[str, str]:
    """A cell whose last line shows a value, up to that line, and what was written after it."""
    before, after = ast.parse(old), ast.parse(new)
    if not _displays(before):
        return new, ""
    last = ast.dump(before.body[-1])
    behind = [n for n, stmt in enumerate(after.body) if n and ast.dump(after.body[n - 1]) == last]
    if not behind:
        return new, ""
    lines = new.split("\n")
    cut = after.body[behind[-1]].lineno - 1
    return "\n".join(lines[:cut]).rstrip("\n"), "\n".join(lines[cut:])


def _cells(raw: str, path: Path) -> tuple[Cell, ...]:
    """All cells of a notebook of format 4.

    Raises:
        SourceError: it is something else.
    """
    try:
        book, _ = _DECODER.raw_decode(raw, _blank(raw, 0))
    except (json.JSONDecodeError, RecursionError) as error:
        at = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (1, 1)
        raise SourceError(f"it is no notebook: {error}.", place=Place(str(path), *at)) from error
    _check_format(book, path)
    outer = dict(_members(raw, _blank(raw, 0)))
    cells = []
    for number, (span, cell) in enumerate(zip(_items(raw, outer["cells"].start), book["cells"], strict=True), start=1):
        text = cell.get("source") if isinstance(cell, dict) else None
        text = "".join(text) if isinstance(text, list) and all(isinstance(line, str) for line in text) else text
        if not isinstance(text, str):
            raise SourceError("a cell has no source.", place=Place(str(path), 1, 1, number))
        cells.append(Cell(number, str(cell.get("cell_type")), text, span, dict(_members(raw, span.start))))
    if not any(cell.kind == "code" for cell in cells):
        raise SourceError("the notebook has no code.", place=Place(str(path), 1, 1))
    return tuple(cells)


def _check_format(book: Any, path: Path) -> None:
    place = Place(str(path), 1, 1)
    if not isinstance(book, dict) or not isinstance(book.get("nbformat"), int):
        raise SourceError("it is JSON, and no notebook.", place=place)
    if book["nbformat"] != 4 or not isinstance(book.get("cells"), list):
        raise SourceError(
            f"it is a notebook of format {book['nbformat']}, and format 4 is read.",
            place=place,
            advice="Convert it: jupyter nbconvert --to notebook --nbformat 4.",
        )
    metadata = book.get("metadata")
    language = _language(metadata if isinstance(metadata, dict) else {})
    if language.lower() not in ("", "python", "python2", "python3", "ipython"):
        raise SourceError(f"its code is {language}, not Python.", place=place)


def _language(metadata: dict[str, Any]) -> str:
    for part, name in (("kernelspec", "language"), ("language_info", "name")):
        if isinstance(metadata.get(part), dict) and isinstance(metadata[part].get(name), str):
            return str(metadata[part][name])
    return ""


# ---------------------------------------------------------------------- JSON by offsets


def _blank(raw: str, offset: int) -> int:
    match = _BLANK.match(raw, offset)
    return match.end() if match else offset


def _members(raw: str, start: int) -> Iterator[tuple[str, Span]]:
    """The names of an object's members, and where their values are. The text is known to be JSON."""
    position = _blank(raw, start + 1)
    while raw[position] != "}":
        name, position = _DECODER.raw_decode(raw, position)
        begin = _blank(raw, _blank(raw, position) + 1)
        _, end = _DECODER.raw_decode(raw, begin)
        yield name, Span(begin, end)
        position = _blank(raw, end)
        position = _blank(raw, position + 1) if raw[position] == "," else position


def _items(raw: str, start: int) -> Iterator[Span]:
    """Where the items of an array are. The text is known to be JSON."""
    position = _blank(raw, start + 1)
    while raw[position] != "]":
        _, end = _DECODER.raw_decode(raw, position)
        yield Span(position, end)
        position = _blank(raw, end)
        position = _blank(raw, position + 1) if raw[position] == "," else position


def _written_like(old: str, text: str, raw: str) -> str:
    """A text as JSON in the manner of ``old``: one string, or a list of lines laid out alike."""
    ascii_only = raw.isascii()
    if old.startswith('"'):
        return json.dumps(text, ensure_ascii=ascii_only)
    lines = [json.dumps(line, ensure_ascii=ascii_only) for line in re.findall(r"[^\n]*\n|[^\n]+", text)]
    spans = list(_items(old, 0))
    if not lines:
        return "[]"
    if not spans:
        return "[" + ", ".join(lines) + "]"
    first, last = spans[0], spans[-1]
    between = old[first.end : spans[1].start] if len(spans) > 1 else "," + (old[1 : first.start] or " ")
    return old[: first.start] + between.join(lines) + old[last.end :]


def _lines_added(old: str, new: str) -> str:
    """The lines of ``new`` that ``old`` has not."""
    known = set(old.split("\n"))
    return "\n".join(line for line in new.split("\n") if line not in known)
