"""Starting a program on several processes: a launch is a value first (:class:`LaunchPlan`), then :func:`run`."""

from corro.launch.launchers import LAUNCHERS, Launcher, Task, alone, launcher_named, launcher_of
from corro.launch.plan import LaunchPlan
from corro.launch.process import run
from corro.launch.program import generated_modules, write_program

__all__ = [
    "LAUNCHERS",
    "LaunchPlan",
    "Launcher",
    "Task",
    "alone",
    "generated_modules",
    "launcher_named",
    "launcher_of",
    "run",
    "write_program",
]
