"""Numbers in text: which there are, and whether those of two lines agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite, isnan
from struct import pack

TOLERANCE = 1e-4
"""Relative, for numbers that are computed; whole numbers have to be equal."""

_WHOLE = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)"
"""With commas between thousands, not between the cells of a table."""

NUMBER = re.compile(rf"(?<![\w.])[-+]?(?:{_WHOLE}\.?\d*(?:[eE][-+]?\d+)?|\.\d+|nan|inf)")


_CLOCK = re.compile(r"\d+(?::\d\d){1,2}(?:\.\d+)?")
_SAYS_TIME = re.compile(
    r"\b(?:times?|elapsed|took|takes?|taken|duration|eta)\b[\s:=]*(?:\([^()\d]*\))?[\s:=]*$", re.IGNORECASE
)
_UNIT = re.compile(
    r"\s?(?:s|secs?|seconds?|ms|msecs?|milliseconds?|mins?|minutes?|hours?)\b(?!\s?[/^*])", re.IGNORECASE
)


def times(text: str) -> frozenset[int]:
    """The places of the numbers that a text itself calls times: by the word before, the unit behind, or as ``0:01:23``.

    Two equal runs need not show that they differ: a time of 0.04 seconds is written as 0.0 as long as it stays below
    0.05.
    """
    clocks = [each.span() for each in _CLOCK.finditer(text)]
    return frozenset(
        place
        for place, found in enumerate(NUMBER.finditer(text))
        if any(start <= found.start() and found.end() <= end for start, end in clocks)
        or _SAYS_TIME.search(text, 0, found.start())
        or _UNIT.match(text, found.end())
    )


def several(number: int, noun: str) -> str:
    """How many of something there are, in words: ``1 file``, ``2 files``."""
    return f"{number} {noun}{'s' * (number != 1)}"


_HISTORY = re.compile(r", grad_fn=<\w+>|, requires_grad=True")
"""What PyTorch writes of how a tensor was computed: a number of all processes is computed in another way."""


def skeleton(text: str) -> str:
    """A text with its numbers taken out, the blanks that pad them, and how they were computed."""
    return re.sub(r"\s+", " ", NUMBER.sub("#", _HISTORY.sub("", text))).strip()


def differing(text: str, other: str) -> Iterator[tuple[int, str, str]]:
    """The numbers of two texts with equal skeletons that do not agree, with their places among the numbers."""
    pairs = zip(NUMBER.findall(text), NUMBER.findall(other), strict=True)
    return ((place, own, wanted) for place, (own, wanted) in enumerate(pairs) if not agree(own, wanted))


def agree(own: str, wanted: str) -> bool:
    """Whole numbers are equal; others differ by 1e-4 of their size, or by one in the last digit that is shown."""
    if own == wanted:
        return True
    if "." not in own + wanted and "e" not in (own + wanted).lower():
        return False
    a, b = float(own.replace(",", "")), float(wanted.replace(",", ""))
    if not (isfinite(a) and isfinite(b)):
        return a == b or (isnan(a) and isnan(b))
    mantissa, _, exponent = wanted.lower().partition("e")
    last_digit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(a - b) <= max(TOLERANCE * abs(b), 1.01 * last_digit)


def same(own: str, wanted: str) -> bool:
    """Whether two texts are one number in single precision, perhaps with other digits: 0.1 and 0.10000000149011612."""
    if own == wanted:
        return True
    if "." not in own + wanted:
        return False
    try:
        return pack("<f", float(own.replace(",", ""))) == pack("<f", float(wanted.replace(",", "")))
    except OverflowError:
        return False


def without_digits(path: str) -> str:
    """A path with all digits taken as equal: times, and names of event files, which hold host and process."""
    return re.sub(r"(tfevents\.).*", r"\1#", re.sub(r"\d+", "#", path))
