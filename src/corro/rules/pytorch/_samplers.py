"""Shared by the rules for loaders: samplers that a script gives its training loader.

Whatever such a sampler draws from, and whatever it keeps in mind, all processes take what rank 0's gives, so batches
are those of the sequential program, and random numbers elsewhere may differ.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.store import OPTIONAL
from corro.flow.values import IN_BAR, MAYBE_NONE
from corro.rules.places import defined_before
from corro.rules.pytorch._orders import is_made_again, is_shuffled
from corro.source import indented
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

FLAT, BATCHED = "sampler", "batch_sampler"
POSITIONS = {FLAT: 3, BATCHED: 4}
INNER = {FLAT: "sampler", BATCHED: "batches"}
"""The attribute of a class that shares out which has the sampler of the script."""
_NAMES = {FLAT: "SharedSampler", BATCHED: "SharedBatches"}
_BASE = "torch.utils.data.Sampler"
_SLICING = "itertools"


def given(fact: CallFact) -> tuple[str, Value] | None:
    """The argument by which a loader is given a sampler, and the sampler; ``None`` where it makes its own."""
    for name, position in POSITIONS.items():
        value = fact.argument(position, name)
        if value is not None and value.kind is not Kind.NONE:
            return name, value
    return None


def may_be_none(fact: CallFact) -> bool:
    """Whether a loader may be given a sampler or none, as is decided when it is made."""
    found = given(fact)
    return found is not None and MAYBE_NONE in found[1].tags


def is_generated(fact: CallFact) -> bool:
    """Whether a loader shuffles by a generator of the script's own."""
    generator, shuffle = fact.keywords.get("generator"), fact.argument(2, "shuffle")
    drawn = generator is not None and generator.kind is not Kind.NONE
    return drawn and shuffle is not None and shuffle.const is not False


def is_decided_later(flag: Value | None) -> bool:
    """Whether a flag that is not plainly false is true only on some paths, or of a value that is not known."""
    return flag is None or flag.const is not True or OPTIONAL in flag.tags


def told_apart(job: Job, number: int) -> str | None:
    """Which class of these shares out what a loader draws; ``None`` for PyTorch's own, which is told the epoch.

    Where the loader is begun again elsewhere than in the head of the training loop, nothing could tell it; nor where
    one call makes several of them for a training, or the loop may go over another one that is never told. Its shards
    are of equal size.
    """
    for fact in _making(job, number):
        found = given(fact)
        if found is not None:
            return found[0]
        if is_generated(fact) or job.uneven:
            return FLAT
        if is_shuffled(fact) and any(_is_never_told(job, each) for each in _trained_beside(job, number)):
            return FLAT
    return None


def _making(job: Job, number: int) -> list[CallFact]:
    return [fact for fact in job.calls_of(job.facts.nodes[number]) if number in fact.result.sites]


def _trained_beside(job: Job, number: int) -> set[int]:
    """A loader, and the others that a loop which trains from it may go over."""
    sources = ([each for each in step.sources if not each.begins_elsewhere] for step in job.anatomy.steps)
    begun = ({each.number for each in found} for found in sources)
    return {number}.union(*(numbers for numbers in begun if number in numbers))


def _is_never_told(job: Job, number: int) -> bool:
    making = _making(job, number)
    if any(given(fact) is not None or is_generated(fact) for fact in making):
        return True
    if not any(map(is_shuffled, making)):
        return False
    return _begins_elsewhere(job, number) or is_made_again(job, number) or _is_in_bar(job, number)


def class_name(job: Job, made: ast.AST, kind: str) -> str:
    """The name of such a class in the file in which a loader is made."""
    return job.names_of(made).fresh(_NAMES[kind])


def _begins_elsewhere(job: Job, number: int) -> bool:
    sources = (source for step in job.anatomy.steps for source in step.sources)
    return any(source.number == number and source.begins_elsewhere for source in sources)


