"""Which parts of a batch have other rows than one for each sample, by the text of the ``collate_fn``."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from corro.frontends.pytorch.collating import parts_with_other_rows

FOR_EACH = "for x, y in batch:\n"


def read(body: str, returned: str) -> frozenset[object] | None:
    (function,) = ast.parse(f"def collate(batch):\n{indent(body, '    ')}\n    return {returned}").body
    assert isinstance(function, ast.FunctionDef)
    return parts_with_other_rows(function)


@pytest.mark.parametrize(
    "body",
    [
        "a, b = zip(*batch)",
        "a = [x for x, _ in batch]\nb = [y + [0 for _ in y if _] for _, y in batch]",
        f"a, b = [], []\n{FOR_EACH}    a.append(x)\n    b += [y]",
        f"a, b = [], []\n{FOR_EACH}    own = []\n    for word in x:\n        own.append(word)\n    a.append(own)",
        f"a, b = [], []\n{FOR_EACH}    if y:\n        a.append(x)\n    else:\n        a.append(-x)\n    b.append(y)",
        f"a, b = [], []\n{FOR_EACH}    a.append(x)\n    if training:\n        b.append(y)",
        "a, b = [], []\nfor other in others:\n    a.append(other)",
    ],
)
def test_one_row_of_each_sample(body: str) -> None:
    assert read(body, "torch.stack(a), torch.stack(b)") == frozenset()


@pytest.mark.parametrize(
    ("body", "others"),
    [
        (f"a, b = [], []\n{FOR_EACH}    for word in x:\n        a.append(word)\n    b.append(y)", {0}),
        (f"a, b = [], []\n{FOR_EACH}    a.append(x)\n    b.extend(y)", {1}),
        (f"a, b = [], []\n{FOR_EACH}    a += x\n    b.append(y)", {0}),
        (f"a, b = [], []\n{FOR_EACH}    a.append(x)\n    if y:\n        b.append(y)", {1}),
        (f"a, b = [], []\n{FOR_EACH}    if not y:\n        continue\n    a.append(x)\n    b.append(y)", {0, 1}),
        (f"a, b = [], []\n{FOR_EACH}    try:\n        a.append(read(x))\n    except OSError:\n        pass", {0}),
        ("a = [word for x, _ in batch for word in x]\nb = [y for _, y in batch]", {0}),
        ("batch = [each for each in batch if each]\na, b = zip(*batch)", {0, 1}),
        ("batch = list(filter(None, batch))\na, b = zip(*batch)", {0, 1}),
        (f"c, b = [], []\n{FOR_EACH}    c.extend(x)\n    b.append(y)\na = torch.tensor(c)", {0}),
    ],
)
def test_other_rows(body: str, others: set[object]) -> None:
    assert read(body, "torch.stack(a), torch.stack(b)") == frozenset(others)


def test_parts_have_keys_and_one_thing_is_all() -> None:
    body = f"a, b = [], []\n{FOR_EACH}    a.extend(x)\n    b.append(y)"
    assert read(body, "{'words': torch.tensor(a), 'label': torch.tensor(b)}") == frozenset({"words"})
    assert read(body, "default_collate(a)") is None
    assert read(body, "default_collate(b)") == frozenset()
