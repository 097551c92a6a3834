"""Values followed through Python: assignments, containers, objects, calls, modules."""

from __future__ import annotations

import pytest

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.python import STARRED, given_one
from corro.flow.values import UNSET, Value
from unit.flow.interpreting import see, train


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 64\nprobe(x)", 64, id="a name"),
        pytest.param("x = y = 3\nprobe(y)", 3, id="two targets"),
        pytest.param("x: int = 5\nprobe(x)", 5, id="annotated"),
        pytest.param("x = 2\nx *= 3\nprobe(x)", 6, id="augmented"),
        pytest.param("probe(x := 7)", 7, id="a walrus"),
        pytest.param("probe(x := 7)\nprobe(x, 'later')", 7, id="a walrus, used"),
        pytest.param("probe(64 * 2 - 8 // 3 + 1)", 127, id="folded"),
        pytest.param("probe(-4)", -4, id="negative"),
        pytest.param("a, b = 1, 2\na, b = b, a\nprobe(a)", 2, id="swapped"),
        pytest.param("(a, (b, c)) = 1, (2, 3)\nprobe(c)", 3, id="nested"),
        pytest.param("[a, b] = [1, 2]\nprobe(b)", 2, id="a list unpacked"),
        pytest.param("t = (1, 2, 3)\nprobe(t[-1])", 3, id="an item of a tuple"),
        pytest.param("l = [1, 2, 3]\nprobe(l[1])", 2, id="an item of a list"),
        pytest.param("d = {'a': 1, 'b': 2}\nprobe(d['b'])", 2, id="an item of a dict"),
        pytest.param("d = dict(a=1)\nd['b'] = 2\nprobe(d['b'])", 2, id="an item set"),
        pytest.param("d = {'a': 1}\nd.update({'a': 4})\nprobe(d['a'])", 4, id="updated"),
        pytest.param("d = {'a': 1}\nd.update(a=4)\nprobe(d['a'])", 4, id="updated by keyword"),
        pytest.param("d = {**{'a': 1}, 'b': 2}\nprobe(d['a'])", 1, id="merged"),
        pytest.param("d = {1: {'x': 9}}\nprobe(d[1]['x'])", 9, id="a dict in a dict"),
        pytest.param("probe(1 if True else 1)", 1, id="both arms agree"),
        pytest.param("probe(len((1, 2, 3)))", 3, id="a length"),
        pytest.param("probe(int(8))", 8, id="a cast"),
    ],
)
def test_constants_arrive(text: str, expected: object) -> None:
    assert see(text).const() == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import sys\nx = 1\nif sys.argv:\n    x = 2\nprobe(x)", id="a branch"),
        pytest.param("import sys\nprobe(1 if sys.argv else 2)", id="a conditional expression"),
        pytest.param("x = 0\nfor i in range(3):\n    x = x + 1\nprobe(x)", id="a loop"),
        pytest.param("l = [1]\nl.append(2)\nprobe(l[0])", id="a list that has grown"),
        pytest.param("def f(n):\n    return n\nf(1)\nprobe(f(k))", id="another argument"),
        pytest.param("x = 1\nwhile input():\n    x = 2\nprobe(x)", id="a while"),
        pytest.param(
            "class A:\n    n = 0\nclass B:\n    n = 0\na = A()\na.n = 1\nb = B()\nb.n = 1\n"
            "one = a if input() else b\none.n = 2\nprobe(one.n)",
            id="one of two objects",
        ),
        pytest.param("try:\n    x = 1\nexcept E:\n    x = 2\nprobe(x)", id="a handler"),
        pytest.param(
            "import sys\nmatch sys.argv:\n    case [a]:\n        x = 1\n    case _:\n        x = 2\nprobe(x)",
            id="match",
        ),
    ],
)
def test_what_differs_between_paths_is_no_constant(text: str) -> None:
    assert see(text).const() is UNSET


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("def f(n):\n    return n + 1\nprobe(f(2))", 3, id="by position"),
        pytest.param("def f(n):\n    return n\nprobe(f(n=2))", 2, id="by keyword"),
        pytest.param("def f(a, n=5):\n    return n\nprobe(f(0))", 5, id="a default"),
        pytest.param("def f(*, n=5):\n    return n\nprobe(f(n=6))", 6, id="keyword only"),
        pytest.param("def f(n, /):\n    return n\nprobe(f(3))", 3, id="position only"),
        pytest.param("def f(*rest):\n    return rest[1]\nprobe(f(1, 2))", 2, id="star arguments"),
        pytest.param("def f(a, b):\n    return b\nprobe(f(*(1, 2)))", 2, id="unpacked arguments"),
        pytest.param("def f(**more):\n    return more['n']\nprobe(f(n=4))", 4, id="keyword arguments"),
        pytest.param("def f(n):\n    return n\nprobe(f(**{'n': 4}))", 4, id="an unpacked dict"),
        pytest.param("def f(**k):\n    return g(**k)\ndef g(n=1):\n    return n\nprobe(f(n=3))", 3, id="handed on"),
        pytest.param("f = lambda n: n * 2\nprobe(f(4))", 8, id="a lambda"),
        pytest.param("def f():\n    return 1, 2\na, b = f()\nprobe(b)", 2, id="two results"),
        pytest.param("def f():\n    pass\nprobe(f() is None)\nprobe(f(), 'none')", UNSET, id="no result"),
        pytest.param("n = 3\ndef f():\n    return n\nprobe(f())", 3, id="a global read"),
        pytest.param("n = 3\ndef f():\n    global n\n    n = 4\nf()\nprobe(n)", 4, id="a global set"),
        pytest.param("n = 3\ndef f():\n    n = 4\nf()\nprobe(n)", 3, id="a local of the same name"),
        pytest.param("def f(n):\n    def g():\n        return n\n    return g\nprobe(f(6)())", 6, id="a closure"),
        pytest.param(
            "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n = 2\n    g()\n    return n\nprobe(f())",
            2,
            id="nonlocal",
        ),
        pytest.param("def f(g, n):\n    return g(n)\nprobe(f(lambda x: x + 1, 1))", 2, id="a function as argument"),
        pytest.param("def f():\n    return g()\ndef g():\n    return 8\nprobe(f())", 8, id="defined later"),
    ],
)
def test_calls_are_followed(text: str, expected: object) -> None:
    assert see(text).const() == expected


