"""Makes the tables of ``docs/support.md`` that the targets know themselves, between its markers: ``make docs``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from corro.frontends import Frontend, frontends
from corro.launch.launchers import launcher_named
from corro.rules.base import find_rules
from corro.targets import get, names, served
from corro.writing import write_atomically

PAGE = Path(__file__).parents[1] / "docs" / "support.md"
_TABLE = re.compile(r"(<!-- begin (\w+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)


def filled(page: str) -> str:
    """The text of the page with its tables made anew."""
    return _TABLE.sub(lambda found: f"{found[1]}{_MAKERS[found[2]]()}{found[3]}", page)


def _frameworks() -> str:
    head = ("framework", "is recognised by", "`--to`", "default", "rules")
    return _rows(head, map(_framework, sorted(frontends(), key=lambda each: each.presence.TITLE.lower())))


def _framework(frontend: Frontend) -> tuple[str, ...]:
    presence = frontend.presence
    targets = ", ".join(f"`{name}`" for name in names(frontend.name))
    return (
        presence.TITLE,
        presence.SIGN,
        targets,
        f"`{presence.default_target(())}`",
        str(len(find_rules(frontend.name))),
    )


def _engines() -> str:
    return _rows(("`--to`", "engine", "how a program is started", "how to get the engine"), map(_engine, names()))


def _engine(name: str) -> tuple[str, ...]:
    target = get(name, served(name)[0])
    command, _, remark = launcher_named(target.launcher).command("PROGRAM").partition("  # ")
    started = f"`{command}`" + (f" ({remark})" if remark else "")
    return f"`{name}`", target.title, started, _installed(name)


def _installed(name: str) -> str:
    """How to get an engine; where that depends on the framework, for each."""
    titles: dict[str, list[str]] = {}
    for frontend in frontends():
        if frontend.name in served(name):
            advice = get(name, frontend.name).installation.advice
            titles.setdefault(advice, []).append(frontend.presence.TITLE)
    if len(titles) == 1:
        return next(iter(titles))
    return "; ".join(f"for {', '.join(framework)}: {advice}" for advice, framework in titles.items())


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_MAKERS: dict[str, Callable[[], str]] = {"engines": _engines, "frameworks": _frameworks}

if __name__ == "__main__":
    write_atomically(PAGE, filled(PAGE.read_text(encoding="utf-8")).encode())
