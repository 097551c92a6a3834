"""Random numbers. On ranks and reference alike dropout is off and other noise belongs to samples, so it is equal.

Noise that belongs to no sample cannot be equal on N processes and one: it is noted with the step that it went into.
Whether noise *differs* between ranks, as it should, is seen in the states of their generators as training begins.
"""

from __future__ import annotations

import functools
import pickle
import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils.data import Subset, TensorDataset
from torch.utils.data._utils import fetch

from corro.verify.probe.pytorch.loaders import Training
from corro.verify.probe.session import Session

_DROPOUTS = ("dropout", "alpha_dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout")
_SHAPED = ("rand", "randn")
_FILLING = ("normal_", "uniform_", "bernoulli_")
_OF_NUMPY = {"normal": 2, "uniform": 2, "randint": 2, "random": 0, "random_sample": 0, "standard_normal": 0}
"""Functions of NumPy that are given a size, and its position."""


def install(session: Session, training: Training) -> None:
    """Note noise, and where runs are to be compared, pin it."""
    random.seed(session.settings.seed + session.record.rank)
    np.random.seed(session.settings.seed + session.record.rank)
    torch.manual_seed(session.settings.seed + session.record.rank)
    training.begun.append(lambda: _note_states(session, training))
    _watch_dropout(session, training)
    _watch_samples(session, training)
    if session.settings.comparable:
        Tied(session, training).install()
        Watch(session, training)
    if session.settings.comparable and session.replay is not None:
        _split_batch_norm(session, training)


def _note_states(session: Session, training: Training) -> None:
    if not session.record.steps:
        session.record.noise = {name: zlib.crc32(repr(state).encode()) for name, state in _states().items()}


def _states() -> dict[str, Any]:
    return {
        "torch": torch.random.get_rng_state().numpy().tobytes(),
        "numpy": pickle.dumps(np.random.get_state()),
        "random": random.getstate(),
    }


