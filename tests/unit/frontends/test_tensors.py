"""What is said of tensor expressions, against PyTorch itself: the same expression on each rank's part and on all.

A sum over ranks, a mean over ranks, an equal value: what the analysis claims has to be so. ``UNKNOWN`` claims nothing.
"""

from __future__ import annotations

import textwrap
from functools import cache

import pytest
import torch
from torch.nn import functional as F

from corro.anatomy.placement import Form
from unit.flow.interpreting import train

RANKS, PART, FEATURES = 3, 4, 3
PER_SAMPLE = [
    "x", "x * 2 + 1", "x.pow(2)", "x.abs().sqrt()", "x.exp() / 3", "-x", "x > 0", "(x > 0).float()", "x.relu()",
    "x.clamp(min=0)", "x.sum(1)", "x.mean(1)", "x.mean(-1)", "x.sum(dim=1)", "x.softmax(1)", "F.softmax(x, dim=1)",
    "x.log_softmax(dim=-1)", "x.argmax(1)", "x.max(1)[0]", "x.max(dim=1).values", "x.topk(2, dim=1).values",
    "x[:, 0]", "x[:, 1:]", "x.unsqueeze(1)", "x.flatten()", "x.view(-1)", "x.view(len(x), -1)",
    "x.reshape(x.size(0), -1)", "x.view(x.shape[0], 3, 1)", "x @ w", "x.matmul(w)", "x.mm(w)", "torch.cat([x, x], 1)",
    "torch.cat([x, x], dim=1)", "torch.cat([x, x])", "torch.where(x > 0, x, -x)", "F.normalize(x, dim=1)",
    "F.cosine_similarity(x, y)", "F.mse_loss(x, y, reduction='none')", "F.cross_entropy(x, c, reduction='none')",
    "x.norm(dim=1)", "x.T", "x.t()", "x.permute(1, 0)", "x.transpose(0, 1)", "x.logsumexp(1)", "x.std(1)",
    "x.var(dim=1)", "F.dropout(x, 0.0)", "x.cumsum(1)", "x.flip(1)", "x.roll(1, 1)", "torch.einsum('bi,bi->b', x, y)",
    "x.eq(y)", "(x * y).sum(1)", "x.detach().cpu()", "F.one_hot(c, 3)", "x.gather(1, c.unsqueeze(1))",
    "x.masked_fill(x > 0, 0.0)", "x[x > 0]", "x.unsqueeze(2) * x.unsqueeze(1)", "x.repeat(1, 2)", "x.chunk(3, 1)[0]",
    "torch.stack([x, y], 1)", "x.T.sum(0)", "x[torch.arange(len(x)), c]", "x[range(len(x)), c]",
    "x[range(x.size(0)), 0]", "torch.einsum('bi,ij->bj', x, w)", "torch.einsum('bi,bj->bij', [x, y])",
    "torch.einsum('ib,ib->b', x.T, y.T)",
    "torch.einsum('...i,ij->...j', x, w)", "torch.einsum('bi,bi->ib', x, y)", "torch.ones(x.size())",
    "torch.zeros(x.shape) + y", "x.new_zeros(x.size(0), 2) + 1", "x.new_ones(x.shape)", "x.new_full((len(x), 2), 3.0)",
    "torch.full(x.size(), 2.0)",
]  # fmt: skip
"""Operations on each sample by itself."""
MIXING = [
    "(x - x.mean()).abs()", "(x - x.mean(0)).abs()", "x / x.sum()", "x / x.sum(0)", "x / x.max()", "x / x.norm()",
    "(x - x.min())", "x.std(0)", "x.var()", "x.max()", "x.min()", "x.amax(0)", "x.amax(dim=(0, 1))", "x.median()",
    "x.prod()", "x.logsumexp(0)", "x.softmax(0)", "F.softmax(x, dim=0)", "F.normalize(x, dim=0)", "x.cumsum(0)",
    "x.flip(0) * x", "x.roll(1, 0) * x", "x.sort(0)[0] * x", "x.T @ x", "x.t().mm(x)", "x @ x.T", "torch.cdist(x, x)",
    "torch.einsum('bi,bj->ij', x, x)", "torch.einsum('bi,ci->bc', x, x)", "(x.unsqueeze(0) - x.unsqueeze(1)).abs()",
    "x[0]", "x[-1]", "x[:2]", "x[1:] - x[:-1]", "x.permute(1, 0).mean(1)", "x.T.mean(1)", "x.transpose(0, 1).std(1)",
    "torch.cov(x.T)", "x.argmax()", "x.norm()", "F.batch_norm(x, None, None, training=True)", "x / len(x)",
    "x * len(x)", "x / x.shape[0]", "x.mean(0) ** 2", "x.sum(0).abs()", "x.unsqueeze(0).sum(1).abs()",
    "x.topk(2, dim=0).values", "x.kthvalue(2, dim=0).values", "x[torch.arange(len(x)).flip(0), c] * y[:, 0]",
    "x[c, 0] * y[:, 0]", "torch.einsum('bi,ci->bc', [x, x])", "torch.einsum('...i,...j->...ij', x, y)",
    "torch.einsum('bi,bj', x, y)", "x[torch.arange(len(x)) // 2, c] * y[:, 0]", "x.T[torch.arange(3)] * 2",
]  # fmt: skip
"""Operations that make a sample's value depend on the others of its batch, or that choose by position."""
SETTING = [
    "z[z > 0] = 0", "z[:, 0] = 1", "z[:, 1:] = y[:, 1:]", "z[..., -1] = 2", "z[torch.arange(len(x)), c] = 5",
    "z[range(x.size(0)), c] = 5.0", "z[c > 1, 0] = 3", "z[c == 0] = -1", "z[:, :2] *= 2", "z.T[0] = 1", "z[:, c] = 1",
    "z[0] = 1", "z[-1] = y[0]", "z[c] = 1", "z[1:] = y[:-1]", "z[:, 0] = c", "z[c > 0] = y[c > 0]",
    "z[:, 0] = y.mean(1)",
    "z[:] = y.mean(0)", "z[z > 0] = y.mean()", "z[:, 0] = y[:, 0].flip(0)", "z[z > y.mean()] = 0",
    "z = torch.zeros(2, len(x), 3, dtype=x.dtype)\n    z[0] = x\n    z[1] = y",
    "z = torch.zeros(2, len(x), dtype=x.dtype)\n    for t in range(2):\n        z[t] = x[:, t]",
    "z = torch.zeros(2, len(x), 3, dtype=x.dtype)\n    z[:, 0] = y[0]",
    "z = torch.zeros(len(x), len(x), dtype=x.dtype)\n    z[:, 0] = x[:, 0]",
]  # fmt: skip
"""What sets a part of a tensor of samples, ``z``."""
LOST = {"z[0] = 1", "z[-1] = y[0]", "z[c] = 1", "z[1:] = y[:-1]", "z[:] = y.mean(0)", "z[z > 0] = y.mean()",
        "z[:, c] = 1",
        "z[:, 0] = y[:, 0].flip(0)", "z[z > y.mean()] = 0", "z[c > 0] = y[c > 0]", *SETTING[-2:]}  # fmt: skip
