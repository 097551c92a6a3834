"""Run a script under observation: ``python -m paritykit.probe FOLDER SCRIPT [ARGUMENTS …]``.

The script is run as ``__main__`` and not changed; what PyTorch does is seen through its hooks. ``FOLDER/rankN`` gets
the record. Every process starts with other random numbers (``PARITY_SEED`` plus its rank), as unseeded processes do,
but the same in every repetition.
"""

from __future__ import annotations

import builtins
import inspect
import os
import random
import runpy
import sys
import traceback
import zlib
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils.data import DataLoader, Subset, dataloader
from torch.utils.data import dataset as torch_dataset

from .records import Pass, Record, Saved, Step
from .replay import Replay

GRADIENT_BUDGET = 256 * 2**20 // 4
"""Gradients of so many elements are kept; steps after that are not forced."""


class Tee:
    """A text stream that also remembers what was written to it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.copy = StringIO()

    def write(self, text: str) -> int:
        self.copy.write(text)
        return self.stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def digest(tensors: Iterable[torch.Tensor]) -> int:
    """A checksum of the bits of some tensors."""
    value = 0
    for tensor in tensors:
        value = zlib.crc32(tensor.detach().cpu().contiguous().numpy().tobytes(), value)
    return value


def resolved(data: Any) -> list[int]:
    """The numbers that the samples of a data set have in the data set at the bottom of its subsets."""
    if isinstance(data, Subset):
        below = resolved(data.dataset)
        return [below[index] for index in data.indices]
    return list(range(len(data)))


def flattened(value: Any, key: str = "") -> dict[str, str]:
    """What is in a saved object: keys with a tensor's shape, a number, or a type's name."""
    if isinstance(value, torch.Tensor):
        return {key: f"{value.dtype}{list(value.shape)}"}
    if isinstance(value, torch.nn.Module):
        return {key: type(value).__name__, **flattened(value.state_dict(), f"{key}.state")}
    if isinstance(value, dict):
        parts = [flattened(each, f"{key}.{name}") for name, each in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [flattened(each, f"{key}.{name}") for name, each in enumerate(value)]
    elif isinstance(value, (int, float, str)):
        return {key: str(value)}
    else:
        return {key: type(value).__name__}
    return {name: entry for part in parts for name, entry in part.items()}


class Probe:
    """Hooks into one process; everything seen goes to ``record``."""

    def __init__(self, folder: Path, rank: int, size: int, replay: Replay | None = None) -> None:
        self.folder = folder
        self.replay = replay
        self.record = Record(rank=rank, size=size, folder=str(folder))
        self.where = os.path.realpath(".")
        self.data_sets: list[Any] = []
        self.loaders = 0
        self.current: Pass | None = None
        self.shares: list[int] = []
        self.depth = 0
        self.planned: list[float] = []
        self.parameters: list[torch.Tensor] = []
        self.kept = 0
        folder.mkdir(parents=True, exist_ok=True)
        self.gradients = builtins.open(folder / "gradients.bin", "wb")  # noqa: SIM115
        self.stdout, self.stderr = Tee(sys.stdout), Tee(sys.stderr)

    def install(self) -> None:
        sys.stdout, sys.stderr = self.stdout, self.stderr  # type: ignore[assignment]
        sys.addaudithook(self._audit)
        self._observe_loaders()
        self._observe_splits()
        self._observe_saves()
        register_optimizer_step_pre_hook(self._before_step)
        register_optimizer_step_post_hook(self._after_step)
        if self.replay is not None:
            self._split_batch_norm()
            self._impose_start(self.replay)

    def write(self, error: str) -> None:
        self.gradients.close()
        self.record.error = error
        self.record.stdout, self.record.stderr = self.stdout.copy.getvalue(), self.stderr.copy.getvalue()
        self._keep("final.npz", self.parameters)
        self.record.write(self.folder)

    def _keep(self, name: str, tensors: Sequence[torch.Tensor]) -> None:
        arrays = {f"{number:04d}": tensor.detach().cpu().numpy() for number, tensor in enumerate(tensors)}
        np.savez(self.folder / name, **arrays)  # type: ignore[arg-type]

    # Passes over loaders

    def _observe_loaders(self) -> None:
        iterator = dataloader._BaseDataLoaderIter
        made, begun, reset = DataLoader.__init__, iterator.__init__, iterator._reset
        next_index, next_batch = iterator._next_index, iterator.__next__
        probe = self

        def make(loader: Any, *args: Any, **kwargs: Any) -> None:
            number, probe.loaders = probe.loaders, probe.loaders + 1
            args, kwargs = probe._scaled(number, made, (loader, *args), kwargs)
            made(*args, **kwargs)
            loader._probe_number = number

        def begin(self: Any, loader: Any) -> None:
            self._probe_loader = loader
            begun(self, loader)

        def begin_again(self: Any, loader: Any, first_iter: bool = False) -> None:
            self.__dict__.pop("_probe_pass", None)
            reset(self, loader, first_iter)

        def index(self: Any) -> Any:
            if "_probe_pass" not in self.__dict__:
                self._probe_pass, self._probe_given = probe._open_pass(self._probe_loader), 0
                order = probe._imposed(self._probe_loader, self._probe_pass)
                self._probe_shares = order[1] if order else []
                if order is not None:
                    self._sampler_iter = iter(order[0])
            batch = next_index(self)
            numbers = [batch] if isinstance(batch, int) else list(batch)
            resolution = probe.record.data_sets[self._probe_pass.data]
            self._probe_pass.batches.append([resolution[number] for number in numbers])
            return batch

        def give(self: Any) -> Any:
            batch = next_batch(self)
            given, self._probe_given = self._probe_given, self._probe_given + 1
            probe.current = self._probe_pass
            probe.shares = self._probe_shares[given] if given < len(self._probe_shares) else []
            return batch

        DataLoader.__init__ = make  # type: ignore[method-assign]
        iterator.__init__ = begin  # type: ignore[method-assign]
        iterator._reset = begin_again  # type: ignore[method-assign]
        iterator._next_index = index  # type: ignore[method-assign]
        iterator.__next__ = give  # type: ignore[method-assign]

    def _scaled(
        self, number: int, made: Callable[..., None], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Under weak scaling the reference's training loaders get N times the batch size."""
        if self.replay is None or not self.replay.weak or not self.replay.training_loader(number):
            return args, kwargs
        bound = inspect.signature(made).bind(*args, **kwargs)
        bound.apply_defaults()
        bound.arguments["batch_size"] *= len(self.replay.ranks)
        return bound.args, bound.kwargs

    def _open_pass(self, loader: Any) -> Pass:
        known = [number for number, data in enumerate(self.data_sets) if data is loader.dataset]
        if not known:
            self.data_sets.append(loader.dataset)
            self.record.data_sets.append(resolved(loader.dataset))
        number = known[0] if known else len(self.data_sets) - 1
        random_samplers = (torch.utils.data.RandomSampler, torch.utils.data.SubsetRandomSampler)
        shuffled = isinstance(loader.sampler, random_samplers)
        batch_size = loader.batch_size or getattr(loader.batch_sampler, "batch_size", 1)
        opened = Pass(loader._probe_number, number, len(loader), batch_size, loader.drop_last, shuffled)
        self.record.passes.append(opened)
        return opened

    def _imposed(self, loader: Any, opened: Pass) -> tuple[list[list[int]], list[list[int]]] | None:
        order = self.replay.order(len(self.record.passes) - 1, opened) if self.replay else None
        if order is None:
            return None
        positions = {number: at for at, number in enumerate(self.record.data_sets[opened.data])}
        return [[positions[number] for number in batch] for batch in order[0]], order[1]

    # Splits

    def _observe_splits(self) -> None:
        split = torch_dataset.random_split

        def random_split(data: Any, lengths: Any, *args: Any, **kwargs: Any) -> list[Any]:
            parts = split(data, lengths, *args, **kwargs)
            imposed = self.replay.split(len(self.record.splits)) if self.replay else None
            if imposed is not None:
                parts = [Subset(data, indices) for indices in imposed]
            self.record.splits.append([[int(index) for index in part.indices] for part in parts])
            return parts

        torch_dataset.random_split = torch.utils.data.random_split = random_split

    # Optimizer steps. Horovod's optimizer fires the hooks twice, one pair inside the other: the weights are final at
    # the outermost end, the gradients are reduced at the innermost beginning.

    def _before_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.parameters = [p for group in optimizer.param_groups for p in group["params"]]
            if not self.record.steps:
                self.record.start_digest = digest(self.parameters)
                self._keep("start.npz", self.parameters)
        self.reduced = [None if p.grad is None else p.grad for p in self.parameters]
        if self.replay is not None:
            self._record_gradients()
            self._impose(optimizer, len(self.record.steps), self.replay)

    def _after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.depth -= 1
        if self.depth:
            return
        if self.replay is None:
            self._record_gradients()
        rates = [float(group["lr"]) for group in optimizer.param_groups]
        planned = self.planned or rates
        gradient, offset, layout = self.recorded
        self.record.steps.append(Step(rates, planned, layout, gradient, digest(self.parameters), offset))
        for group, rate in zip(optimizer.param_groups, self.planned, strict=False):
            group["lr"] = rate
        if self.current is not None:
            self.current.steps += 1

    def _record_gradients(self) -> None:
        present = [gradient for gradient in self.reduced if gradient is not None]
        layout = [0 if gradient is None else gradient.numel() for gradient in self.reduced]
        offset = -1
        if self.record.rank == 0 and self.kept + sum(layout) <= GRADIENT_BUDGET:
            offset, self.kept = self.kept, self.kept + sum(layout)
            for gradient in present:
                self.gradients.write(gradient.detach().cpu().float().contiguous().numpy().tobytes())
        self.recorded = digest(present), offset, layout

    def _impose(self, optimizer: Any, step: int, replay: Replay) -> None:
        rates, gradients = replay.rates(step), replay.gradients(step)
        self.planned = []
        if rates is not None:
            self.planned = [group["lr"] for group in optimizer.param_groups]
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate
        if gradients is not None:
            for own, other in zip(self.reduced, gradients, strict=True):
                if own is not None and own.numel() == len(other):
                    own.copy_(torch.from_numpy(other.copy()).view_as(own))

    def _impose_start(self, replay: Replay) -> None:
        start = replay.start()
        made = torch.optim.Optimizer.__init__

        def make(optimizer: Any, params: Any, defaults: Any) -> None:
            nonlocal start
            made(optimizer, params, defaults)
            parameters = [p for group in optimizer.param_groups for p in group["params"]]
            with torch.no_grad():
                for parameter, value in zip(parameters, start or [], strict=False):
                    parameter.copy_(torch.from_numpy(value))
            start = None

        torch.optim.Optimizer.__init__ = make  # type: ignore[method-assign]

    def _split_batch_norm(self) -> None:
        """In training each process normalises its own share; the first one's running statistics are what is kept."""
        functional = torch.nn.functional
        batch_norm = functional.batch_norm

        def split(
            input: Any,
            mean: Any,
            var: Any,
            weight: Any = None,
            bias: Any = None,
            training: bool = False,
            momentum: float = 0.1,
            eps: float = 1e-5,
        ) -> Any:
            total = sum(self.shares)
            if not training or len(self.shares) < 2 or input.shape[0] % total:
                return batch_norm(input, mean, var, weight, bias, training, momentum, eps)
            parts = input.split([share * (input.shape[0] // total) for share in self.shares])
            statistics = [(mean, var)] + [(mean.clone(), var.clone()) for _ in parts[1:]]
            return torch.cat(
                [
                    batch_norm(part, *of_part, weight, bias, training, momentum, eps)
                    for part, of_part in zip(parts, statistics, strict=True)
                ]
            )

        functional.batch_norm = split

    # Files

    def _observe_saves(self) -> None:
        save = torch.save

        def observed(obj: Any, f: Any, *args: Any, **kwargs: Any) -> None:
            save(obj, f, *args, **kwargs)
            if isinstance(f, (str, os.PathLike)):
                self._wrote(os.fspath(f))
                path = os.path.relpath(os.path.realpath(f), self.where)
                self.record.saves.append(Saved(path, type(obj).__name__, flattened(obj)))

        torch.save = observed

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], (str, bytes)):
            writing = args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) if isinstance(args[2], int) else False
            if writing:
                self._wrote(os.fsdecode(args[0]))
        elif event == "os.mkdir" and isinstance(args[0], (str, bytes)):
            if sys._getframe(1).f_locals.get("exist_ok"):
                return  # asked for by as many processes as like to
            self._wrote(os.fsdecode(args[0]), "/")

    def _wrote(self, path: str, end: str = "") -> None:
        relative = os.path.relpath(os.path.realpath(path), self.where)
        if not relative.startswith("..") and relative + end not in self.record.writes:
            self.record.writes.append(relative + end)


