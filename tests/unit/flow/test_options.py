"""Arms that the defaults of a command line leave out: which they are, and what a program says where they are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.compiler import Options, compile_source
from corro.plan import Outcome
from corro.source import SourceFile

SCRIPT = """\
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
parser = argparse.ArgumentParser()
{declared}
{read}
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        loss = ((model(a) - b) ** 2).mean()
        {condition}
            loss = loss + eval("0")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
READ = "args = parser.parse_args()"
FLAG = 'parser.add_argument("--own", action="store_true")'


def compiled(declared: str, condition: str, read: str = READ, *, defaults: bool = True) -> tuple[Outcome, str]:
    text = SCRIPT.format(declared=declared, read=read, condition=condition)
    output = compile_source(SourceFile(Path("train.py"), text), Options("ddp", defaults=defaults))
    return output.plan.outcome, output.text or ""


@pytest.mark.parametrize(
    ("declared", "condition"),
    [
        (FLAG, "if args.own:"),
        (FLAG, "if args.own and epoch > 0:"),
        (FLAG, "if not (epoch == 0 or not args.own):"),
        ('parser.add_argument("--no-own", dest="own", action="store_false", default=False)', "if args.own:"),
        ('parser.add_argument("-o", "--own-term", type=str, default="")', "if args.own_term:"),
        ('parser.add_argument("--own", default=None)', "if args.own is not None:"),
        ('parser.add_argument("--own", type=float, default=-1)', "if args.own > 0:"),
        ('parser.add_argument("--own", default="l2")', 'if args.own in ("l1", "sum"):'),
        ('parser.add_argument("--own", default="l2")', 'if args.own == "l2":\n            pass\n        else:'),
        ('parser.add_argument("--own", default="l2")', 'if args.own == "l2":\n            pass\n        elif epoch:'),
    ],
)
def test_what_has_to_be_asked_for_is_left_out(declared: str, condition: str) -> None:
    outcome, text = compiled(declared, condition)
    assert outcome is Outcome.CONVERTED
    stop = text.index('raise SystemExit("this program is for the default of --')
    assert stop < text.index('eval("0")') < text.index("optimizer.zero_grad()", stop)
    assert compiled(declared, condition, defaults=False)[0] is Outcome.REFUSED


@pytest.mark.parametrize(
    ("declared", "condition", "read"),
    [
        (FLAG, "if not args.own:", READ),
        (FLAG, "if args.own or epoch > 0:", READ),
        (FLAG, "if epoch > 0:", READ),
        ('parser.add_argument("--own", action="store_true", default=torch.cuda.is_available())', "if args.own:", READ),
        ('parser.add_argument("--own", action="store_true", required=True)', "if args.own:", READ),
        ('parser.add_argument("own", default="")', "if args.own:", READ),
        ('parser.add_argument("--own", type=int, default="0")', "if args.own:", READ),
        (f'{FLAG}\nparser.add_argument("--other", dest="own", default=True)', "if args.own:", READ),
        (f"{FLAG}\nparser.set_defaults(own=True)", "if args.own:", READ),
        (FLAG, "if args.own:", 'args = parser.parse_args(["--own"])'),
        (FLAG, "if args.own:", f"{READ}\nargs.own = True"),
        (FLAG, "if args.own:", f'{READ}\nsetattr(args, "own", True)'),
        (FLAG, "if args.own:", f"{READ}\nvars(args).update(own=True)"),
    ],
)
def test_what_may_be_the_default_is_not(declared: str, condition: str, read: str) -> None:
    assert compiled(declared, condition, read)[0] is Outcome.REFUSED


def test_a_notebook_s_empty_command_line_is_one() -> None:
    assert compiled(FLAG, "if args.own:", "args = parser.parse_args([])")[0] is Outcome.CONVERTED


def test_no_more_is_left_out_than_is_needed() -> None:
    declared = f'{FLAG}\nparser.add_argument("--twice", action="store_true")'
    condition = "if args.twice:\n            loss = loss * 2\n        if args.own:"
    text = compiled(declared, condition)[1]
    assert text.count('raise SystemExit("this program is for') == 1
