"""How each evaluation is shared out, and why not in a cheaper way."""

from __future__ import annotations

import textwrap

import pytest

from corro.anatomy.sites import LoaderSite, Role, Sharding
from corro.frontends.pytorch.recognise import recognise
from unit.flow.interpreting import train

TRAINING = """
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    model.eval()
"""
HITS = "hits += (model(x) > y).sum().item()"


def loaders(text: str, *, more: str = "") -> list[LoaderSite]:
    """The loaders of a script that trains, and then does this in each epoch."""
    return list(recognise(train(more + TRAINING + textwrap.indent(text, "    ")).facts).loaders)


def evaluated(text: str, *, more: str = "") -> LoaderSite:
    (site,) = [site for site in loaders(text, more=more) if site.role is Role.EVALUATION]
    return site


def passing(body: str, after: str = "print(hits)", start: str = "hits = 0") -> str:
    return f"{start}\nfor x, y in held_out:\n{textwrap.indent(body, '    ')}\n{after}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(passing(HITS), id="a sum"),
        pytest.param(passing(HITS, "print(hits / len(held_out.dataset))"), id="divided by the data set's length"),
        pytest.param(passing(f"{HITS}; n += len(y)", "print(hits / n)", "hits = n = 0"), id="two sums"),
        pytest.param(passing("t += F.mse_loss(model(x), y).item() * len(x)", "print(t)", "t = 0"), id="weighted means"),
        pytest.param(passing("t += F.mse_loss(model(x), y, reduction='sum')", "print(t)", "t = 0"), id="summed losses"),
    ],
)
def test_sums_are_dealt_out_by_sample(text: str) -> None:
    assert (evaluated(text).sharding, evaluated(text).reason) == (Sharding.BY_SAMPLE, "")


def test_all_processes_evaluate_everything_where_forward_passes_wait_for_each_other() -> None:
    facts = train(TRAINING + textwrap.indent(passing(HITS), "    ")).facts
    (together,) = [s for s in recognise(facts, apart=False).loaders if s.role is Role.EVALUATION]
    assert (together.sharding, "forward pass" in together.reason) == (Sharding.EVERYWHERE, True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(passing("t += F.mse_loss(model(x), y).item()", "print(t / len(held_out))", "t = 0"), id="means"),
        pytest.param(passing(f"{HITS}; n += 1", "print(hits / n)", "hits = n = 0"), id="batches are counted"),
        pytest.param(
            passing(f"t += F.mse_loss(model(x), y).item(); {HITS}", "print(t, hits)", "t = hits = 0"), id="both"
        ),
    ],
)
def test_averages_of_batches_are_dealt_out_by_batch(text: str) -> None:
    assert (evaluated(text).sharding, evaluated(text).reason) == (Sharding.BY_BATCH, "")


def test_a_loader_that_drops_its_last_batch_keeps_its_batches() -> None:
    more = (
        "held_out = DataLoader(TensorDataset(torch.randn(33, 8), torch.randn(33, 1)), batch_size=8, drop_last=True)\n"
    )
    assert evaluated(passing(HITS), more=more).sharding is Sharding.BY_BATCH


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(
            passing("out.append(model(x))", "print(torch.cat(out).mean())", "out = []"), "after the loop", id="a list"
        ),
        pytest.param(passing("loss = F.mse_loss(model(x), y)", "print(loss)"), "after the loop", id="the last batch"),
        pytest.param(passing(f"{HITS}\nprint(hits)"), "printed or saved", id="printed on the way"),
        pytest.param(passing(f"{HITS}\nif hits > 3: break"), "left early", id="left early"),
        pytest.param(passing("model(x)"), "nothing is summed", id="nothing"),
        pytest.param(
            passing("t += (x > 0).sum(0)", "print(t)", "t = torch.zeros(8)"), "not a single number", id="a vector"
        ),
        pytest.param(
            passing(f"s = x if s is None else s + x\n{HITS}", start="hits = 0; s = None"),
            "from batch to batch",
            id="carried",
        ),
        pytest.param(
            passing(f"{HITS}\nmetric.update(x)"), ("an object that Corro cannot follow"), id="an unknown object"
        ),
        pytest.param(
            "best = max(model(x).max() for x, y in held_out)\nprint(best)", "comprehension", id="a comprehension"
        ),
    ],
)
def test_anything_else_is_done_everywhere(text: str, reason: str) -> None:
    site = evaluated(text, more="import lib\nmetric = lib.Metric()\n")
    assert site.sharding is Sharding.EVERYWHERE
    assert reason in site.reason


@pytest.mark.parametrize(
    ("loader", "reason"),
    [
        ("DataLoader(held_out.dataset, batch_size=8, sampler=s)", "a custom sampler"),
        ("DataLoader(held_out.dataset, batch_sampler=s)", "a custom sampler"),
        ("DataLoader(held_out.dataset, batch_size=None)", "does not batch"),
        ("DataLoader(held_out.dataset, **unknown)", "arguments are not known"),
    ],
)
def test_loaders_of_another_make_are_left_alone(loader: str, reason: str) -> None:
    site = evaluated(passing(HITS), more=f"import unknown, s\nheld_out = {loader}\n")
    assert site.sharding is Sharding.EVERYWHERE
    assert reason in site.reason


def test_batch_normalisation_in_training_mode_sees_the_batch() -> None:
    more = "model = nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 1))\n"
    text = more + TRAINING.replace("    model.eval()\n", "") + textwrap.indent(passing(HITS), "    ")
    sites = [site for site in recognise(train(text).facts).loaders if site.role is Role.EVALUATION]
    assert [site.sharding for site in sites] == [Sharding.EVERYWHERE]
    assert evaluated(passing(HITS), more=more).sharding is Sharding.BY_SAMPLE


def test_loaders_that_share_a_loop_share_a_sharding() -> None:
    more = "other = DataLoader(held_out.dataset, batch_size=8)\n"
    count = "    hits = 0\n    for x, y in data:\n        hits += (x > 0).sum().item()\n    print(hits)"
    shared = f"for data in (held_out, other):\n{count}"
    both = [site for site in loaders(shared, more=more) if site.role is Role.EVALUATION]
    assert [site.sharding for site in both] == [Sharding.BY_SAMPLE] * 2
    alone = f"{shared}\nfor x, y in other:\n    print(x)"
    both = [site for site in loaders(alone, more=more) if site.role is Role.EVALUATION]
    assert [site.sharding for site in both] == [Sharding.EVERYWHERE] * 2


def test_roles_come_from_use() -> None:
    roles = [site.role for site in loaders("pass", more="spare = DataLoader([1])\n")]
    assert sorted(role.name for role in roles) == ["TRAINING", "UNUSED", "UNUSED"]
    both = loaders("hits = 0\nfor x, y in loader:\n    hits += (x > 0).sum().item()\nprint(hits)")
    assert [site.role for site in both if site.role is not Role.UNUSED] == [Role.TRAINING]
