"""Differences between processes that no shared seed mends: asked by the rules for seeds of all frontends."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.randomness import BIT_GENERATORS
from corro.rules import set_order
from corro.rules.places import is_certain, way
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Set

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer, Job

_GENERATORS = ("default_rng", "RandomState", "random.Random", "check_random_state", *BIT_GENERATORS)
BY_CHANCE = {"torch.seed": "torch", "torch.random.seed": "torch"}
"""Calls that take a seed by the system's chance, for the generator of a library."""
_NEEDS_A_SEED = ("manual_seed", "manual_seed_all", "utils.set_random_seed")
"""Calls that fail where the seed is ``None``."""
_KEEPING = frozenset({"append", "extend", "appendleft", "insert", "write", "put"})
_BY_THREADS = ("Word2Vec", "Doc2Vec", "FastText")


def answers(
    job: Job,
    rule: str,
    calls: Iterable[CallFact],
    seeds: Set[str],
    mended: Callable[[CallFact], bool] = lambda fact: False,
) -> Iterator[Answer]:
    """A refusal for the first of them, in the name of a rule.

    Args:
        job: the script.
        rule: the rule that says it.
        calls: the calls whose results have to be equal.
        seeds: names of calls that set a seed.
        mended: whether what a call makes differ is made equal just after it.
    """
    for fact in calls:
        if mended(fact):
            continue
        found = _generator(job, rule, fact) or _hash(job, rule, fact) or _seed(job, rule, fact, seeds)
        found = found or _chosen(job, rule, fact)
        if found is not None:
            yield found
            return
    yield from _threads(job, rule, calls)
    for node in job.nodes.of(*set_order.TAKES_IN_ORDER):
        ready = next((part for part in set_order.taken_in_order(job, node) if _is_as_ready(part)), None)
        if ready is not None and not _keeps_places(node):
            yield job.refuse(
                rule,
                "results come in the order in which they are ready, which differs between processes.",
                ready,
                "Use map(...), which keeps the order.",
                effort="one line",
            )
            return
    yield from set_order.answers(job, rule)


def _threads(job: Job, rule: str, calls: Iterable[CallFact]) -> Iterator[Answer]:
    """Vectors of words that several threads train: other ones in each process."""
    for fact in calls:
        workers = fact.keywords.get("workers")
        several = workers is None or workers.const != 1
        if (
            fact.receiver is None
            and fact.name.startswith("gensim.models.")
            and fact.name.endswith(_BY_THREADS)
            and several
        ):
            yield job.review(
                rule,
                "several threads train these vectors, so each process gets different ones; those of a layer are made "
                "equal, samples that are computed from them are not.",
                fact.node,
                "Train them in a script of its own, and load them.",
                differs=("coverage", "gradient"),
            )
            return


def _is_as_ready(node: ast.expr) -> bool:
    """Whether these are results that come as they are ready; a bar may be around them."""
    given = (
        node.args[0]
        if set_order.called(node) in ("tqdm", "enumerate") and isinstance(node, ast.Call) and node.args
        else node
    )
    return set_order.called(given) in ("imap_unordered", "as_completed")


def _keeps_places(node: ast.AST) -> bool:
    """Whether a loop puts what comes where it belongs, or does not keep it; so does a dict by its keys."""
    if not isinstance(node, (ast.For, ast.AsyncFor)):
        return isinstance(node, ast.DictComp) or set_order.called(node) in ("tqdm", "enumerate")
    parts = [part for statement in node.body for part in walk(statement)]
    keeps = (isinstance(part, (ast.AugAssign, ast.Yield)) or set_order.called(part) in _KEEPING for part in parts)
    return not any(keeps)


def _generator(job: Job, rule: str, fact: CallFact) -> Answer | None:
    """A generator of the script's own that each process seeds in another way."""
    given = (*fact.args, *fact.keywords.values())
    drawing = fact.name in ("shuffle", "sample", "choices") and fact.receiver is not None
    if fact.receiver is not None and fact.receiver.form is Form.LOCAL and drawing:
        return job.refuse(
            rule,
            "random numbers of the system differ between processes.",
            fact.node,
            "Draw with random.Random(seed) or numpy.random.default_rng(seed).",
            effort="one line",
        )
    if fact.receiver is not None or not fact.name.endswith(_GENERATORS):
        return None
    if any(value.form is Form.LOCAL for value in given):
        return _differing(job, rule, fact)
    if all(value.kind is Kind.NONE for value in given):
        return job.refuse(
            rule,
            "a random generator without a seed gives each process different numbers.",
            fact.node,
            "Give it a seed.",
            effort="one line",
        )
    return _absent(job, rule, fact) if all(_may_be_none(job, fact, value) for value in given) else None


def _chosen(job: Job, rule: str, fact: CallFact) -> Answer | None:
    """Samples that each process has chosen by itself."""
    if fact.result.kind not in (Kind.DATASET, Kind.SAMPLER) or fact.receiver is not None:
        return None
    for node in (*fact.node.args, *(keyword.value for keyword in fact.node.keywords)):
        items = job.facts.elements.get(node)
        if items is not None and items.form is Form.LOCAL and items.kind is not Kind.TEXT:
            return job.refuse(
                rule,
                "these samples are chosen by the system's random numbers or by the clock, and each process would "
                "choose different ones.",
                node,
                "Draw with random.Random(seed) or numpy.random.default_rng(seed).",
                effort="one line",
            )
    return None


