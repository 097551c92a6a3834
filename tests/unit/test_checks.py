"""The checks see what is wrong with an output, whoever wrote it."""

from __future__ import annotations

import ast

import pytest

from corro import targets
from corro.checks import Written, before_the_start, check, early_names, unbound_names, waiting_alone
from corro.errors import CheckError
from corro.source import After, Before, Edit, Remove, Replace, SourceFile, Span, apply, text_edits
from corro.targets.base import Calls

DDP, HOROVOD = (targets.get(name, "pytorch").calls for name in ("ddp", "horovod"))
WORKERS = targets.get("multiworker", "keras").calls
SOURCE = SourceFile.from_text("a = 1\nb = 2\n", "script.py")


def statement(number: int) -> ast.stmt:
    return SOURCE.tree.body[number]


def written(edits: tuple[Edit, ...], source: SourceFile = SOURCE) -> Written:
    return Written(source, text_edits(source, edits), apply(source, edits))


def test_a_right_output_passes() -> None:
    edits: tuple[Edit, ...] = (Before(statement(1), "c = 3"), Replace(Span(4, 5), "10"))
    check([written(edits)], DDP)


def test_no_edits_and_the_same_text_pass() -> None:
    check([Written(SOURCE, (), SOURCE.text)], DDP)


def test_an_output_that_does_not_parse_is_found() -> None:
    edits = (Replace(Span(4, 5), "("),)
    with pytest.raises(CheckError, match="not Python"):
        check([written(edits)], DDP)


def test_an_argument_that_is_given_twice_is_found() -> None:
    edits = (Replace(Span(4, 5), "dict(x=1, x=2)"),)
    with pytest.raises(CheckError, match="given x twice"):
        check([written(edits)], DDP)


@pytest.mark.parametrize("text", ["a = 10\nb = 3\n", "a = 10\n", "a = 10\nb = 2\nc = 3\n", "a = 10\nb  = 2\n", ""])
def test_a_difference_outside_the_edits_is_found(text: str) -> None:
    with pytest.raises(CheckError, match="outside the recorded edits"):
        check([Written(SOURCE, (Replace(Span(4, 5), "10"),), text)], DDP)


def test_an_edit_that_was_not_made_is_found() -> None:
    with pytest.raises(CheckError, match="outside the recorded edits"):
        check([Written(SOURCE, (Replace(Span(4, 5), "10"),), SOURCE.text)], DDP)


def test_edits_that_change_nothing_are_found() -> None:
    edits = (Replace(Span(4, 5), "1"),)
    with pytest.raises(CheckError, match="change nothing"):
        check([written(edits)], DDP)


def test_a_removed_statement_passes() -> None:
    edits = (Remove(statement(0)),)
    check([written(edits)], DDP)


HEAD = (
    "import torch.distributed as dist\nimport horovod.torch as hvd\nimport tensorflow as tf\n"
    "strategy = tf.distribute.MultiWorkerMirroredStrategy()\nx = y = late = own = rank = reduce = None\n"
)


TURN = "if dist.get_rank() != 0:\n    dist.barrier()\n{between}\nif dist.get_rank() == 0:\n    dist.barrier()"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("if dist.get_rank() == 0:\n    dist.barrier()", DDP),
        ("if hvd.rank() == 0:\n    print(hvd.allreduce(x))", HOROVOD),
        ('if not strategy.cluster_resolver.task_id:\n    print(strategy.reduce("SUM", x, axis=None))', WORKERS),
        ("if strategy.cluster_resolver.task_id == 0:\n    strategy.run(late)", WORKERS),
        ("if strategy.extended.should_checkpoint:\n    strategy.run(late)", WORKERS),
        ("def f():\n    return hvd.allreduce(x)\nif hvd.rank() == 0:\n    print(f())", HOROVOD),
        (
            "def g():\n    dist.all_reduce(x)\ndef f():\n    g()\nif dist.get_rank() == 0 and x:\n    list(map(f, y))",
            DDP,
        ),
        ("if late:\n    if dist.get_rank() > 0:\n        pass\n    else:\n        dist.broadcast(x, src=0)", DDP),
        ("y = f() if dist.get_rank() == 0 else None\ndef f():\n    dist.all_reduce(x)", DDP),
        ("from horovod.torch import rank, barrier\nif not rank():\n    barrier()", HOROVOD),
        ("from torch.nn.parallel import DistributedDataParallel as D\nif dist.get_rank() == 0:\n    y = D(x)", DDP),
        (TURN.format(between="x.all(dist.all_reduce(x))"), DDP),
        ("def f():\n    dist.all_reduce(x)\n" + TURN.format(between="f()"), DDP),
        (
            "class Marks:\n    def __init__(self):\n        self.load()\n    def load(self):\n        dist.barrier()\n"
            "if dist.get_rank() == 0:\n    Marks()",
            DDP,
        ),
    ],
)
def test_a_collective_that_one_process_reaches_alone_is_found(text: str, calls: Calls) -> None:
    assert len(list(waiting_alone([SourceFile.from_text(HEAD + text)], calls))) == 1
    edits = (Before(statement(0), HEAD + text),)
    with pytest.raises(CheckError, match="not all processes reach"):
        check([written(edits)], calls)


