"""Iterations over DataLoaders: which samples each batch has; in a reference, which it is to have."""

from __future__ import annotations

import base64
import copy
import functools
import inspect
import marshal
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    Subset,
    dataloader,
)
from torch.utils.data import dataset as torch_dataset

from corro.verify.probe.fitting import epochs
from corro.verify.probe.pytorch.batches import joined, packed, rows, unpacked
from corro.verify.probe.pytorch.samplers import left_out, samplers, skipped
from corro.verify.probe.pytorch.state import Weights
from corro.verify.probe.session import Session
from corro.verify.records import DataSet, Pass, Step
from corro.verify.replay import Order

WAITING = "_probe_waiting"
"""An attribute of a loader whose batches a library keeps back: where its next iterator is to leave them."""

_MANY = 20_000
_RANDOM = (torch.utils.data.RandomSampler, torch.utils.data.SubsetRandomSampler, torch.utils.data.WeightedRandomSampler)


@dataclass(frozen=True)
class Given:
    """A batch.

    Attributes:
        opened: the pass that gave it.
        own: its samples, as the loader of this process has them.
        batch: its samples; in a reference, those that it was given in their place.
        parts: see ``Training``.
    """

    opened: Pass
    own: list[int]
    batch: list[int]
    parts: list[int]


Waiting = deque[Given]


class Together:
    """Which passes give batches for the same steps: their loaders do so for one step after the other.

    A look at a batch, or an evaluation on the way, is none of these: it stands alone, ends before the step, or is made
    without gradients.
    """

    def __init__(self) -> None:
        self._round, self._stepped = 0, False
        self._newest: dict[int, tuple[int, Pass]] = {}
        self._trained: list[Pass] = []

    def gave(self, opened: Pass) -> None:
        """A pass has given a batch."""
        self._round, self._stepped = self._round + self._stepped, False
        if not torch.is_grad_enabled():
            return
        number, before = self._newest.get(opened.loader, (-2, opened))
        if number == self._round - 1:
            before.steps = max(before.steps, 1)
        if number == self._round - 1 or (number == self._round and any(each is before for each in self._trained)):
            self._trained = [each for each in self._trained if each is not opened] + [opened]
        self._newest[opened.loader] = self._round, opened

    def ended(self, opened: Pass) -> None:
        """A pass has been read to its end."""
        if not self._stepped and self._newest.get(opened.loader, (-1, None))[1] is opened:
            del self._newest[opened.loader]
            self._trained = [each for each in self._trained if each is not opened]

    def step(self, current: Pass | None) -> None:
        """A step was made, with the newest batch of a pass."""
        for each in self._trained:
            each.steps += each is not current
        self._stepped, self._trained = True, []


