"""Share each training batch out over the processes.

Why
---
A ``DistributedSampler`` gives each process its own shard of every epoch's order. With strong scaling the script's
batch size is the global one: each process takes its share, so the number of steps, the learning rate and the schedule
stay those of the sequential program. A batch size that the number of processes does not divide would silently change
the number of steps, so the program stops with a message. ``drop_last`` goes to the sampler as well. A call that makes
loaders to evaluate, too, shares out for training only where a flag, or the name of a phase, says so. The samples of a
loader by seed nodes are these nodes: each process samples the neighbours of its own. Where a loader begins anew
elsewhere than in the head of the training loop (``next()``, endless generators, ``zip``), one call makes several for
a training, or its name may stand for a progress bar (``loader = tqdm(loader)`` in each epoch), ``set_epoch`` has no
place: rank 0 draws each order, as the loader did, and tells it. A seed that the script
is given is the sampler's, too: another seed is another order; and each further loader has another one. Workers draw
other noise on each process, also where the loader has a generator that would give them equal seeds. A data set that
makes samples without end, and says that it has billions of them, has more than a ``DistributedSampler`` can
list: a ``range`` gives their numbers.

Before
------
::

    loader = DataLoader(data, batch_size=64, shuffle=True)

After
-----
::

    loader = DataLoader(data, batch_size=64 // dist.get_world_size(), sampler=DistributedSampler(data))

Source
------
PyTorch documentation, ``torch.utils.data.distributed.DistributedSampler``; ``DataLoader`` raises on a sampler
together with ``shuffle``. ``torch/utils/data/distributed.py``: the sampler lists the numbers of all samples.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.sites import Sharding
from corro.classes import dataclass
from corro.flow.store import OPTIONAL
from corro.frontends.pytorch.graphs import SEED_LOADERS
from corro.frontends.pytorch.streams import is_stream
from corro.frontends.randomness import SEEDS
from corro.rules.places import inner_scopes, is_certain, seed_at, uses_inner_names
from corro.rules.pytorch._batch_share import BatchShare, padded_samples, padding, share_of_batch
from corro.rules.pytorch._drawn import drawn_alike
from corro.rules.pytorch._endless import is_endless
from corro.rules.pytorch._loaders import Arguments, dataset_expression, dropping, named_if_long, used_twice
from corro.rules.pytorch._orders import seed_apart
from corro.rules.pytorch._positions import positions
from corro.rules.pytorch._samplers import (
    BATCHED,
    FLAT,
    POSITIONS,
    Shares,
    given,
    is_decided_later,
    may_be_none,
    told_apart,
)
from corro.rules.pytorch._shared import SAMPLER, makes_training, makings, others_of
from corro.rules.pytorch._single import needs_two
from corro.source import Before, Edit, indented, parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "train-loader"
_SHUFFLING = "torch.utils.data.RandomSampler"
_LINE = 100
_NO_DATA = (
    "Corro cannot tell which argument of the training loader is the data set.",
    "Pass the data set as the first argument.",
)
_NO_SEEDS = (
    "Corro cannot tell which nodes the training loader starts from.",
    "Give the graph by a name, and input_nodes in the call itself: a mask or indices, as in data.train_mask.",
)


def apply(job: Job) -> Iterable[Answer]:
    """One change for each training loader."""
    sites = [site for site in job.training_loaders() if not is_stream(job.facts, site.number)]
    shares = Shares(sites)
    for site in sites:
        fact = makings(job, [site])[0]
        shared = _shared(job, site, fact)
        inner = next(inner_scopes(job, site.node), None) is not None
        outside = _in_comprehension(job, fact) if inner and shared is not None else None
        if inner and outside is None:
            yield job.refuse(
                NAME,
                "the training loader is made in a comprehension or a lambda, where nothing can be put in front of it.",
                site.node,
                "Make the training DataLoader in a statement of its own.",
                effort="one line",
            )
            continue
        if told_apart(job, site.number) == BATCHED:
            yield from _batches(job.at(site.node), site, fact, shares)
        else:
            yield from _loader(job.at(site.node), site, fact, shares, shared, outside)


def _batches(job: Job, site: LoaderSite, fact: CallFact, shares: Shares) -> Iterator[Answer]:
    """Batches of which the script says the samples: each process takes its share of each."""
    node = Arguments(job, fact).node(BATCHED, POSITIONS[BATCHED])
    reason = needs_two(job, site)
    if reason or any(site.number in position.sources for position in positions(job)):
        why = reason or "samples are read by their place in the batch"
        message = f"a batch of this batch_sampler may leave too few samples to each process, and {why}."
        yield job.refuse(
            NAME, message, site.node, "Give batch_size, shuffle=True and drop_last=True instead.", effort="one line"
        )
        return
    assert node is not None
    wrapped, code, edits = shares.wrapped(job, site, job.segment(node), "", None)
    edits += replace_node(job.file_of(node), node, wrapped)
    yield job.change(NAME, "each process trains on its own share of every batch", site.node, edits, code)
    if job.uneven:
        return
    yield job.review(
        NAME,
        "a batch of a size that N does not divide is filled up with its own first samples, at most N-1 of them.",
        site.node,
        "Make batches of a size that N divides.",
    )


@dataclass(frozen=True)
class _Shared:
    """A call that makes other loaders, too.

    Args:
        condition: what is true where it makes the loader for training.
        sharding: how the others are cut.
        sized: whether the others may have another batch size.
    """

    condition: str
    sharding: Sharding
    sized: bool

    def either(self, training: str, other: str) -> str:
        """One of two expressions."""
        return f"{training} if {self.condition} else {other}"


def _shared(job: Job, site: LoaderSite, fact: CallFact) -> _Shared | None:
    others = others_of(job, site.node)
    condition = makes_training(job, site.node) if others else None
    if condition is None:
        return None
    names = job.names_of(site.node)
    size = Arguments(job, fact).node("batch_size", 1)
    used = [part for part in ast.walk(size) if isinstance(part, ast.Name)] if size is not None else []
    return _Shared(condition, others[0].sharding, any(names.binding(name) not in (None, names.module) for name in used))


def _generator(job: Job, node: ast.AST) -> ast.comprehension | None:
    """The one ``for`` of the comprehension that a call stands in."""
    scopes = list(inner_scopes(job, node))
    generators: list[ast.comprehension] = getattr(scopes[0], "generators", []) if len(scopes) == 1 else []
    return generators[0] if len(generators) == 1 and all(_names(generators[0])) else None


def _names(generator: ast.comprehension) -> tuple[str, ...]:
    """What each round has under names: ``x``, or ``x, data``; an empty name where it is no plain one."""
    target = generator.target
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return tuple(part.id if isinstance(part, ast.Name) else "" for part in parts)


def _in_comprehension(job: Job, fact: CallFact) -> str | None:
    """The data set of a call in a comprehension, as it is written in front of that; ``None`` where nothing can be."""
    arguments = Arguments(job, fact)
    data, size = arguments.node("dataset", 0), arguments.node("batch_size", 1)
    generator = _generator(job, fact.node)
    if data is None or size is None or uses_inner_names(job, size) or generator is None:
        return None
    if not uses_inner_names(job, data):
        return job.segment(data) if isinstance(data, ast.Name) else None
    name = key = ""
    match data, generator.iter:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=key)), _:
            pass
        case ast.Name(id=item), ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items"), args=[]):
            key = _names(generator)[0] if _names(generator)[1:] == (item,) else ""
    told = fact.context.told.get(key)
    return f'{name}["{told}"]' if isinstance(told, str) and told.isidentifier() else None


def _loader(
    job: Job, site: LoaderSite, fact: CallFact, shares: Shares, shared: _Shared | None, outside: str | None
) -> Iterator[Answer]:
    training = [each for each in job.training_sites() if each.node is site.node]
    arguments = Arguments(job, fact, only=makings(job, training) if shared is not None else ())
    edits: list[Edit] = []
    drawn = told_apart(job, site.number) is not None
    drawing = _drawn(job, site, fact, edits, twice=shared is not None) if drawn else None
    dataset = drawing[0] if drawing is not None else None if drawn else dataset_expression(job, fact, edits)
    if dataset is None:
        message, advice = _NO_SEEDS if fact.name in SEED_LOADERS else _NO_DATA
        yield job.refuse(NAME, message, site.node, advice)
        return
    found = share_of_batch(job, NAME, site, arguments)
    if not isinstance(found, BatchShare):
        yield found
        return
    size, share, checks = found.whole, found.text, [*found.checks]
    checks += _check_of_last_batch(job, site, arguments, outside or dataset)
    if drawing is not None:
        sampler, code, defined = shares.wrapped(job, site, drawing[1].text, size, dropping(arguments))
        code = Code("", (*code.imports, *drawing[1].imports))
        edits += defined
    elif is_endless(job, site.number):
        sampler = f"range({job.target.rank}, len({dataset}), {job.target.world_size})"
        code = Code("", (job.target.engine,))
    else:
        sampler = f"{job.target.library.name(SAMPLER)}({dataset}{_sampler_options(arguments)}{_seed(job, site, fact)})"
        code = Code("", (job.target.engine, job.target.library.imports(SAMPLER)))
    if shared is not None:
        own = dataset if given(fact) else "None"
        data = dataset_expression(job, fact, edits) if given(fact) else None
        sampled = sampler, data or dataset, own
        sampler, share = _both(job, site, shared, sampled, (share, size), checks, inside=outside)
    elif outside is None and not (drawn and dataset.isidentifier()):
        sampler = named_if_long(job, site.node, sampler, edits)
    edits += [*checks, *(arguments.set("batch_size", 1, share) if share else ())]
    always = given(fact) is not None and not may_be_none(fact)
    edits += arguments.set(FLAT, POSITIONS[FLAT], sampler) if always else arguments.set_sampler(sampler)
    by_workers = _noise_of_workers(job, fact, arguments)
    edits += by_workers if by_workers is not None else ()
    edits += arguments.finish()
    yield job.change(NAME, "each process trains on its own shard of every batch", site.node, edits, code)
    if by_workers is None:
        yield _same_noise(job, site)
    yield from padding(job, NAME, site, arguments) if not is_endless(job, site.number) else ()
    yield from _neighbours(job, fact)
    yield from padded_samples(job, NAME, site, fact)


def _drawn(job: Job, site: LoaderSite, fact: CallFact, edits: list[Edit], *, twice: bool) -> tuple[str, Code] | None:
    """What has as many samples as an epoch, and the sampler that draws them on rank 0.

    That is the sampler of the script, in words that can be written ``twice``; where there is none, or may be none, one
    for the data set.
    """
    node, found = Arguments(job, fact).node(FLAT, POSITIONS[FLAT]), given(fact)
    if node is not None and found is not None and not may_be_none(fact):
        text = used_twice(job, fact, node, FLAT, edits) if twice or needs_two(job, site) else job.segment(node)
        return text, Code(text)
    data = dataset_expression(job, fact, edits)
    if data is None:
        return None
    drawing = _drawn_of_data(job, fact, data)
    if node is None or found is None:
        return data, drawing
    first = "{0} if {0} is not None else ".format(used_twice(job, fact, node, FLAT, edits))
    return first + data, Code(first + drawing.text, drawing.imports)


def _drawn_of_data(job: Job, fact: CallFact, data: str) -> Code:
    """The sampler that PyTorch makes for a data set: it shuffles, or does not, or as a flag says."""
    library, arguments = job.target.library, Arguments(job, fact)
    in_order = f"range(len({data}))"
    shuffle, value = arguments.text("shuffle", 2), arguments.value("shuffle", 2)
    if shuffle is None or (value is not None and value.const is False and OPTIONAL not in value.tags):
        return Code(in_order)
    generator = arguments.text("generator", 99)
    option = f", generator={generator}" if generator is not None else ""
    text = f"{library.name(_SHUFFLING)}({data}{option})"
    if is_decided_later(value) and not _asks_for_sampler(arguments):
        text = f"{text} if {shuffle} else {in_order}"
    return Code(text, (library.imports(_SHUFFLING),))


def _asks_for_sampler(arguments: Arguments) -> bool:
    """Whether a loader shuffles just where it is given no sampler: ``sampler=sampler, shuffle=(sampler is None)``."""
    shuffle, sampler = arguments.node("shuffle", 2), arguments.node(FLAT, POSITIONS[FLAT])
    match shuffle:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            asked: ast.expr = left
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            asked = operand
        case _:
            return False
    return sampler is not None and ast.dump(asked) == ast.dump(sampler)


def _both(
    job: Job,
    site: LoaderSite,
    shared: _Shared,
    sampled: tuple[str, str, str],
    sizes: tuple[str, str],
    checks: list[Before],
    *,
    inside: str | None,
) -> tuple[str, str]:
    """The sampler and the batch size of a call that makes other loaders, too; ``inside`` a comprehension, or not.

    Where samples are dealt out one by one to evaluate, their batches may be of any size; otherwise the script's own
    sampler stays, if it has one.
    """
    statement, (sampler, dataset, own), (share, size) = job.statement(site.node), sampled, sizes
    by_sample = shared.sharding is Sharding.BY_SAMPLE
    other = f"range({job.target.rank}, len({dataset}), {job.target.world_size})" if by_sample else own
    alike = not share or (by_sample and not shared.sized)
    if inside is not None:
        name = _by_name(job, site, shared, (sampler, other), checks)
        return name, share if alike else shared.either(share, size)
    names = job.names_of(statement)
    name, of_batch = names.fresh("sampler"), names.fresh("share")
    ours, theirs = [check.text for check in checks] + [f"{name} = {sampler}"], [f"{name} = {other}"]
    if not alike:
        ours, theirs = [*ours, f"{of_batch} = {share}"], [*theirs, f"{of_batch} = {size}"]
    arms = (indented("\n".join(lines)) for lines in (ours, theirs))
    checks[:] = [Before(statement, f"if {shared.condition}:\n{next(arms)}\nelse:\n{next(arms)}", order=-5)]
    return name, share if alike else of_batch


def _by_name(job: Job, site: LoaderSite, shared: _Shared, samplers: tuple[str, str], checks: list[Before]) -> str:
    """One of two samplers in a comprehension: taken from a dict of samplers that is made in front of it."""
    statement, generator = job.statement(site.node), _generator(job, site.node)
    assert generator is not None
    name, key = job.names_of(statement).fresh("samplers"), _names(generator)[0]
    lines = (
        f"{key}: {samplers[0]}",
        f"if {shared.condition}",
        f"else {samplers[1]}",
        f"for {job.segment(generator.target)} in {job.segment(generator.iter)}",
    )
    whole = " ".join(lines)
    text = indented(whole if len(whole) < _LINE else "\n".join(lines))
    checks.append(Before(statement, f"{name} = {{\n{text}\n}}", order=-5))
    return f"{name}[{key}]"


def _sampler_options(arguments: Arguments) -> str:
    """Shuffling moves into the sampler; its own default is to shuffle, the loader's is not to."""
    target = arguments.job.target
    options = ""
    if target.passes_ranks:
        options = f", num_replicas={target.world_size}, rank={target.rank}"
    shuffle, value = arguments.text("shuffle", 2), arguments.value("shuffle", 2)
    if shuffle is None or (value is not None and value.const is False and OPTIONAL not in value.tags):
        options += ", shuffle=False"
    elif value is None or value.const is not True or OPTIONAL in value.tags:
        options += f", shuffle={shuffle}"
    dropped = dropping(arguments)
    return options if dropped is None else f"{options}, drop_last={dropped}"


