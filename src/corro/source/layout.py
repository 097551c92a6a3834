"""The lines around statements: what ``Before``, ``After``, ``Guard``, ``Under`` and ``Remove`` write.

The statements of one logical line (``a; b``, or the suite of ``if m: a; b``) form a *group*. A group that an edit
touches is written anew between its statements, never inside them. What stands under a guard gets one more step of
indentation at each line that begins outside a string.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from corro.classes import dataclass, replace
from corro.source.breaking import WIDTH, broken
from corro.source.edits import After, Before, Edit, EditError, Guard, Remove, Under
from corro.source.file import DEFAULT_INDENT, SourceFile
from corro.source.pieces import Piece, Rank
from corro.source.span import Span
from corro.source.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True)
class _Line:
    """A new line; ``steps`` counts its indentation over that of the statement it is written for.

    A line that starts inside a string is ``verbatim``: it gets no indentation at all.
    """

    text: str
    steps: int = 0
    verbatim: bool = False


class Layout:
    """All statement edits of a source, sorted by statement."""

    def __init__(self, source: SourceFile, edits: Iterable[Edit]) -> None:
        self.source = source
        self.before: dict[ast.stmt, list[Before]] = defaultdict(list)
        self.after: dict[ast.stmt, list[After]] = defaultdict(list)
        self.guards: dict[ast.stmt, str] = {}
        self.removed: set[ast.stmt] = set()
        for edit in edits:
            if isinstance(edit, Before):
                self.before[edit.stmt].append(edit)
            elif isinstance(edit, After):
                self.after[edit.stmt].append(edit)
            elif isinstance(edit, (Guard, Under)):
                if self.guards.setdefault(edit.stmt, edit.head) != edit.head:
                    raise self._error(edit.stmt, f"guarded with {self.guards[edit.stmt]!r} and with {edit.head!r}")
            elif isinstance(edit, Remove):
                self.removed.add(edit.stmt)
        self._blocks: dict[ast.AST, list[ast.stmt]] = {}
        self.touched = {*self.before, *self.after, *self.guards, *self.removed}

    def pieces(self) -> Iterator[Piece]:
        """The pieces of all statement edits.

        Raises:
            EditError: an edit names a statement of another tree, an ``elif``, or one inside a removed statement.
        """
        blocks: dict[int, list[ast.stmt]] = {}
        for stmt in self.touched:
            self._check(stmt)
            block = self.block(stmt)
            blocks[id(block)] = block
        for block in blocks.values():
            yield from _BlockLayout(self, block).pieces()

    def _check(self, stmt: ast.stmt) -> None:
        parent = self.source.parent(stmt)
        if parent is None:
            raise EditError(f"this {type(stmt).__name__} is no statement of {self.source.path}")
        if isinstance(stmt, ast.If) and isinstance(parent, ast.If) and self._starts_with_elif(stmt):
            raise self._error(stmt, "no line can stand next to an `elif`")
        if any(above in self.removed for above in self.source.ancestors(stmt)):
            raise self._error(stmt, "an edit inside a removed statement")
        if stmt in self.removed and stmt in self.guards:
            raise self._error(stmt, "a statement both removed and guarded")

    def _starts_with_elif(self, stmt: ast.If) -> bool:
        return self.source.text.startswith("elif", self.source.span(stmt).start)

    def _error(self, stmt: ast.stmt, message: str) -> EditError:
        return EditError(f"{self.source.place(stmt)}: {message}")

    def block(self, stmt: ast.stmt) -> list[ast.stmt]:
        """The statements that ``stmt`` stands among."""
        if stmt not in self._blocks:
            for value in self.source.parents[stmt].__dict__.values():
                if isinstance(value, list):
                    self._blocks.update(dict.fromkeys(value, value))
        return self._blocks[stmt]

    def start(self, stmt: ast.stmt) -> int:
        """Where a statement starts, its decorators included."""
        decorators = getattr(stmt, "decorator_list", None)
        if not decorators:
            return self.source.span(stmt).start
        tokens = self.source.tokens
        token = tokens.before(self.source.span(decorators[0]).start)
        while token is not None and tokens.string(token) != "@":
            token = tokens.before(token.start)
        assert token is not None
        return token.start

    def end(self, stmt: ast.stmt) -> int:
        """Where a statement ends."""
        return self.source.span(stmt).end

    def inline(self, stmt: ast.stmt) -> bool:
        """Whether code stands on the logical line before ``stmt``, be it ``;`` or the head of an inline suite."""
        tokens, start = self.source.tokens, self.start(stmt)
        return bool(tokens.between(tokens.line_start(start), start))

    def own_base(self, stmt: ast.stmt) -> str:
        """The indentation of a statement's line as it stands; for an inline suite, that of the block to be made."""
        tokens, text = self.source.tokens, self.source.text
        line_start = _after_form_feeds(text, tokens.line_start(self.start(stmt)))
        base = text[line_start : _after_blanks(text, line_start)]
        return base + self.source.indent if self.inline(stmt) and self._opens_inline_suite(stmt) else base

    def _opens_inline_suite(self, stmt: ast.stmt) -> bool:
        """Whether ``stmt``, which does not start its line, stands in a suite that starts on that line."""
        first = self.block(stmt)[0]
        return self.inline(first) and self.source.tokens.line_start(self.start(first)) == self.source.tokens.line_start(
            self.start(stmt)
        )

    def base(self, stmt: ast.stmt) -> str:
        """The indentation of a statement's lines once all guards around it are written."""
        base, step = self.own_base(stmt), self.source.indent
        guarded = [above for above in self.source.ancestors(stmt) if above in self.guards]
        for count, above in enumerate(reversed(guarded)):
            assert isinstance(above, ast.stmt)
            at = len(self.own_base(above)) + count * len(step)
            base = base[:at] + step + base[at:]
        return base

    def indented(self, piece: Piece) -> Piece:
        """A piece of an expression, its further lines moved in as the guards around it move the others."""
        if "\n" not in piece.text:
            return piece
        steps = sum(self.start(stmt) <= piece.start <= self.end(stmt) for stmt in self.guards)
        lines = _new_lines(piece.text)
        first = next(lines)
        rest = (line.text if line.verbatim else self.source.indent * steps + line.text for line in lines)
        return replace(piece, text="\n".join((first.text, *rest)))

    def broken(self, stmt: ast.stmt, text: str) -> str:
        """The new text of a statement that had one line: on several where that is too long now and was not."""
        if "\n" in text or stmt in self.removed or self.inline(stmt):
            return text
        indent = self.base(stmt) + self.source.indent * (stmt in self.guards)
        return text if len(indent) + len(self.source.span(stmt)) > WIDTH else broken(text, indent, self.source.indent)

    def depth(self, stmt: ast.stmt) -> int:
        """How many nodes are above a statement."""
        return sum(1 for _ in self.source.ancestors(stmt))