def test_each_call_has_its_own_arguments() -> None:
    seen = see("def f(n):\n    probe(n)\nf(1)\nf('a')")
    assert [fact.args[0].const for fact in seen.probes()] == [1, "a"]
    assert seen.kind() is Kind.UNKNOWN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("class A:\n    n = 2\nprobe(A().n)", 2, id="a class attribute"),
        pytest.param("class A:\n    n = 2\nprobe(A.n)", 2, id="a class attribute of the class"),
        pytest.param("class A:\n    def __init__(self, n):\n        self.n = n\nprobe(A(3).n)", 3, id="a field"),
        pytest.param("class A:\n    pass\na = A()\na.n = 3\nb = a\nprobe(b.n)", 3, id="two names for one object"),
        pytest.param("class A:\n    def f(self):\n        return 4\nprobe(A().f())", 4, id="a method"),
        pytest.param("class A:\n    def f(self):\n        return 4\nf = A().f\nprobe(f())", 4, id="a bound method"),
        pytest.param("class A:\n    @property\n    def n(self):\n        return 5\nprobe(A().n)", 5, id="a property"),
        pytest.param("class A:\n    @staticmethod\n    def f(n):\n        return n\nprobe(A().f(6))", 6, id="static"),
        pytest.param("class A:\n    @classmethod\n    def f(cls, n):\n        return n\nprobe(A.f(6))", 6, id="class"),
        pytest.param(
            "class A:\n    def f(self):\n        return 7\nclass B(A):\n    pass\nprobe(B().f())", 7, id="inherited"
        ),
        pytest.param(
            "class A:\n    def __init__(self):\n        self.n = 8\n"
            "class B(A):\n    def __init__(self):\n        super().__init__()\nprobe(B().n)",
            8,
            id="super",
        ),
        pytest.param("class A:\n    def __call__(self, n):\n        return n\nprobe(A()(9))", 9, id="called"),
        pytest.param(
            "class A:\n    def f(self):\n        self.n = 1\na = A()\na.f()\nprobe(a.n)", 1, id="set by a method"
        ),
        pytest.param("a = A()\nclass A:\n    pass\nprobe(1)", 1, id="used too early"),
        pytest.param("class A:\n    n = 1\nprobe(getattr(A(), 'n'))", 1, id="getattr"),
    ],
)
def test_objects_are_followed(text: str, expected: object) -> None:
    assert see(text).const() == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("for l in [loader, held_out]:\n    probe(l)", Kind.LOADER),
        ("d = {'train': loader, 'test': held_out}\nfor phase in d:\n    probe(d[phase])", Kind.LOADER),
        ("d = {k: v for k, v in zip('ab', (loader, held_out))}\nprobe(d[k])", Kind.LOADER),
        ("for name, l in {'a': loader}.items():\n    probe(l)", Kind.LOADER),
        ("probe([l for l in (loader, held_out)][0])", Kind.LOADER),
        ("import itertools\nfor i, (x, y) in enumerate(loader):\n    probe(x)", Kind.TENSOR),
        ("for batch in loader:\n    probe(batch)", Kind.BATCH),
        ("for batch in loader:\n    x, y = batch\n    probe(y)", Kind.TENSOR),
        ("it = iter(loader)\nx, y = next(it)\nprobe(x)", Kind.TENSOR),
        ("for a, b in zip(loader, held_out):\n    probe(a)", Kind.BATCH),
        ("probe(model)", Kind.MODULE),
        ("probe(model.to('cuda').train())", Kind.MODULE),
        ("probe(model(torch.ones(1, 8)))", Kind.TENSOR),
        ("probe(torch.optim.Adam(model.parameters()))", Kind.OPTIMIZER),
        ("probe(nn.MSELoss())", Kind.LOSS),
        ("net = model if loader else None\nprobe(net)", Kind.MODULE),
        ("def make(cls, **k):\n    return cls(8, 1, **k)\nprobe(make(nn.Linear, bias=False))", Kind.MODULE),
        ("def batches():\n    for x, y in loader:\n        yield x\nfor b in batches():\n    probe(b)", Kind.TENSOR),
        ("with torch.no_grad() as g:\n    x = model\nprobe(x)", Kind.MODULE),
        ("try:\n    net = model\nfinally:\n    pass\nprobe(net)", Kind.MODULE),
        (
            "match 1:\n    case 1:\n        net = model\n    case _:\n        net = nn.Linear(1, 1)\nprobe(net)",
            Kind.MODULE,
        ),
    ],
)
def test_kinds_are_followed(text: str, kind: Kind) -> None:
    assert train(text).kind() is kind


