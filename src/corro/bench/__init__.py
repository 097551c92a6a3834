"""``corro bench``: a designed experiment on how fast a script trains sequentially and in parallel.

``design`` says which runs there are and in which order, ``prepare`` sees beforehand that each can be made, ``runs``
makes one in processes of its own, ``store`` keeps it the moment it ends, ``analysis`` compares, ``words`` concludes.
What needs pandas, SciPy or statsmodels is loaded when there is something to analyse.
"""

from __future__ import annotations

import importlib.util

from corro.errors import UsageError

NEEDS = ("pandas", "scipy", "statsmodels")
"""The modules that the extra ``bench`` brings."""


def must_have_libraries() -> None:
    """See that what analyses the runs is installed, before any is made.

    Raises:
        UsageError: it is not.
    """
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"corro bench needs {' and '.join(missing)}, not installed here.", advice='pip install "corro[bench]"'
        )
