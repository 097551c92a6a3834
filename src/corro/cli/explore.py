"""``corro explore``: a page that shows a script beside its distributed program."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import click

from corro.cli._terminal import echo
from corro.errors import ExecutionError, UsageError

_EPILOG = """
\b
Examples:
  corro explore              an empty page: paste a script, or drop a file on it
  corro explore train.py     starts with a script; its project modules are found around it
  corro explore train.ipynb  starts with a notebook; other files can be dropped on the page, too

The page is served to this machine alone. Scripts are read, never run, and nothing leaves the machine. Ctrl-C ends it.
It needs: pip install 'corro[explore]'
"""


@click.command("explore", epilog=_EPILOG)
@click.argument("script", required=False, type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; without it, one that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def command(script: Path | None, port: int, no_browser: bool) -> None:
    """Show SCRIPT beside its distributed program, in the browser: changes, reasons, findings and placements."""
    if script is not None and not script.is_file():
        raise UsageError(f"{script}: there is no such file.")
    try:
        import uvicorn

        from corro.explore.server import application
    except ModuleNotFoundError as error:
        raise ExecutionError(
            f"the explorer needs {error.name}, which is not installed.", advice="Type: pip install 'corro[explore]'"
        ) from error
    config = uvicorn.Config(application(script), host="127.0.0.1", port=port, log_level="warning")
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    echo(f"Open {address} (Ctrl-C ends it)", sys.stdout)
    if not no_browser:
        import webbrowser

        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[listening])
