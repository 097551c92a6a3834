"""A launch as a value: what would be started, where, and with what environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corro.classes import dataclass, field


@dataclass(frozen=True)
class LaunchPlan:
    """One command that starts all processes of a run on this machine.

    Args:
        command: the launcher, its options, the program and the program's arguments.
        environment: what is added to the environment of the caller.
        without: what is taken out of it.
        directory: the working directory of every process.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: Path = field(default_factory=Path.cwd)
    without: tuple[str, ...] = ()

    def describe(self) -> str:
        """The launch as one line that a shell takes."""
        import shlex  # noqa: PLC0415

        prefix = "" if self.directory == Path.cwd() else f"cd {shlex.quote(str(self.directory))} && "
        removed = "".join(f"-u {name} " for name in self.without)
        added = "".join(f"{name}={shlex.quote(value)} " for name, value in self.environment.items())
        return prefix + (f"env {removed}" if removed else "") + added + shlex.join(self.command)