"""Those of which nothing is said."""
NUMBERS = [
    "len(x)", "x.size(0)", "x.shape[0]", "x.shape[1]", "x.numel()", "x.size()[0]", "len(x) * 2", "x.sum()",
    "x.mean()", "x.sum().item()", "(x > 0).sum().item()", "x.sum() / len(x)", "x.mean() * len(x)", "x.mean() + 1",
    "x.sum() + 1", "x.sum() * 2", "x.sum() / x.sum()", "x.mean() * x.mean()", "x.mean() ** 2", "x.mean().sqrt()",
    "x.sum().log()", "2 / x.sum()", "2 / len(x)", "x.sum().div(len(x))", "x.sum().mul(2)", "x.mean().add(1)",
    "x.sum().add(1)", "x.sum() - y.sum()", "x.mean() - y.mean()", "x.sum() + y.mean()", "F.mse_loss(x, y)",
    "F.l1_loss(x, y).sqrt()", "F.mse_loss(x, y, reduction='sum')", "F.cross_entropy(x, c)",
    "F.cross_entropy(x, c, reduction='sum')", "F.nll_loss(x, c)", "F.smooth_l1_loss(x, y)",
    "F.mse_loss(x, y) * 0.5 + F.l1_loss(x, y)", "F.mse_loss(x, y) * x.size(0)",
    "F.kl_div(x, y.softmax(1), reduction='batchmean')", "F.mse_loss(x, y, reduction='sum') / x.size(0)", "w.sum()",
    "sum([x.mean(), y.mean()])", "x.mean() + w.pow(2).sum()", "x.sum() + w.pow(2).sum()", "x.mean() * w.sum()",
    "x.mean() if len(x) else 0", "abs(x.sum())", "round(x.sum().item(), 1)", "min(1.0, x.sum().item())", "-x.sum()",
    "x.sum() // 2", "x.sum() % 2", "float(x.sum())", "x.sum().clamp(max=1)", "len(x) + 1", "len(x) ** 2",
    "x.sum() * len(x)", "(x > 0).sum() / len(x)", "(x.argmax(1) == c).float().mean()",
    "(x.argmax(1) == c).sum().item() / len(c)", "x.mean().exp()", "torch.sqrt(F.mse_loss(x, y))", "torch.sum(x)",
    "F.mse_loss(x, y, None, None, 'sum')", "F.cross_entropy(x, c, None, None, -100, None, 'sum')",
    "sum(x[i].sum() for i in range(2))", "torch.mean(x)", "torch.sum(x, 1).mean()", "x.nansum()",
    "x.nelement()", "x.count_nonzero()",
    "x.sum().sub(x.mean())", "x.sum().sub(y.sum())", "x.mean().add(y.mean())", "x.mean().sub(2)", "x.sum(0)[1]",
    "x.sum(0).reshape(1, 3)", "x.mean(0)[:2].unsqueeze(0)", "x.sum(0).neg()", "x.sum(0).unsqueeze(1).expand(3, 2)",
    "x.sum(0).view(3, 1).t()", "x.mean().unsqueeze(0).mean()", "x.sum(0)[x.shape[1] - 1]",
    "x.pow(2).sum().sqrt()", "x.dim()", "(x.sum(1) > 0).sum()", "(x > 0).all()", "len(x.shape)",
]  # fmt: skip


