"""How a converted program is started by hand."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from corro import targets
from corro.launch.launchers import launcher_named, launcher_of

if TYPE_CHECKING:
    from pathlib import Path

    from corro.compiler import Output
    from corro.launch.launchers import Launcher


def how_to_start(output: Output, path: Path) -> str:
    """The line that says with which command a program of one file is started."""
    return f"start it: {launcher(output).command(shlex.quote(os.path.relpath(path)))}"


def launcher(output: Output) -> Launcher:
    """What starts the program."""
    return launcher_named(targets.get(output.plan.target, output.plan.frontend).launcher)


def how_to_start_distributed(output: Output) -> str:
    """What can be done with a script that is distributed already: starting it, and having it verified."""
    from corro.compiler import engine_of

    script = shlex.quote(str(output.source.path))
    found = launcher_of(engine_of(output.source))
    start = (
        f"start it: {found.command(script)}" if found else f"start it as its library says, often by: python {script}"
    )
    return (
        f"{start}\ncheck it: corro verify --reference SEQUENTIAL.py {script} -n 2, against the script it was made from"
    )
