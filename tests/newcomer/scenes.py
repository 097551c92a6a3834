"""What a new user does: the scenes, each of some commands in a folder with some files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from newcomer.terminal import CTRL_C

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
SCRIPTS = HERE / "scripts"


@dataclass(frozen=True)
class Typed:
    """A command.

    Args:
        command: as it is typed.
        until: what the screen has to show, as a pattern, before the key is pressed.
        key: what is pressed then; the screen of that moment is kept, too.
    """

    command: str
    until: str = ""
    key: bytes = b""


@dataclass(frozen=True)
class Scene:
    """Commands, one after the other.

    Args:
        name: of the file that has the screen.
        files: what lies in the current folder; a folder of examples lies there as a whole.
        typed: the commands.
        trains: whether processes that train are started: numbers vary, and it takes seconds.
    """

    name: str
    files: tuple[Path, ...]
    typed: tuple[Typed, ...]
    trains: bool = False


def _scene(name: str, files: str, *typed: str | Typed, trains: bool = False) -> Scene:
    """A scene, with the names of scripts; the table below is read as it stands."""
    lying = tuple(next(folder for folder in (SCRIPTS, EXAMPLES) if (folder / file).exists()) / file
                  for file in files.split())  # fmt: skip
    return Scene(name, lying, tuple(Typed(each) if isinstance(each, str) else each for each in typed), trains)


SCENES = (
    _scene("first_page", "", "corro"),
    _scene("help", "", "corro --help"),
    _scene("mistyped", "moons.py", "corro complie moons.py", "corro moons.py", "corro run moons.py -n 2 --epochs 3",
           "corro compile moons.py --to dpp", "corro run moons.py", "corro verify moons.py -n two"),
    _scene("missing_file", "moons.py", "corro compile mons.py", "corro run train.py -n 2"),
    _scene("explain", "", "corro explain train-loader"),
    _scene("refused", "refused.py", "corro compile refused.py"),
    _scene("compile_keras", "keras/digits_cnn.py", "corro compile digits_cnn.py"),
    _scene("already_distributed", "moons.py", "corro compile moons.py", "corro compile moons_ddp.py"),
    _scene("demo", "pytorch", "corro run pytorch/digits_cnn.py -n 2", trains=True),
    _scene("own_script", "moons.py", "corro compile moons.py", "corro run moons.py -n 2", trains=True),
    _scene("verify", "moons.py", "corro verify moons.py -n 2", trains=True),
    _scene("verify_on_its_way", "patient.py",
           Typed("corro verify patient.py -n 2", until=r"\d+% step [1-9]\d*", key=CTRL_C), trains=True),
    _scene("interrupted", "patient.py",
           Typed("corro run patient.py -n 2", until=r"^training$", key=CTRL_C), trains=True),
    _scene("crash", "corrupt.py", "corro run corrupt.py -n 2", trains=True),
    _scene("three_processes", "moons.py pytorch", "corro run pytorch/digits_cnn.py -n 3", "corro run moons.py -n 3",
           "corro verify moons.py -n 3"),
    _scene("three_processes_late", "moons.py", "corro verify moons.py -n 3 -- --batch-size 32", trains=True),
    _scene("notebook", "notebooks/digits.ipynb", "corro compile digits.ipynb", "corro run digits.ipynb -n 2",
           trains=True),
)  # fmt: skip
