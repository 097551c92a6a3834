"""Equal random numbers for the split and the model, different ones for noise.

Why
---
A random split that differs between processes trains one process on another's validation data, so what is drawn before
training must be equal: where the script sets no seed, one under a condition only, or one of the clock or by chance,
rank 0's is shared. So are the first weights of a model that is never wrapped, such as a teacher, and what is kept of
weights before they are sent around: a copy, a mask, a number computed from them, or random numbers that a model keeps
as a plain attribute. Dropout and augmentation that are equal on all processes repeat the same noise N times, so ranks
above 0 take another seed just before training: one that is drawn where a script trains several times, so that none of
them has the noise of another.
What is drawn once for a batch, such as whether a decoder is shown the right word, each process draws for its shard: the
gradient of the batch is the mean over N draws instead of one. Items that are shuffled or drawn between epochs, or after
training, rank 0 tells to all processes. One process stays as it was.
The order of a set of strings is by chance, too, and another one in each process: it is sorted where its order shows.

Before
------
::

    torch.manual_seed(0)
    ...
    for epoch in range(epochs):

After
-----
::

    torch.manual_seed(0)
    ...
    if dist.get_rank() > 0:
        torch.manual_seed(0 + dist.get_rank())
    for epoch in range(epochs):

Source
------
Lightning issues 7727 and 18638 (splits that differ); detr issue 297, deit issue 150, timm issue 1519 (noise that does
not).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch import fields
from corro.frontends.pytorch.peeks import takes_of
from corro.frontends.pytorch.sampling import draws
from corro.frontends.randomness import SEEDS
from corro.rules import handed, unshared
from corro.rules.places import at_start, blocks, is_certain, seed_at, way
from corro.rules.pytorch._drawn import drawn_alike, drawn_apart, noise_of
from corro.rules.pytorch._first_weights import is_read_before, is_sent
from corro.rules.pytorch._joins import joins
from corro.rules.pytorch._late import told
from corro.rules.pytorch._peeks import shared
from corro.rules.pytorch._states import rank_0s
from corro.rules.pytorch._trainings import beginnings, first_certain, is_between, is_reached_again
from corro.rules.seeding import drawn, generator
from corro.source import After, Before, parenthesised, replace_node, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.source import Edit

NAME = "seeds"

_SPLITS = ("random_split", "train_test_split", "randperm", "permutation", "shuffle", "choice", "sample", "choices",
           "sklearn.utils.resample")  # fmt: skip
_SETS = SEEDS | unshared.BY_CHANCE
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension)
_FOLLOWED = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CLASS})
_INERT = frozenset({Kind.LIBRARY, Kind.METHOD})
"""What may be called between a seed and a draw: functions that draw are known by name, and samples come in loops."""


def apply(job: Job) -> Iterable[Answer]:
    """Share a seed where one is needed, and take different ones before training."""
    start = _start(job)
    outside = (f for f in job.calls if _is_before_training(job, f))
    early = (f for f in outside if not start or f.order < start or is_between(job, f))
    seeded = {_SETS[f.name]: f for f in early if f.name in _SETS}
    needed, alike = _needed(job, seeded), drawn_alike(job)
    if needed:
        yield _shared(job, needed)
    own = {k: f for k, f in seeded.items() if k not in alike}
    joined = frozenset(library for libraries in joins(job).values() for library in libraries)
    again = joined or any(f.name in SEEDS and is_between(job, f) for f in job.calls)
    for anchor in beginnings(job, job.anatomy.steps) if again else first_certain(job):
        yield from _parted(job, anchor, own, needed, (alike, joined))
    yield from _drawn_late(job, alike)
    yield from _each_epoch(job, alike)
    yield from _same_noise(job, alike)
    restated = _restated(job)
    for node, library in restated.items():
        yield _rank_0s(job, node, library)
    calls = [f for f in job.calls if _is_before_training(job, f)]
    yield from unshared.answers(job, NAME, calls, frozenset(SEEDS), lambda fact: fact.node in restated)


def _restated(job: Job) -> dict[ast.Call, str]:
    """The calls that may set no seed, or each process its own, where all can go on as rank 0 does; with the library."""
    found = {
        fact.node: _SETS[fact.name]
        for fact in job.calls
        if unshared.may_differ(job, fact, frozenset(SEEDS)) and _is_before_training(job, fact)
    }
    return {node: library for node, library in found.items() if _is_reached_by_all(job, node)}


def _is_reached_by_all(job: Job, node: ast.Call) -> bool:
    """Whether a call is a statement that all processes get to together, by calls in the script alone."""
    alone = {job.statement(effect.node) for effect in job.effects}
    facts = job.calls_of(node)
    called = [call for fact in facts for call in way(fact)]
    by_script = all(
        job.value(call.func).kind in _FOLLOWED for call in called if isinstance(call, ast.Call) and call is not node
    )
    together = all(job.is_uniform(fact.context) and _is_before_training(job, fact) for fact in facts)
    plain = isinstance(job.parent(node), ast.Expr)
    return plain and together and by_script and alone.isdisjoint(map(job.statement, called))


def _rank_0s(job: Job, node: ast.Call, library: str) -> Answer:
    job = job.at(node)
    code = _seed_of_rank_0(job) if library == "torch" else rank_0s(job, [library])
    reason = "without a seed that is equal, all processes go on as rank 0 does"
    return job.change(NAME, reason, node, [After(job.statement(node), code.text, order=-50)], code)


def _seed_of_rank_0(job: Job) -> Code:
    """PyTorch's seed goes to the generators of all devices, as that of the script has."""
    name = job.names.fresh("seed")
    told = job.target.broadcast_seed(name)
    return Code(f"{told.text}\n{job.target.torch}.manual_seed({name})", (*told.imports, *job.torch_import))