class Training(epochs.Training):
    """Where a process is in its data.

    Attributes:
        made: the number of the newest batch that the script made itself; -1 where a loader gave it.
        ended: called when a step was made.
    """

    def __init__(self, session: Session, weights: Weights) -> None:
        super().__init__(session)
        self.weights = weights
        self.made: Callable[[], int] = lambda: -1
        self.ended: list[Callable[[], None]] = []
        self.together = Together()
        self._data_sets: list[Any] = []

    def stepped(self, step: Step) -> None:
        """See ``fitting``."""
        step.batch = self.made()
        self.together.step(self.current)
        super().stepped(step)
        for each in self.ended:
            each()

    def rows(self, batch: Any) -> list[int]:
        """A checksum for each sample of a batch of tensors."""
        return rows(batch)

    def kept(self, batch: Any) -> Any:
        """A batch as bytes."""
        return packed(batch)

    def given_back(self, kept: Any) -> Any:
        """The batch that was kept."""
        return unpacked(kept)

    def joined(self, batches: list[Any], *, reverse: bool = False) -> Any:
        """Batches of the same structure, one after the other."""
        return joined(batches)

    def open_pass(self, loader: Any) -> Pass:
        """Note that a loader is iterated over."""
        stream = isinstance(loader.dataset, IterableDataset)
        asked = [] if stream else list(samplers(loader))
        sizes = (getattr(each, "batch_size", None) for each in (loader, *asked))
        opened = Pass(
            loader._probe_number,
            -1 if stream else self._data_set(loader.dataset),
            -1 if stream else len(loader) + skipped(loader),
            next(filter(None, sizes), 1),
            loader.drop_last or any(getattr(each, "drop_last", False) for each in asked),
            any(isinstance(each, _RANDOM) for each in asked),
            self.session.line(),
            evened=any(getattr(each, "even_batches", False) for each in asked),
        )
        self.open(opened)
        self.weights.before_first_step()
        return opened

    def _data_set(self, data: Any) -> int:
        known = [number for number, each in enumerate(self._data_sets) if each is data]
        if known:
            return known[0]
        self._data_sets.append(data)
        numbers = resolved(data) if isinstance(data, Subset) else None
        self.session.record.data_sets.append(DataSet(len(data), numbers))
        return len(self._data_sets) - 1

    def fetched(self, iterator: Any, given: Given) -> None:
        """A loader has made a batch: for the script, or for a library's loader, which may keep it back for a while."""
        if iterator._probe_waiting is None:
            self.reaches(given)
        else:
            iterator._probe_waiting.append(given)

    def reaches(self, given: Given) -> None:
        """A batch reaches the script."""
        given.opened.batches.append(given.own)
        self.together.gave(given.opened)
        self.give(given.opened, given.batch, given.parts)


def install(session: Session, weights: Weights) -> Training:
    """Watch all loaders."""
    training = Training(session, weights)
    _number_loaders(session)
    _watch_iterations(session, training)
    _watch_splits(session)
    return training


def _number_loaders(session: Session) -> None:
    """Loaders are known by their data sets, in the order that the first loader of each is made in.

    A converted program may look at the data through another loader over it. One that a library makes of the script's,
    as ``prepare`` of Accelerate does, is known as the script's. With weak scaling the reference's batches are N times
    as big.
    """
    made, data_sets = DataLoader.__init__, list[Any]()

    @functools.wraps(made)
    def make(loader: Any, *args: Any, **kwargs: Any) -> None:
        data = args[0] if args else kwargs.get("dataset")
        original = next((each for each in _in_hand(session, loader) if _made_of(data, each.dataset)), None)
        known = next((number for number, each in enumerate(data_sets) if each is data), None)
        if original is not None or known is not None:
            made(loader, *args, **kwargs)
            loader._probe_number = known if original is None else original._probe_number
            return
        number = len(data_sets)
        data_sets.append(data)
        replay = session.replay
        if replay is not None and replay.following.weak and replay.trains(number):
            bound = inspect.signature(made).bind(loader, *args, **kwargs)
            bound.apply_defaults()
            bound.arguments["batch_size"] *= replay.size
            args, kwargs = bound.args[1:], bound.kwargs
        made(loader, *args, **kwargs)
        loader._probe_number = number

    DataLoader.__init__ = make