def seed_everything(seed: int) -> None:
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)


def run(
    folder: Path,
    script: str,
    arguments: Sequence[str],
    *,
    rank: int,
    size: int,
    seed: int = 20_000,
    replay: Replay | None = None,
) -> None:
    """Run a script as ``__main__`` and write its record, however it ends."""
    probe = Probe(folder / f"rank{rank}", rank, size, replay)
    sys.argv = [script, *arguments]
    sys.path[0] = str(Path(script).resolve().parent)
    sys.dont_write_bytecode = True
    seed_everything(seed + rank)
    probe.install()
    error = ""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        error = "" if end.code in (None, 0) else f"exit status {end.code}"
        raise
    except BaseException:
        error = traceback.format_exc()
        raise
    finally:
        probe.write(error)


def main(arguments: Sequence[str]) -> None:
    """What a launcher starts: rank and size come from the launcher's environment."""
    environment = os.environ
    rank = int(environment.get("RANK", environment.get("HOROVOD_RANK", "0")))
    size = int(environment.get("WORLD_SIZE", environment.get("HOROVOD_SIZE", "1")))
    run(
        Path(arguments[0]),
        arguments[1],
        arguments[2:],
        rank=rank,
        size=size,
        seed=int(environment.get("PARITY_SEED", "20000")),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