def _is_in_bar(job: Job, number: int) -> bool:
    """Whether what a training loop goes over is a loader or a bar around it, of which only one has a sampler."""
    heads = [step.loop.iter for step in job.anatomy.steps if isinstance(step.loop, (ast.For, ast.AsyncFor))]
    loaders = (loader for head in heads for loader in _gone_over(job.value(head)))
    return any(IN_BAR in loader.tags and number in loader.sites for loader in loaders)


def _gone_over(value: Value) -> Iterator[Value]:
    """The loader that a loop goes over, be it counted or shown in a progress bar."""
    if value.kind is Kind.LOADER:
        yield value
    elif value.kind in (Kind.PROGRESS, Kind.ITERATOR):
        for inner in value.items:
            yield from _gone_over(inner)


class Shares:
    """The classes that share out what samplers draw: one of a kind in a file, defined where it is needed first."""

    def __init__(self, sites: Iterable[LoaderSite]) -> None:
        self._sites = list(sites)
        self._names: dict[tuple[object, str], str] = {}

    def wrapped(
        self, job: Job, site: LoaderSite, text: str, size: str, drop_last: str | None
    ) -> tuple[str, Code, list[Edit]]:
        """A call that shares out a sampler, the code that it needs, and the edits that define the class.

        Args:
            job: as it is spelt in the file of the loader.
            site: the loader.
            text: the sampler.
            size: the batch size, where a sampler gives single samples.
            drop_last: whether an incomplete batch is dropped, if it may be.
        """
        kind, key = told_apart(job, site.number) or FLAT, job.file_of(site.node).path
        drops = any(_drops_last(job, each) for each in self._sites if told_apart(job, each.number) == FLAT)
        defined = (key, kind) in self._names
        name = self._names.setdefault((key, kind), class_name(job, site.node, kind))
        counted = any(_is_counted(job, each) for each in self._sites)
        if kind == BATCHED:
            code = _of_batches(job, name)
        elif job.uneven:
            code = _of_uneven_samples(job, name, drops=drops)
        else:
            code = _of_samples(job, name, drops=drops, counted=counted)
        edits: list[Edit] = [] if defined else [defined_before(job, site.node, code.text, order=-50)]
        option = f", drop_last={drop_last}" if drop_last is not None and kind == FLAT else ""
        of_size = f", {size}" if job.uneven and kind == FLAT else ""
        return f"{name}({text}{of_size}{option})", Code("", code.imports), edits


def _drops_last(job: Job, site: LoaderSite) -> bool:
    dropping = (fact.argument(8, "drop_last") for fact in job.calls_of(site.node))
    return any(each is not None and each.const is not False for each in dropping)


def _is_counted(job: Job, site: LoaderSite) -> bool:
    """Whether a sampler draws as often as it is told, which may be more than fits into a list: ``int(1e10)``."""
    samplers = (found[1] for fact in job.calls_of(site.node) if (found := given(fact)) is not None)
    made = {number for value in samplers if value.name.endswith(".RandomSampler") for number in value.sites}
    return any(fact.argument(2, "num_samples") for number in made for fact in job.calls_of(job.facts.nodes[number]))


def _told(job: Job, expression: str) -> tuple[Code, str]:
    """The lines, in a method, that take rank 0's value of an expression."""
    code, value = job.target.share("drawn", expression)
    lines = indented(code.text + "\n", "        ") if code.text else ""
    return Code(lines, (*code.imports, job.target.engine, job.target.library.imports(_BASE))), value