def _watch_dropout(session: Session, training: Training) -> None:
    functional = torch.nn.functional

    def watched(plain: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(plain)
        def dropout(input: Any, p: float = 0.5, training: bool = True, *args: Any, **kwargs: Any) -> Any:
            if training and p:
                session.noisy("dropout")
            if training and p and session.settings.comparable:
                session.say("dropout is off")
                p = 0.0
            return plain(input, p, training, *args, **kwargs)

        return dropout

    for name in _DROPOUTS:
        setattr(functional, name, watched(getattr(functional, name)))
    attention = functional.scaled_dot_product_attention

    @functools.wraps(attention)
    def attend(
        query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, *rest: Any, **more: Any
    ) -> Any:
        if dropout_p:
            session.noisy("dropout")
        if dropout_p and session.settings.comparable:
            session.say("dropout is off")
            dropout_p = 0.0
        return attention(query, key, value, attn_mask, dropout_p, *rest, **more)

    functional.scaled_dot_product_attention = attend
    recurrent = torch.nn.RNNBase.__call__

    @functools.wraps(recurrent)
    def call(module: Any, *args: Any, **kwargs: Any) -> Any:
        if module.dropout and module.training:
            session.noisy("dropout")
            if session.settings.comparable:
                session.say("dropout is off")
                module.dropout = 0.0
        return recurrent(module, *args, **kwargs)

    torch.nn.RNNBase.__call__ = call


def _watch_samples(session: Session, training: Training) -> None:
    """What a data set draws for a sample is seeded by the number of that sample, in workers too."""
    plain = fetch._MapDatasetFetcher.fetch

    def fetched(self: Any, indices: Any) -> Any:
        if not session.settings.comparable or _draws_nothing(self.dataset):
            return plain(self, indices)
        batch, training.batch = training.batch, []  # no row of what is drawn here belongs to a sample of a batch
        try:
            if not self.auto_collation:
                return self.collate_fn(_sample(session, self.dataset, indices))
            return self.collate_fn([_sample(session, self.dataset, index) for index in indices])
        finally:
            training.batch = batch

    fetch._MapDatasetFetcher.fetch = fetched


def _draws_nothing(data: Any) -> bool:
    while type(data) is Subset:
        data = data.dataset
    return type(data) is TensorDataset


def _sample(session: Session, data: Any, index: Any) -> Any:
    before = torch.random.get_rng_state(), np.random.get_state(), random.getstate()
    seed = session.settings.seed + _number(data, index)
    torch.random.default_generator.manual_seed(seed)
    np.random.seed(seed % 2**32)
    random.seed(seed)
    seeded = random.getstate(), torch.random.get_rng_state()
    sample = data[index]
    if random.getstate() != seeded[0] or not torch.equal(torch.random.get_rng_state(), seeded[1]):
        session.noisy("augmentation")
        session.say("augmentation is seeded by the number of the sample")
    torch.random.set_rng_state(before[0])
    np.random.set_state(before[1])
    random.setstate(before[2])
    return sample


def _number(data: Any, index: Any) -> int:
    """The number of a sample in the data set below all subsets; a checksum of an index that is no number."""
    while isinstance(data, Subset):
        index, data = data.indices[index], data.dataset
    return int(index) if isinstance(index, (int, np.integer)) else zlib.crc32(repr(index).encode())


class Tied:
    """Noise with a row for each sample of the batch: each row is seeded by its sample."""

    def __init__(self, session: Session, training: Training) -> None:
        self._session = session
        self._training = training
        self._calls = 0
        training.begun.append(self._begin)

    def install(self) -> None:
        """Put seeded functions in the place of those that scripts draw noise with."""
        shaped = {name: getattr(torch, name) for name in _SHAPED}
        for name, plain in shaped.items():
            setattr(torch, name, self._shaped(plain))
            like = f"{name}_like"
            setattr(torch, like, self._like(getattr(torch, like), plain))
        for name in _FILLING:
            setattr(torch.Tensor, name, self._filling(getattr(torch.Tensor, name)))
        for name, place in _OF_NUMPY.items():
            setattr(np.random, name, self._sized(name, place, getattr(np.random, name)))
        for name in _SHAPED:
            setattr(np.random, name, self._listed(name, getattr(np.random, name)))

    def _begin(self) -> None:
        self._calls = 0

    def _of_batch(self, shape: Sequence[int]) -> bool:
        """Whether noise of this shape has a row for each sample, and is drawn by the script itself."""
        return bool(shape) and shape[0] == len(self._training.batch) > 0 and self._session.line() != ""

    def _seeds(self) -> list[int]:
        self._calls += 1
        self._session.noisy("numbers")
        self._session.say("random numbers with a row for each sample are seeded by the number of the sample")
        return [self._session.settings.seed + 1_000_003 * self._calls + sample for sample in self._training.batch]

    def _rows(self, draw: Callable[[torch.Generator], torch.Tensor]) -> torch.Tensor:
        generator, drawn = torch.Generator(), []
        for seed in self._seeds():
            generator.manual_seed(seed)
            drawn.append(draw(generator))
        return torch.stack(drawn)

    def _arrays(self, name: str, *args: Any, **kwargs: Any) -> Any:
        generators = [np.random.RandomState(seed % 2**32) for seed in self._seeds()]
        return np.stack([getattr(generator, name)(*args, **kwargs) for generator in generators])

    def _sized(self, name: str, place: int, plain: Callable[..., Any]) -> Callable[..., Any]:
        """``numpy.random.normal(0, 1, (3, 4))``."""

        @functools.wraps(plain)
        def draw(*args: Any, **kwargs: Any) -> Any:
            size = args[place] if len(args) > place else kwargs.get("size")
            shape = tuple(size) if isinstance(size, (tuple, list)) else (size,)
            others = {key: value for key, value in kwargs.items() if key != "size"}
            if any(map(np.ndim, (*args[:place], *others.values()))) or not self._of_batch(shape):
                return plain(*args, **kwargs)
            return self._arrays(name, *args[:place], *args[place + 1 :], size=shape[1:], **others)

        return draw

    def _listed(self, name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
        """``numpy.random.randn(3, 4)``."""

        @functools.wraps(plain)
        def draw(*shape: Any) -> Any:
            return self._arrays(name, *shape[1:]) if self._of_batch(shape) else plain(*shape)

        return draw

    def _shaped(self, plain: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
        """``torch.randn(3, 4)`` and ``torch.randn((3, 4))``."""

        @functools.wraps(plain)
        def draw(*size: Any, **kwargs: Any) -> torch.Tensor:
            shape = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
            known = kwargs.keys() <= {"dtype", "device", "requires_grad"}
            if not known or not all(isinstance(each, int) for each in shape) or not self._of_batch(shape):
                return plain(*size, **kwargs)
            kind = {name: value for name, value in kwargs.items() if name == "dtype"}
            made = self._rows(lambda generator: plain(shape[1:], generator=generator, **kind))
            return made.to(kwargs.get("device") or made.device).requires_grad_(kwargs.get("requires_grad", False))

        return draw

    def _like(
        self, plain: Callable[..., torch.Tensor], shaped: Callable[..., torch.Tensor]
    ) -> Callable[..., torch.Tensor]:
        """``torch.randn_like(x)``."""

        @functools.wraps(plain)
        def draw(input: torch.Tensor, **kwargs: Any) -> torch.Tensor:
            if kwargs or not self._of_batch(input.shape):
                return plain(input, **kwargs)
            rest = tuple(input.shape[1:])
            return self._rows(lambda generator: shaped(rest, generator=generator, dtype=input.dtype)).to(input.device)

        return draw

    def _filling(self, plain: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
        """``x.normal_()``."""

        @functools.wraps(plain)
        def fill(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
            if "generator" in kwargs or tensor.requires_grad or not self._of_batch(tensor.shape):
                return plain(tensor, *args, **kwargs)
            row = torch.empty(tensor.shape[1:], dtype=tensor.dtype)
            return tensor.copy_(self._rows(lambda generator: plain(row.clone(), *args, generator=generator, **kwargs)))

        return fill


class Watch:
    """Notes random numbers that a training step drew and that belong to no sample."""

    def __init__(self, session: Session, training: Training) -> None:
        self._before: dict[str, Any] = {}
        training.begun.append(self._begin)
        training.drawn = self._drawn

    def _begin(self) -> None:
        self._before = _states()

    def _drawn(self) -> str:
        if not self._before:
            return ""
        now = _states()
        return ", ".join(name for name, state in self._before.items() if now[name] != state)


def _split_batch_norm(session: Session, training: Training) -> None:
    """In training each process normalises its own share; the first one's running statistics are what is kept.

    Of views of a batch that are joined to a larger one, each process has its share of every view.
    """
    functional = torch.nn.functional
    batch_norm, views = functional.batch_norm, _joined_views(training)

    @functools.wraps(batch_norm)
    def split(
        input: Any,
        mean: Any,
        var: Any,
        weight: Any = None,
        bias: Any = None,
        training_mode: bool = False,
        momentum: float = 0.1,
        eps: float = 1e-5,
        **named: Any,
    ) -> Any:
        training_mode = named.get("training", training_mode)
        parts, total = training.parts, sum(training.parts)
        if not training_mode or len(parts) < 2 or input.shape[0] % total:
            return batch_norm(input, mean, var, weight, bias, training_mode, momentum, eps)
        session.say("batch normalisation of the reference is split by process")
        rows = torch.arange(input.shape[0], device=input.device).view(views.get((input.shape[0], total), 1), -1)
        shares = [each.flatten() for each in rows.split([part * (rows.shape[1] // total) for part in parts], dim=1)]
        kept = [(mean, var)] + [(_copy(mean), _copy(var)) for _ in shares[1:]]
        normalised = torch.cat(
            [
                batch_norm(input[share], *of_share, weight, bias, training_mode, momentum, eps)
                for share, of_share in zip(shares, kept, strict=True)
            ]
        )
        return normalised[torch.cat(shares).argsort()]

    functional.batch_norm = split


def _joined_views(training: Training) -> dict[tuple[int, int], int]:
    """How many views of the batch were joined, by the number of rows that they have together, and that of the batch."""
    found: dict[tuple[int, int], int] = {}
    cat = torch.cat

    @functools.wraps(cat)
    def joined(tensors: Any, dim: int = 0, **named: Any) -> Any:
        result = cat(tensors, dim, **named)
        total = sum(training.parts)
        if named.get("axis", dim) == 0 and total and all(each.shape[:1] == (total,) for each in tensors):
            found[result.shape[0], total] = len(tensors)
        return result

    torch.cat = joined
    return found


def _copy(statistics: Any) -> Any:
    return None if statistics is None else statistics.clone()