def test_names_say_nothing() -> None:
    seen = train(
        "model, loader = loader, model\nprobe(loader, 'l')\nprobe(model, 'm')\noptimizer = 3\nprobe(optimizer)"
    )
    assert (seen.kind("l"), seen.kind("m"), seen.kind()) == (Kind.MODULE, Kind.LOADER, Kind.NUMBER)


def test_a_function_that_makes_loaders_makes_another_at_each_call() -> None:
    seen = train("def make(n):\n    return DataLoader([n])\na, b = make(1), make(2)\nprobe(a, 'a')\nprobe(b, 'b')")
    assert len(seen.value("a").sites) == len(seen.value("b").sites) == 1
    assert seen.value("a").sites != seen.value("b").sites


def test_recursion_ends() -> None:
    seen = see(
        "def f(n):\n    return f(n - 1) if n else 0\nprobe(f(3))\n"
        "def g():\n    return h()\ndef h():\n    return g()\ng()"
    )
    assert seen.kind() in (Kind.UNKNOWN, Kind.NUMBER)


def test_deep_calls_end() -> None:
    functions = "".join(f"def f{i}(n):\n    return f{i + 1}(n)\n" for i in range(60))
    assert see(f"{functions}def f60(n):\n    return n\nprobe(f0(1))").kind() in (Kind.UNKNOWN, Kind.NUMBER)


def test_code_behind_a_return_is_not_run() -> None:
    seen = see("def f():\n    return 1\n    probe(2, 'dead')\nprobe(f())\nimport sys\nsys.exit()\nprobe(3, 'gone')")
    assert seen.const() == 1
    assert seen.probes("dead") == seen.probes("gone") == []


def test_modules_of_the_scripts_own_are_run_once() -> None:
    modules = {
        "settings": "SIZE = 32\n_hidden = 1\ndef double(n):\n    return n * 2",
        "data": "from settings import *\nALL = SIZE",
    }
    seen = see(
        """
        import settings
        import settings as s
        from settings import SIZE as size, double
        from data import ALL
        probe(settings.SIZE, "a")
        probe(s.double(4), "b")
        probe(size, "c")
        probe(double(size), "d")
        probe(ALL, "e")
        """,
        modules,
    )
    assert [seen.const(name) for name in "abcde"] == [32, 8, 32, 64, 32]
    assert see("from settings import *\nprobe(SIZE)", modules).const() == 32
    assert see("from settings import *\nprobe(_hidden)", modules).kind() is Kind.LIBRARY


def test_modules_that_import_each_other_end() -> None:
    modules = {"a": "import b\nX = 1", "b": "import a\nY = 2"}
    assert see("import a, b\nprobe(a.X + b.Y)", modules).const() == 3


