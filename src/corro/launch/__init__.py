"""Starting a program on several processes: a launch is a value first (:class:`LaunchPlan`), then :func:`run`.

What starts processes is loaded when it is asked for: to say how a program is started takes none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corro.launch.launchers import LAUNCHERS as LAUNCHERS
    from corro.launch.launchers import Launcher as Launcher
    from corro.launch.launchers import Task as Task
    from corro.launch.launchers import alone as alone
    from corro.launch.launchers import launcher_named as launcher_named
    from corro.launch.launchers import launcher_of as launcher_of
    from corro.launch.plan import LaunchPlan as LaunchPlan
    from corro.launch.process import run as run
    from corro.launch.program import generated_modules as generated_modules
    from corro.launch.program import write_program as write_program

_HOMES = {
    "launchers": ("LAUNCHERS", "Launcher", "Task", "alone", "launcher_named", "launcher_of"),
    "plan": ("LaunchPlan",),
    "process": ("run",),
    "program": ("generated_modules", "write_program"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_HOME_OF)
