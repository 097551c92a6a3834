"""Files as sources: a notebook by its name, else a script."""

from __future__ import annotations

from pathlib import Path

from corro.errors import UsageError
from corro.source.file import SourceFile

_NAMED = 5
"""How many scripts are named where one is missing."""


def read_source(path: str | Path) -> SourceFile:
    """Read a script or a notebook.

    Raises:
        UsageError: there is no such file, or it cannot be read.
        SourceError: it is no text, too large for a script, or no notebook of format 4 with Python code.
    """
    path = Path(path)
    data = _read_bytes(path)
    if path.suffix == ".ipynb":
        from corro.source.notebook import NotebookFile  # noqa: PLC0415 - it needs json, which scripts do not

        return NotebookFile.from_bytes(data, path)
    return SourceFile.from_bytes(data, path)


def no_file(path: Path) -> UsageError:
    """What is said of a script that is not there: which ones are."""
    from difflib import get_close_matches  # noqa: PLC0415 - not on the way of a script that is there

    folder = path.parent
    if not folder.is_dir():
        return UsageError(f"there is no file {path}.", advice=f"There is no folder {folder} either.")
    try:
        scripts = sorted(each.name for each in folder.iterdir() if each.suffix in {".py", ".ipynb"})
    except OSError:
        scripts = []
    alike = get_close_matches(path.stem, [Path(name).stem for name in scripts], n=1, cutoff=0.75)
    near = [name for name in scripts if Path(name).stem in alike]
    some = [str(folder / name) for name in near or scripts[:_NAMED]]
    if near:
        return UsageError(f"there is no file {path}.", advice=f"Did you mean {some[0]}?")
    end = ", ..." if len(scripts) > _NAMED else "."
    return UsageError(f"there is no file {path}.", advice=f"Scripts there: {', '.join(some)}{end}" if some else "")


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a directory.", advice="Name the script.") from error
    except FileNotFoundError as error:
        raise no_file(path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path} cannot be read: {reason}.") from error