def _seed(job: Job, site: LoaderSite, fact: CallFact) -> str:
    """Another seed of the script is another order: the sampler's own seed is always 0, and draws nothing else.

    No two loaders have the same, unless the script sets one again between them.
    """
    seeds = [
        each
        for each in job.calls
        if SEEDS.get(each.name) == "torch" and each.order < fact.order and is_certain(each, fact) and each.args
    ]
    last = max(seeds, key=lambda each: each.order, default=None)
    since = (each for each in _by_pytorch(job) if last is None or each.order > last.order)
    apart = seed_apart(job, fact, since)
    if last is None or last.args[0].is_const or last.args[0].form is not Form.REPLICATED:
        return f", seed={apart}" if apart else ""
    seed = seed_at(job, last, site.node)
    if seed is None or not apart:
        return f", seed={apart or seed}" if apart or seed is not None else ""
    return f", seed={int(seed) + apart}" if seed.isdigit() else f", seed={seed} + {apart}"


def _by_pytorch(job: Job) -> Iterator[CallFact]:
    """The calls that make the training loaders whose order comes of the seed of PyTorch's own sampler."""
    for site in job.training_loaders():
        if not is_stream(job.facts, site.number) and told_apart(job, site.number) is None:
            yield makings(job, [site])[0]


def _check_of_last_batch(job: Job, site: LoaderSite, arguments: Arguments, dataset: str) -> Iterator[Before]:
    """A short last batch must not leave one sample for each process where the step needs two."""
    reason, known = needs_two(job, site), arguments.value("drop_last", 8)
    if not reason or (known is not None and known.const is not False):
        return
    size, world = arguments.text("batch_size", 1) or "1", job.target.world_size
    short = (
        f"0 < len({dataset}) % {size} < 2 * {world}"
        if job.uneven
        else f"(len({dataset}) - 1) % {size} < {world}"
        if job.is_strong
        else f"-(-len({dataset}) // {world}) % {size} == 1"
    )
    message = f'"the last batch leaves each process one sample, and {reason}: use drop_last=True"'
    text = f"if {world} > 1 and {short}:\n    raise SystemExit({message})"
    yield Before(job.statement(site.node), text, order=-8)


