"""Epochs: which samples each batch has; in a reference, which it is to have.

Samples that have no numbers, as those of arrays and pipelines, are known by checksums. Their batches are kept, and the
reference is given those of all processes, one after the other.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from corro.verify.probe.session import Session, Stop
from corro.verify.records import Pass, Step

CALLS = ("fit", "evaluate", "predict")


class Training:
    """Where a process is in its data; a subclass says what a batch is.

    Attributes:
        calls: the calls that iterate over data, the innermost last.
        current: the pass that gave the newest batch.
        batch: the samples of that batch.
        parts: in a reference, how many samples of it come from which process.
        shares: in a reference, the batches of the processes.
        begun: called when a batch is given.
        drawn: which random numbers were drawn since, that belong to no sample.
        epoch: the newest epoch of training.
    """

    exhausted: tuple[type[BaseException], ...] = (StopIteration,)
    """What an iterator over batches ends with."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.calls: list[str] = []
        self.current: Pass | None = None
        self.batch: list[int] = []
        self.parts: list[int] = []
        self.shares: list[Any] = []
        self.begun: list[Callable[[], None]] = []
        self.drawn: Callable[[], str] = str
        self.epoch: Epoch | None = None
        session.at_end.append(self._read_on)

    def rows(self, batch: Any) -> list[int]:
        """A checksum for each sample."""
        raise NotImplementedError

    def replicas(self, batch: Any) -> list[Any]:
        """The parts of a batch that are seen one by one."""
        return [batch]

    def kept(self, batch: Any) -> Any:
        """A batch as it is written to a file."""
        raise NotImplementedError

    def given_back(self, kept: Any) -> Any:
        """What was kept, as it is put together with others."""
        return kept

    def joined(self, batches: list[Any], *, reverse: bool = False) -> Any:
        """A batch of arrays of several, one after the other."""
        raise NotImplementedError

    def replaced(self, batch: Any) -> None:
        """In a reference, before a training step: its batch is another run's."""

    @property
    def fits(self) -> bool:
        """Whether what is iterated over is trained on, as far as that can be known: a loop of the script's own may."""
        return not self.calls or self.calls[-1] == "fit"

    def named(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        """A call that iterates over data, which is noted while it lasts."""

        @functools.wraps(plain)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            try:
                return plain(*args, **kwargs)
            finally:
                self.calls.pop()
                if not self.calls:
                    self.rest()

        return call

    def open(self, opened: Pass) -> None:
        """Note that an epoch begins; end the run where it has made those that were asked for."""
        limit = self.session.settings.epochs
        trained = [each for each in self.session.record.passes if each.training]
        if limit and self.fits and len(trained) >= limit and any(each.loader == opened.loader for each in trained):
            raise Stop
        self.session.record.passes.append(opened)

    def entered(self) -> None:
        """Before the first batch of a loop of the script's own, whose iterator may be older than the weights."""

    def rest(self) -> None:
        """No batch is at work: what is drawn now, such as the weights of another model, is no noise of a step."""
        self.batch = []

    def give(self, opened: Pass, batch: list[int], parts: list[int]) -> None:
        """A batch reaches the script."""
        self.current, self.batch, self.parts = opened, batch, parts
        for each in self.begun:
            each()
        self.session.beat()

    def exchanged(self, number: int, given: int, natural: Any, shares: list[Any]) -> tuple[Any, list[int] | None]:
        """Keep a batch, or, in a reference, give the one that the processes had together in its place.

        Args:
            number: of the pass.
            given: how many batches of it came before.
            natural: the batch.
            shares: the parts of it that are seen one by one.

        Returns:
            The batch, and how many samples each process had of it; none where the processes made fewer batches, and
            ``None`` where it is the process's own.
        """
        session = self.session
        replay = session.replay
        if not session.settings.comparable or not self.fits:
            return natural, None
        if replay is None:
            with (session.folder / f"batch.{number}.{given}").open("wb") as file:
                pickle.dump([self.kept(each) for each in shares], file)
            return natural, None
        recorded = replay.recorded(number)
        if not recorded or not recorded[0].training:
            return natural, None
        files = [Path(each.folder, f"batch.{number}.{given}") for each in replay.ranks]
        present = [
            self.given_back(share) for path in files if path.exists() for share in pickle.loads(path.read_bytes())
        ]
        self.shares = [self.joined([each]) for each in present]
        if not present:
            return natural, []
        batch = self.joined(present, reverse=replay.following.reverse)
        return batch, [len(self.rows(each)) for each in present]

    def stepped(self, step: Step) -> None:
        """Note a step; end the run where it has made those that were asked for."""
        self.session.record.steps.append(step)
        if self.current is not None:
            self.current.steps += 1
        self.session.beat()
        if self.session.settings.steps and len(self.session.record.steps) >= self.session.settings.steps:
            raise Stop

    def _read_on(self) -> None:
        """In a reference that was ended within an epoch, see which samples the rest of it would have had."""
        if self.epoch is not None and self.session.replay is not None and self.session.settings.comparable:
            self.epoch.read_on()


class Epoch:
    """An iterator over batches that notes them, and in a reference gives others.

    Args:
        iterator: over batches.
        opened: the pass.
        training: what it belongs to.
        short: called when the recorded run made fewer steps: the epoch ends, but not the training.
    """

    def __init__(self, iterator: Any, opened: Pass, training: Training, short: Callable[[], None]) -> None:
        self._iterator = iterator
        self._opened = opened
        self._training = training
        self._short = short
        self._number = len(training.session.record.passes) - 1

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        opened, training = self._opened, self._training
        if not training.calls and not opened.batches:
            training.entered()
        try:
            batch = next(self._iterator)
        except training.exhausted:
            opened.ended = True
            self._iterator = iter(())  # it ends with its loop, as in the program: some wait for threads as they go
            training.rest()
            raise
        shares = training.replicas(batch)
        if not training.calls and not any(training.rows(share) for share in shares):
            return batch  # no batches: single samples, numbers
        opened.batches.append([row for share in shares for row in training.rows(share)])
        opened.batch_size = max(opened.batch_size, len(opened.batches[-1]))
        batch, parts = self._replayed(batch, shares)
        opened.ended = opened.ended or len(opened.batches) == opened.length
        if parts is not None:
            training.replaced(batch)
        training.give(opened, opened.batches[-1] if parts is None else training.rows(batch), parts or [])
        return batch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._iterator, name)

    def read_on(self) -> None:
        """Note all samples of an epoch that was not ended."""
        opened, training = self._opened, self._training
        if opened.ended or opened.length < 0:
            return
        rest = islice(self._iterator, opened.length - len(opened.batches))
        further = (training.rows(share) for batch in rest for share in training.replicas(batch))
        opened.drawn = [*opened.batches, *further]

    def _replayed(self, natural: Any, shares: list[Any]) -> tuple[Any, list[int] | None]:
        """In a reference, the batch that the processes had together, and how many samples each had."""
        batch, parts = self._training.exchanged(self._number, len(self._opened.batches) - 1, natural, shares)
        if parts == []:
            self._short()
            self._opened.ended = True
            raise StopIteration
        return batch, parts
