"""A small scanner for Python: strings, comments, line ends, brackets, by character offset.

The standard ``tokenize`` counts lines and columns, splits f-strings from Python 3.12 on and not before, and does not
know a lone carriage return. Edits need little of its detail and all of its exactness, so this scanner gives offsets
into the untouched text, the same ones on every Python. It expects a text that parses; tests hold it to ``tokenize``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from enum import Enum, auto
from functools import cache, cached_property

from corro.classes import dataclass
from corro.source.span import Span

_STRING = r"(?P<string>(?i:[rbuft]{0,2})(?:'''|\"\"\"|'|\"))"
_TOKEN = re.compile(
    rf"(?P<space>[ \t\f]+|\\(?:\r\n|\r|\n))|(?P<newline>\r\n|\r|\n)|(?P<comment>#[^\r\n]*)|{_STRING}"
    r"|(?P<word>\w+)|(?P<op>:=|.)"
)
_IN_FIELD = re.compile(rf"(?P<comment>#[^\r\n]*)|{_STRING}|(?P<word>\w+)|(?P<op>[!=<>]=|[()\[\]{{}}=!:])")
_AFTER_EQUALS = re.compile(r"[ \t\f\r\n]*[!:}]")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


class Kind(Enum):
    """What a token is. ``NEWLINE`` ends a statement; other line ends, and all blanks, are no tokens."""

    WORD = auto()
    STRING = auto()
    OP = auto()
    COMMENT = auto()
    NEWLINE = auto()


@dataclass(frozen=True)
class Token:
    """A token at ``start <= offset < end``. Operators are single characters, ``:=`` excepted."""

    kind: Kind
    start: int
    end: int

    def __init__(self, kind: Kind, start: int, end: int) -> None:  # a text has many
        self.__dict__.update(kind=kind, start=start, end=end)


@dataclass(frozen=True)
class Field:
    """A replacement field of an f-string: ``{expression=!r:spec}``.

    Args:
        span: the field with its braces.
        expression: the text between the brace and what follows the expression; may have blanks around it.
        equals: where the ``=`` of a self-documenting field is.
        converted: whether it has a ``!r``, ``!s`` or ``!a``.
        spec: the format after the colon, when there is one.
        nested: the fields within the format.
    """

    span: Span
    expression: Span
    equals: int | None
    converted: bool
    spec: Span | None
    nested: tuple[Field, ...]


class Tokens:
    """The tokens of a text, with the questions that edits ask about them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code: list[Token] = []
        self.comments: list[Token] = []
        self.newlines: list[Token] = []
        self.line_starts: list[int] = [0]
        self._scan()

    def _scan(self) -> None:
        """Fill the lists. ``line_starts`` are the starts of logical lines, blank and comment lines included."""
        text, position, depth, end_of_code = self.text, 0, 0, 0
        kinds = {"word": Kind.WORD, "op": Kind.OP}
        while position < len(text):
            match = _TOKEN.match(text, position)
            assert match is not None, "every character matches"
            start, position, group = position, match.end(), match.lastgroup
            if group == "space":
                continue
            if group == "newline":
                if depth == 0:
                    if len(self.code) > end_of_code:
                        self.newlines.append(Token(Kind.NEWLINE, start, position))
                        end_of_code = len(self.code)
                    self.line_starts.append(position)
                continue
            if group == "comment":
                self.comments.append(Token(Kind.COMMENT, start, position))
                continue
            if group == "string":
                position = string_end(text, start, position)
                self.code.append(Token(Kind.STRING, start, position))
                continue
            self.code.append(Token(kinds[group or "op"], start, position))
            depth += (text[start] in _OPENING) - (text[start] in _CLOSING)

    @cached_property
    def _code_starts(self) -> list[int]:
        return [token.start for token in self.code]

    @cached_property
    def _newline_starts(self) -> list[int]:
        return [token.start for token in self.newlines]

    @cached_property
    def _comment_starts(self) -> list[int]:
        return [token.start for token in self.comments]

    def index_from(self, offset: int) -> int:
        """The index in ``code`` of the first token that starts at or after ``offset``."""
        return bisect_left(self._code_starts, offset)

    def after(self, offset: int) -> Token | None:
        """The first token of code that starts at or after ``offset``."""
        index = self.index_from(offset)
        return self.code[index] if index < len(self.code) else None

    def before(self, offset: int) -> Token | None:
        """The last token of code that starts before ``offset``."""
        index = self.index_from(offset)
        return self.code[index - 1] if index else None

    def between(self, start: int, end: int) -> list[Token]:
        """The tokens of code that start within ``start <= offset < end``."""
        return self.code[self.index_from(start) : self.index_from(end)]

    def string(self, token: Token | None) -> str:
        """The text of a token, empty for none."""
        return self.text[token.start : token.end] if token else ""

    def line_start(self, offset: int) -> int:
        """Where the logical line that holds ``offset`` starts, before its indentation."""
        return self.line_starts[bisect_right(self.line_starts, offset) - 1]

    def newline(self, offset: int) -> Span:
        """The line end that closes the statement ending at ``offset``; empty, at the end of the text, when missing."""
        index = bisect_left(self._newline_starts, offset)
        if index == len(self.newlines):
            return Span(len(self.text), len(self.text))
        return Span(self.newlines[index].start, self.newlines[index].end)

    def comment(self, offset: int) -> Span | None:
        """The comment on the physical line of ``offset``, when only blanks and punctuation stand before it."""
        index = bisect_left(self._comment_starts, offset)
        if index == len(self.comments):
            return None
        token = self.comments[index]
        between = self.text[offset : token.start]
        return None if "\n" in between or "\r" in between else Span(token.start, token.end)

    def in_string(self, offset: int) -> bool:
        """Whether ``offset`` lies strictly inside a string literal."""
        token = self.before(offset)
        return token is not None and token.kind is Kind.STRING and offset < token.end


