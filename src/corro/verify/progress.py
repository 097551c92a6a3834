"""How far a verification is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Whoever is told how far the runs of a verification are; they are called by their names."""

    def expects(self, run: str, steps: int) -> None:
        """A run will be made, of so many optimizer steps; 0 where that is not known."""

    def made(self, run: str, steps: int) -> None:
        """A run has made so many steps."""

    def ended(self, run: str) -> None:
        """A run has ended."""


class Untold:
    """Nobody is told."""

    def expects(self, run: str, steps: int) -> None:
        """See ``Progress``."""

    def made(self, run: str, steps: int) -> None:
        """See ``Progress``."""

    def ended(self, run: str) -> None:
        """See ``Progress``."""


NOBODY = Untold()
