"""Names that a script makes of chance or of its process, as ``tempfile`` and ``uuid`` do: other ones in each run.

What two equal runs of the script write differently in one place, as words of one length, is such a name. All runs are
then read with one name in these places. Numbers are not looked at: see ``Evidence.unsteady``.
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

_WORD = re.compile(r"[^\s/\\'\"(),:;=<>\[\]{}]+")


@dataclass(frozen=True)
class Text:
    """A text with names that chance made: its words, ``None`` in their places, and what stands between words."""

    words: tuple[str | int, ...]
    between: tuple[str, ...]

    @classmethod
    def of(cls, text: str, other: str) -> Text | None:
        """What two runs wrote at one place; none where names are no difference, or not the only one."""
        own, others = _WORD.findall(text), _WORD.findall(other)
        between = tuple(_WORD.split(text))
        if text == other or between != tuple(_WORD.split(other)):
            return None
        words: list[str | int] = []
        for a, b in zip(own, others, strict=True):
            alike = skeleton(a) == skeleton(b)
            if not alike and (len(a) != len(b) or len(a) < SHORTEST):
                return None
            words.append(skeleton(a) if alike else len(a))
        return cls(tuple(words), between) if any(isinstance(each, int) for each in words) else None

    def read(self, text: str) -> str | None:
        """A text with one name for those of chance; none where it is another one."""
        words = _WORD.findall(text)
        if tuple(_WORD.split(text)) != self.between or len(words) != len(self.words):
            return None
        pairs = list(zip(words, self.words, strict=True))
        if not all(len(own) == wanted if isinstance(wanted, int) else skeleton(own) == wanted for own, wanted in pairs):
            return None
        read = [ANY if isinstance(wanted, int) else own for own, wanted in pairs]
        return "".join(each for pair in zip(self.between, [*read, ""], strict=True) for each in pair)


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
