"""``session.run``: what a run reaches in its graph says whether it trains, and what it takes."""

from __future__ import annotations

import functools
import re
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tensorflow.python.client import session as sessions
from tensorflow.python.framework import tensor_util

from corro.verify.probe.session import Session
from corro.verify.probe.tensorflow1.feeds import Batch, Training, batch_of, element
from corro.verify.probe.tensorflow1.noise import Drawn
from corro.verify.probe.tensorflow1.state import Weights
from corro.verify.probe.tensorflow1.steps import Applied, Steps
from corro.verify.records import Pass

_TAKES = "IteratorGetNext"
_NOISE = re.compile(
    r"(Stateless|Stateful)?(Parameterized)?(Random(?!Dataset|Seed)|TruncatedNormal|Multinomial|Uniform|StandardNormal)"
    r"|RngReadAndSkip"
)
_NORMALISES = "FusedBatchNorm"


@dataclass(frozen=True)
class Reach:
    """What a run comes to in its graph.

    Attributes:
        steps: where it applies gradients.
        takes: what it takes from iterators.
        noise: operations on the way to its gradients that draw random numbers.
        partwise: what is computed there from the whole of a batch, and by each process from its part.
        early: of a run that makes several steps, what it fetches and what its steps take that rests on none of them.
    """

    steps: tuple[Applied, ...] = ()
    takes: tuple[Any, ...] = ()
    noise: tuple[str, ...] = ()
    partwise: str = ""
    early: tuple[Any, ...] = ()