def _hash(job: Job, rule: str, fact: CallFact) -> Answer | None:
    if fact.name != "hash" or not fact.args or fact.args[0].kind is Kind.NUMBER:
        return None
    return job.refuse(
        rule,
        "the hash of a string differs between processes.",
        fact.node,
        "Use hashlib or zlib.crc32 instead.",
        effort="one line",
    )


def _seed(job: Job, rule: str, fact: CallFact, seeds: Set[str]) -> Answer | None:
    """A seed that each process takes from elsewhere."""
    given = (*fact.args, *fact.keywords.values())
    local = any(value.form is Form.LOCAL for value in given)
    if fact.receiver is not None:
        own = fact.receiver.name == "torch.Generator" and fact.name == "seed"
        return _differing(job, rule, fact) if own or (local and fact.name in ("seed", "manual_seed")) else None
    states = (fact.keywords.get(name) for name in ("random_state", "seed"))
    drawn = any(each is not None and each.form is Form.LOCAL for each in states)
    none = fact.name in seeds and any(value.kind is Kind.NONE for value in given)
    if none and not local and not drawn:
        return _left_out(job, rule, fact)
    if fact.name in BY_CHANCE or (fact.name in seeds and (not given or local)) or drawn:
        return _differing(job, rule, fact)
    return _absent(job, rule, fact) if may_be_left_out(job, fact, seeds) else None


def may_be_left_out(job: Job, fact: CallFact, seeds: Set[str]) -> bool:
    """Whether the seed that is set may be none, and the system's chance decides then."""
    given = (*fact.args, *fact.keywords.values())
    sets = fact.receiver is None and fact.name in seeds and not fact.name.endswith(_NEEDS_A_SEED)
    return sets and any(value.kind is Kind.NONE or _may_be_none(job, fact, value) for value in given)


def may_differ(job: Job, fact: CallFact, seeds: Set[str]) -> bool:
    """Whether each process may set another seed of a library: by the system's chance, by the clock or its number."""
    given = (*fact.args, *fact.keywords.values())
    sets = fact.receiver is None and (fact.name in seeds or fact.name in BY_CHANCE)
    by_itself = not given or any(value.form is Form.LOCAL and not value.sources for value in given)
    return may_be_left_out(job, fact, seeds) or (sets and by_itself)


def _differing(job: Job, rule: str, fact: CallFact) -> Answer:
    advice = "Take a fixed seed, or one from the command line."
    return job.refuse(rule, "the seed differs between processes.", fact.node, advice)


def _left_out(job: Job, rule: str, fact: CallFact) -> Answer:
    return job.refuse(
        rule,
        "the seed is None in a call that leads here: each process then takes a different random one.",
        fact.node,
        "Give that call a number, or set no seed where there is none.",
        effort="one line",
    )


def _absent(job: Job, rule: str, fact: CallFact) -> Answer:
    return job.refuse(
        rule,
        "the seed may be None: each process would then take a different random one.",
        fact.node,
        "Give the seed a number as its default.",
        effort="one line",
    )


def _may_be_none(job: Job, fact: CallFact, value: Value) -> bool:
    """Whether a seed may be ``None``; it is not where something that fails without it is given it in every run."""
    return value.may_be_none and not any(
        other.name.endswith(_NEEDS_A_SEED)
        and is_certain(other, fact)
        and any(each.may_be_none and each.origins and each.origins == value.origins for each in other.args)
        for other in job.calls
    )


GIVING = frozenset({"", "__call__", "forward", "evaluate", "predict", "predict_on_batch", "test_on_batch"})
"""What a model gives is called by."""


def reached(job: Job, begin: ast.stmt) -> int:
    """The order of the first call in a statement, or of those that lead to it."""
    within = set(walk(begin))
    return min((fact.order for fact in job.calls if not within.isdisjoint(way(fact))), default=0)


def used_before(job: Job, begin: ast.stmt, models: Set[int]) -> bool:
    """Whether something is made of what models give, before a statement in which all processes get equal weights.

    What a model gives before is another thing on each process, unless their seeds are equal: the average of it is that
    of different models, and a decision by it is another one on each process. Layers that its own ``__init__`` makes by
    a method are parts of it, and get equal weights with it.

    Args:
        job: the script.
        begin: the statement.
        models: numbers of the calls that make the models.
    """
    limit = reached(job, begin)
    making = {job.facts.nodes[number] for number in models}
    return any(
        fact.name in GIVING
        and fact.receiver is not None
        and not models.isdisjoint(fact.receiver.sites)
        and fact.order < limit
        and "symbolic" not in fact.result.tags
        and is_kept(job, fact)
        and not (fact.result.kind in (Kind.MODULE, Kind.LAYERS) and not making.isdisjoint(way(fact)[1:]))
        and not _is_called_back(job, fact)
        for fact in job.calls
    )


def is_kept(job: Job, fact: CallFact) -> bool:
    """Whether what a call gives goes into something; that a model is called may be to give it its weights."""
    statement = job.statement(fact.node)
    kept = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return))
    return kept or bool(fact.context.passes)


def _is_called_back(job: Job, fact: CallFact) -> bool:
    """Whether it is within a function that is given to a callback, which training calls."""
    return any(".callbacks." in outer.name for call in way(fact)[1:] for outer in job.calls_of(call))
