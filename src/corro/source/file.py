"""A source file: its text as it stands, its tree, and where each node is in the text."""

from __future__ import annotations

import ast
import codecs
import io
import re
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from corro.classes import dataclass
from corro.errors import Place, SourceError
from corro.source.fstrings import locate
from corro.source.span import LINE_END, Lines, Span
from corro.source.syntax import parse
from corro.source.tokens import Tokens
from corro.source.walking import Nodes, children, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.source.jupyter import Remark

MAX_BYTES = 5 * 1024 * 1024
"""A file larger than this is data, not a script."""

DEFAULT_INDENT = "    "

_CELL = re.compile(r"#\s*(?:%%|<codecell>|In\[[\d ]*\])")
"""What a comment begins with that begins a cell, as editors and exported notebooks have it."""
_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")


@dataclass(frozen=True)
class SourceFile:
    """The text of a script, never changed, and what can be asked about it.

    Args:
        path: where it came from; ``<string>`` for a text without a file.
        text: the decoded text; line ends as in the file, without byte order mark.
        encoding: the codec of the file.
        bom: whether the file starts with a UTF-8 byte order mark.
    """

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bool = False

    @classmethod
    def from_bytes(cls, data: bytes, path: str | Path) -> SourceFile:
        """Decode a file's content as Python does: byte order mark, coding cookie, else UTF-8.

        Raises:
            SourceError: it is no text in its encoding, or too large for a script.
        """
        place = Place(str(path), 1, 1)
        if len(data) > MAX_BYTES:
            raise SourceError(f"{len(data) / 2**20:.1f} MiB is too large for a script.", place=place)
        if b"\0" in data:
            raise SourceError("it holds NUL bytes: a binary file, or UTF-16.", place=place, advice="Save it as UTF-8.")
        bom = data.startswith(codecs.BOM_UTF8)
        try:
            encoding = _encoding(data)
            text = data.decode(encoding).removeprefix("\ufeff") if bom else data.decode(encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            raise SourceError(f"it cannot be decoded: {error}.", place=place, advice="Save it as UTF-8.") from error
        return cls(Path(path), text, encoding, bom)

    @classmethod
    def from_text(cls, text: str, path: str | Path = "<string>") -> SourceFile:
        """A source without a file."""
        return cls(Path(path), text)

    def part(self, offset: int) -> int:
        """A number for the part of the text that holds an offset. Nothing is laid out across parts.

        The parts of a script are the cells that editors see in it.
        """
        return bisect_right(self.cell_marks, offset)

    @cached_property
    def cell_marks(self) -> tuple[int, ...]:
        """Where the lines start that begin a cell of a script; in another column they would begin none."""
        lines = (token for token in self.tokens.comments if token.start == self.lines.start(token.start))
        return tuple(token.start for token in lines if _CELL.match(self.text, token.start))

    @property
    def remarks(self) -> tuple[tuple[Span, Remark], ...]:
        """What is to be said about the form of the source; nothing for a script."""
        return ()

    def read_back(self, text: str) -> SourceFile | None:
        """What ``text`` becomes when it is written in the form of this file and read again; ``None`` for a script."""
        return None

    def encode(self, text: str, suffix: str = "") -> bytes:
        """``text`` as bytes, in the encoding of this file; ``suffix`` is that of the file to be written.

        Raises:
            SourceError: the encoding has no such character.
        """
        try:
            return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise SourceError(
                f"{self.encoding}, the encoding of this file, has no character {error.object[error.start]!r}.",
                place=Place(str(self.path), 1, 1),
                advice="Save the script as UTF-8.",
            ) from error

    @cached_property
    def newline(self) -> str:
        r"""The line end used most; ``\n`` when there is none."""
        counted = Counter(LINE_END.findall(self.text))
        return max(counted, key=counted.__getitem__) if counted else "\n"

    @cached_property
    def indent(self) -> str:
        """The step of indentation used most; four spaces when nothing is indented."""
        counted = Counter(self._steps())
        return max(counted, key=counted.__getitem__) if counted else DEFAULT_INDENT

    def _steps(self) -> Iterator[str]:
        for node in self.statements:
            body = getattr(node, "body", None)
            if isinstance(body, list) and self._on_new_line(body[0], node):
                outer, inner = self._indentation(node), self._indentation(body[0])
                if len(inner) > len(outer) and inner.startswith(outer) and not inner.strip(" \t"):
                    yield inner[len(outer) :]

    def _on_new_line(self, first: ast.stmt, node: ast.stmt) -> bool:
        """Whether the body that starts with ``first`` is a block of its own lines, not a suite behind a backslash."""
        start = self.lines.starts[first.lineno - 1]
        return first.lineno > node.lineno and not self.text[max(start - 3, 0) : start].rstrip("\r\n").endswith("\\")

    def _indentation(self, node: ast.stmt) -> str:
        start = self.lines.starts[node.lineno - 1]
        return self.text[start : start + node.col_offset]

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree.

        Raises:
            SourceError: the text is no Python that the running interpreter can parse.
        """
        return parse(self.text, str(self.path))

    @cached_property
    def lines(self) -> Lines:
        """Lines and columns of the text."""
        return Lines(self.text)

    @cached_property
    def tokens(self) -> Tokens:
        """Strings, comments, line ends and brackets of the text. Only for a text that parses."""
        return Tokens(self.text)

    @cached_property
    def nodes(self) -> Nodes:
        """All nodes of the tree, as :func:`~corro.source.walking.walk` gives them."""
        return Nodes(walk(self.tree))

    @cached_property
    def attributes(self) -> dict[str, list[ast.Attribute]]:
        """All attributes by their names."""
        found: dict[str, list[ast.Attribute]] = {}
        for node in self.nodes.of(ast.Attribute):
            found.setdefault(node.attr, []).append(node)
        return found

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """All statements, in the order of ``nodes``, of which they are a small part."""
        found: list[ast.AST] = [self.tree]
        for node in found:  # grows on the way
            if "body" in node._fields or "cases" in node._fields:
                for name in _BLOCKS:
                    found += getattr(node, name, ())
        return tuple(node for node in found if isinstance(node, ast.stmt))

    @cached_property
    def imports(self) -> tuple[tuple[str, ast.Import | ast.ImportFrom], ...]:
        """The dotted names that are imported, without relative ones, each with its statement."""
        return tuple(pair for node in self.statements for pair in _imported(node))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node above each node. Operators and contexts, which trees share, are left out."""
        return {child: node for node in self.nodes for child in children(node)}

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node above ``node``; None for the module and for nodes of other trees."""
        return self.parents.get(node)

    def put_at(self, node: ast.AST, at: ast.AST) -> None:
        """Let a node that is not in the text stand where another does: the call of a property, for instance."""
        self.parents[node] = at

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes above ``node``, from the inside out, the module last."""
        above = self.parents.get(node)
        while above is not None:
            yield above
            above = self.parents.get(above)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds ``node``, or ``node`` itself.

        Raises:
            ValueError: ``node`` is in no statement of this file.
        """
        if isinstance(node, ast.stmt):
            return node
        for above in self.ancestors(node):
            if isinstance(above, ast.stmt):
                return above
        raise ValueError(f"{type(node).__name__} is in no statement of {self.path}")

    def span(self, node: ast.AST) -> Span:
        """Where ``node`` is, without parentheses or decorators around it.

        Nodes that the parser gives no position (``arguments``, ``withitem`` …) span their children. For a node in an
        f-string that ``has_reliable_span`` denies, this is the span of the nearest node around it that has one.

        Raises:
            ValueError: neither the node nor anything in it has a position.
        """
        if isinstance(node, ast.stmt):
            return self._parsed_span(node)
        for candidate in (node, *self.ancestors(node)):
            if candidate in self._in_fstrings:
                if found := self._in_fstrings[candidate]:
                    return found
            else:
                return self._parsed_span(candidate)
        return self._parsed_span(node)

    def has_reliable_span(self, node: ast.AST) -> bool:
        """Whether ``span`` is exact: false for the literal parts of f-strings, and for fields that were not found."""
        return self._in_fstrings.get(node, node) is not None

    def _parsed_span(self, node: ast.AST) -> Span:
        """The span by the parser's word."""
        if isinstance(node, ast.Module):
            return Span(0, len(self.text))
        if "end_lineno" in node._attributes:
            placed = cast("ast.expr", node)
            assert placed.end_lineno is not None
            assert placed.end_col_offset is not None
            return Span(
                self.lines.offset(placed.lineno, placed.col_offset),
                self.lines.offset(placed.end_lineno, placed.end_col_offset),
            )
        spans = [self.span(child) for child in ast.iter_child_nodes(node) if child._fields]
        if not spans:
            raise ValueError(f"{type(node).__name__} has no place in the text")
        return Span(min(span.start for span in spans), max(span.end for span in spans))

    @cached_property
    def _in_fstrings(self) -> dict[ast.AST, Span | None]:
        """Every node inside an f-string, with its span, or None where that is unknown."""
        spans: dict[ast.AST, Span | None] = {}
        for node in self.nodes.of(ast.JoinedStr):
            if not any(isinstance(a, ast.JoinedStr) for a in self.ancestors(node)):
                inner = [child for child in walk(node) if child._fields and child is not node]
                spans.update(dict.fromkeys(inner))
                found = locate(self.text, node, self._parsed_span(node))
                spans.update((child, span) for child, span in found.items() if child is not node)
        return spans

    def segment(self, place: ast.AST | Span) -> str:
        """The text of a node or of a span."""
        span = place if isinstance(place, Span) else self.span(place)
        return self.text[span.start : span.end]

    def place(self, where: int | Span | ast.AST) -> Place:
        """The line and column, both from 1 and in characters, of an offset or of the start of a span or node."""
        offset = where if isinstance(where, int) else (where if isinstance(where, Span) else self.span(where)).start
        line = self.lines.number(offset)
        return Place(str(self.path), line, offset - self.lines.starts[line - 1] + 1)


def _encoding(data: bytes) -> str:
    """The encoding of a file, which its first two lines may declare."""
    head = b"".join(data.split(b"\n", 2)[:2])
    if head.isascii() and b"coding" not in head:
        return "utf-8"
    from tokenize import detect_encoding  # noqa: PLC0415 - slow to load

    return detect_encoding(io.BytesIO(data).readline)[0].removesuffix("-sig")


def _imported(node: ast.stmt) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, node
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module, node
        for alias in node.names:
            yield f"{node.module}.{alias.name}", node