def logical_line_end(text: str, start: int) -> int:
    """Where the logical line that starts at ``start`` ends, its line end included; the rest need be no Python."""
    position, depth = start, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None, "every character matches"
        begin, position = position, match.end()
        if match.lastgroup == "newline" and depth <= 0:
            return position
        if match.lastgroup == "string":
            position = string_end(text, begin, position)
        elif match.lastgroup == "op":
            depth += (text[begin] in _OPENING) - (text[begin] in _CLOSING)
    return len(text)


def string_end(text: str, start: int, opened: int) -> int:
    """Where the string literal ends that starts at ``start`` and whose opening quotes end at ``opened``."""
    prefix, quote = split_opening(text[start:opened])
    if "f" in prefix or "t" in prefix:
        scanned = _fstring(text, opened, quote, raw="r" in prefix)
        if scanned is not None:
            return scanned[0]
    return _plain_end(text, opened, quote)


def _plain_end(text: str, opened: int, quote: str) -> int:
    """Where a string without fields ends whose content starts at ``opened``."""
    match = _to_end(quote).match(text, opened)
    return match.end() if match else len(text)


def reuses_quotes(text: str) -> bool:
    """Whether an f-string in ``text`` has its own quotes within a field, as Python 3.12 allows."""
    for match in re.finditer(_STRING, text):
        if "f" in split_opening(match[0])[0]:
            quote = split_opening(match[0])[1]
            return string_end(text, match.start(), match.end()) != _plain_end(text, match.end(), quote)
    return False


def split_opening(opening: str) -> tuple[str, str]:
    """The lower-case prefix and the quotes of a string's opening: ``Rb''' -> ("rb", "'''")``."""
    prefix = opening.rstrip("'\"")
    return prefix.lower(), opening[len(prefix) :]


def fields(text: str, token: Token) -> tuple[Field, ...]:
    """The outer replacement fields of a string literal, in order; none when it is no f-string."""
    match = _TOKEN.match(text, token.start)
    assert match is not None
    prefix, quote = split_opening(match[0])
    if "f" not in prefix and "t" not in prefix:
        return ()
    scanned = _fstring(text, match.end(), quote, raw="r" in prefix)
    return scanned[1] if scanned else ()


@cache
def _to_end(quote: str) -> re.Pattern[str]:
    """What a string is after its opening quote, the closing one included."""
    inside = rf"\\.|{quote[0]}(?!{quote[1:]})" if len(quote) > 1 else r"\\."
    return re.compile(rf"[^{quote[0]}\\]*(?:(?:{inside})[^{quote[0]}\\]*)*{quote}", re.DOTALL)


@cache
def _literal(quote: str, raw: bool) -> re.Pattern[str]:
    named = "" if raw else r"\\N\{[^{}]*\}|"
    return re.compile(named + r"\\[^{}]|\\|\{\{|\}\}|\{|" + quote, re.DOTALL)


def _fstring(text: str, position: int, quote: str, raw: bool) -> tuple[int, tuple[Field, ...]] | None:
    """The end and the fields of an f-string whose content starts at ``position``; None when it makes no sense."""
    found: list[Field] = []
    search = _literal(quote, raw).search
    while match := search(text, position):
        position = match.end()
        if match[0] == quote:
            return position, tuple(found)
        if match[0] == "{":
            field = _field(text, match.start())
            if field is None:
                return None
            found.append(field)
            position = field.span.end
    return None


def _field(text: str, start: int) -> Field | None:
    """The replacement field whose opening brace is at ``start``."""
    position, depth, equals = start + 1, 0, None
    while match := _IN_FIELD.search(text, position):
        position = match.end()
        if match.lastgroup == "string":
            position = string_end(text, match.start(), position)
        if match.lastgroup != "op":
            continue
        operator = match[0]
        if depth == 0 and operator == "=" and _AFTER_EQUALS.match(text, position):
            equals = match.start()
        elif depth == 0 and operator in "!:}":
            expression = Span(start + 1, match.start() if equals is None else equals)
            return _field_end(text, start, match.start(), expression, equals)
        else:
            depth += (operator in _OPENING) - (operator in _CLOSING)
    return None


def _field_end(text: str, start: int, position: int, expression: Span, equals: int | None) -> Field | None:
    """The field from its conversion, format or closing brace at ``position`` on."""
    converted = text[position] == "!"
    if converted:
        match = re.compile(r"![ \t\f]*\w+\s*").match(text, position)
        if match is None:
            return None
        position = match.end()
    if text[position : position + 1] == "}":
        return Field(Span(start, position + 1), expression, equals, converted, None, ())
    if text[position : position + 1] != ":":
        return None
    nested: list[Field] = []
    spec_start = position = position + 1
    while match := re.compile(r"[{}]").search(text, position):
        if match[0] == "}":
            return Field(
                Span(start, match.end()), expression, equals, converted, Span(spec_start, match.start()), tuple(nested)
            )
        field = _field(text, match.start())
        if field is None:
            return None
        nested.append(field)
        position = field.span.end
    return None
