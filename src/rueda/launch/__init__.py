"""Starting a program on several processes: a launch is a value first (:class:`LaunchPlan`), then :func:`run`."""

from rueda.launch.launchers import LAUNCHERS, Job, Launcher, alone, launcher_named
from rueda.launch.plan import LaunchPlan
from rueda.launch.process import run
from rueda.launch.program import write_program

__all__ = ["LAUNCHERS", "Job", "LaunchPlan", "Launcher", "alone", "launcher_named", "run", "write_program"]