@dataclass
class Runs:
    """The runs of one process."""

    session: Session
    training: Training
    weights: Weights
    steps: Steps
    drawn: Drawn
    _reached: weakref.WeakKeyDictionary[Any, dict[object, Reach]] = field(default_factory=weakref.WeakKeyDictionary)

    def watched(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A ``run`` that is observed."""

        @functools.wraps(plain)
        def run(this: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
            self.session.beat()
            bare = functools.partial(plain, this)
            feeds = dict(feed_dict or {})
            try:
                reach = self._reach(this.graph, fetches, feeds)
                batch = batch_of(this.graph, feeds)
            except (TypeError, ValueError, KeyError, RuntimeError):
                return bare(fetches, feed_dict, options, run_metadata)  # what is wrong with it TensorFlow says itself
            if not reach.steps and not reach.takes:
                if batch:
                    self.training.evaluated(batch)
                return bare(fetches, feed_dict, options, run_metadata)
            try:
                return self._run(bare, this.graph, reach, batch, (fetches, feeds, options, run_metadata))
            finally:
                self.training.rest()

        return run

    def _run(self, bare: Callable[..., Any], graph: Any, reach: Reach, batch: Batch, asked: tuple[Any, ...]) -> Any:
        """A run that trains, or takes from iterators."""
        fetches, feeds, options, run_metadata = asked
        training, session = self.training, self.session
        follows = session.replay is not None and session.settings.comparable
        if reach.takes and follows:
            values = bare(list(reach.takes))  # a fed tensor is not computed, so the iterator goes on here
            batch = {**batch, **{each.name: value for each, value in zip(reach.takes, values, strict=True)}}
        extra = [] if follows else list(reach.takes)
        number, opened = -1, None
        training.current = None
        if batch or reach.takes:
            taken = tuple(each.name for each in reach.takes)
            key = taken or tuple(id(each) for each in reach.steps)
            number, opened = training.opened(key, graph, takes=bool(taken))
        if opened is not None and not extra:
            feeds = self._given(graph, number, opened, batch, feeds, exchanges=bool(reach.takes))
        if reach.steps:
            self.steps.before(bare, graph, reach.steps)
            if follows:
                self.weights.take_over(None, None)
        with self.drawn.watched(bool(reach.steps)):
            if reach.early:
                made, values = self._in_turn(bare, graph, reach, fetches, feeds), []
            else:
                made, values = bare((fetches, extra), feeds, options, run_metadata)
        if opened is not None and extra:
            batch = {**batch, **{each.name: value for each, value in zip(extra, values, strict=True)}}
            self._given(graph, number, opened, batch, feeds, exchanges=False)
        noise = dict.fromkeys((*reach.noise, *self.drawn.free))
        self.steps.after(bare, reach.steps, ", ".join(noise), reach.partwise)
        return made

    def _in_turn(
        self, bare: Callable[..., Any], graph: Any, reach: Reach, fetches: Any, feeds: Mapping[Any, Any]
    ) -> Any:
        """Several steps in one run are made in any order, each perhaps with weights that another has changed.

        So gradients, and what is fetched beside them, are computed first.
        """
        self.session.say("where one run makes several steps, all their gradients are computed before the first update")
        handler = sessions._FetchHandler(graph, fetches, {})
        early = {each.name: value for each, value in zip(reach.early, bare(list(reach.early), feeds), strict=True)}
        inputs = [each for applied in reach.steps for each in applied.inputs if each.name in early]
        known = {element(graph, each): value for each, value in feeds.items()}
        late = [each for each in handler.fetches() if each.name not in early]
        _, values = bare((handler.targets(), late), known | {each: early[each.name] for each in inputs})
        rest = iter(values)
        everything = [early[each.name] if each.name in early else next(rest) for each in handler.fetches()]
        return handler.build_results(bare.args[0], everything)  # type: ignore[attr-defined]

    def _given(
        self, graph: Any, number: int, opened: Pass, batch: Batch, feeds: Mapping[Any, Any], *, exchanges: bool
    ) -> dict[Any, Any]:
        """Note the batch of a run; what is fed, in a reference another batch.

        Args:
            graph: of the session.
            number: of the pass.
            opened: the pass.
            batch: of the process.
            feeds: what the script feeds.
            exchanges: whether the batch is fed in any case, as it was taken beforehand.
        """
        training = self.training
        rows = training.rows(batch)
        opened.batches.append(rows)
        opened.batch_size = max(opened.batch_size, len(rows))
        together, parts = training.exchanged(number, len(opened.batches) - 1, batch, [batch])
        training.give(opened, training.rows(together) if parts else rows, parts or [])
        if not parts and not exchanges:
            return dict(feeds)
        own = {element(graph, each): value for each, value in feeds.items()}
        return own | {graph.as_graph_element(name): value for name, value in together.items()}

    def _reach(self, graph: Any, fetches: Any, feeds: Mapping[Any, Any]) -> Reach:
        handler = sessions._FetchHandler(graph, fetches, {})
        wanted = [*handler.fetches(), *handler.targets()]
        cut = frozenset(each.name for each in (element(graph, fed) for fed in feeds) if each is not None)
        key = (tuple(each.name for each in wanted), cut)
        known = self._reached.setdefault(graph, {})
        if key not in known:
            known[key] = self._looked_up(graph, handler.fetches(), handler.targets(), cut)
        return known[key]

    def _looked_up(self, graph: Any, fetches: Sequence[Any], targets: Sequence[Any], cut: frozenset[str]) -> Reach:
        found = list(_behind([*(each.op for each in fetches), *targets], cut, self.drawn.ties))
        steps = {each.name: self.steps.at(graph, each.name) for each in found}
        applied = {name: each for name, each in steps.items() if each is not None}
        gradients = list(_behind((graph.get_operation_by_name(name) for name in applied), cut, self.drawn.ties))
        takes = [each for each in found if each.type.startswith(_TAKES)]
        early: list[Any] = []
        if len(applied) > 1 and not takes:
            several = [*fetches, *(each for step in applied.values() for each in step.inputs)]
            early = [each for each in several if not _rests_on(each, applied, cut)]
        return Reach(
            early=tuple({each.name: each for each in early}.values()),
            steps=tuple(applied[name] for name in sorted(applied)),
            takes=tuple(output for each in sorted(takes, key=lambda op: op.name) for output in each.outputs),
            noise=tuple(sorted({each.type for each in gradients if _NOISE.match(each.type)})),
            partwise=next((text for each in gradients for text in [_partwise(each)] if text), ""),
        )


def install(session: Session, training: Training, weights: Weights, steps: Steps, drawn: Drawn) -> None:
    """Watch all sessions."""
    runs = Runs(session, training, weights, steps, drawn)
    sessions.BaseSession.run = runs.watched(sessions.BaseSession.run)


def _behind(wanted: Iterable[Any], cut: frozenset[str], ties: set[str]) -> Iterator[Any]:
    """All operations that some depend on, with them; what is fed is not computed."""
    open_, seen = list(wanted), set()
    while open_:
        each = open_.pop()
        if each.name in seen:
            continue
        seen.add(each.name)
        yield each
        if each.name not in ties:
            open_ += [tensor.op for tensor in each.inputs if tensor.name not in cut]
            open_ += each.control_inputs


def _rests_on(tensor: Any, operations: Collection[str], cut: frozenset[str]) -> bool:
    return any(each.name in operations for each in _behind([tensor.op], cut, set()))


def _partwise(operation: Any) -> str:
    """What batch normalisation computes from the samples of a batch."""
    normalises = operation.type.startswith(_NORMALISES) and operation.get_attr("is_training")
    if operation.type == "Mean" and "moments" in operation.name and not normalises:
        axes = tensor_util.constant_value(operation.inputs[1])
        normalises = axes is None or 0 in axes
    return "statistics of batch normalisation" if normalises else ""
