"""The arguments of calls: what ``AddArgument`` and ``RemoveArgument`` write, all edits of a call together."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.source.edits import AddArgument, EditError, RemoveArgument
from corro.source.pieces import Piece, Rank
from corro.source.span import Span
from corro.source.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.source.file import SourceFile
    from corro.source.tokens import Token

Argument = ast.expr | ast.keyword


@dataclass(frozen=True)
class Slot:
    """An argument with the parentheses around it, and the comma after it."""

    node: Argument
    span: Span
    comma: Token | None

    @property
    def end(self) -> int:
        """Where the argument and its comma end."""
        return self.comma.end if self.comma else self.span.end


class Arguments:
    """The argument list of a call as it stands in the text."""

    def __init__(self, source: SourceFile, call: ast.Call) -> None:
        self.source, self.call = source, call

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens around the arguments; those of the call alone where it stands in an f-string, which is one token.

        Raises:
            EditError: the parser does not say where in an f-string the call is.
        """
        span = self.source.span(self.call)
        if not self.source.tokens.in_string(span.start):
            return self.source.tokens
        if not self.source.has_reliable_span(self.call):
            raise EditError(f"{self.source.place(span)}: this f-string cannot be taken apart")
        return Tokens(" " * span.start + self.source.text[span.start : span.end])

    @cached_property
    def opening(self) -> int:
        """The offset after the opening parenthesis."""
        index = self.tokens.index_from(self.source.span(self.call.func).end)
        while self.tokens.string(self.tokens.code[index]) == ")":
            index += 1
        return self.tokens.code[index].end

    @cached_property
    def closing(self) -> int:
        """The offset of the closing parenthesis."""
        return self.source.span(self.call).end - 1

    @cached_property
    def bare_generator(self) -> bool:
        """Whether the only argument is a generator that shares its parentheses with the call."""
        nodes = [*self.call.args, *self.call.keywords]
        if len(nodes) != 1 or not isinstance(nodes[0], ast.GeneratorExp):
            return False
        return self.source.span(nodes[0]).start == self.opening - 1

    @cached_property
    def slots(self) -> list[Slot]:
        """The arguments in the order of the text."""
        if self.bare_generator:
            return [Slot(self.call.args[0], Span(self.opening, self.closing), None)]
        nodes: list[Argument] = sorted([*self.call.args, *self.call.keywords], key=self.source.span)
        slots, start = [], self.opening
        for node in nodes:
            comma = self._comma(self.source.span(node).end)
            first = self.tokens.after(start)
            last = self.tokens.before(comma.start if comma else self.closing)
            assert first is not None
            assert last is not None
            slots.append(Slot(node, Span(first.start, last.end), comma))
            start = comma.end if comma else self.closing
        return slots

    def _comma(self, offset: int) -> Token | None:
        """The comma after the argument that ends at ``offset``: only closing parentheses come before it."""
        for token in self.tokens.between(offset, self.closing):
            if self.tokens.string(token) == ",":
                return token
        return None

    def starts_line(self, slot: Slot) -> bool:
        """Whether nothing stands before an argument on its physical line."""
        return not self.source.text[self._line(slot.span.start) : slot.span.start].strip()

    def ends_line(self, slot: Slot) -> bool:
        """Whether nothing but its comma and a comment stands after an argument on its physical line."""
        following = self.tokens.after(slot.end)
        return following is not None and self._line(following.start) >= slot.end

    def _line(self, offset: int) -> int:
        return self.source.lines.start(offset)

    def whole_lines(self, first: Slot, last: Slot) -> Span:
        """The physical lines of arguments that start and end their lines."""
        lines = self.source.lines
        return Span(self._line(first.span.start), lines.starts[lines.number(last.end)])

    def end_of_line(self, slot: Slot) -> int:
        """Where the code and the comment of an argument's last line end."""
        comment = self.tokens.comment(slot.end)
        return comment.end if comment and comment.start < self.closing else slot.end

    def commented(self, start: int, end: int) -> bool:
        """Whether a comment starts within ``start <= offset < end``."""
        return any(start <= comment.start < end for comment in self.tokens.comments)

    def indentation(self, slot: Slot) -> str:
        """The blanks before an argument that starts its line."""
        return self.source.text[self._line(slot.span.start) : slot.span.start]

    @cached_property
    def one_per_line(self) -> bool:
        """Whether the arguments stand below each other; the first may stand after the parenthesis."""
        slots = self.slots
        return bool(slots) and self.starts_line(slots[-1]) and all(map(self.starts_line, slots[1:]))


