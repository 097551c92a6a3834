"""Differences between processes that no shared seed mends: asked by the rules for seeds of all frontends."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.python import MAKING_SETS, ON_SETS
from corro.flow.state import UNORDERED
from corro.frontends.randomness import BIT_GENERATORS
from corro.rules.once import is_mentioned
from corro.rules.places import is_certain, way
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer, Job

_GENERATORS = ("default_rng", "RandomState", "random.Random", "check_random_state", *BIT_GENERATORS)
_BY_CHANCE = ("torch.seed", "torch.random.seed")
_NEEDS_A_SEED = ("manual_seed", "manual_seed_all", "utils.set_random_seed")
"""Calls that fail where the seed is ``None``."""
_ORDERED = frozenset({"list", "tuple", "enumerate", "iter", "zip", "map", "filter", "join", "choice", "sample",
                      "choices", "array", "asarray", "Series", "DataFrame", "extend", "fromkeys", "deque", "chain",
                      "cycle", "islice", "tqdm"})  # fmt: skip
_LISTING = frozenset({"list", "tuple", "iter", "map", "filter"})
_ORDERLESS = frozenset({"sum", "len", "max", "min", "any", "all", "sorted", "set", "frozenset", "print"})
_KEEPING = frozenset({"append", "extend", "appendleft", "insert", "write", "put"})
_BY_THREADS = ("Word2Vec", "Doc2Vec", "FastText")
_TELLING = frozenset({"int", "float", "str"})
"""Functions that give something else for each word."""
_ORDERLESS_METHODS = frozenset({"drop", "isin", "update", "union", "intersection", "difference", "issubset"})
"""Methods to which it is all one in which order they are given something."""


def answers(job: Job, rule: str, calls: Iterable[CallFact], seeds: Set[str]) -> Iterator[Answer]:
    """A refusal for the first of them, in the name of a rule.

    Args:
        job: the script.
        rule: the rule that says it.
        calls: the calls whose results have to be equal.
        seeds: names of calls that set a seed.
    """
    for fact in calls:
        found = _generator(job, rule, fact) or _hash(job, rule, fact) or _seed(job, rule, fact, seeds)
        found = found or _chosen(job, rule, fact)
        if found is not None:
            yield found
            return
    yield from _threads(job, rule, calls)
    for node in (node for file in job.files for node in file.nodes):
        parts = [*_in_order(job, node)]
        ready = next((part for part in parts if _is_as_ready(part)), None)
        if ready is not None and not _keeps_places(node):
            yield job.refuse(
                rule,
                "results come in the order in which they are ready, which differs between processes.",
                ready,
                "Use map(...), which keeps the order.",
            )
            return
        taken = next((part for part in parts if _is_set_of_words(job, part)), None)
        if taken is not None:
            yield job.refuse(
                rule, "the order of a set of strings differs between processes.", taken, "Use sorted(...) instead."
            )
            return


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
        node.args[0] if _called(node) in ("tqdm", "enumerate") and isinstance(node, ast.Call) and node.args else node
    )
    return _called(given) in ("imap_unordered", "as_completed")


def _keeps_places(node: ast.AST) -> bool:
    """Whether a loop puts what comes where it belongs, or does not keep it; so does a dict by its keys."""
    if not isinstance(node, (ast.For, ast.AsyncFor)):
        return isinstance(node, ast.DictComp) or _called(node) in ("tqdm", "enumerate")
    parts = [part for statement in node.body for part in walk(statement)]
    keeps = (isinstance(part, (ast.AugAssign, ast.Yield)) or _called(part) in _KEEPING for part in parts)
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
    by_chance = not given or local or any(value.kind is Kind.NONE for value in given)
    if fact.name in _BY_CHANCE or (fact.name in seeds and by_chance) or drawn:
        return _differing(job, rule, fact)
    sets = fact.name in seeds and not fact.name.endswith(_NEEDS_A_SEED)
    return _absent(job, rule, fact) if sets and any(_may_be_none(job, fact, value) for value in given) else None


def _differing(job: Job, rule: str, fact: CallFact) -> Answer:
    advice = "Take a fixed seed, or one from the command line."
    return job.refuse(rule, "the seed differs between processes.", fact.node, advice)


def _absent(job: Job, rule: str, fact: CallFact) -> Answer:
    return job.refuse(
        rule,
        "the seed may be None: each process would then take a different random one.",
        fact.node,
        "Give the seed a number as its default.",
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


def used_before(job: Job, begin: ast.stmt, models: Set[int]) -> bool:
    """Whether something is made of what models give, before a statement in which all processes get equal weights.

    What a model gives before is another thing on each process, unless their seeds are equal: the average of it is that
    of different models, and a decision by it is another one on each process.

    Args:
        job: the script.
        begin: the statement.
        models: numbers of the calls that make the models.
    """
    within = set(walk(begin))
    reached = min((fact.order for fact in job.calls if not within.isdisjoint(way(fact))), default=0)
    return any(
        fact.name in GIVING
        and fact.receiver is not None
        and not models.isdisjoint(fact.receiver.sites)
        and fact.order < reached
        and "symbolic" not in fact.result.tags
        and _is_kept(job, fact)
        and not _is_called_back(job, fact)
        for fact in job.calls
    )


def _is_kept(job: Job, fact: CallFact) -> bool:
    """Whether what a call gives goes into something; that a model is called may be to give it its weights."""
    statement = job.statement(fact.node)
    kept = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return))
    return kept or bool(fact.context.passes)


def _is_called_back(job: Job, fact: CallFact) -> bool:
    """Whether it is within a function that is given to a callback, which training calls."""
    return any(".callbacks." in outer.name for call in way(fact)[1:] for outer in job.calls_of(call))


def _in_order(job: Job, node: ast.AST) -> Iterator[ast.expr]:
    """What a statement or an expression takes one after the other, so that the order shows in what it makes."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)):
        if not _is_order_lost(job, node):
            yield from (generator.iter for generator in node.generators)
    elif isinstance(node, ast.Starred):
        if not isinstance(job.parent(node), ast.Set) and not _is_order_lost(job, node):
            yield node.value
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Tuple, ast.List)):
        yield node.value
    elif isinstance(node, ast.Call):
        name = _called(node)
        if name == "sorted" and _leaves_ties(node):
            yield from node.args
        elif name == "pop" and isinstance(node.func, ast.Attribute) and not node.args:
            yield node.func.value
        elif name in _ORDERED and not (name in _LISTING and _is_order_lost(job, node)):
            yield from node.args


