"""Starts a script through ``corro.launch``: ``start.py LAUNCHER PROCESSES PROGRAM SCRIPT [ARGS]``. Run by tests."""

import sys
from pathlib import Path

from corro.launch import Task, launcher_named, run

launcher, processes, program, script, *arguments = sys.argv[1:]
plan = launcher_named(launcher).plan(Task(Path(program), script, tuple(arguments), int(processes)))
sys.exit(run(plan))
