"""Fill the anatomy of a script of TensorFlow 1 from the facts of the analysis. Recognises; never edits."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sessions import RunSite, SessionAnatomy
from corro.frontends.keras import recognise as keras
from corro.frontends.tensorflow1 import naming
from corro.frontends.tensorflow1.graphs import GRADIENT, INITIALISES, PLACEHOLDER, TRAINS, UNSHAPED
from corro.frontends.tensorflow1.names import plain
from corro.frontends.tensorflow1.semantics import GRAPH_ITERATOR, MONITORED, SESSION, SessionSemantics, graph_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corro.flow.facts import CallFact, Facts
    from corro.flow.semantics import Semantics

_COMPUTES = frozenset({"minimize", "compute_gradients"})


def semantics() -> SessionSemantics:
    """What calls of TensorFlow 1 mean."""
    return SessionSemantics()


def again(semantics: Semantics, facts: Facts) -> Semantics | None:
    """Once more where it is known what is fed: how many samples, as the graph may say too, or how deep they are."""
    if not isinstance(semantics, SessionSemantics) or semantics.sizes is not None:
        return None
    runs = _runs(facts, list(facts.calls))
    found, fed = _sizes(facts, runs), _fed(facts, runs)
    return SessionSemantics(found, fed) if found or fed else None


def recognise(facts: Facts, *, apart: bool = True) -> SessionAnatomy:
    """The anatomy of the script, which is the same for all targets."""
    of_keras = keras.recognise(facts)
    calls = list(facts.calls)
    sessions = _nodes(calls, lambda f: f.receiver is None and f.result.name == SESSION and _makes(f))
    monitored = _nodes(calls, lambda f: f.receiver is None and f.result.name == MONITORED)
    made = {*sessions, *monitored}
    runs = _runs(facts, calls)
    return SessionAnatomy(
        fits=of_keras.fits,
        compiles=of_keras.compiles,
        others=of_keras.others,
        loops=tuple(node for node in of_keras.loops if node not in made),
        builds=of_keras.builds,
        uses=of_keras.uses,
        runs=runs,
        sizes=_sizes(facts, runs),
        sessions=sessions,
        monitored=monitored,
        updates=_nodes(calls, lambda f: _on_optimizer(f) and f.name in _COMPUTES),
        gradients=_nodes(calls, lambda f: plain(f.name) == "tensorflow.gradients" and GRADIENT in f.result.tags),
        placeholders=_nodes(calls, lambda f: f.receiver is None and PLACEHOLDER in f.result.tags and _is_library(f)),
    )


def is_run(fact: CallFact) -> bool:
    """Whether a call computes parts of the graph."""
    receiver = fact.receiver
    if receiver is None:
        return False
    if receiver.name in (SESSION, MONITORED):
        return fact.name == "run"
    return receiver.kind is Kind.TENSOR and fact.name in ("eval", "run")


def _is_library(fact: CallFact) -> bool:
    return plain(fact.name) == "tensorflow.placeholder"


def _makes(fact: CallFact) -> bool:
    return plain(fact.name) in ("tensorflow.Session", "tensorflow.InteractiveSession")


def _on_optimizer(fact: CallFact) -> bool:
    return fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER


def _nodes(calls: list[CallFact], wanted: Callable[[CallFact], bool]) -> tuple[ast.Call, ...]:
    return tuple(dict.fromkeys(fact.node for fact in calls if wanted(fact)))


# ---------------------------------------------------------------------- runs


def _runs(facts: Facts, calls: list[CallFact]) -> tuple[RunSite, ...]:
    found: dict[ast.Call, RunSite] = {}
    for fact in calls:
        if is_run(fact):
            tags = fact.result.tags
            known = found.get(fact.node)
            trains = TRAINS in tags or (known is not None and known.trains)
            starts = INITIALISES in tags or (known is not None and known.initialises)
            feed, opaque = _feed(facts, fact)
            if known is not None and known.feed is not feed:
                feed, opaque = None, True
            fetches = _fetches(facts, fact)
            parts = (*(fetches or ()), *(key for key in (feed.keys if feed is not None else ()) if key is not None))
            named = _named(calls, fact, parts) | (dict(known.named) if known is not None else {})
            found[fact.node] = RunSite(fact.node, fetches, feed_node(fact), feed, opaque, trains, starts, named)
    return tuple(found.values())


def _sizes(facts: Facts, runs: Iterable[RunSite]) -> frozenset[int]:
    """Where the numbers come from that say how many samples a batch is to have."""
    fed = {value for site in runs if site.trains and site.feed is not None for value in site.feed.values}
    taken = (fact for fact in facts.calls if "taken" in fact.result.tags or fact.node in fed)
    given = [value for fact in taken for value in fact.args[:1]]
    if any(fact.receiver is not None and fact.receiver.name == GRAPH_ITERATOR for fact in facts.calls):
        batched = (f for f in facts.calls if f.name == "batch" and f.receiver is not None)
        given += [value for fact in batched if (value := fact.argument(0, "batch_size")) is not None]
    return frozenset(number for value in given for number in value.origins)


def _fed(facts: Facts, runs: Iterable[RunSite]) -> dict[int, int]:
    """The depths of what placeholders without a shape are fed in training, by the numbers of these."""
    found: dict[int, set[int]] = defaultdict(set)
    for feed in (site.feed for site in runs if site.trains and site.feed is not None):
        for key, node in zip(feed.keys, feed.values, strict=True):
            holder, given = facts.values.get(key) if key is not None else None, facts.values.get(node)
            if holder is not None and given is not None and UNSHAPED in holder.tags and len(holder.sites) == 1:
                found[next(iter(holder.sites))] |= {depth for source, depth in given.depth if not source}
    return {number: depths.pop() for number, depths in found.items() if len(depths) == 1}


def _named(calls: list[CallFact], fact: CallFact, parts: Iterable[ast.expr]) -> dict[str, tuple[ast.Call, ...]]:
    """What the texts among what is fetched and fed stand for."""
    texts = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    graph = graph_of(fact.receiver) if fact.receiver is not None else ""
    return {text: naming.makers(calls, graph, text) for text in texts}


def _fetches(facts: Facts, fact: CallFact) -> tuple[ast.expr, ...] | None:
    """The expressions that are fetched."""
    receiver = fact.receiver
    if receiver is not None and receiver.kind is Kind.TENSOR:
        return (fact.node.func.value,) if isinstance(fact.node.func, ast.Attribute) else None
    node = _argument(fact.node, 0, "fetches")
    return tuple(parts) if node is not None and (parts := _listed(facts, node)) is not None else None


def _listed(facts: Facts, node: ast.expr) -> list[ast.expr] | None:
    """The items of a list display, or of the one that a name stands for."""
    if isinstance(node, (ast.List, ast.Tuple)):
        inner = [_listed(facts, each) for each in node.elts]
        return None if None in inner else [leaf for part in inner if part is not None for leaf in part]
    value = facts.values.get(node)
    if value is not None and value.kind is Kind.LIST:
        display = facts.made.get(value.obj)
        return _listed(facts, display) if isinstance(display, ast.List) else [node]
    return [node] if value is not None and value.kind is not Kind.TUPLE else None


def feed_node(fact: CallFact) -> ast.expr | None:
    """The expression for what a run is fed."""
    position = 0 if fact.receiver is not None and fact.receiver.kind is Kind.TENSOR else 1
    return _argument(fact.node, position, "feed_dict")


def _feed(facts: Facts, fact: CallFact) -> tuple[ast.Dict | None, bool]:
    """The dict display with what is fed, and whether something else is."""
    node = feed_node(fact)
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return None, any(k.arg is None for k in fact.node.keywords)
    display: ast.AST | None = node
    if not isinstance(node, ast.Dict):
        of_tensor = fact.receiver is not None and fact.receiver.kind is Kind.TENSOR
        value = fact.argument(0 if of_tensor else 1, "feed_dict")
        display = facts.made.get(value.obj) if value is not None and value.kind is Kind.DICT else None
        if value is None or any(_changes(facts, each, value.obj) for each in facts.values):
            return None, True
    known = isinstance(display, ast.Dict) and None not in display.keys
    return (display, False) if known and isinstance(display, ast.Dict) else (None, True)


def _changes(facts: Facts, node: ast.AST, obj: int) -> bool:
    """Whether a place puts something into a dict, or asks it to change."""
    stores = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    asks = isinstance(node, ast.Attribute) and node.attr in ("update", "pop", "setdefault", "clear")
    owner = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) and (stores or asks) else None
    value = facts.values.get(owner) if owner is not None else None
    return value is not None and value.kind is Kind.DICT and value.obj in (obj, 0)


def _argument(node: ast.Call, position: int, keyword: str) -> ast.expr | None:
    named: Iterator[ast.expr] = (k.value for k in node.keywords if k.arg == keyword)
    return next(named, node.args[position] if position < len(node.args) else None)
