"""Iterations over DataLoaders: which samples each batch has; in a reference, which it is to have."""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable
from itertools import chain, islice
from typing import Any

import numpy as np
import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    Subset,
    dataloader,
)
from torch.utils.data import dataset as torch_dataset

from rueda.verify.probe.pytorch.state import Weights
from rueda.verify.probe.session import Session, Stop
from rueda.verify.records import DataSet, Pass

_RANDOM = (torch.utils.data.RandomSampler, torch.utils.data.SubsetRandomSampler, torch.utils.data.WeightedRandomSampler)


class Training:
    """Where a process is in its data.

    Attributes:
        current: the pass that gave the newest batch.
        batch: the samples of that batch.
        parts: in a reference, how many samples of it come from which process.
        begun: called when a batch is given.
        drawn: which random numbers were drawn since, that belong to no sample.
    """

    def __init__(self, session: Session, weights: Weights) -> None:
        self.session = session
        self.weights = weights
        self.current: Pass | None = None
        self.batch: list[int] = []
        self.parts: list[int] = []
        self.begun: list[Callable[[], None]] = []
        self.drawn: Callable[[], str] = str
        self._data_sets: list[Any] = []

    def open_pass(self, loader: Any) -> Pass:
        """Note that a loader is iterated over."""
        record = self.session.record
        stream = isinstance(loader.dataset, IterableDataset)
        size = loader.batch_size or getattr(loader.batch_sampler, "batch_size", 1) or 1
        opened = Pass(
            loader._probe_number,
            -1 if stream else self._data_set(loader.dataset),
            -1 if stream else len(loader),
            size,
            loader.drop_last,
            isinstance(getattr(loader, "sampler", None), _RANDOM),
            self.session.line(),
        )
        record.passes.append(opened)
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

    def check_limit(self, opened: Pass) -> None:
        """End the run where it has made its epochs."""
        limit = self.session.settings.epochs
        trained = [each for each in self.session.record.passes if each.training]
        if limit and len(trained) >= limit and any(each.loader == opened.loader for each in trained):
            self.session.record.passes.remove(opened)
            raise Stop

    def give(self, opened: Pass, batch: list[int], parts: list[int]) -> None:
        """A batch reaches the script."""
        self.current, self.batch, self.parts = opened, batch, parts
        for each in self.begun:
            each()
        self.session.beat()


def install(session: Session, weights: Weights) -> Training:
    """Watch all loaders."""
    training = Training(session, weights)
    _number_loaders(session)
    _watch_iterations(session, training)
    _watch_splits(session)
    return training


def _number_loaders(session: Session) -> None:
    """Loaders are known by the order they are made in; with weak scaling the reference's batches are N times as big."""
    made, loaders = DataLoader.__init__, 0

    @functools.wraps(made)
    def make(loader: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal loaders
        number, loaders = loaders, loaders + 1
        replay = session.replay
        if replay is not None and replay.following.weak and replay.trains(number):
            bound = inspect.signature(made).bind(loader, *args, **kwargs)
            bound.apply_defaults()
            bound.arguments["batch_size"] *= replay.size
            args, kwargs = bound.args[1:], bound.kwargs
        made(loader, *args, **kwargs)
        loader._probe_number = number

    DataLoader.__init__ = make


def _watch_iterations(session: Session, training: Training) -> None:
    iterator = dataloader._BaseDataLoaderIter
    begun, reset = iterator.__init__, iterator._reset
    next_index, next_batch = iterator._next_index, iterator.__next__

    def begin(self: Any, loader: Any) -> None:
        self._probe_loader = loader
        begun(self, loader)

    def begin_again(self: Any, loader: Any, first_iter: bool = False) -> None:
        self.__dict__.pop("_probe_pass", None)
        reset(self, loader, first_iter)

    def index(self: Any) -> Any:
        if "_probe_pass" not in self.__dict__:
            _open(self)
        batch = next_index(self)
        if not self._probe_pass.stream:
            numbers = [batch] if isinstance(batch, int) else list(batch)
            population = session.record.data_sets[self._probe_pass.data].population
            self._probe_pass.batches.append([int(population[number]) for number in numbers])
        return batch

    def _open(self: Any) -> None:
        self._probe_pass, self._probe_given, self._probe_parts = training.open_pass(self._probe_loader), 0, []
        training.check_limit(self._probe_pass)
        if session.replay is None:
            return
        number = len(session.record.passes) - 1
        recorded = session.replay.recorded(number)
        if recorded and recorded[0].training:
            training.weights.take_over(session.replay.ranks[0].folder)
            if session.settings.comparable and not self._probe_pass.stream:
                _note_choice(self._probe_pass, self._probe_loader, session)
        order = None if self._probe_pass.stream else session.replay.order(number, self._probe_pass)
        if order is not None:
            population = session.record.data_sets[self._probe_pass.data].population
            positions = {sample: position for position, sample in enumerate(population)}
            if all(sample in positions for batch in order.batches for sample in batch):  # else coverage tells
                self._sampler_iter = iter([[positions[sample] for sample in batch] for batch in order.batches])
                self._probe_parts = order.parts

    def give(self: Any) -> Any:
        try:
            batch = next_batch(self)
        except StopIteration:
            if "_probe_pass" in self.__dict__:
                self._probe_pass.ended = True
            raise
        given, self._probe_given = self._probe_given, self._probe_given + 1
        parts = self._probe_parts[given] if given < len(self._probe_parts) else []
        opened = self._probe_pass
        if opened.stream:
            return batch
        training.give(opened, opened.batches[given], parts)
        return batch

    iterator.__init__ = begin
    iterator._reset = begin_again
    iterator._next_index = index
    iterator.__next__ = give


def _note_choice(opened: Pass, loader: Any, session: Session) -> None:
    """What a sampler that chooses would have given: asked twice, as a choice may be random."""
    own, batches = loader.sampler, loader.batch_sampler
    plain = type(own) in (SequentialSampler, RandomSampler) and not getattr(own, "replacement", False)
    if batches is None or (plain and type(batches) is BatchSampler and len(own) == len(loader.dataset)):
        return
    population = session.record.data_sets[opened.data].population
    before = torch.random.get_rng_state(), np.random.get_state(), random.getstate()
    asked = [[int(population[at]) for at in chain.from_iterable(islice(batches, len(loader)))] for _ in range(2)]
    torch.random.set_rng_state(before[0])
    np.random.set_state(before[1])
    random.setstate(before[2])
    opened.drawn, opened.steady = asked[0], sorted(asked[0]) == sorted(asked[1])


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