@cache
def data() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    size = RANKS * PART
    x, y = (torch.randn(size, FEATURES, generator=generator, dtype=torch.float64) for _ in range(2))
    return {"x": x, "y": y, "c": torch.randint(0, FEATURES, (size,), generator=generator)}


def done(body: str, x: torch.Tensor, y: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
    """What ``z`` is after some statements."""
    names: dict[str, torch.Tensor] = {"x": x, "y": y, "c": c}
    exec(textwrap.dedent(f"    {body}"), {"torch": torch, "F": F}, names)
    return names["z"]


def computed(expression: str) -> tuple[list[torch.Tensor], torch.Tensor]:
    """An expression on each rank's part of the batch, and on the whole."""
    weights = torch.linspace(-1, 2, FEATURES * 2, dtype=torch.float64).reshape(FEATURES, 2)
    fixed = {"torch": torch, "F": F, "w": weights, "done": done}

    def value(part: slice) -> torch.Tensor:
        return torch.as_tensor(eval(expression, {**fixed, **{k: v[part] for k, v in data().items()}}))

    parts = [value(slice(i * PART, (i + 1) * PART)) for i in range(RANKS)]
    return parts, value(slice(None))


def form_of(expression: str) -> Form:
    weight = "w = nn.Linear(8, 2).weight.t()\n"
    return train(f"{weight}for i, (x, y, c) in enumerate(loader):\n    probe({expression})").form()


def is_so(form: Form, expression: str) -> bool:
    parts, whole = computed(expression)
    if form not in (Form.REPLICATED, Form.STEP, Form.SUM, Form.COUNT, Form.MEAN):
        return True
    if any(part.shape != whole.shape for part in parts):
        return False
    stacked = torch.stack([part.double() for part in parts])
    claimed = {Form.SUM: stacked.sum(0), Form.COUNT: stacked.sum(0), Form.MEAN: stacked.mean(0)}.get(form, stacked[0])
    equal = form not in (Form.REPLICATED, Form.STEP) or bool((stacked == stacked[0]).all())
    return equal and torch.allclose(claimed, whole.double())


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("setting", SETTING)
def test_what_is_said_of_a_tensor_that_is_set_in_part_is_so(setting: str, reduction: str) -> None:
    body = f"z = x.clone()\n    {setting}\n    z = (z * z).double().{reduction}()"
    form = train(f"for i, (x, y, c) in enumerate(loader):\n    {body}\n    probe(z)").form()
    expression = f"done({body!r}, x, y, c)"
    assert is_so(form, expression), f"{setting} is said to be {form.value}"
    assert (form is Form.UNKNOWN) == (setting in LOST), form


@pytest.mark.parametrize("expression", NUMBERS)
def test_what_is_said_of_a_number_is_so(expression: str) -> None:
    form = form_of(expression)
    assert is_so(form, expression), f"{expression} is said to be {form.value}"


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("expression", [*PER_SAMPLE, *MIXING])
def test_what_is_said_of_a_reduced_tensor_is_so(expression: str, reduction: str) -> None:
    reduced = f"({expression}).double().{reduction}()"
    form = form_of(reduced)
    assert is_so(form, reduced), f"{reduced} is said to be {form.value}"


@pytest.mark.parametrize("expression", PER_SAMPLE)
def test_operations_on_each_sample_are_known_to_be_such(expression: str) -> None:
    """Soundness alone would be met by knowing nothing."""
    if expression in ("x[x > 0]", "x.permute(1, 0)"):  # a mean over what is chosen is none over ranks
        return
    assert form_of(f"({expression}).double().sum()") is Form.SUM
    assert form_of(f"({expression}).double().mean()") is Form.MEAN


@pytest.mark.parametrize(
    ("expression", "form"),
    [
        ("len(x)", Form.COUNT),
        ("x.shape[1]", Form.REPLICATED),
        ("w.sum()", Form.REPLICATED),
        ("F.cross_entropy(x, c)", Form.MEAN),
        ("F.cross_entropy(x, c, reduction='sum') / len(x)", Form.MEAN),
        ("F.cross_entropy(x, c).item() * x.size(0)", Form.SUM),
        ("(x.argmax(1) == c).sum().item()", Form.SUM),
        ("x.mean() * 0.5 + y.mean()", Form.MEAN),
        ("x.mean() + w.pow(2).sum()", Form.MEAN),
    ],
)
def test_what_scripts_do_is_known(expression: str, form: Form) -> None:
    assert form_of(expression) is form
