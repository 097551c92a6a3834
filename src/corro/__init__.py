"""Corro: a compiler from sequential training scripts to distributed ones.

``compile`` gives the program, ``plan`` what would be changed and why; neither writes a file or runs the script::

    import corro

    output = corro.compile("train.py", target="ddp")
    print(output.plan.outcome.value, len(output.plan.changes))
    if output.text is not None:
        print(output.text)

Importing this module imports nothing else: the compiler is loaded by the first call.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from corro.changes import Change, Finding, Level
    from corro.compiler import Options, Output
    from corro.errors import (
        CheckError,
        CompilationError,
        CorroError,
        ExecutionError,
        Place,
        SourceError,
        UsageError,
    )
    from corro.plan import Outcome, Plan
    from corro.source import SourceFile, Span, read_source
    from corro.verify import Verdict

__version__ = "0.1.0"

__all__ = [
    "Change",
    "CheckError",
    "CompilationError",
    "CorroError",
    "ExecutionError",
    "Finding",
    "Level",
    "Options",
    "Outcome",
    "Output",
    "Place",
    "Plan",
    "SourceError",
    "SourceFile",
    "Span",
    "UsageError",
    "Verdict",
    "__version__",
    "compile",
    "plan",
    "read_source",
    "verify",
]

_HOMES = {
    "corro.changes": ("Change", "Finding", "Level"),
    "corro.compiler": ("Options", "Output"),
    "corro.errors": (
        "CheckError", "CompilationError", "ExecutionError", "Place", "CorroError", "SourceError", "UsageError",
    ),
    "corro.plan": ("Outcome", "Plan"),
    "corro.source": ("SourceFile", "Span", "read_source"),
    "corro.verify": ("Verdict",),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def compile(
    script: str | Path | SourceFile,
    target: str = "",
    scaling: str = "strong",
    *,
    sync_batchnorm: bool = False,
    uneven: bool = False,
    compression: str = "",
    bucket_mb: int = 0,
    annotate: bool = False,
) -> Output:
    """Convert a script; nothing is written.

    Args:
        script: the path of a script, or its source.
        target: the engine, such as ``ddp`` or ``horovod``; empty for the default of the script's framework.
        scaling: ``strong`` keeps the global batch size, ``weak`` the batch size of each process.
        sync_batchnorm: batch normalisation over the global batch (on GPUs only).
        uneven: let the shares of a batch differ in size, and weigh each by its samples (PyTorch only).
        compression: the type that gradients are sent as, ``bf16`` or ``fp16``; empty for their own (PyTorch only).
        bucket_mb: send so many MiB of gradients at a time; 0 for what the engine takes by itself (PyTorch only).
        annotate: end inserted and changed lines with ``# corro: RULE``.

    Returns:
        The plan, and the text of the program: ``None`` unless ``plan.outcome`` is ``Outcome.CONVERTED``. A refusal is
        an outcome with findings, no exception.

    Raises:
        UsageError: no such file, target or scaling.
        SourceError: the file is no Python.
        CheckError: the output failed an independent check.
    """
    from corro.compiler import Options, compile_source  # noqa: PLC0415
    from corro.targets.base import Exchange  # noqa: PLC0415

    exchange = Exchange(compression, bucket_mb)
    options = Options(target, scaling, sync_batchnorm, annotate, uneven=uneven, exchange=exchange)
    return compile_source(_source(script), options)


def plan(
    script: str | Path | SourceFile,
    target: str = "",
    scaling: str = "strong",
    *,
    sync_batchnorm: bool = False,
    uneven: bool = False,
) -> Plan:
    """What is to be done to a script, and what is to be said about it; see ``compile``."""
    from corro.compiler import Options, make_plan  # noqa: PLC0415

    return make_plan(_source(script), Options(target, scaling, sync_batchnorm, uneven=uneven))


def verify(
    script: str | Path | SourceFile,
    processes: int,
    target: str = "",
    scaling: str = "strong",
    *,
    arguments: tuple[str, ...] = (),
    steps: int = 0,
    epochs: int = 0,
) -> Verdict:
    """Run a script sequentially and distributed, in a folder of links, and compare them.

    Args:
        script: the path of a script, or its source.
        processes: how many.
        target: the engine; empty for the default of the script's framework.
        scaling: ``strong`` or ``weak``.
        arguments: of the script.
        steps: end after so many optimizer steps; 0 for no limit.
        epochs: end after so many epochs; 0 for no limit.

    Raises:
        CompilationError: the script is not converted.
        ExecutionError: the engine is not installed.
        UsageError, SourceError, CheckError: as ``compile``.
    """
    from corro.compiler import Options, compile_source  # noqa: PLC0415
    from corro.verify import check, subject_of  # noqa: PLC0415

    output = compile_source(_source(script), Options(target, scaling))
    return check(subject_of(output, processes, arguments, steps=steps, epochs=epochs))


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext corro`` in a notebook; see ``corro.notebook``."""
    import_module("corro.notebook").load_ipython_extension(shell)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext corro``."""
    import_module("corro.notebook").unload_ipython_extension(shell)


def _source(script: str | Path | SourceFile) -> SourceFile:
    from corro.source import SourceFile, read_source  # noqa: PLC0415

    return script if isinstance(script, SourceFile) else read_source(script)


def __getattr__(name: str) -> Any:
    """The public types, imported when they are asked for."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """This package: a function keeps its name when the module of that name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("plan", "verify") or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
