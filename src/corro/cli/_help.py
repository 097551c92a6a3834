"""The page of ``corro --help``, made without loading a command or click."""

from __future__ import annotations

from pathlib import Path

from corro.found import modules

_ABOUT = """\
Usage: corro COMMAND [OPTIONS] [ARGS]...

  Turns a sequential training script into a distributed one, and starts it.

  The script stays as it is: the distributed program is a new file, or runs at
  once. What cannot be converted faithfully is refused, with the place, the
  reason and what to do.

Options:
  -V, --version  Show the version.
  -h, --help     Show this page; corro COMMAND --help shows that of a command.

Commands:
"""

_START = """
Start here:
  corro compile train.py --diff   what would be changed, and nothing else
  corro compile train.py          write train_ddp.py, and say how it is started
  corro run train.py -n 2         convert and train on two processes
  corro verify train.py -n 2      show that the same model is trained
  corro explain RULE              why a line was written
  corro doctor                    which engines are installed and work

Settings of a project stand in its pyproject.toml, under [tool.corro]; `corro
init` writes them. Completion for this shell: eval "$(corro completion bash)"
"""


def page() -> str:
    """The whole page."""
    names = commands()
    width = max(map(len, names))
    return _ABOUT + "".join(f"  {name:{width}}  {summary(name)}\n" for name in names) + _START


def commands() -> list[str]:
    """The names of all commands: the files of this folder."""
    return modules([str(Path(__file__).parent)])


def summary(command: str) -> str:
    """What a command does: the first line of its file, behind its name."""
    with Path(__file__).with_name(f"{command}.py").open(encoding="utf-8") as file:
        said = file.readline().rpartition("``: ")[2].strip().strip('"').rstrip(".")
    return said[:1].upper() + said[1:]


def version() -> str:
    """The line of ``corro --version``."""
    from corro import __version__

    return f"corro {__version__}"
