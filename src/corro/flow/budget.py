"""How much of a script is followed: each analysis ends, and ends at the same place on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from corro.flow.facts import Unit

STEPS = 2_000_000
"""About a minute: more than the largest known script needs, and 180 times what the largest that is converted does."""

RETRYING = 150_000
"""The steps of all further readings of a script that is refused, without some of its arms."""

OWNERS_A_STEP = 40
"""So many are copied and joined in the time of a step."""

STEPS_LOOKED_UP = 10
"""So many of an interpretation are one where its outcome is used again: looking through it takes time, too."""


class TooLarge(Exception):
    """A script is not followed to its end.

    Args:
        node: the function that was followed most often; where there is none, the place that was reached.
        unit: the file it stands in.
        times: how often the function was followed; zero where there is none.
        taken: what was done until then, in words.
        deep: whether it is the depth of the nesting that is too large, not the number of steps.
    """

    def __init__(self, node: ast.AST, unit: Unit, times: int, taken: str = "", *, deep: bool = False) -> None:
        super().__init__(node)
        self.node, self.unit, self.times, self.taken, self.deep = node, unit, times, taken, deep


class Budget:
    """The steps that all interpretations of a script may take together.

    A step is a statement that is run, or an expression that is evaluated: counted, not timed, so that a script has the
    same outcome everywhere. An arm of a condition and a round of a loop are as many more as there is to be joined.

    Args:
        steps: how many there are.
    """

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps
        self._steps, self._readings = steps, 0
        self._reached: tuple[ast.AST, Unit] | None = None
        self._entered: dict[ast.AST, tuple[int, Unit]] = {}

    def begin(self) -> None:
        """Note that a script is read from its first statement."""
        self._readings += 1

    def spend(self, node: ast.AST, unit: Unit) -> None:
        """Take a step at a place.

        Raises:
            TooLarge: it was one too many.
        """
        self.left -= 1
        self._reached = node, unit
        if self.left < 0:
            raise self._overdrawn(node, unit)

    def join(self, owners: int) -> None:
        """Take the steps for joining what is known of so many objects and functions with what it was before."""
        self.left -= owners // OWNERS_A_STEP

    def look_up(self, steps: int) -> None:
        """Take a part of the steps that an interpretation took, of which the outcome is used a second time.

        Raises:
            TooLarge: they do not suffice: whoever asks goes back and forth between two outcomes.
        """
        self.left -= steps // STEPS_LOOKED_UP + 1
        if self.left < 0 and self._reached is not None:
            raise self._overdrawn(*self._reached)

    def enter(self, function: ast.AST, unit: Unit) -> None:
        """Note that a function is followed."""
        times, _ = self._entered.get(function, (0, unit))
        self._entered[function] = times + 1, unit

    def too_deep(self) -> TooLarge | None:
        """What is said where Python's stack has come to its end; ``None`` before the first step."""
        return TooLarge(*self._reached, 0, deep=True) if self._reached is not None else None

    def _overdrawn(self, node: ast.AST, unit: Unit) -> TooLarge:
        readings = "its first reading" if self._readings < 2 else f"{self._readings} readings"
        taken = f"{self._steps:,} steps"
        if not self._entered:
            return TooLarge(node, unit, 0, f"{taken}, in {readings},")
        followed = sum(times for times, _ in self._entered.values())
        taken = f"{taken}, which followed {len(self._entered):,} functions {followed:,} times in {readings},"
        busiest = max(self._entered, key=lambda function: self._entered[function][0])  # the first of several
        times, file = self._entered[busiest]
        return TooLarge(busiest, file, times, taken)