def _in_hand(session: Session, loader: Any) -> Iterator[Any]:
    """The loaders that the library's functions have which make a loader now, the innermost one's first."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and not session.is_own(frame.f_code.co_filename):
        for each in list(frame.f_locals.values()):
            if each is not loader and isinstance(each, DataLoader) and hasattr(each, "_probe_number"):
                yield each
        frame = frame.f_back


def _made_of(data: Any, original: Any) -> bool:
    """Whether a data set is another one, or has it inside."""
    while data is not None and data is not original:
        data = getattr(data, "dataset", None)
    return data is original


def _watch_iterations(session: Session, training: Training) -> None:
    iterator = dataloader._BaseDataLoaderIter
    begun, reset = iterator.__init__, iterator._reset
    next_index, next_batch = iterator._next_index, iterator.__next__

    def begin(self: Any, loader: Any) -> None:
        self._probe_loader, self._probe_waiting = loader, loader.__dict__.pop(WAITING, None)
        with _as_recorded(self, session):
            begun(self, loader)

    def begin_again(self: Any, loader: Any, first_iter: bool = False) -> None:
        self.__dict__.pop("_probe_pass", None)
        if not first_iter:
            self._probe_waiting = loader.__dict__.pop(WAITING, None)
            with _as_recorded(self, session):
                reset(self, loader, first_iter)
        else:
            reset(self, loader, first_iter)

    def index(self: Any) -> Any:
        if "_probe_pass" not in self.__dict__:
            _open(self, session, training)
        batch, opened = next_index(self), self._probe_pass
        if not opened.stream:
            if not self._probe_asked and not opened.batches:
                opened.batches += [_samples(session, opened, each) for each in left_out(self._probe_loader)]
            self._probe_asked.append(_samples(session, opened, [batch] if isinstance(batch, int) else batch))
        return batch

    def give(self: Any) -> Any:
        try:
            batch = next_batch(self)
        except StopIteration:
            if "_probe_pass" in self.__dict__:
                self._probe_pass.ended = True
                training.together.ended(self._probe_pass)
            raise
        given, self._probe_given = self._probe_given, self._probe_given + 1
        parts = self._probe_parts[given] if given < len(self._probe_parts) else []
        opened = self._probe_pass
        if opened.stream:
            return batch
        asked = self._probe_asked[given]
        training.fetched(self, Given(opened, asked, asked, parts))
        return batch

    iterator.__init__ = begin
    iterator._reset = begin_again
    iterator._next_index = index
    iterator.__next__ = give


def _open(iterator: Any, session: Session, training: Training) -> None:
    iterator._probe_pass = opened = training.open_pass(iterator._probe_loader)
    iterator._probe_asked, iterator._probe_given, iterator._probe_parts = [], 0, []
    if session.replay is None:
        loader = iterator._probe_loader
        if not opened.stream and not isinstance(loader.sampler, DistributedSampler) and _chooses(loader):
            opened.chance = _chance()
        return
    number = len(session.record.passes) - 1
    recorded = session.replay.recorded(number)
    if recorded and recorded[0].training:
        training.weights.take_over(session.replay.ranks[0].folder)
        if session.settings.comparable and not opened.stream:
            _note_choice(opened, iterator, session, recorded[0].chance, _most(len(iterator._probe_loader), recorded))
        elif recorded[0].chance:
            # so that later random numbers are those of the recorded run
            deque(islice(iterator._sampler_iter, _most(opened.length, recorded)), maxlen=0)
    order = None if opened.stream else session.replay.order(number, opened)
    if order is not None:
        if recorded[0].shuffled and not recorded[0].training:
            next(iterator._sampler_iter, None)  # so that later random numbers are those of the recorded run
        if getattr(iterator._probe_loader.sampler, "generator", None) is not None:
            deque(iterator._sampler_iter, maxlen=0)  # workers' seeds come from it, too
        _impose(iterator, order, session)


def _impose(iterator: Any, order: Order, session: Session) -> None:
    opened, out = iterator._probe_pass, skipped(iterator._probe_loader)
    population = session.record.data_sets[opened.data].population
    positions = {sample: position for position, sample in enumerate(population)}
    if all(sample in positions for batch in order.batches for sample in batch):  # else coverage tells
        opened.batches += order.batches[:out]
        batches = [[positions[sample] for sample in batch] for batch in order.batches[out:]]
        iterator._sampler_iter, iterator._probe_parts = iter(batches), order.parts[out:]


def _samples(session: Session, opened: Pass, indices: Iterable[int]) -> list[int]:
    population = session.record.data_sets[opened.data].population
    return [int(population[index]) for index in indices]


def _chooses(loader: Any) -> bool:
    """Whether the samples of a loader need not be all of its data set, once each, by the kinds of its samplers."""
    own, batches = loader.sampler, loader.batch_sampler
    plain = type(own) in (SequentialSampler, RandomSampler) and not getattr(own, "replacement", False)
    whole = plain and type(batches) is BatchSampler and len(own) == len(loader.dataset)
    return batches is not None and not whole


@contextmanager
def _as_recorded(iterator: Any, session: Session) -> Iterator[None]:
    """In a reference, let a sampler of the script's own begin with the random numbers that rank 0 had."""
    loader, iterator._probe_copies = iterator._probe_loader, []
    follows = session.replay is not None and session.settings.comparable
    recorded = session.replay.recorded(len(session.record.passes)) if follows and session.replay else []
    if not recorded or not recorded[0].chance or not _chooses(loader):
        yield
        return
    iterator._probe_copies = [_copied(loader) for _ in range(2)]
    before = _chance()
    _take_over(recorded[0].chance)
    yield
    _take_over(before)


