"""The target interface: how each idea of data-parallel training is spelt by one engine.

A target is one file in the folder of the frontend it serves (``targets/<frontend>``) that defines a subclass of
``Target``; it is found by itself. What every engine has stands here, what the training loops of one framework need in
the ``_base.py`` of its folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from corro.classes import dataclass

if TYPE_CHECKING:
    from corro.source import Import
    from corro.targets.naming import Library


class Started(Enum):
    """Who starts what trains: a launcher, one process for each rank, or the program, which drives all devices."""

    BY_LAUNCHER = "launcher"
    BY_PROGRAM = "program"


class Batches(Enum):
    """Who gives each process or device its shard of a batch: the program, by what is written into it, or the engine."""

    SHARED_BY_PROGRAM = "program"
    SHARED_BY_ENGINE = "engine"


@dataclass(frozen=True)
class Exchange:
    """How processes exchange gradients.

    Args:
        compression: the type that gradients are sent as, one of ``COMPRESSIONS``; empty for their own.
        bucket_mb: so many MiB of gradients are sent at a time, at most; 0 for what the engine takes by itself.
    """

    compression: str = ""
    bucket_mb: int = 0


USUAL = Exchange()
"""As the engine does it by itself."""
COMPRESSIONS = ("bf16", "fp16")
"""16 bits for each number: bfloat16, or IEEE half precision, which is finer and overflows from 65,504 on."""
ON_GPUS = frozenset({"bf16"})
"""What PyTorch sends by NCCL only."""


@dataclass(frozen=True)
class Code:
    r"""Statements (one a line, ``\\n`` between) and the imports they need."""

    text: str
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True)
class Calls:
    """How an engine shows in the text of a program: independent checks look for its calls by name.

    Args:
        modules: how the dotted names begin of what belongs to it: its modules, or the class of an object it works by.
        collectives: its functions and methods that wait for all processes.
        ranks: its functions, methods and attributes that tell processes apart.
        start: its function that comes before all others.
    """

    modules: tuple[str, ...]
    collectives: frozenset[str] = frozenset()
    ranks: frozenset[str] = frozenset()
    start: str = ""


@dataclass(frozen=True)
class Installation:
    """What has to be installed for programs to run, and how to ask whether it works.

    Args:
        title: the engine's name in prose.
        modules: its top packages; without any of them the engine is missing.
        probe: Python that fails unless the engine works: see ``engines.health.Engine``.
        advice: how to get it.
    """

    title: str
    modules: tuple[str, ...]
    probe: str
    advice: str


@dataclass(frozen=True)
class Target(ABC):
    """One engine, spelt with the names that are free in one script.

    What it can do is said by values, which rules ask; they ask for no target's name or class.

    Args:
        alias: the name the engine's module has in the script (``dist``, ``hvd``).
        library: what modules are called in the script.
        exchange: how gradients are exchanged, where the engine can be told.
    """

    alias: str
    library: Library
    exchange: Exchange = USUAL

    name: ClassVar[str]
    title: ClassVar[str]
    module: ClassVar[str]
    default_alias: ClassVar[str]
    launcher: ClassVar[str]
    notebook_command: ClassVar[str] = ""
    """What starts a notebook on N processes; ``{}`` is its file."""
    calls: ClassVar[Calls]
    installation: ClassVar[Installation]

    started: ClassVar[Started] = Started.BY_PROGRAM
    """Under ``BY_LAUNCHER``, it is a ``RankedTarget``."""
    forward_communicates: ClassVar[bool] = False
    """Whether a forward pass waits for all processes, so that none may make more of them than another."""
    batches: ClassVar[Batches] = Batches.SHARED_BY_ENGINE
    syncs_batchnorm: ClassVar[bool] = False
    """Whether a model can be converted to batch normalisation over the global batch."""

    shares_unevenly: ClassVar[bool] = False
    """Whether a process may have fewer samples of a batch than another one, with gradients weighed accordingly."""

    compressions: ClassVar[tuple[str, ...]] = ()
    """The types of ``COMPRESSIONS`` that gradients can be sent as."""
    sizes_buckets: ClassVar[bool] = False
    """Whether it can be said how much is sent at a time."""

    @classmethod
    def can_exchange(cls, exchange: Exchange) -> bool:
        """Whether the engine can be told to exchange gradients so."""
        return exchange.compression in ("", *cls.compressions) and (cls.sizes_buckets or not exchange.bucket_mb)

    @property
    def made_at_start(self) -> str:
        """The name of an object that the script makes at its start, and that project modules lack; empty for none."""
        return ""

    @classmethod
    def spelt(cls, library: Library, exchange: Exchange = USUAL) -> Target:
        """The target with the names that are free in a script."""
        return cls(library.name(cls.module, cls.default_alias), library, exchange)

    @property
    def engine(self) -> Import:
        """The import of the engine's module."""
        return self.library.imports(self.module, self.default_alias)


@dataclass(frozen=True)
class RankedTarget(Target):
    """An engine under which every process runs the whole script and knows its rank."""

    started = Started.BY_LAUNCHER

    @property
    @abstractmethod
    def rank(self) -> str:
        """An expression: this process's rank."""

    @property
    @abstractmethod
    def world_size(self) -> str:
        """An expression: the number of processes."""

    @property
    def is_first(self) -> str:
        """An expression: true on rank 0."""
        return f"{self.rank} == 0"

    @property
    def is_other(self) -> str:
        """An expression: true on all ranks but 0."""
        return f"{self.rank} != 0"

    @property
    @abstractmethod
    def barrier(self) -> str:
        """A statement: wait for all processes."""