def _called(node: ast.AST | None) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_order_lost(job: Job, node: ast.expr) -> bool:
    """Whether what is made goes straight into something that has no order, or one of its own: ``sorted(list(s))``."""
    file = job.file_of(node)
    user = file.parent(node)
    if isinstance(user, ast.Assign) and len(user.targets) == 1 and user.value is node:
        return _is_sorted_next(job, user)
    user = file.parent(user) if isinstance(user, ast.keyword) else user
    if not isinstance(user, ast.Call) or _leaves_ties(user):
        return False
    return _called(user) in (_ORDERLESS_METHODS if isinstance(user.func, ast.Attribute) else _ORDERLESS)


def _is_sorted_next(job: Job, made: ast.Assign) -> bool:
    """``words = list(s)``, and ``words.sort()`` right after it."""
    file = job.file_of(made)
    owner = file.parent(made)
    blocks = (getattr(owner, field, None) for field in ("body", "orelse", "finalbody"))
    block = next((block for block in blocks if isinstance(block, list) and made in block), [made])
    following = block[block.index(made) + 1] if made is not block[-1] else None
    call = following.value if isinstance(following, (ast.Expr, ast.Assign)) else None
    if not isinstance(call, ast.Call) or _leaves_ties(call):
        return False
    target = ast.dump(made.targets[0]).replace("Store()", "Load()")
    if isinstance(call.func, ast.Attribute):
        return call.func.attr == "sort" and ast.dump(call.func.value) == target
    again = isinstance(following, ast.Assign) and ast.dump(following.targets[0]) == ast.dump(made.targets[0])
    return again and _called(call) == "sorted" and [ast.dump(given) for given in call.args] == [target]


def _leaves_ties(call: ast.Call) -> bool:
    """Whether things may be equal to what sorts them, so that they stay in the order that they had."""
    key = next((keyword.value for keyword in call.keywords if keyword.arg == "key"), None)
    if key is None or (isinstance(key, ast.Constant) and key.value is None):
        return False
    if isinstance(key, ast.Attribute) and key.attr == "index":
        return False
    if isinstance(key, ast.Lambda):
        item = key.args.args[0].arg if key.args.args else ""
        parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
        whole = [p.args[0] if isinstance(p, ast.Call) and _called(p) in _TELLING and p.args else p for p in parts]
        return not any(isinstance(part, ast.Name) and part.id == item for part in whole)
    return not (isinstance(key, ast.Name) and key.id in _TELLING)


def _is_set_of_words(job: Job, node: ast.expr) -> bool:
    if node not in job.facts.values:
        return _is_written_as_set(node, _handed_on(job, node))
    items = job.facts.elements.get(node)
    return UNORDERED in job.value(node).tags and (items is None or items.kind is not Kind.NUMBER)


def _handed_on(job: Job, node: ast.expr) -> ast.Lambda | ast.FunctionDef | None:
    """The function around code that nobody was seen to call, where it is given to somebody who may."""
    around = (a for a in job.ancestors(node) if isinstance(a, (ast.Lambda, ast.FunctionDef)))
    function = next(around, None)
    called = isinstance(function, ast.FunctionDef) and not is_mentioned(job, function)
    return None if called else function


def _is_written_as_set(node: ast.expr, within: ast.AST | None) -> bool:
    """Whether an expression in a function that is not followed is a set, by what is written there."""
    if within is None:
        return False
    if isinstance(node, ast.Name):
        made = (part for part in walk(within) if isinstance(part, ast.Assign))
        values = [m.value for m in made if any(isinstance(t, ast.Name) and t.id == node.id for t in m.targets)]
        return any(not isinstance(value, ast.Name) and _is_written_as_set(value, within) for value in values)
    if isinstance(node, ast.BinOp):
        both = (node.left, node.right)
        return isinstance(node.op, ON_SETS) and any(_is_written_as_set(side, within) for side in both)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in MAKING_SETS and _is_written_as_set(node.func.value, within)
    if isinstance(node, ast.Set):
        return not all(isinstance(item, ast.Constant) and isinstance(item.value, (int, float)) for item in node.elts)
    numbers = isinstance(node, ast.Call) and bool(node.args) and _called(node.args[0]) == "range"
    return isinstance(node, ast.SetComp) or (_called(node) in ("set", "frozenset") and not numbers)
