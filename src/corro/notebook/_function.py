"""``launch``: a call in a cell, run on several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corro.compiler import Options
from corro.errors import UsageError
from corro.notebook._errors import said
from corro.notebook._launched import calls, plainly, spellings
from corro.notebook._text import Part

if TYPE_CHECKING:
    from types import FrameType

    from corro.notebook._session import Session


def launched(session: Session, frame: FrameType, processes: int, options: dict[str, Any]) -> Any:
    """The result of the call that a frame of a cell is at.

    Raises:
        Said: it is refused, or cannot be started.
        CellError: it failed.
    """
    current = session.current
    texts = [*(each.text for each in session.earlier), current.text]
    spelt = spellings(texts)
    try:
        found = list(calls(current.text, spelt))
    except UsageError as error:
        raise said(error) from None
    here = [each for each in found if each.first <= frame.f_lineno <= each.last]
    if frame.f_code.co_name != "<module>" or frame.f_globals is not session.shell.user_ns or not here:
        raise said(
            UsageError(
                "corro.notebook.launch is not called by a line of a cell.",
                advice="Call it by itself, in a cell without magics: result = launch(function, ..., processes=2)",
            )
        )
    call = here[0]
    name = "result_of_launch"
    while name in session.shell.user_ns or any(name in text for text in texts):
        name += "_"
    lines = plainly("\n".join(current.text.split("\n")[: call.first - 1]), spelt)
    own = [Part(current.number, lines), Part(current.number, f"{name} = {call.call}", call.first - 1)]
    session.run(Options(**options), processes, own, current, shown_as={name: "the result"})
    return session.shell.user_ns.pop(name, None)
