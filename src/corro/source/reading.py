"""Files as sources: a notebook by its name, else a script."""

from __future__ import annotations

from pathlib import Path

from corro.errors import UsageError
from corro.source.file import SourceFile


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


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a directory.", advice="Name the script.") from error
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {path}.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path} cannot be read: {reason}.") from error