def _same_noise(job: Job, alike: frozenset[str]) -> Iterator[Answer]:
    """Where all processes draw the same batches, what else is drawn from the same numbers is the same, too."""
    noise = next((fact for fact in job.calls if noise_of(job, fact) in alike), None)
    if noise is not None:
        yield job.review(
            NAME,
            "batches and noise come from one seed, so noise is the same on every process.",
            noise.node,
            "Draw the batches from a generator of their own: torch.Generator() or numpy.random.default_rng().",
            differs=("coverage",),
        )


def _each_epoch(job: Job, alike: frozenset[str]) -> Iterator[Answer]:
    """A seed set in the training loop would make the noise equal from there on."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if SEEDS.get(fact.name) in alike:
            continue
        if fact.name not in SEEDS or _is_before_training(job, fact) or fact.node in seen or not fact.node.args:
            continue
        seen.add(fact.node)
        file, target, given = job.file_of(fact.node), job.at(fact.node).target, fact.node.args[0]
        edits = replace_node(file, given, f"{parenthesised(file, given)} + {target.rank}")
        yield job.change(NAME, "noise differs between processes", fact.node, edits, Code("", (target.engine,)))


def _drawn_late(job: Job, alike: frozenset[str]) -> Iterator[Answer]:
    """A choice made after the processes took different seeds is rank 0's; a split would differ between them."""
    start, chosen = _start(job), set[ast.AST]()
    for fact in job.calls:
        in_loop = not _is_before_training(job, fact)
        late = in_loop or (fact.order > start and not is_between(job, fact))
        if not late or fact.context.passes or draws(fact) in (None, *alike):
            continue
        if not (fact.name.endswith(_SPLITS) or fields.draws(fact)):
            continue
        if _is_seeded_before(job, fact) or fact.node in chosen:
            continue
        answer = told(job, NAME, fact)
        if answer is not None:
            chosen.add(fact.node)
            yield answer
        else:
            yield job.refuse(
                NAME,
                "a random choice of samples is made during or after training, when processes have different random "
                "numbers.",
                fact.node,
                "Make it before training, or give it a generator or random_state of its own.",
                effort="one line",
            )
            return


def _start(job: Job) -> int:
    """The order of the first backward pass; zero where there is none."""
    steps = (fact for each in job.anatomy.backwards for fact in job.calls_of(each.node))
    return min((fact.order for fact in steps), default=0)


def _is_seeded_before(job: Job, fact: CallFact) -> bool:
    """Whether the seed is set in a statement shortly before a draw, and nothing in between draws from it or trains."""
    if any(loop.node in job.anatomy.training_loops for loop in fact.context.loops):
        return False  # a seed set there is made another one on each process
    statement = job.statement(fact.node)
    block = next((b for b in blocks(job.parent(statement)) if statement in b), [])
    for earlier in reversed(block[: block.index(statement)] if block else []):
        calls = [call for node in walk(earlier) if isinstance(node, ast.Call) for call in job.calls_of(node)]
        if isinstance(earlier, ast.Expr) and any(SEEDS.get(call.name) == draws(fact) for call in calls):
            return any(call.node is earlier.value for call in calls)
        followed = (job.value(node.func).kind for node in walk(earlier) if isinstance(node, ast.Call))
        loops = any(isinstance(node, _LOOPS) for node in walk(earlier))
        if loops or not _INERT.issuperset(followed) or any(draws(call) is not None for call in calls):
            return False
    return False


def _is_before_training(job: Job, fact: CallFact) -> bool:
    return not any(loop.node in job.anatomy.training_loops for loop in fact.context.loops)


def _needed(job: Job, seeded: dict[str, CallFact]) -> tuple[str, ...]:
    """Libraries whose random numbers are drawn, unseeded, before training."""
    found: dict[str, None] = {}
    early = _is_used_early(job)
    made = min((f.order for n in _trained(job) for f in job.calls_of(job.facts.nodes[n])), default=0)
    if early and ("torch" not in seeded or seeded["torch"].order > made):
        found["torch"] = None
    for fact in job.calls:
        early_draw = _is_before_training(job, fact) and (early or not is_sent(job, fact))
        library = draws(fact) if early_draw or job.facts.batches else None
        seed = seeded.get(library or "")
        if library is not None and (seed is None or seed.order > fact.order or not is_certain(seed, fact)):
            found[library] = None
    looking = (("torch", fact) for peek in shared(job) for fact in takes_of(job.facts, peek))
    apart = (("torch", fact) for fact in drawn_apart(job))
    for library, fact in (*handed.drawing(job), *looking, *apart):
        seed = seeded.get(library)
        if _is_before_training(job, fact) and (seed is None or seed.order > fact.order or not is_certain(seed, fact)):
            found[library] = None
    return tuple(found)