def argument_pieces(source: SourceFile, edits: Iterable[AddArgument | RemoveArgument]) -> Iterator[Piece]:
    """The pieces of argument edits.

    Raises:
        EditError: an argument is not one of its call.
    """
    added: dict[ast.Call, list[str]] = defaultdict(list)
    removed: dict[ast.Call, list[Argument]] = defaultdict(list)
    for edit in edits:
        if isinstance(edit, AddArgument):
            if edit.text not in added[edit.call]:
                added[edit.call].append(edit.text)
        else:
            removed[edit.call].append(edit.argument)
    for call in {**added, **removed}:
        if source.parent(call) is None:
            raise EditError(f"this call is not in {source.path}")
        arguments = Arguments(source, call)
        strangers = set(removed[call]) - {slot.node for slot in arguments.slots}
        if strangers:
            raise EditError(f"{source.place(call)}: no argument of this call: {ast.dump(strangers.pop())}")
        yield from _list_pieces(arguments, set(removed[call]), added[call])


def _list_pieces(arguments: Arguments, removed: set[Argument], texts: list[str]) -> Iterator[Piece]:
    """Neighbours that are removed go as one; new arguments stand in for the last ones where those do not end lines."""
    kept = [slot for slot in arguments.slots if slot.node not in removed]
    mapping = next((slot for slot in kept if isinstance(slot.node, ast.keyword) and slot.node.arg is None), None)
    previous: Slot | None = None
    for gone, group in groupby(arguments.slots, key=lambda slot: slot.node in removed):
        run = list(group)
        if gone and arguments.starts_line(run[0]) and arguments.ends_line(run[-1]):
            span = arguments.whole_lines(run[0], run[-1])
            yield _cut(span.start, span.end)
        elif gone and run[-1] is arguments.slots[-1]:
            if texts and mapping is None:
                yield _replacement(arguments, run, texts)
                texts = []
            else:
                yield _last_removed(arguments, previous, run)
        elif gone:
            yield _removed(arguments, previous, run)
        previous = run[-1]
    if texts:
        yield from _additions(arguments, kept, mapping, texts)


def _removed(arguments: Arguments, previous: Slot | None, run: list[Slot]) -> Piece:
    """The cut of neighbours in front of another argument."""
    first, last = run[0], run[-1]
    if previous is None or arguments.starts_line(first):
        following = arguments.slots[arguments.slots.index(last) + 1].span.start
        behind = arguments.end_of_line(last)
        return _cut(first.span.start, behind if arguments.commented(behind, following) else following)
    return _cut(_behind(arguments, previous), last.span.end)


def _last_removed(arguments: Arguments, previous: Slot | None, run: list[Slot]) -> Piece:
    """The cut of the last arguments; the comments of the one before them stay."""
    first, last = run[0], run[-1]
    if previous is None or arguments.commented(previous.end, first.span.start):
        return _cut(first.span.start, last.end)
    return _cut(_behind(arguments, previous), last.span.end)


def _behind(arguments: Arguments, slot: Slot) -> int:
    """Where an argument ends, but for a comment before its comma."""
    start = slot.span.end
    return slot.comma.start if slot.comma and arguments.commented(start, slot.comma.start) else start


def _replacement(arguments: Arguments, run: list[Slot], texts: list[str]) -> Piece:
    first, last = run[0], run[-1]
    below = arguments.one_per_line and arguments.starts_line(first)
    separator = ",\n" + arguments.indentation(first) if below else ", "
    return Piece(first.span.start, last.span.end, separator.join(texts), Rank.REPLACE)


def _additions(arguments: Arguments, kept: list[Slot], mapping: Slot | None, texts: list[str]) -> Iterator[Piece]:
    joined = ", ".join(texts)
    if mapping is not None:
        yield from _before_mapping(arguments, mapping, texts)
    elif not kept:
        yield _inserted(arguments.opening, joined)
    elif arguments.bare_generator:
        yield _inserted(arguments.opening, "(")
        yield _inserted(arguments.closing, f"), {joined}")
    elif arguments.one_per_line:
        yield from _below(arguments, kept[-1], texts)
    else:
        yield _inserted(kept[-1].span.end, f", {joined}")


def _before_mapping(arguments: Arguments, mapping: Slot, texts: list[str]) -> Iterator[Piece]:
    separator = ", "
    if arguments.one_per_line and arguments.starts_line(mapping):
        separator = ",\n" + arguments.indentation(mapping)
    yield _inserted(mapping.span.start, "".join(text + separator for text in texts))


def _below(arguments: Arguments, last: Slot, texts: list[str]) -> Iterator[Piece]:
    """New arguments below ``last``, each on its own line, with a trailing comma where there was one."""
    aligned = arguments.slots[-1]
    indentation = arguments.indentation(aligned)
    lines = [f"\n{indentation}{text}" for text in texts]
    if last is not aligned and not (last.comma and arguments.ends_line(last)):
        yield _inserted(last.span.end, ", " + ", ".join(texts))
    elif last.comma:
        yield _inserted(arguments.end_of_line(last), "".join(line + "," for line in lines))
    else:
        yield _inserted(last.span.end, ",")
        yield _inserted(arguments.end_of_line(last), ",".join(lines))


def _inserted(offset: int, text: str) -> Piece:
    return Piece(offset, offset, text, Rank.INSERT)


def _cut(start: int, end: int) -> Piece:
    return Piece(start, end, "", Rank.REPLACE)
