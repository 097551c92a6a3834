"""What every rule for PyTorch is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rueda.rules import base

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from rueda.anatomy.sites import Anatomy, LoaderSite, StepSite
    from rueda.source import Import
    from rueda.targets.pytorch._base import TorchTarget


@dataclass(frozen=True, eq=False)
class Job(base.Job):
    """One script with a training loop."""

    anatomy: Anatomy
    target: TorchTarget

    @property
    def step(self) -> StepSite:
        """The one training step."""
        return self.anatomy.steps[0]

    @property
    def torch_import(self) -> tuple[Import, ...]:
        """The import of ``torch`` under the name the target uses; the engine drops it when it is there already."""
        return self.target.torch_import

    def training_loaders(self) -> Iterator[LoaderSite]:
        """Loaders whose batches are trained on."""
        numbers = self.step.loaders
        return one_a_node(site for site in self.anatomy.loaders if site.number in numbers)


def one_a_node(sites: Iterable[LoaderSite]) -> Iterator[LoaderSite]:
    """One site for each call, when a function that makes loaders is called several times."""
    seen: set[ast.AST] = set()
    for site in sites:
        if site.node not in seen:
            seen.add(site.node)
            yield site
