"""What Horovod is in every framework."""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.base import RankedTarget


@dataclass(frozen=True)
class HorovodEngine(RankedTarget):
    """The modules of Horovod say rank and size alike, and have one launcher."""

    title = "Horovod"
    default_alias = "hvd"
    launcher = "horovodrun"

    @property
    def rank(self) -> str:
        """This process's rank."""
        return f"{self.alias}.rank()"

    @property
    def world_size(self) -> str:
        """The number of processes."""
        return f"{self.alias}.size()"