class _BlockLayout:
    """The layout of one block: a list of sibling statements."""

    def __init__(self, layout: Layout, block: list[ast.stmt]) -> None:
        self.layout, self.block = layout, block
        self.source, self.tokens = layout.source, layout.source.tokens
        self.runs, self.first_of_run = self._find_runs()

    def _find_runs(self) -> tuple[dict[ast.stmt, int], set[ast.stmt]]:
        """A number for each run of neighbours under one head (unguarded statements have none), and their firsts."""
        layout, runs, firsts = self.layout, dict[ast.stmt, int](), set[ast.stmt]()
        for previous, stmt in zip([None, *self.block[:-1]], self.block, strict=True):
            if stmt not in layout.guards:
                continue
            joined = (
                previous is not None
                and layout.guards.get(previous) == layout.guards[stmt]
                and not layout.after.get(previous)
                and not layout.before.get(stmt)
                and self.source.part(layout.start(previous)) == self.source.part(layout.start(stmt))
            )
            if not joined:
                firsts.add(stmt)
            runs[stmt] = len(firsts)
        return runs, firsts

    def pieces(self) -> Iterator[Piece]:
        """The pieces of the block's own statements."""
        for group in self._groups():
            if any(stmt in self.layout.touched for stmt in group):
                yield from self._group(group)
        guarded = [stmt for stmt in self.block if stmt in self.runs]
        for _, run in groupby(guarded, key=self.runs.__getitem__):
            yield from self._indent(list(run))

    def _groups(self) -> Iterator[list[ast.stmt]]:
        """The statements that share a logical line."""
        group: list[ast.stmt] = []
        for stmt in self.block:
            if group and not self._share_line(group[-1], stmt):
                yield group
                group = []
            group.append(stmt)
        yield group

    def _share_line(self, first: ast.stmt, second: ast.stmt) -> bool:
        return self.tokens.newline(self.layout.end(first)).start > self.layout.start(second)

    def _lines_before(self, stmt: ast.stmt) -> list[_Line]:
        lines = self._written(self.layout.before.get(stmt, ()))
        return [*lines, _Line(self.layout.guards[stmt])] if stmt in self.first_of_run else lines

    def _lines_after(self, stmt: ast.stmt) -> list[_Line]:
        return self._written(self.layout.after.get(stmt, ()))

    def _written(self, edits: Sequence[Before | After]) -> list[_Line]:
        ordered = sorted(edits, key=lambda edit: edit.order)
        lines = (line for edit in ordered for line in _new_lines(edit.text.removesuffix("\n")))
        return [_with_step(line, self.source.indent) for line in lines]

    def _text(self, stmt: ast.stmt, lines: Sequence[_Line]) -> list[str]:
        """New lines with the indentation they need around ``stmt``, which may be under guards."""
        base, step = self.layout.base(stmt), self.source.indent
        return [text for line in lines for text in _placed(line, base, step)]

    def _indentation(self, stmt: ast.stmt) -> str:
        return self.layout.base(stmt) + self.source.indent * (stmt in self.layout.guards)

    def _group(self, group: list[ast.stmt]) -> Iterator[Piece]:
        """Write the statements of one logical line anew."""
        first, last = group[0], group[-1]
        kept = [stmt for stmt in group if stmt not in self.layout.removed]
        if not kept:
            yield from self._emptied(group)
            return
        pending: list[_Line] = []
        previous: ast.stmt | None = None
        skipped: ast.stmt | None = None
        for stmt in group:
            pending += self._lines_before(stmt)
            if stmt in self.layout.removed:
                skipped = stmt
            else:
                yield from self._joint(first, previous, skipped, stmt, pending)
                pending, previous, skipped = [], stmt, None
            pending += self._lines_after(stmt)
        assert previous is not None
        if skipped is not None:
            yield Piece(self.layout.end(previous), self.layout.end(last), "", Rank.REPLACE)
        yield from self._after_line(last, pending)

    def _joint(
        self, first: ast.stmt, previous: ast.stmt | None, skipped: ast.stmt | None, stmt: ast.stmt, lines: list[_Line]
    ) -> Iterator[Piece]:
        """What stands between ``previous``, which may be missing, and ``stmt``: ``lines``, or as little as possible."""
        start = self.layout.start(stmt)
        if previous is None:
            yield from self._lead(first, stmt, lines)
        elif lines or self.runs.get(previous) != self.runs.get(stmt):
            text = [*self._text(stmt, lines), self._indentation(stmt)]
            yield self._cut(self.layout.end(previous), start, "".join("\n" + line for line in text))
        elif skipped is not None:
            yield self._cut(self.layout.end(previous), self.layout.end(skipped), "")

    def _lead(self, first: ast.stmt, stmt: ast.stmt, lines: list[_Line]) -> Iterator[Piece]:
        """``lines`` in front of ``stmt``, the first of its logical line that is kept."""
        start = self.layout.start(stmt)
        text = [*self._text(stmt, lines), self._indentation(stmt)]
        if self._opens(first):
            yield self._cut(self._suite(first), start, "".join("\n" + line for line in text))
        elif lines:
            joined = "\n".join(text).removeprefix(self.layout.base(stmt))
            rank = Rank.LINES_BEFORE if first is stmt else Rank.REPLACE
            yield Piece(self.layout.start(first), start, joined, rank)
        elif first is not stmt:
            yield self._cut(self.layout.start(first), start, "")

    def _emptied(self, group: list[ast.stmt]) -> Iterator[Piece]:
        """A logical line without any of its statements: the new lines in their place, or nothing at all."""
        first, last = group[0], group[-1]
        lines = [line for stmt in group for line in (*self._lines_before(stmt), *self._lines_after(stmt))]
        if last is self.block[-1] and self._leaves_nothing():
            lines.append(_Line("pass"))
        start, newline = self.layout.start(first), self.tokens.newline(self.layout.end(last))
        if not lines:
            yield self._cut(self.tokens.line_start(start), newline.end, "")
            return
        comment = self.tokens.comment(self.layout.end(last))
        end = comment.end if comment else self.layout.end(last)
        text = self._text(first, lines)
        if self._opens(first):
            yield self._cut(self._suite(first), end, "".join("\n" + line for line in text))
        else:
            yield self._cut(start, end, "\n".join(text).removeprefix(self.layout.base(first)))

    def _leaves_nothing(self) -> bool:
        """Whether nothing that runs is left of the block."""
        if any(stmt not in self.layout.removed for stmt in self.block) or self.block is self.source.tree.body:
            return False
        lines = [line for stmt in self.block for line in (*self._lines_before(stmt), *self._lines_after(stmt))]
        return all(not line.text.strip() or line.text.lstrip().startswith("#") for line in lines)

    def _after_line(self, last: ast.stmt, lines: list[_Line]) -> Iterator[Piece]:
        """New lines after the logical line that ends with ``last``."""
        if not lines:
            return
        newline, text = self.tokens.newline(self.layout.end(last)), self._text(last, lines)
        order = (-self.layout.depth(last),)
        if len(newline):
            yield Piece(newline.end, newline.end, "".join(line + "\n" for line in text), Rank.LINES_AFTER, order)
        else:
            at_end = "".join("\n" + line for line in text)
            yield Piece(newline.end, newline.end, at_end, Rank.LINES_AT_END, order)

    def _opens(self, first: ast.stmt) -> bool:
        """Whether ``first`` starts an inline suite that has to become a block, as new lines or a guard go into it."""
        layout = self.layout
        return layout.inline(first) and any(
            layout.before.get(stmt) or layout.after.get(stmt) or stmt in layout.guards for stmt in self.block
        )

    def _suite(self, first: ast.stmt) -> int:
        """Where the inline suite that ``first`` starts begins: after the colon."""
        colon = self.tokens.before(self.layout.start(first))
        assert colon is not None
        return colon.end

    def _cut(self, start: int, end: int, text: str) -> Piece:
        return Piece(start, end, text, Rank.REPLACE)

    def _indent(self, run: list[ast.stmt]) -> Iterator[Piece]:
        """One more step for the lines of guarded neighbours, save blank ones, those in a string, and marks of cells."""
        text, base, step = self.source.text, self.layout.own_base(run[0]), self.source.indent
        marks = self.source.cell_marks
        for line in self.source.lines.within(Span(self.layout.start(run[0]), self.layout.end(run[-1]))):
            start = _after_form_feeds(text, line)
            if self.tokens.in_string(line) or text[_after_blanks(text, line)] in ("\n", "\r") or line in marks:
                continue
            at = start + len(base) if text.startswith(base, start) else start
            yield Piece(at, at, step, Rank.INDENT, (len(base),))


