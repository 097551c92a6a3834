"""What every rule for PyTorch is given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from corro.classes import dataclass, field
from corro.frontends import downloads
from corro.frontends.effects import effects
from corro.frontends.pytorch.sampling import draws
from corro.frontends.pytorch.steering import Steered
from corro.rules import reducing, reporting, told
from corro.rules.base import of_program
from corro.rules.pytorch import _files, _fills, _shared, _tracked, _weights, _wholes, _wrapped

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.sites import Anatomy, LoaderSite, ModelSite, PassSite
    from corro.flow.facts import Accumulation, CallFact
    from corro.frontends.effects import Effect
    from corro.frontends.pytorch.steering import Write
    from corro.rules.pytorch._fills import Fills
    from corro.source import Import
    from corro.targets.base import Code
    from corro.targets.pytorch._base import TorchTarget


@dataclass(frozen=True, eq=False)
class Job(reducing.ReducingJob):
    """One script with training loops."""

    anatomy: Anatomy
    target: TorchTarget
    weighings: dict[tuple[ast.stmt, bool], _weights.Weighing] = field(default_factory=dict, repr=False)
    """Where rules need the weight of a share of a batch computed."""

    def share(self, expression: str) -> tuple[Code, str]:
        """In a name of its own, where it needs one."""
        return self.target.share(self.names.fresh("shared"), expression)

    @property
    def torch_import(self) -> tuple[Import, ...]:
        """The import of ``torch`` under the name the target uses; the engine drops it when it is there already."""
        return self.target.torch_import

    @property
    def packages(self) -> tuple[str, ...]:
        """PyTorch's."""
        return ("torch",)

    @property
    def converts_trackers(self) -> bool:
        """By a rule of its own."""
        return True

    @of_program
    def fetched(self) -> tuple[CallFact, ...]:
        """By a rule of its own."""
        return tuple(fact for fact in self.calls if downloads.fetches(fact))

    @of_program
    def effects(self) -> tuple[Effect, ...]:
        """What is reported to trackers that rank 0 alone reports to is told as what writes to a summary."""
        return tuple(_tracked.told(self, effect) for effect in reporting.in_script(self, effects(self.calls)))

    @of_program
    def joining(self) -> frozenset[ast.AST]:
        """Loaders, backward passes, what draws random numbers, what losses need whole, and what rank 0 tells."""
        drawn = frozenset(fact.node for fact in self.calls if draws(fact))
        loaders = {site.node for site in self.anatomy.loaders}
        reduced = frozenset(fact.node for fact in self.facts.reduced)
        return drawn | loaders | {site.node for site in self.anatomy.backwards} | self.told | reduced

    @cached_property
    def meeting(self) -> frozenset[ast.AST]:
        """Backward passes, in which gradients are averaged."""
        return frozenset(site.node for site in self.anatomy.backwards)

    @of_program
    def told(self) -> frozenset[ast.AST]:
        """Names that each process would make up for itself."""
        return frozenset(cause for _, value in told.needing(self) for cause in told.causes(self, value))

    @cached_property
    def is_plain(self) -> bool:
        """Whether wrappers can average: steps are plain, and the parameters that are trained stay the same."""
        return self.anatomy.is_plain and not any(w.what is Steered.TRAINABLE for w in self.changes)

    @cached_property
    def unwrapped(self) -> frozenset[ModelSite]:
        """The models whose gradients no wrapper of them can average."""
        return frozenset(_wrapped.unwrapped(self))

    @cached_property
    def changes(self) -> tuple[Write, ...]:
        """What freezes, unfreezes or adds parameters once the models are wrapped."""
        return tuple(_wrapped.changes(self))

    @cached_property
    def fills(self) -> tuple[Fills, ...]:
        """Labels that are alike for all samples, and made with the batch size in front of a pass."""
        return _fills.fills(self)

    @property
    def reduces_arrays(self) -> bool:
        """Tensors and arrays of NumPy."""
        return True

    def whole(self, parts: Sequence[reducing.Part]) -> Code:
        """With one collective for all numbers and one for each list or array."""
        return _wholes.reduction(self, parts)

    def is_shared_out(self, site: PassSite) -> Code | None:
        """By a flag, by the name of a phase, or by the loader's sampler."""
        return _shared.is_shared_out(self, site.loop)

    @cached_property
    def summands(self) -> tuple[_weights.Summand, ...]:
        """The means that are added up over steps, where shares of a batch are of unequal size."""
        return tuple(_weights.find_summands(self)) if self.uneven else ()

    def to_reduce(self, node: ast.expr) -> str | None:
        """Weighed, where shares are of unequal size."""
        return _weights.weighed_text(self, node)

    def is_mean_of_wholes(self, fact: Accumulation) -> bool:
        """Whether its means were weighed, where shares are of unequal size."""
        return _weights.is_weighed(self, fact)

    def is_read(self, guarded: ast.stmt) -> bool:
        """Files that are read elsewhere, once something was written."""
        return _files.is_read(self, guarded)

    def training_loaders(self) -> Iterator[LoaderSite]:
        """Loaders whose batches are trained on, one for each call."""
        return one_a_node(self.training_sites())

    def training_sites(self) -> Iterator[LoaderSite]:
        """Loaders whose batches are trained on."""
        numbers, made = self.anatomy.trained_on, self.facts.batches
        return (s for s in self.anatomy.loaders if s.number in numbers and s.node not in made)


def one_a_node(sites: Iterable[LoaderSite]) -> Iterator[LoaderSite]:
    """One site for each call, when a function that makes loaders is called several times."""
    seen: set[ast.AST] = set()
    for site in sites:
        if site.node not in seen:
            seen.add(site.node)
            yield site
