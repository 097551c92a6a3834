"""Names that a script makes of chance or of its process, as ``tempfile`` and ``uuid`` do: other ones in each run.

What two equal runs of the script write differently in one place is such a name: words of one length, or words that
differ in their digits only, as where a process has a number of four digits and another one of five. All runs are then
read with one name in these places. Numbers are not looked at: see ``Evidence.unsteady``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from corro.verify.numbers import skeleton
from corro.verify.records import Printed, Record, Saved

ANY = "(another name in each run)"
SHORTEST = 6
"""Shorter words are no such names."""

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\s/\\'\"(),:;=<>\[\]{}]+")


class Numbered(str):
    """A word without its digits, which are others in each run."""

    __slots__ = ()


@dataclass(frozen=True)
class Text:
    """A text with names that chance made: its words, their length or form in their places, and what is between them."""

    words: tuple[str | int, ...]
    between: tuple[str, ...]

    @classmethod
    def of(cls, text: str, other: str) -> Text | None:
        """What two runs wrote at one place; none where names are no difference, or not the only one."""
        own, others = _WORD.findall(text), _WORD.findall(other)
        between = tuple(_WORD.split(text))
        if text == other or between != tuple(_WORD.split(other)):
            return None
        words = [_in_place_of(a, b) for a, b in zip(own, others, strict=True)]
        if None in words or not any(map(_is_name, words)):
            return None
        return cls(tuple(each for each in words if each is not None), between)

    def read(self, text: str) -> str | None:
        """A text with one name for those of chance; none where it is another one."""
        words = _WORD.findall(text)
        if tuple(_WORD.split(text)) != self.between or len(words) != len(self.words):
            return None
        pairs = list(zip(words, self.words, strict=True))
        if not all(_fits(own, wanted) for own, wanted in pairs):
            return None
        read = [ANY if _is_name(wanted) else own for own, wanted in pairs]
        return "".join(each for pair in zip(self.between, [*read, ""], strict=True) for each in pair)


def _in_place_of(word: str, other: str) -> str | int | None:
    """What two words of equal runs have in common: all, the form or the length of a name; ``None`` where it is less."""
    if skeleton(word) == skeleton(other):
        return skeleton(word)
    if min(len(word), len(other)) < SHORTEST:
        return None
    form = _DIGITS.sub("#", word)
    if form == _DIGITS.sub("#", other):
        return Numbered(form)
    return len(word) if len(word) == len(other) else None


def _is_name(wanted: str | int | None) -> bool:
    return isinstance(wanted, (int, Numbered))


def _fits(word: str, wanted: str | int) -> bool:
    if isinstance(wanted, int):
        return len(word) == wanted
    return (_DIGITS.sub("#", word) if isinstance(wanted, Numbered) else skeleton(word)) == wanted


def texts_of_chance(own: Record, other: Record) -> tuple[Text, ...]:
    """The texts in which two equal runs have other names."""
    pairs = zip(_texts(own), _texts(other), strict=False)
    found = (Text.of(a, b) for ours, theirs in pairs for a, b in zip(ours, theirs, strict=False))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def steadied(record: Record, texts: Sequence[Text]) -> Record:
    """A record with one name in the place of those that chance made."""
    if not texts:
        return record

    def read(text: str) -> str:
        return next((found for each in texts if (found := each.read(text)) is not None), text)

    return replace(
        record,
        stdout=[Printed(read(each.text), each.line) for each in record.stdout],
        stderr=[Printed(read(each.text), each.line) for each in record.stderr],
        writes=list(dict.fromkeys(read(each) for each in record.writes)),
        files={read(name): "\n".join(map(read, text.split("\n"))) for name, text in record.files.items()},
        saves=[
            _saved(each, read(each.path), {key: read(text) for key, text in each.entries.items()})
            for each in record.saves
        ],
    )


def _saved(saved: Saved, path: str, entries: dict[str, str]) -> Saved:
    return replace(saved, path=path, entries=entries)


def _texts(record: Record) -> Iterator[Iterable[str]]:
    """The texts of a record, those of one kind together."""
    yield [each.text for each in record.stdout]
    yield [each.text for each in record.stderr]
    yield [*record.writes, *record.files]
    yield [line for text in record.files.values() for line in text.split("\n")]
    yield [each.path for each in record.saves]
    yield [entry for each in record.saves for entry in each.entries.values()]