@pytest.mark.parametrize(
    "text",
    [
        "dist.all_reduce(x)\nif dist.get_rank() == 0:\n    print(x)",
        "def f():\n    dist.all_reduce(x)\n    if dist.get_rank() == 0:\n        print(x)\nf()",
        "if dist.get_rank() == 0:\n    own.barrier()\n    reduce(a, b)",
        "if rank == 0:\n    x = 1",
        "def loss():\n    dist.all_reduce(x)\ndef f(loss):\n    if dist.get_rank() == 0:\n        print(loss)",
        "if x.rank == 2 and hvd.size() > 1:\n    hvd.allreduce(x)",
        "class A:\n    def load(self):\n        dist.barrier()\n"
        "class B:\n    def __init__(self):\n        self.load()\n    def load(self):\n        pass\n"
        "if dist.get_rank() == 0:\n    B()",
    ],
)
@pytest.mark.parametrize("calls", [DDP, HOROVOD], ids=["ddp", "horovod"])
def test_collectives_that_all_processes_reach_are_let_pass(text: str, calls: Calls) -> None:
    edits = (After(statement(1), HEAD + text),)
    check([written(edits)], calls)


@pytest.mark.parametrize(
    "between", ["y = late", "print(x)", "if late:\n    with open(x) as y:\n        late = y\nelse:\n    late = 1"]
)
def test_processes_may_take_turns(between: str) -> None:
    edits = (After(statement(1), HEAD + TURN.format(between=between)),)
    check([written(edits)], DDP)


@pytest.mark.parametrize(
    "text",
    [
        TURN.format(between="y = x").replace("!= 0", "== 0"),
        TURN.format(between="y = x").replace("!= 0", "!= 1"),
        TURN.format(between="y = x").replace("== 0:\n    dist.barrier()", "== 0:\n    dist.all_reduce(x)"),
        TURN.format(between="y = x\nx = y"),
    ],
)
def test_turns_that_do_not_match_are_found(text: str) -> None:
    assert len(list(waiting_alone([SourceFile.from_text(HEAD + text)], DDP))) == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n = size", {"size"}),
        ("n = d\nx = [d for d in range(3)]", {"d"}),
        ("def f():\n    return d\nx = [d for d in range(3)]", {"d"}),
        ("def f():\n    n = d\n    return [d for d in n]", {"d"}),
        ("def f():\n    d = 1\nclass C:\n    def g(self):\n        return d", {"d"}),
        ("def f():\n    d = 1\n    return lambda: d", set()),
        ("def f():\n    global d\n    d = 1\nf()\nprint(d, len, __name__)", set()),
        ("import os.path as p\nwith open(p.sep) as f:\n    f.read()", set()),
        ("try:\n    pass\nexcept OSError as e:\n    print(e)", set()),
        ("print(d)\nfrom m import *", set()),
    ],
)
def test_names_that_nothing_binds_are_found(text: str, names: set[str]) -> None:
    assert unbound_names(text) == names


def test_an_output_with_a_name_that_nothing_binds_is_found() -> None:
    edits = (Before(statement(1), "c = d"),)
    with pytest.raises(CheckError, match="names that nothing binds: d"):
        check([written(edits)], DDP)
    source = SourceFile.from_text("a = d\nb = 2\n", "script.py")
    edits = (Before(source.tree.body[1], "c = d"),)
    check([written(edits, source)], DDP)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("start()\nfrom engine import start\n", {"start"}),
        ("e.start()\nimport e.f\n", {"e"}),
        ("if a:\n    b\nb = 1\n", {"b"}),
        ("import e\ne.start()\nimport e\n", set()),
        ("def f(a=b):\n    return c\nb = c = 1\n", {"b"}),
        ("class A:\n    x = 1\n    y = x\nx = 1\n", set()),
        ("print([x for x in (1, 2)], lambda: x)\nx = 1\n", set()),
        ("def f():\n    global x\n    x = 1\nf()\nprint(x)\nx = 2\n", set()),
        ("try:\n    pass\nexcept OSError as e:\n    print(e)\ne = 1\n", set()),
        ("print(d)\n", set()),
    ],
)
def test_names_that_are_used_before_they_are_bound(text: str, names: set[str]) -> None:
    assert early_names(SourceFile.from_text(text)) == names


def test_an_output_that_uses_what_it_imports_further_down_is_found() -> None:
    edits = (Before(statement(0), "d.start()"), Before(statement(1), "import d"))
    with pytest.raises(CheckError, match="before it binds them: d"):
        check([written(edits)], DDP)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("hvd.init()\nprint(hvd.rank())\n", []),
        ("print(hvd.rank())\nif main:\n    hvd.init()\n", ["hvd.rank()"]),
        ("def f():\n    return hvd.rank()\nhvd.init()\n", []),
        ("print(hvd.rank())\n", []),
    ],
)
def test_an_engine_that_is_used_before_it_is_started(text: str, calls: list[str]) -> None:
    file = SourceFile.from_text(f"import horovod.tensorflow as hvd\n{text}")
    assert [ast.unparse(call) for call in before_the_start(file, HOROVOD)] == calls


def test_an_output_that_uses_its_engine_before_the_start_is_found() -> None:
    edits = (Before(statement(0), "import horovod.torch as hvd\nhvd.size()"), Before(statement(1), "hvd.init()"))
    with pytest.raises(CheckError, match=r"before it starts it: hvd\.size"):
        check([written(edits)], HOROVOD)
