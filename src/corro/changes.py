"""What a rule answers with: changes and findings. Values only; nothing here edits."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal

from corro.classes import dataclass

if TYPE_CHECKING:
    from corro.source import Edit, Span


class Level(str, Enum):
    """How much the user has to know.

    ``REFUSED``: converting would be wrong, no program is written. ``ASSUMES``: it is right if something holds that the
    text does not show, and ``corro verify`` would. ``REVIEW``: numerics or behaviour change on purpose. ``NOTE``: worth
    knowing.
    """

    REFUSED = "refused"
    ASSUMES = "assumes"
    REVIEW = "review"
    NOTE = "note"


Effort = Literal["one line", "several lines", "other training", "none"]
"""What the advice of a refusal takes: a line of the script or an option of the command, more than that, an edit that
changes what is trained, or nothing in the script that would help."""


@dataclass(frozen=True)
class Change:
    """Edits that belong together, with the rule that made them and its reason.

    Args:
        rule: the rule.
        reason: why, in few words.
        span: where.
        edits: what is written, all of it in one file.
        file: the file the edits are made in, when it is not the script itself.
        otherwise: what is said in place of the change where another one writes its place anew; ``None`` where rules see
            to it that none does.
    """

    rule: str
    reason: str
    span: Span
    edits: tuple[Edit, ...]
    file: str = ""
    otherwise: Finding | None = None


@dataclass(frozen=True)
class Finding:
    """Something said to the user at a place in the script.

    Args:
        rule: the rule (or recogniser) that says it; ``corro explain RULE`` tells more.
        level: how much the user has to know.
        message: what and why, one sentence.
        span: where.
        advice: what to do, one sentence; never empty for ``REFUSED``.
        file: the file the span is in, when it is not the script itself.
        differs: what the program does otherwise on purpose, as properties of ``corro verify``: those abstain.
        only_here: whether that is so of what is reported at this place only.
        in_files: whether what is reported at this place goes, or may go, into a file.
        shown_by: of an assumption, the property of ``corro verify`` that fails where it does not hold.
        effort: of a refusal, what following the advice takes.
    """

    rule: str
    level: Level
    message: str
    span: Span
    advice: str = ""
    file: str = ""
    differs: tuple[str, ...] = ()
    only_here: bool = False
    in_files: bool = False
    shown_by: str = ""
    effort: Effort = "several lines"
