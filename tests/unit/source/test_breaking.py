"""Statements that are too long are broken where ``ruff format`` breaks them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corro.source.breaking import broken

LONG = "a_rather_long_name_of_a_tensor"
STATEMENTS = [
    f"totals = hvd.allreduce(torch.tensor([{LONG}, sum({LONG}) / len({LONG})], dtype=torch.float64), op=hvd.Sum)",
    f"loader = torch.utils.data.DataLoader(dataset={LONG}, batch_size=args.batch_size // dist.get_world_size(), a=1)",
    f"first, second, third = {LONG}[0].item() / dist.get_world_size(), int({LONG}[1]), np.float64({LONG}[2].item())",
    f"loaders = {{'train': DataLoader({LONG}, batch_size=40), 0: [DataLoader({LONG}, batch_sampler=(1, 2)), {LONG}]}}",
    f"history = fit(model, hvd.DistributedOptimizer(torch.optim.SGD({LONG}), named_parameters={LONG}({LONG})), n=8)",
    f"stats['train']['loss'] += {LONG}(one, two, *three, four=4, **dict({LONG}={LONG}, other={LONG}[1:2], and_a=1))",
    f"print('a string, with (brackets', {LONG}, {LONG}, {LONG}, {LONG}, end='')",
]


@pytest.mark.parametrize("indent", ["", "        "])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_as_ruff_breaks_it(statement: str, indent: str) -> None:
    head = "if a:\n    if b:\n" if indent else ""
    options = ["--line-length", "120", "--config", "format.quote-style = 'preserve'", "-"]
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", *options]
    expected = subprocess.run(ruff, input=head + indent + statement, capture_output=True, text=True, check=True).stdout
    assert head + indent + broken(statement, indent, "    ") + "\n" == expected


@pytest.mark.parametrize(
    "statement",
    [
        "x = 1",
        f"if {LONG} and {LONG} and {LONG} and {LONG} and {LONG}:",
        f"{LONG} = {LONG} + {LONG} + {LONG} + {LONG} + {LONG}",
        f"x = '{LONG}, {LONG}, {LONG}, {LONG}, {LONG}'",
        "shown = [" + "x" * 90 + "(labels.tolist()) for _, labels in batches if labels]",
    ],
)
def test_left_as_it_is(statement: str) -> None:
    assert broken(statement, "", "    ") == statement


def test_a_comment_stays_behind_the_statement() -> None:
    assert broken(f"x = f({LONG}, {LONG}, {LONG}, {LONG})  # why", "", "    ").endswith("\n)  # why")