def _most(length: int, recorded: Sequence[Pass]) -> int:
    """So many batches are asked of a sampler: all, unless it would go on and on after what the processes have taken."""
    return min(length, max(_MANY, *(len(each.batches) for each in recorded)))


def _note_choice(opened: Pass, iterator: Any, session: Session, chance: str, most: int) -> None:
    """What a sampler that chooses would have given: asked more than once, as a choice may be random."""
    loader = iterator._probe_loader
    if not _chooses(loader):
        return
    population = session.record.data_sets[opened.data].population
    before, copies = _chance(), [each for each in iterator._probe_copies if each is not None]

    def ask(batches: Iterable[Any]) -> list[list[int]]:
        return [[int(population[at]) for at in batch] for batch in islice(batches, most)]

    if chance:
        _take_over(chance)
    opened.drawn = ask(iterator._sampler_iter if chance else loader.batch_sampler)
    other = ask(copies[0] if copies else loader.batch_sampler)
    opened.steady = sorted(chain.from_iterable(opened.drawn)) == sorted(chain.from_iterable(other))
    if copies:
        _take_over(chance)
        opened.settled = opened.drawn == ask(copies[1])
    _take_over(before)


def _copied(loader: Any) -> Any:
    """Its sampler, apart from what the loader goes on with; ``None`` where it cannot be copied."""
    try:
        return copy.deepcopy(loader.batch_sampler, {id(loader.dataset): loader.dataset})
    except Exception:  # a class of the script's own may do anything
        return None


def _chance() -> str:
    """The states of the random numbers that samplers draw from."""
    name, keys, *rest = np.random.get_state(legacy=True)
    states = bytes(torch.random.get_rng_state().tolist()), (name, np.asarray(keys).tolist(), rest), random.getstate()
    return base64.b64encode(marshal.dumps(states)).decode()


def _take_over(chance: str) -> None:
    drawn, (name, keys, rest), own = marshal.loads(base64.b64decode(chance))
    torch.random.set_rng_state(torch.tensor(list(drawn), dtype=torch.uint8))
    np.random.set_state((name, np.array(keys, dtype=np.uint32), *rest))
    random.setstate(own)


def _watch_splits(session: Session) -> None:
    """A split that was drawn without a seed is the same in the reference."""
    split = torch_dataset.random_split

    @functools.wraps(split)
    def random_split(data: Any, lengths: Any, *args: Any, **kwargs: Any) -> list[Any]:
        made = split(data, lengths, *args, **kwargs)
        splits = session.replay.ranks[0].splits if session.replay else []
        number = len(session.record.splits)
        session.record.splits.append([[int(index) for index in part.indices] for part in made])
        if number < len(splits) and sorted(map(len, splits[number])) == sorted(len(part) for part in made):
            return [Subset(data, indices) for indices in splits[number]]
        return list(made)

    torch_dataset.random_split = torch.utils.data.random_split = random_split


def resolved(data: Any) -> list[int]:
    """The numbers that the samples of a data set have in the data set at the bottom of its subsets."""
    if isinstance(data, Subset):
        below = resolved(data.dataset)
        return [int(below[index]) for index in data.indices]
    return list(range(len(data)))