def _of_samples(job: Job, name: str, *, drops: bool, counted: bool) -> Code:
    """A sampler; samples that fill up the last batch are the first ones.

    What is counted is shared out in parts that N divides.
    """
    rank, size = job.target.rank, job.target.world_size
    library = job.target.library
    part = f"{library.name(_SLICING)}.islice(drawing, 1000 * {size})"
    told, value = _told(job, f"list({part})" if counted else "list(self.sampler)")
    option, kept, dropped, surplus = "", "", "", f"{size} - 1"
    if drops:
        option, kept = ", drop_last=False", "        self.drop_last = drop_last\n"
        dropped = f"        if self.drop_last:\n            del indices[len(indices) // {size} * {size} :]\n"
        surplus = f"(0 if self.drop_last else {surplus})"
    chosen = f"(indices[i % len(indices)] for i in range({rank}, end, {size}))"
    shared = (
        f"{told.text}"
        f"        indices = {value}\n"
        f"{dropped}"
        f"        end = {rank} + len(indices)\n"
        f"        {f'yield from {chosen}' if counted else f'return {chosen}'}\n"
    )
    if counted:
        first = "        drawing = iter(self.sampler)\n        indices = [0]\n        while indices:\n"
        shared = first + indented(shared)
    text = (
        f"class {name}({library.name(_BASE)}):\n"
        f"    def __init__(self, sampler{option}):\n"
        "        self.sampler = sampler\n"
        f"{kept}"
        "\n"
        "    def __iter__(self):\n"
        f"{shared}"
        "\n"
        "    def __len__(self):\n"
        f"        return (len(self.sampler) + {surplus}) // {size}"
    )
    return Code(text, (*told.imports, *([library.imports(_SLICING)] if counted else [])))


def _of_uneven_samples(job: Job, name: str, *, drops: bool) -> Code:
    """A sampler that takes each N-th sample of each batch: the first ranks may have one more than the others."""
    told, value = _told(job, "list(self.sampler)")
    rank, size = job.target.rank, job.target.world_size
    option = ", drop_last=False" if drops else ""
    kept = "        self.drop_last = drop_last\n" if drops else ""
    last = "end % self.batch_size"
    dropped = f"        if self.drop_last:\n            end -= {last}\n" if drops else ""
    text = (
        f"class {name}({job.target.library.name(_BASE)}):\n"
        f"    def __init__(self, sampler, batch_size{option}):\n"
        "        self.sampler, self.batch_size = sampler, batch_size\n"
        f"{kept}"
        "\n"
        "    def __iter__(self):\n"
        f"{told.text}"
        f"        indices = {value}\n"
        "        end = len(indices)\n"
        f"{dropped}"
        f"        if 0 < {last} < {size}:\n"
        f"            raise SystemExit({_TOO_FEW})\n"
        f"        return (indices[i] for i in range(end) if i % self.batch_size % {size} == {rank})\n"
        "\n"
        "    def __len__(self):\n"
        "        end = len(self.sampler)\n"
        f"{dropped}"
        f"        full, rest = (len(range({rank}, n, {size})) for n in (self.batch_size, {last}))\n"
        "        return end // self.batch_size * full + rest"
    )
    return Code(text, told.imports)


_TOO_FEW = '"the last batch has fewer samples than there are processes: use drop_last=True"'


def _of_batches(job: Job, name: str) -> Code:
    """A sampler of batches; each batch that N does not divide is filled up with its own first samples.

    Where shares may be of unequal size, it is not.
    """
    told, value = _told(job, "[list(batch) for batch in self.batches]")
    rank, size = job.target.rank, job.target.world_size
    share = f"            yield [batch[i % len(batch)] for i in range({rank}, {rank} + len(batch), {size})]\n"
    if job.uneven:
        message = '"a batch has fewer samples than there are processes"'
        share = (
            f"            if len(batch) < {size}:\n                raise SystemExit({message})\n"
            f"            yield batch[{rank} :: {size}]\n"
        )
    text = (
        f"class {name}({job.target.library.name(_BASE)}):\n"
        "    def __init__(self, batches):\n"
        "        self.batches = batches\n"
        "\n"
        "    def __iter__(self):\n"
        f"{told.text}"
        f"        for batch in {value}:\n"
        f"{share}"
        "\n"
        "    def __len__(self):\n"
        "        return len(self.batches)"
    )
    return Code(text, told.imports)
