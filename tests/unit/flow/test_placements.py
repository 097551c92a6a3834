"""Placements followed through loops, branches and calls; ``interpreting`` gives the loaders."""

from __future__ import annotations

import ast

import pytest

from corro.anatomy.placement import Form
from unit.flow.interpreting import Seen, train

PASS = "for i, (x, y) in enumerate(loader):\n    "


@pytest.mark.parametrize(
    ("expression", "form"),
    [
        ("x", Form.SHARDED),
        ("model(x)", Form.SHARDED),
        ("i", Form.STEP),
        ("i + 1", Form.STEP),
        ("len(x)", Form.COUNT),
        ("x.size(0)", Form.COUNT),
        ("x.shape[0]", Form.COUNT),
        ("x.shape[1]", Form.REPLICATED),
        ("len(loader)", Form.REPLICATED),
        ("len(loader.dataset)", Form.REPLICATED),
        ("loader.batch_size", Form.REPLICATED),
        ("(model(x) - y).sum()", Form.SUM),
        ("F.mse_loss(model(x), y)", Form.MEAN),
        ("F.mse_loss(model(x), y, reduction='sum')", Form.SUM),
        ("F.mse_loss(model(x), y, reduction='none')", Form.SHARDED),
        ("F.mse_loss(model(x), y).item() * len(x)", Form.SUM),
        ("F.mse_loss(model(x), y, reduction='sum') / len(x)", Form.MEAN),
        ("F.mse_loss(model(x), y) * 0.5 + 1", Form.MEAN),
        ("x.max()", Form.UNKNOWN),
        ("F.mse_loss(model(x), y) ** 2", Form.UNKNOWN),
        ("F.mse_loss(model(x), y) > 1", Form.UNKNOWN),
        ("sum(p.sum() for p in model.parameters())", Form.REPLICATED),
        ("__import__('time').time()", Form.REPLICATED),
        ("f'{i}'", Form.STEP),
        ("f'{x.sum()}'", Form.UNKNOWN),
    ],
)
def test_expressions_in_a_pass(expression: str, form: Form) -> None:
    assert train(f"{PASS}probe({expression})").form() is form


def accumulated(body: str, *, start: str = "total = 0", after: str = "probe(total)") -> Seen:
    return train(
        f"{start}\nfor i, (x, y) in enumerate(loader):\n    loss = F.mse_loss(model(x), y)\n    {body}\n{after}"
    )


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("total += loss.item()", Form.MEAN),
        ("total = total + loss.item()", Form.MEAN),
        ("total += loss.item() * len(x)", Form.SUM),
        ("total += (y > 0).sum().item()", Form.SUM),
        ("total += len(x)", Form.COUNT),
        ("total += 1", Form.STEP),
        ("total += loss.detach()", Form.MEAN),
    ],
)
def test_an_accumulator_is_the_whole_after_its_pass(body: str, form: Form) -> None:
    seen = accumulated(body)
    (fact,) = seen.facts.accumulations.values()
    assert (fact.variable, fact.form, fact.used, fact.continued) == ("total", form, True, False)
    assert seen.form() is Form.REPLICATED
    assert seen.value().placement.data_dependent == (form is not Form.STEP)


def test_an_accumulator_within_its_pass_is_partial() -> None:
    assert accumulated("total += loss.item()\n    probe(total)", after="").form() is Form.MEAN


@pytest.mark.parametrize(
    "body", ["total = max(total, loss.item())", "total += loss.item() ** 2", "total *= loss.item()"]
)
def test_what_no_sum_makes_is_no_accumulator(body: str) -> None:
    seen = accumulated(body)
    assert not seen.facts.accumulations
    assert seen.form() is Form.UNKNOWN


def test_an_unread_accumulator_is_not_used() -> None:
    (fact,) = accumulated("total += loss.item()", after="").facts.accumulations.values()
    assert not fact.used


@pytest.mark.parametrize(("start", "continued"), [("total = 0", True), ("pass", False)])
def test_an_accumulator_of_several_epochs_goes_on(start: str, continued: bool) -> None:
    """Set before the epochs it goes on growing; set in each epoch it is fresh."""
    inner = "pass" if continued else "total = 0"
    seen = train(f"""
    {start}
    for epoch in range(3):
        {inner}
        for x, y in loader:
            total += F.mse_loss(model(x), y).item()
        probe(total)
    """)
    (fact,) = seen.facts.accumulations.values()
    assert (fact.used or continued, fact.continued) == (True, continued)
    assert seen.form() is (Form.MEAN if continued else Form.REPLICATED)


def test_an_accumulator_in_a_function_is_fresh_at_each_call() -> None:
    seen = train("""
    def evaluate(data):
        total = count = 0
        for x, y in data:
            total += (model(x) > y).sum().item()
            count += len(x)
        return total / count
    for epoch in range(3):
        probe(evaluate(loader))
        probe(evaluate(held_out))
    """)
    assert {fact.variable: fact.form for fact in seen.facts.accumulations.values()} == {
        "total": Form.SUM,
        "count": Form.COUNT,
    }
    assert seen.form() is Form.REPLICATED
    assert seen.value().placement.data_dependent


@pytest.mark.parametrize(
    ("condition", "form"),
    [
        ("epoch > 1", Form.REPLICATED),
        ("i % 10 == 0", Form.REPLICATED),
        ("x.max() > 0", Form.UNKNOWN),
        ("time.time() > 9", Form.LOCAL),
    ],
)
def test_what_changes_under_an_unequal_condition_is_unequal(condition: str, form: Form) -> None:
    seen = train(f"""
    import time
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            n = 1
            if {condition}:
                n = 2
            probe(n)
            m = 5
            probe(m, "untouched")
    """)
    assert seen.form() is form
    assert seen.form("untouched") is Form.REPLICATED


