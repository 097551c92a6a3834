"""``corro report``: what was measured and verified of scripts, as one page.

``found`` reads the files that other commands leave, ``changes`` compiles the script for what would be changed and why,
``chapters`` says all of it as sections of sentences, tables and figures, ``figures`` draws, and ``pages`` writes:
HTML with everything in it, Markdown with its images beside it, JSON and CSV.
"""

from __future__ import annotations

import importlib.util

from corro.errors import UsageError

NEEDS = ("altair", "jinja2", "pandas", "scipy", "statsmodels", "vl_convert")
"""The modules that the extra ``bench`` brings."""


def must_have_libraries() -> None:
    """See that what draws and analyses is installed.

    Raises:
        UsageError: it is not.
    """
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"corro report needs {' and '.join(missing)}, not installed here.", advice='pip install "corro[bench]"'
        )