_FORM_FEEDS = re.compile(r"(?:[ \t]*\f)*")
_BLANKS = re.compile(r"[ \t\f]*")


def _after_form_feeds(text: str, offset: int) -> int:
    match = _FORM_FEEDS.match(text, offset)
    return match.end() if match else offset


def _after_blanks(text: str, offset: int) -> int:
    match = _BLANKS.match(text, offset)
    return match.end() if match else offset


def _new_lines(text: str) -> Iterator[_Line]:
    """The lines of new text as they are."""
    if "\n" not in text:
        yield _Line(text)
        return
    tokens = Tokens(text)
    offset = 0
    for line in text.split("\n"):
        yield _Line(line, verbatim=tokens.in_string(offset))
        offset += len(line) + 1


def _placed(line: _Line, base: str, step: str) -> list[str]:
    """A new line with its indentation, as several lines where it is too long."""
    if line.verbatim or not line.text:
        return [line.text]
    content = line.text.lstrip()
    indent = base + step * line.steps + line.text[: len(line.text) - len(content)]
    return (indent + broken(content, indent, step)).split("\n")


def _with_step(line: _Line, step: str) -> _Line:
    """A new line with the file's step of indentation for each four spaces."""
    if line.verbatim:
        return line
    content = line.text.lstrip(" ")
    levels, rest = divmod(len(line.text) - len(content), len(DEFAULT_INDENT))
    return _Line(step * levels + " " * rest + content)