def _noise_of_workers(job: Job, fact: CallFact, arguments: Arguments) -> Iterable[Edit] | None:
    """Edits after which the workers of ranks above 0 draw other noise than those of rank 0; ``None`` where none would.

    A loader draws the seed of its workers from the generator that it is given.
    """
    node, workers = arguments.node("generator", 99), fact.argument(5, "num_workers")
    given, apart = fact.keywords.get("generator"), "torch" not in drawn_alike(job)
    if workers is None or workers.const == 0 or given is None or given.kind is Kind.NONE:
        return ()
    if node is None or not apart or not _is_for_loaders(job, node):
        return None
    file = job.file_of(node)
    return replace_node(file, node, f"{parenthesised(file, node)} if {job.target.rank} == 0 else None")


def _is_for_loaders(job: Job, node: ast.expr) -> bool:
    """Whether a generator gives nothing but the order of loaders, in which rank 0 is followed, and seeds of workers."""
    names = job.names_of(node)
    if not isinstance(node, ast.Name) or names.binding(node) is None:
        return isinstance(node, ast.Call)
    for use in names.uses(node.id, names.binding(node)):
        parent = job.parent(use)
        above = job.parent(parent) if isinstance(parent, ast.keyword) else None
        fact = next(iter(job.calls_of(above)), None) if above is not None else None
        seeds = isinstance(parent, ast.Attribute) and parent.attr == "manual_seed"
        loads = fact is not None and fact.result.kind is Kind.LOADER
        ordered = fact is not None and fact.argument(2, "shuffle") is None
        followed = fact is not None and any(told_apart(job, number) for number in fact.result.sites)
        if not (isinstance(use.ctx, ast.Store) or seeds or (loads and (ordered or followed))):
            return False
    return True


def _same_noise(job: Job, site: LoaderSite) -> Answer:
    return job.review(
        NAME,
        "the workers' seed is drawn from this generator, which is equal on all processes: noise that the data set "
        "draws is the same on each of them.",
        site.node,
        "Give the training loader a generator that nothing else draws from, or none.",
        differs=("coverage",),
    )


def _neighbours(job: Job, fact: CallFact) -> Iterator[Answer]:
    """Nodes around each process's own seed nodes."""
    if fact.name in SEED_LOADERS:
        yield job.review(
            NAME,
            "each process samples the neighbours of its own seed nodes: others are drawn, and what a layer takes from "
            "all nodes of a batch, as normalisations by degree do at its border, is of fewer nodes.",
            fact.node,
            "Nothing to do where the loss is of the seed nodes: each of them is trained on as often as before.",
            differs=("gradient", "metrics"),
        )
