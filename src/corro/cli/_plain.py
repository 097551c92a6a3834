"""Options as values, and arguments that are read without click, which takes as long to load as a compilation's rules.

A command that does without it reads plain arguments here; all others, and what is wrong with them, are left to click.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corro import targets
from corro.classes import dataclass
from corro.compiler import SCALINGS
from corro.targets.base import COMPRESSIONS


@dataclass(frozen=True)
class Option:
    """An option of a command.

    Args:
        parameter: the name of what it sets.
        spellings: as it is written, such as ``-o`` and ``--output``.
        help: what it is for.
        choices: what it may be set to, where that is known.
        default: what it is where it is not given; an option without one may be absent.
        metavar: what the help shows for a value.
        is_flag: whether it has no value.
    """

    parameter: str
    spellings: tuple[str, ...]
    help: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    metavar: str | None = None
    is_flag: bool = False

    @property
    def absent(self) -> str | bool | None:
        """What it is where it is not given."""
        return False if self.is_flag else self.default


TARGET = Option(
    "target", ("--to",), "The engine; without it, the one that suits the script's framework.", tuple(targets.names())
)
SCALING = Option(
    "scaling",
    ("--scaling",),
    "strong, as it is by default: the global batch is kept, and so is the result. weak: it grows with the processes.",
    SCALINGS,
)

UNEVEN = Option(
    "uneven",
    ("--uneven",),
    "Let shares of a batch differ in size, and weigh each by its samples (PyTorch).",
    is_flag=True,
)

NONE = "none"
COMPRESSION = Option(
    "compression",
    ("--compression",),
    "Send gradients rounded to 16 bits (PyTorch); bf16 on GPUs only.",
    (NONE, *COMPRESSIONS),
)
BUCKET_MB = Option(
    "bucket_mb",
    ("--bucket-mb",),
    "Send so many MiB of gradients at a time; 0: as many as the engine takes by itself (PyTorch).",
    metavar="N",
)


def read(arguments: Sequence[str], options: Sequence[Option]) -> dict[str, Any] | None:
    """The parameters that plain arguments set: scripts, and options as click takes them; else ``None``."""
    spelt = {spelling: option for option in options for spelling in option.spellings}
    found: dict[str, Any] = {each.parameter: each.absent for each in options}
    scripts: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-") or argument == "-":
            scripts.append(argument)
            continue
        spelling, equals, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        option = spelt.get(spelling)
        if option is None or (option.is_flag and equals):
            return None
        given = True if option.is_flag else value if equals else next(rest, None)
        if given is None or (option.choices and given not in option.choices):
            return None
        found[option.parameter] = given
    return {"scripts": tuple(scripts), **found} if scripts else None
