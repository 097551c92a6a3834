"""The pages of the rules: what each says of itself in its docstring, for ``corro explain`` and ``docs/rules.md``."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.frontends import frontends
from corro.rules.base import find_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.rules.base import Rule

SECTIONS = ("Why", "Before", "After", "Source")
_HEADING = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)

# Said before any rule is asked, by the frontends.
_ALREADY_DISTRIBUTED = """Leave a script alone that is distributed already.

Why
---
Distributing a program twice shares each batch out twice and averages averages. A script that uses
``torch.distributed``, Horovod, Lightning, Accelerate, DeepSpeed or the like is recognised by its imports and said to be
distributed already; nothing is written. So Corro's own output, converted again, stays as it is.

Before
------
::

    import torch.distributed as dist

After
-----
::

    import torch.distributed as dist

Source
------
The launchers and wrappers that these libraries document.
"""

_NOTEBOOK = """Read the magics and shell lines of a notebook, and say which of them a script cannot have.

Why
---
A notebook is one process; what trains on several is the script made of its cells. There a shell line is a command,
which happens once, ``%cd`` and ``%env`` are Python, and what only matters in Jupyter is a comment. Magics that bring
in names, such as ``%run``, are refused, for nothing is known of these names. In a notebook that is written everything
stays as it was.

Before
------
::

    # %matplotlib inline
    # !wget -q {url}

After
-----
::

    # Jupyter: %matplotlib inline
    if dist.get_rank() == 0:
        subprocess.run(f"wget -q {url}", shell=True)  # Jupyter: !wget -q {url}
    dist.barrier()

Source
------
IPython, ``IPython.core.inputtransformer2`` (what is a magic, and where); the percent format of jupytext.
"""

_TOO_LARGE = """Refuse a script that is not followed to its end.

Why
---
Functions are followed at each of their calls, loops to a fixed point and all branches, so a script that imports many
models and chooses one as it runs takes as much as all of them together. What was not followed could be what makes a
conversion wrong. So there is a number of steps (statements run, expressions evaluated) that no script may exceed. They
are counted and not timed: a script has the same outcome on each machine.

Before
------
::

    model = {"resnet": resnet, "densenet": densenet}[name]()  # and hundreds more

After
-----
::

    refused: the script is too large to be followed: 2,000,000 steps, which followed 900 functions 81,000 times in 7
    readings, did not come to its end. This function is what was followed most often: 20,000 times.

Source
------
Measured on public scripts: ``docs/design.md``, *Kinds*.
"""


@dataclass(frozen=True)
class Page:
    """What is to be said of one rule.

    Args:
        name: what findings, changes and annotations call it.
        frontend: the framework it is for, empty when for several.
        title: what it does, one sentence.
        sections: their texts by heading, in reStructuredText as in the docstring.
    """

    name: str
    frontend: str
    title: str
    sections: dict[str, str]


def pages() -> tuple[Page, ...]:
    """The pages of all rules, by frontend and name."""
    return tuple(sorted(_pages(), key=lambda page: (page.frontend, page.name)))


def _pages() -> Iterator[Page]:
    yield _page("already-distributed", "", _ALREADY_DISTRIBUTED)
    yield _page("notebook", "", _NOTEBOOK)
    yield _page("too-large", "", _TOO_LARGE)
    of_rules: dict[Rule, list[str]] = {}
    for frontend in frontends():
        for rule in find_rules(frontend.name):
            of_rules.setdefault(rule, []).append(frontend.name)
    for rule, names in of_rules.items():
        yield _page(rule.NAME, names[0] if len(names) == 1 else "", rule.__doc__ or "")


def _page(name: str, frontend: str, docstring: str) -> Page:
    title, *parts = _HEADING.split(inspect.cleandoc(docstring))
    texts = (text.strip() for text in parts[1::2])
    return Page(name, frontend, " ".join(title.split()), dict(zip(parts[::2], texts, strict=True)))


# ---------------------------------------------------------------------- Markdown

_HEAD = """# Rules

One page for each rule, made from the rules themselves (`make docs`). `corro explain RULE` shows the same in a terminal;
`corro compile --annotate` ends each line it writes with the name of the rule that wrote it.

The examples show the target `ddp`, and of each program only the part that the rule is about.
"""


def markdown(all_pages: Sequence[Page]) -> str:
    """All pages as one Markdown document."""
    listed = "\n".join(f"- [{page.name}](#{page.name}): {_inline(page.title)}" for page in all_pages)
    return "\n".join([_HEAD, f"{listed}\n", *(_markdown_page(page) for page in all_pages)])


def _markdown_page(page: Page) -> str:
    parts = [f"## {page.name}", _inline(page.title)]
    for heading in page.sections:
        parts += [f"**{heading}**", _markdown_text(page.sections[heading])]
    return "\n\n".join(parts) + "\n"


def _markdown_text(text: str) -> str:
    """Paragraphs as they are, the blocks after ``::`` as Python."""
    return "\n\n".join(_fenced(part) if is_code else _inline(part) for is_code, part in blocks(text))


def _fenced(code: str) -> str:
    language = "text" if code.startswith("refused") else "python"
    return f"```{language}\n{code}\n```"


def blocks(text: str) -> Iterator[tuple[bool, str]]:
    """The paragraphs of a section and its literal blocks, which are marked true and have lost their indentation."""
    for part in re.split(r"\n\n(?=\S)", text):
        head, mark, code = part.partition("::\n\n")
        if not mark:
            yield False, part
            continue
        if head.strip():
            yield False, f"{head.rstrip()}:"
        yield True, inspect.cleandoc(f"\n{code}")


def _inline(text: str) -> str:
    return text.replace("``", "`")