def test_main_is_the_script() -> None:
    modules = {"other": "if __name__ == '__main__':\n    probe(1, 'module')\nX = 1"}
    seen = see("import other\nif __name__ == '__main__':\n    probe(other.X)", modules)
    assert seen.const() == 1
    assert seen.probes("module") == []


def test_library_names_keep_their_dotted_names() -> None:
    seen = see(
        "import torch.nn as tn\nfrom torch import optim as o\nprobe(tn.Linear, 'a')\nprobe(o.lr_scheduler.StepLR, 'b')"
    )
    assert (seen.value("a").name, seen.value("b").name) == ("torch.nn.Linear", "torch.optim.lr_scheduler.StepLR")


def test_unknown_stays_unknown() -> None:
    seen = see("import lib\nx = lib.make()\nprobe(x.loader)\nfor b in x.loader:\n    probe(b, 'b')")
    assert (seen.kind(), seen.kind("b"), seen.form("b")) == (Kind.METHOD, Kind.UNKNOWN, Form.REPLICATED)


_OPTIONS = "import argparse\nparser = argparse.ArgumentParser()\n{}\nargs = parser.parse_args()\n"


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        pytest.param('parser.add_argument("--n")', "probe(args.n)", True, id="no default"),
        pytest.param('parser.add_argument("-k", "--n-n", default=None)', "probe(args.n_n)", True, id="None by default"),
        pytest.param('parser.add_argument("--n", dest="m")', "probe(args.m)", True, id="another name"),
        pytest.param('parser.add_argument("--n", default=1)', "probe(args.n)", False, id="a default"),
        pytest.param('parser.add_argument("--n", required=True)', "probe(args.n)", False, id="required"),
        pytest.param('parser.add_argument("n")', "probe(args.n)", False, id="a positional argument"),
        pytest.param('parser.add_argument("--n", action="store_true")', "probe(args.n)", False, id="a switch"),
        pytest.param('parser.add_argument("--n")\nparser.set_defaults(n=1)', "probe(args.n)", False, id="set later"),
        pytest.param('parser.add_argument("--n")', "n = args.n\nprobe(n)", True, id="copied"),
        pytest.param('parser.add_argument("--n")', "probe(args.n or 1)", False, id="or"),
        pytest.param('parser.add_argument("--n")', "probe(1 and args.n)", True, id="and"),
        pytest.param('parser.add_argument("--n")', "args.n = 1\nprobe(args.n)", False, id="overwritten"),
        pytest.param('parser.add_argument("--n")', "if k:\n    args.n = 1\nprobe(args.n)", True, id="perhaps"),
        pytest.param('parser.add_argument("--n")', "if not args.n:\n    args.n = 1\nprobe(args.n)", False, id="filled"),
        pytest.param('parser.add_argument("--n")', "if args.n is None:\n    exit()\nprobe(args.n)", False, id="left"),
        pytest.param('parser.add_argument("--n")', "if args.n is not None:\n    probe(args.n)", False, id="asked"),
        pytest.param('parser.add_argument("--n")', "if k and args.n:\n    probe(args.n)", False, id="asked beside"),
        pytest.param('parser.add_argument("--n")', "if k or args.n:\n    probe(args.n)", True, id="asked or else"),
        pytest.param('parser.add_argument("--n")', "if args.n is None:\n    print()\nprobe(args.n)", True, id="shown"),
        pytest.param('parser.add_argument("--n")', "assert args.n\nprobe(args.n)", False, id="asserted"),
        pytest.param('parser.add_argument("--n")', "probe(args.n) if args.n > 0 else 0", False, id="compared"),
        pytest.param('parser.add_argument("--n")', "args.n if args.n else 0\nprobe(args.n)", True, id="behind an arm"),
        pytest.param("", "n = 1 if k else None\nprobe(n)", True, id="an arm"),
        pytest.param("", "n = 1 if k else None\nif n is None:\n    n = 2\nprobe(n)", False, id="a name filled"),
        pytest.param("", "def f(n=None):\n    probe(n)\nf()", True, id="a parameter"),
        pytest.param("", "def f(n=None):\n    probe(n)\nf(1)", False, id="a parameter given"),
    ],
)
def test_what_may_be_none(options: str, text: str, expected: bool) -> None:
    assert see(_OPTIONS.format(options) + text).value().may_be_none is expected


def test_a_starred_argument_gives_an_item_or_itself_where_the_items_are_lost() -> None:
    item, lost = Value(Kind.TENSOR), Value(tags=frozenset({STARRED}))
    assert given_one(Value(items=(item,), tags=frozenset({STARRED}))) is item
    assert given_one(lost) is lost
    assert given_one(Value(Kind.TUPLE, items=(item,))).kind is Kind.TUPLE
