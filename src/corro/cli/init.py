"""``corro init``: write the settings of a project, after a look at this machine."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import click

from corro.cli import _options
from corro.cli._machine import good_number
from corro.cli._settings import AUTO, FILE, settings_in
from corro.errors import UsageError
from corro.writing import write_atomically

_EPILOG = """
\b
Examples:
  corro init             asks for the number of processes, and proposes one
  corro init -n auto     asks nothing: on each machine as many as are good for it

\b
What may stand in the table [tool.corro] of pyproject.toml:
  target = "ddp"           as --to
  scaling = "strong"       as --scaling
  processes = "auto"       as -n
  steps = 50               as corro verify --steps
  assume = false           as --assume
  annotate = false         as --annotate
  sync-batchnorm = false   as --sync-batchnorm
  uneven = false           as --uneven
  compression = "bf16"     as --compression
  bucket-mb = 10           as --bucket-mb

The command line goes before it.
"""

_FRAMEWORKS = {"torch": "PyTorch", "tensorflow": "TensorFlow", "keras": "Keras", "horovod": "Horovod"}
_TABLE = """\
[tool.corro]
processes = {processes}
# target = "ddp"       # without it, the engine that suits the framework of the script
# scaling = "strong"   # the global batch is kept; "weak": it grows with the processes
"""


@click.command("init", epilog=_EPILOG)
@_options.processes
def command(processes: int | str | None) -> None:
    """Write the table [tool.corro] into the pyproject.toml of the current folder.

    Where the number of processes is not given, it is asked for: the one question there is. What is not answered, or
    asked where nobody can answer, is what suits this machine.
    """
    path = Path(FILE)
    content = path.read_bytes() if path.exists() else b""
    if settings_in(path) is not None:
        raise UsageError(f"{FILE} has a table [tool.corro].", advice="Change it there.")
    number, why = good_number()
    found = [title for module, title in _FRAMEWORKS.items() if importlib.util.find_spec(module) is not None]
    click.echo(f"This machine has {why.removeprefix('no GPU was found, and ')}; {_listed(found)} installed.", err=True)
    chosen = processes or _asked(number)
    table = _TABLE.format(processes=f'"{AUTO}"' if chosen == AUTO else chosen)
    gap = b"" if not content else b"\n" if content.endswith(b"\n") else b"\n\n"
    write_atomically(path, content + gap + table.encode(), like=path if content else None)
    click.echo(f"wrote [tool.corro] into {FILE}: corro run train.py needs no -n here now.", err=True)


def _asked(number: int) -> int | str:
    """The answer to the question, or what is proposed."""
    if not sys.stdin.isatty():
        return number
    answer: int | str = click.prompt(
        "On how many processes do you train", str(number), type=_options.Number(), err=True
    )
    return answer


def _listed(found: list[str]) -> str:
    if not found:
        return "no framework is"
    return found[0] + " is" if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]} are"