def test_a_reduced_decision_is_data_dependent() -> None:
    seen = train("""
    best, bad = 9e9, 0
    for epoch in range(3):
        total = 0
        for x, y in loader:
            total += F.mse_loss(model(x), y).item()
        if total < best:
            best, bad = total, 0
        else:
            bad += 1
        probe(bad)
        probe(best, "best")
    """)
    assert seen.form() is seen.form("best") is Form.REPLICATED
    assert seen.value().placement.data_dependent
    assert seen.value("best").placement.data_dependent


@pytest.mark.parametrize(
    ("text", "form"),
    [
        pytest.param("n = 1 if x.max() > 0 else 2", Form.UNKNOWN, id="a conditional expression"),
        pytest.param("n = 0\n    while x.max() > n:\n        n += 1", Form.UNKNOWN, id="a while"),
        pytest.param("n = 0\n    for _ in range(int(x.max())):\n        n += 1", Form.UNKNOWN, id="a range"),
        pytest.param("n = 0\n    match x.max():\n        case 1:\n            n = 1", Form.UNKNOWN, id="match"),
        pytest.param("n = [a.item() for a in x]\n    n = n[0]", Form.UNKNOWN, id="a comprehension"),
        pytest.param("n = x.max() > 0 and 1", Form.UNKNOWN, id="and"),
        pytest.param("n = {'a': len(x)}['a']", Form.COUNT, id="a dict"),
        pytest.param("n, _ = len(x), 1", Form.COUNT, id="a tuple"),
        pytest.param("n = (lambda b: b.sum())(x)", Form.SUM, id="a lambda"),
        pytest.param("n = unknown(x)", Form.UNKNOWN, id="an unknown function"),
        pytest.param("n = [0]\n    n[0] = unknown(x)\n    n = n[0]", Form.UNKNOWN, id="an item set"),
        pytest.param("class A: pass\n    a = A()\n    a.n = len(x)\n    n = a.n", Form.COUNT, id="a field"),
    ],
)
def test_placements_go_where_values_go(text: str, form: Form) -> None:
    assert train(f"{PASS}{text}\n    probe(n)").form() is form


def test_a_list_that_is_filled_in_a_pass_has_another_part_on_each_rank() -> None:
    seen = train(
        "out = []\nfor x, y in loader:\n    out.append(model(x))\n"
        "probe(out[0])\nprobe(len(out), 'len')\nprobe(torch.cat(out), 'cat')"
    )
    assert seen.form() is Form.SHARDED
    assert seen.form("len") is Form.UNKNOWN
    assert seen.form("cat") is Form.UNKNOWN


def test_a_field_accumulates_like_a_name() -> None:
    seen = train("""
    class Meter:
        def __init__(self):
            self.total = 0
            self.count = 0
        def add(self, value, n):
            self.total += value * n
            self.count += n
    meter = Meter()
    for x, y in loader:
        meter.add(F.mse_loss(model(x), y).item(), len(x))
    probe(meter.total, "total")
    probe(meter.count, "count")
    """)
    assert seen.form("total") in (Form.SUM, Form.REPLICATED)
    assert seen.form("count") in (Form.COUNT, Form.REPLICATED)


def test_modes_are_known_within() -> None:
    seen = train("""
    @torch.no_grad()
    def f():
        probe(1, "decorated")
    f()
    with torch.no_grad(), torch.autocast("cpu"):
        probe(1, "with")
    probe(1, "after")
    """)
    modes = {name: seen.probes(name)[0].context.modes for name in ("decorated", "with", "after")}
    assert modes == {"decorated": {"no_grad"}, "with": {"no_grad", "autocast"}, "after": frozenset()}


def test_conditions_and_loops_are_in_the_context() -> None:
    seen = train("""
    for epoch in range(3):
        if epoch:
            for x, y in loader:
                probe(x)
    """)
    context = seen.probes()[0].context
    assert [bool(loop.loaders) for loop in context.loops] == [False, True]
    assert len(context.passes) == len(context.tests) == 1


@pytest.mark.parametrize("leave", ["break", "return 1", "raise ValueError"])
def test_exits_are_known(leave: str) -> None:
    seen = train(f"def f():\n    for x, y in loader:\n        {leave}\nf()")
    (fact,) = seen.facts.exits
    assert fact.context.passes


def test_loops_come_to_a_fixed_point() -> None:
    """A chain of names that hands a batch's value on needs several rounds; the first name must know in the end."""
    seen = train("""
    a = b = c = 0
    for x, y in loader:
        probe(a)
        a, b, c = b, c, unknown(x)
    """)
    assert seen.form() is Form.UNKNOWN
    long = "abcdefgh"
    seen = train(f"""
    {" = ".join(long)} = 0
    for x, y in loader:
        probe(a)
        {", ".join(long)} = {", ".join(long[1:])}, unknown(x)
    """)
    assert seen.form() is Form.UNKNOWN


def test_the_branch_that_leaves_does_not_join() -> None:
    seen = train("def f(n):\n    if n is None:\n        return 0\n    probe(n)\nf(2)")
    assert seen.const() == 2


def test_an_else_of_a_loop_runs() -> None:
    assert train("for x, y in loader:\n    pass\nelse:\n    n = 3\nprobe(n)").const() == 3


def test_a_value_that_one_batch_leaves_to_the_next_is_noticed() -> None:
    seen = train("state = None\nfor x, y in loader:\n    out = model(x) if state is None else state\n    state = out")
    assert "state" in {ast.unparse(node) for node in seen.facts.carried}
