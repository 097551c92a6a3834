"""What observes a program from inside its process, without changing it. Runs where the program runs, and only there.

``watch`` is called by the bootstrap of a launched program. What every framework shares is in this folder; a
subpackage holds the hooks of one framework and is imported by its name.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType

from corro.verify.probe import decisions, files, listings, observing, output
from corro.verify.probe.session import Session, Stop
from corro.verify.settings import VARIABLE, Settings

Transform = Callable[[bytes, str], ast.Module]


def watch(run: Callable[[CodeType], None], transform_by: Callable[[Transform], None]) -> None:
    """Run a program under observation and leave its record, however it ends.

    Args:
        run: takes the program's code and runs it as the bootstrap would.
        transform_by: takes what makes a tree of the text and the name of a file that is loaded for a project module.
    """
    session = Session(Settings.read(Path(os.environ[VARIABLE])))
    hooks = importlib.import_module(f"{__name__}.{session.settings.hooks}")
    program, observes = Path(session.settings.program), session.settings.observes

    def watched(text: bytes, name: str) -> ast.Module:
        tree = ast.parse(text, filename=name)
        return decisions.watched(observing.watched(tree, session, name) if observes else tree, session, name)

    tree = watched(program.read_bytes(), str(program))
    transform_by(watched)
    files.install(session)
    hooks.install(session)
    listings.install()
    output.install(session)
    try:
        run(compile(tree, str(program), "exec", dont_inherit=True))
    except Stop as stop:
        session.record.stopped, session.record.unseen = True, str(stop)
    except SystemExit as end:
        session.record.status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            session.record.error = end.code
        raise
    except BaseException as error:
        session.record.error, session.record.line = traceback.format_exc(), session.line_of(error.__traceback__)
        raise
    finally:
        session.finish()
    if session.record.stopped:  # the program is in the middle of its work: nothing of it can end in order
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