def _trained(job: Job) -> frozenset[int]:
    return frozenset().union(*(site.numbers for site in job.anatomy.models))


def _is_used_early(job: Job) -> bool:
    """Whether a model is evaluated, or its weights are read, before they are sent around."""
    return any(
        unshared.used_before(job, site.anchor, site.numbers) or is_read_before(job, site.anchor, site.numbers)
        for site in job.anatomy.models
    )


def _shared(job: Job, libraries: tuple[str, ...]) -> Answer:
    first = job.first_statement
    name = job.names.fresh("seed")
    code = job.target.broadcast_seed(name)
    lines, imports = [code.text], [*code.imports, *job.torch_import]
    if "torch" in libraries:
        lines.append(f"{job.target.torch}.manual_seed({name})")
    for library in libraries:
        if library != "torch":
            lines.append(f"{generator(job.target.library, library).text}.seed({name} % 2**32)")
            imports += generator(job.target.library, library).imports
    reason = "what is drawn before training must be equal on all processes"
    return job.change(NAME, reason, first, [at_start(job, "\n".join(lines), order=-90), *imports])


def _parted(
    job: Job,
    anchor: ast.stmt,
    seeded: dict[str, CallFact],
    shared: tuple[str, ...],
    equal: tuple[frozenset[str], frozenset[str]],
) -> Iterator[Answer]:
    """Other seeds on ranks above 0, just before training: drawn where numbers are made equal for each of several."""
    alike, joined = equal
    if is_reached_again(job, anchor):  # one seed would be the same noise in each training
        joined |= {library for library, fact in seeded.items() if not is_between(job, fact)} | (set(shared) - alike)
    seeded = {library: fact for library, fact in seeded.items() if library not in joined}
    shared = tuple(library for library in shared if library not in joined)
    if not (seeded or joined or set(shared) - alike):
        return
    at_hand = "torch" in shared and "torch" not in seeded and job.names_of(anchor).scope(anchor) is job.names.module
    job = job.at(anchor)
    rank = job.target.rank
    unknown = job.names.fresh("seed") if at_hand else f"{job.target.torch}.initial_seed()"
    lines = [] if "torch" in alike | joined else [_torch_line(job, seeded.get("torch"), anchor, unknown)]
    edits: list[Edit] = [*job.torch_import]
    for library in sorted(joined):
        edits += [] if library == "torch" else generator(job.target.library, library).imports
        lines.append(_drawn_line(job, library))
    for library, fact in seeded.items():
        if library != "torch":
            lines.append(_other_line(job, library, fact, anchor, unknown))
            edits += [] if job.file_of(fact.node) is job.source else generator(job.target.library, library).imports
    for library in shared:
        if library not in ("torch", *seeded, *alike):
            lines.append(f"{generator(job.target.library, library).text}.seed(({unknown} + {rank}) % 2**32)")
            edits += generator(job.target.library, library).imports
    text = "\n".join([f"if {rank} > 0:", *(f"    {line}" for line in lines)])
    edits.append(Before(anchor, text, order=-4))
    yield job.change(NAME, "noise differs between processes", anchor, edits, Code("", (job.target.engine,)))


def _drawn_line(job: Job, library: str) -> str:
    """Another seed, drawn from numbers that are equal on all processes, and are others for each training."""
    if library == "torch":
        torch = job.target.torch
        return f"{torch}.manual_seed({torch}.randint(2**31, ()).item() + {job.target.rank})"
    made = drawn(job.target.library, library)
    return f"{generator(job.target.library, library).text}.seed({made} + {job.target.rank})"


def _torch_line(job: Job, fact: CallFact | None, anchor: ast.stmt, unknown: str) -> str:
    known = fact is not None and not unshared.may_differ(job, fact, frozenset(SEEDS))
    seed = seed_at(job, fact, anchor) if fact is not None and known else None
    return f"{job.target.torch}.manual_seed({_of_rank(job, seed or unknown)})"


def _other_line(job: Job, library: str, fact: CallFact, anchor: ast.stmt, unknown: str) -> str:
    seed = None if unshared.may_differ(job, fact, frozenset(SEEDS)) else seed_at(job, fact, anchor)
    own = (
        job.segment(fact.node.func)
        if job.file_of(fact.node) is job.source
        else f"{generator(job.target.library, library).text}.seed"
    )
    return f"{own}({_of_rank(job, seed) if seed else f'({unknown} + {job.target.rank}) % 2**32'})"


def _of_rank(job: Job, seed: str) -> str:
    return job.target.rank if seed == "0" else f"{seed} + {job.target.rank}"
