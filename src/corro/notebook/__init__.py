"""Training on several processes from within a notebook.

In Jupyter, Colab or VS Code::

    %load_ext corro

and then, over the cell that trains::

    %%distribute -n 2 --to ddp

or, for a function::

    from corro.notebook import launch
    history = launch(train, model, epochs=3, processes=2)

The processes start afresh and run the notebook's cells so far, converted; weights and values come back into the kernel.
IPython is imported only here, by those who have it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from corro.notebook._session import Session

__all__ = ["launch", "load_ipython_extension", "unload_ipython_extension"]

_sessions: list[Session] = []


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext corro``."""
    from corro.notebook._magic import Distribute  # noqa: PLC0415
    from corro.notebook._session import Session  # noqa: PLC0415

    unload_ipython_extension(shell)
    session = Session(shell)
    shell.events.register("pre_run_cell", session.before_cell)
    shell.events.register("post_run_cell", session.after_cell)
    shell.register_magic_function(Distribute(session).__call__, "cell", "distribute")
    _sessions.append(session)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext corro``."""
    while _sessions:
        session = _sessions.pop()
        shell.events.unregister("pre_run_cell", session.before_cell)
        shell.events.unregister("post_run_cell", session.after_cell)


def launch(
    function: Callable[..., Any],
    *arguments: Any,
    processes: int,
    to: str = "",
    scaling: str = "strong",
    assume: bool = False,
    **keywords: Any,
) -> Any:
    """Call a function of the notebook on several processes, converted, and give what it returns.

    The processes start afresh: they run the cells so far, what stands above the call in its cell, and the call. So
    what the function needs is made by the cells, and arguments are passed on as they are written. Weights that it
    trains come back into the objects of the kernel.

    Args:
        function: it trains; defined in a cell or a module.
        arguments: its arguments.
        processes: how many.
        to: the engine, such as ``ddp`` or ``horovod``; empty for the default of the framework.
        scaling: ``strong`` or ``weak``.
        assume: take as given what the text does not show; see ``corro verify``.
        keywords: its arguments by name.

    Raises:
        CorroError: the cells are refused, or the call failed.
    """
    from corro.notebook._function import launched  # noqa: PLC0415

    frame = sys._getframe(1)
    if not _sessions:
        load_ipython_extension(_shell())
    options = {"target": to, "scaling": scaling, "assume": assume}
    return launched(_sessions[-1], frame, processes, options)


def _shell() -> Any:
    from corro.errors import UsageError  # noqa: PLC0415

    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        raise UsageError(
            "corro.notebook.launch is for notebooks, and this is none.", advice="Start a script with: corro run"
        )
    return shell
