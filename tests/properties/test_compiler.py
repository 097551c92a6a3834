"""The compiler as a whole: layout does not matter, nothing makes it fail, and what trains nothing is left alone."""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import random
import re
import shutil
import sysconfig
import tokenize
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases_support import TARGETS, Case, discover, lost_lines
from corro.compiler import Options, Output, compile_file, compile_source
from corro.errors import SourceError
from corro.plan import Outcome
from corro.source import SourceFile

pytestmark = pytest.mark.reads("tests/cases")

CONVERTING = [
    case
    for case in discover()
    if case.before.suffix == ".py" and any((e := case.expected(t)) and e.kind == "converted" for t in case.targets)
]
ALL_TARGETS = sorted({target for names in TARGETS.values() for target in names})
NEW_NAMES = ("rank", "dist", "hvd", "os", "sampler", "totals", "size", "batches", "ddp_model", "main", "torch_", "sums")
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom, ast.Pass, ast.Assert)


# ---------------------------------------------------------------------- formatting


class Rewritten:
    """A text whose formatting is changed at random; each change keeps the tree, but for ``names``."""

    def __init__(self, text: str, chance: random.Random) -> None:
        self.text, self.chance = text, chance

    def tokens(self) -> list[tokenize.TokenInfo]:
        return list(tokenize.generate_tokens(io.StringIO(self.text).readline))

    def edit(self, edits: list[tuple[int, int, str]]) -> None:
        for start, end, new in sorted(edits, reverse=True):
            self.text = self.text[:start] + new + self.text[end:]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place that ``tokenize`` names: columns are characters."""
        return self.starts()[line - 1] + column

    def of(self, line: int, column: int) -> int:
        """The offset of a place that ``ast`` names: columns are bytes."""
        start = self.starts()[line - 1]
        text = self.text[start:].split("\n", 1)[0]
        return start + len(text.encode()[:column].decode())

    def starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def some(self, share: float = 0.3) -> bool:
        return self.chance.random() < share

    def blank_lines(self) -> None:
        """Blank lines and comments in front of statements."""
        edits = {}
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.stmt) and self.some():
                decorators = getattr(node, "decorator_list", [])
                line = min([node.lineno, *(each.lineno for each in decorators)])
                start = self.starts()[line - 1]
                indent = re.match(r"[ \t]*", self.text[start:])
                alone = indent is not None and self.of(node.lineno, node.col_offset) == self.of(node.lineno, 0) + len(
                    indent[0]
                )
                if line > 2 and alone and indent is not None and not self.text[:start].endswith("\\\n"):
                    edits[start] = self.chance.choice(("\n", f"{indent[0]}# by the way\n", "\n\n", f"{indent[0]}\n"))
        self.edit([(start, start, new) for start, new in edits.items()])

    def trailing_blanks(self) -> None:
        ends = [
            t.start for t in self.tokens() if t.type in (tokenize.NEWLINE, tokenize.NL) and t.string and self.some()
        ]
        self.edit([(self.offset(*end),) * 2 + (self.chance.choice((" ", "\t", "  ")),) for end in ends])

    def semicolons(self) -> None:
        """Neighbours on lines of their own come to stand on one line."""
        edits = []
        lines = self.text.split("\n")
        for node in ast.walk(ast.parse(self.text)):
            for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
                for one, other in pairwise(block) if isinstance(block, list) else ():
                    if not isinstance(one, SIMPLE) or not isinstance(other, SIMPLE) or not self.some():
                        continue
                    apart = one.end_lineno == one.lineno and other.lineno == one.lineno + 1
                    end = self.of(one.lineno, one.end_col_offset or 0)
                    start = self.of(other.lineno, other.col_offset)
                    if (
                        apart
                        and one.lineno > 2
                        and not self.text[end:start].strip()
                        and "#" not in lines[other.lineno - 1]
                    ):
                        edits.append((end, start, self.chance.choice(("; ", ";", " ; "))))
        self.edit(edits)

    def parentheses(self) -> None:
        """Around values that are assigned and conditions; not in one that lies within another."""
        edits = []
        for node in ast.walk(ast.parse(self.text)):
            value = (
                node.value
                if isinstance(node, ast.Assign)
                else node.test
                if isinstance(node, (ast.If, ast.While))
                else None
            )
            if value is not None and self.some() and not isinstance(value, (ast.Yield, ast.YieldFrom, ast.Await)):
                start = self.of(value.lineno, value.col_offset)
                end = self.of(value.end_lineno or 0, value.end_col_offset or 0)
                before = self.text[:start].rstrip()[-1:]
                edits += [
                    (start, start, "(" if before.isalnum() is False or self.text[start - 1] == " " else " ("),
                    (end, end, ")"),
                ]
        self.edit(edits)

    def tabs(self) -> None:
        """One tab for a step of indentation, save within strings and brackets."""
        edits, fresh = [], True
        for token in self.tokens():
            if token.type in (tokenize.INDENT, tokenize.DEDENT):
                continue
            if fresh and token.type not in (tokenize.NL, tokenize.ENDMARKER):
                line, column = token.start
                start = self.starts()[line - 1]
                if column % 4 == 0 and set(self.text[start : start + column]) <= {" "}:
                    edits.append((start, start + column, "\t" * (column // 4)))
                else:
                    return  # another step of indentation: mixing would be an error
            fresh = (
                token.type == tokenize.NEWLINE
                or (token.type == tokenize.NL and fresh)
                or (token.type == tokenize.COMMENT and fresh)
            )
        self.edit(edits)

    def names(self) -> None:
        """One or two of the script's own variables get names that the compiler would like to use itself."""
        for new in self.chance.sample(NEW_NAMES, 2):
            words = {t.string for t in self.tokens() if t.type == tokenize.NAME}
            strings = " ".join(t.string for t in self.tokens() if t.type in (tokenize.STRING, tokenize.COMMENT))
            tree = ast.parse(self.text)
            free = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            for node in ast.walk(tree):
                bound = [getattr(node, field, None) for field in ("attr", "arg", "name", "asname", "rest")]
                bound += (getattr(node, "module", None) or "").split(".")
                free -= {each for each in (*bound, *(getattr(node, "names", None) or [])) if isinstance(each, str)}
            known = {*dir(builtins), *keyword.kwlist, *re.findall(r"\w+", strings)}
            mine = sorted(name for name in free - known if not name.startswith("_"))
            if not mine or new in words or re.search(rf"\b{new}\b", self.text):
                continue
            old = self.chance.choice(mine)
            found = [t for t in self.tokens() if t.type == tokenize.NAME and t.string == old]
            self.edit([(self.offset(*t.start), self.offset(*t.end), new) for t in found])


SAME_TREE = (
    Rewritten.parentheses,
    Rewritten.semicolons,
    Rewritten.blank_lines,
    Rewritten.trailing_blanks,
    Rewritten.tabs,
)


def rewrite(data: bytes, chance: random.Random, *, names: bool, widths: bool = True) -> bytes | None:
    """A script in another layout, with lines as wide as they were but for ``widths``.

    ``None`` for one that says something of its encoding or line ends.
    """
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return None
    if "\r" in text or "\f" in text or "coding" in text.split("\n\n")[0]:
        return None
    rewritten = Rewritten(text, chance)
    if names:
        rewritten.names()
    for change in SAME_TREE[not widths :]:
        if chance.random() < 0.6:
            change(rewritten)
    if not names:
        assert ast.dump(ast.parse(rewritten.text)) == ast.dump(ast.parse(text)), "a fault of this test"
    text = rewritten.text
    return (text.replace("\n", "\r\n") if chance.random() < 0.3 else text).encode()


def rules(output: Output) -> Counter[str]:
    return Counter(change.rule for change in output.plan.changes)


def compile_in(folder: Path, case: Case, data: bytes, target: str) -> Output:
    shutil.copytree(case.folder, folder, dirs_exist_ok=True)
    (folder / "before.py").write_bytes(data)
    return compile_file(folder / "before.py", target, **case.how)


def assert_stands_by_itself(output: Output, options: Options) -> None:
    """What holds of every program that comes out."""
    assert output.text is not None
    ast.parse(output.text)
    moved_in = re.compile(r"\d+: *\s*#")  # a comment between two statements that one guard takes in
    assert [line for line in lost_lines(output) if not moved_in.match(line)] == []
    assert output.source.encode(output.text).count(b"\r\n") in (0, output.text.count("\n"))
    again = compile_source(SourceFile.from_text(output.text, output.source.path), options)
    assert again.plan.outcome is Outcome.ALREADY_DISTRIBUTED


def assert_layout_does_not_matter(case: Case, target: str, seed: int, folder: Path) -> None:
    chance = random.Random(seed)
    names = chance.random() < 0.4 and not [
        path for path in case.folder.glob("*.py") if path.stem.split(".")[0] not in ("before", "after")
    ]
    data = case.before.read_bytes()
    widths = names or chance.random() < 0.5
    changed = rewrite(data, chance, names=names, widths=widths)
    if changed is None:
        return
    before, after = compile_in(folder, case, data, target), compile_in(folder, case, changed, target)
    assert after.plan.outcome is before.plan.outcome, [str(f.message) for f in after.plan.refusals] + [changed.decode()]
    assert [f.rule for f in after.plan.findings] == [f.rule for f in before.plan.findings]
    if after.text is None or before.text is None:
        return
    assert_stands_by_itself(after, Options(target, **case.how))
    assert rules(after) == rules(before)
    if not widths:  # a line that is full gives its new parts a name
        assert ast.unparse(ast.parse(after.text)) == ast.unparse(ast.parse(before.text))


@pytest.mark.parametrize("case", CONVERTING, ids=str)
def test_layout_does_not_matter_in_any_case(case: Case, tmp_path: Path) -> None:
    """Each converting case once, with one target."""
    chance = random.Random(str(case))
    assert_layout_does_not_matter(case, chance.choice(case.targets), chance.randrange(2**32), tmp_path)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(CONVERTING), st.integers(0, 2**32), st.sampled_from(ALL_TARGETS))
def test_layout_does_not_matter(tmp_path: Path, case: Case, seed: int, target: str) -> None:
    if target in case.targets:
        folder = tmp_path / case.folder.name
        assert_layout_does_not_matter(case, target, seed, folder)


def test_cases_with_an_encoding_or_line_end_of_their_own_are_few() -> None:
    kept = [case for case in CONVERTING if rewrite(case.before.read_bytes(), random.Random(1), names=False) is None]
    assert len(kept) < len(CONVERTING) / 20


# ---------------------------------------------------------------------- programs at random

LOADERS = (
    "DataLoader(data, batch_size=64, shuffle=True)", "DataLoader(data, 64, True)",
    "DataLoader(data, batch_size=args.size)",
    "DataLoader(dataset=data,\n                    batch_size=64,\n                    shuffle=True, drop_last=True)",
    "make_loader(data, 32)", "DataLoader(data, **options)",
    "DataLoader(data, sampler=torch.utils.data.RandomSampler(data), batch_size=16)",
    "[DataLoader(data, 8), DataLoader(data, 8)][0]", "DataLoader(data, batch_size=None)",
    "DataLoader(data, batch_sampler=batches)", "{'train': DataLoader(data, 8, shuffle=True)}['train']",
)  # fmt: skip
EPOCHS = (
    "for epoch in range(args.epochs):", "for epoch in tqdm(range(3)):", "while epoch < 3:\n    epoch += 1",
    "for _ in (1, 2):", "if True:", "for epoch, rate in enumerate([0.1, 0.01]):",
    "while True:\n    epoch += 1\n    if epoch > 3: break",
    "for epoch in range(start, 3):\n    if epoch == 1: continue", "try:\n    epoch = 1\nfinally:",
    "for fold in range(2):\n  for epoch in range(2):",
)  # fmt: skip
PASSES = (
    "for x, y in loader:", "for i, (x, y) in enumerate(loader):", "for batch in loader:\n    x, y = batch",
    "for i, batch in enumerate(tqdm(loader), 1):\n    x, y = batch[0], batch[1]", "for x, y in iter(loader):",
    "for (x, y), _ in zip(loader, range(5)):", "for x, y in list(loader)[:3]:",
    "it = iter(loader)\nfor _ in range(3):\n    x, y = next(it)", "for x, *rest in loader:\n    y = rest[0]",
    "for x, y in (b for b in loader):",
)  # fmt: skip
LOSSES = (
    "loss = criterion(model(x), y)", "loss = F.cross_entropy(model(x), y, reduction='sum') / len(x)",
    "loss = step(model, x, y)", "loss = F.mse_loss(model(x), y); loss += 0.1 * model(x).pow(2).mean()",
    "loss = (model(x) - y).pow(2).sum()",
    "loss = sum(p.pow(2).sum() for p in model.parameters()) + criterion(model(x), y)",
    "loss, out = criterion(model(x), y), None", "with torch.autocast('cpu'):\n    loss = criterion(model(x), y)",
    "loss = criterion(model.forward(x), y)", "loss = model(x).max()",
)  # fmt: skip
UPDATES = (
    "optimizer.zero_grad()\nloss.backward()\noptimizer.step()",
    "loss.backward(); optimizer.step(); optimizer.zero_grad()", "update(loss)",
    "optimizer.zero_grad(); loss.backward(); optimizer.step(); scaler = None",
    "(loss / 2).backward()\nif i % 2 == 0:\n    optimizer.step()\n    optimizer.zero_grad()",
    "loss.backward()\nnn.utils.clip_grad_norm_(model.parameters(), 1.0)\noptimizer.step()\nmodel.zero_grad()",
    "optimizer.step(lambda: loss)",
    "for o in optimizers: o.zero_grad()\nloss.backward()\nfor o in optimizers: o.step()",
    "if loss > 0: loss.backward()\noptimizer.step()",
    "def closure(): loss.backward(); return loss\noptimizer.step(closure)",
)  # fmt: skip
METRICS = (
    "total += loss.item()", "total += loss.item() * len(x)", "losses.append(loss.item())",
    "correct += (model(x).argmax(1) == y).sum().item()", "print(loss.item())",
    "if i % 10 == 0: print(f'{epoch} {i} {loss.item():.3f}')", "best = min(best, loss.item())",
    "n += 1; seen += x.size(0)", "meter.update(loss.item(), len(x))", "writer.add_scalar('loss', loss.item(), i)",
    "history['loss'] += [loss.item()]", "pass", "if loss.item() < 0.1: break", "total = total + loss.detach()",
    "stats[epoch] = loss", "logging.info('%s', loss)",
)  # fmt: skip
ENDS = (
    "print(total / len(loader))", "scheduler.step()", "scheduler.step(total)",
    "torch.save(model.state_dict(), f'{epoch}.pt')",
    "if total < best:\n    best = total\n    torch.save(model, 'best.pt')", "print('epoch', epoch); total = 0",
    "evaluate(model)", "print(f'{evaluate(model):.2%}')", "accuracy = evaluate(model)\nif accuracy > 0.9: break",
    "del loss", "pass", "total = 0; correct = 0", "history['epoch'].append(total / len(loader.dataset))",
    "open('log.txt', 'a').write(str(total))", "with open('log', 'w') as f: f.write(f'{total}')",
)  # fmt: skip
HEAD = """import argparse, logging, os, random
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=8)
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()
options = dict(batch_size=16, shuffle=True)
history = {"loss": [], "epoch": []}
losses, stats = [], {}

def make_scaler():
    return None

def make_loader(data, size):
    return DataLoader(data, batch_size=size, shuffle=True)

def step(net, x, y):
    return F.mse_loss(net(x), y)

def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

def evaluate(net):
    hits = 0
    with torch.no_grad():
        for x, y in held_out: hits += (net(x).argmax(1) == y).sum().item()
    return hits / len(held_out.dataset)

"""
SETUP = """data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
held_out = DataLoader(data, batch_size=8)
loader = {loader}
model = nn.Linear(8, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizers = [optimizer]
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
scaler = make_scaler()
epoch = total = correct = n = seen = start = 0
best = 9e9
"""


def indented(text: str, step: str) -> str:
    return "".join(step + line + "\n" if line.strip() else "\n" for line in text.split("\n"))


def last_indent(head: str, step: str) -> str:
    """The indentation of a block below the last line of ``head``, which ends with a colon, or below what follows it."""
    lines = head.split("\n")
    opener = max(i for i, line in enumerate(lines) if re.match(r"\s*(for|while|if|try|finally)\b.*:$", line))
    return re.match(r" *", lines[opener])[0] + (step if not lines[opener].startswith(" ") else "    ")  # type: ignore[index]


def pick(chance: random.Random, pieces: tuple[str, ...]) -> str:
    """A piece; one of the first four, which are the usual ones, most of the time."""
    return chance.choice(pieces[:4] if chance.random() < 0.85 else pieces)


def random_program(chance: random.Random) -> str:
    """A training script put together from pieces, at module level or in functions."""
    metrics = "\n".join(chance.sample(METRICS, chance.randint(0, 3)))
    body = "\n".join(filter(None, (pick(chance, LOSSES), pick(chance, UPDATES), metrics)))
    head = pick(chance, PASSES)
    one_pass = head + "\n" + indented(body, last_indent(head, "    "))
    ends = "\n".join(chance.sample(ENDS, chance.randint(0, 3)))
    form = chance.randrange(4)
    globals_ = "global total, correct, n, seen, best, i\n" if form else ""
    functions = ""
    if form == 1:
        functions = "def train(loader, model, epoch=0):\n" + indented(
            globals_ + "i = 0\n" + one_pass + "\nreturn total", "    "
        )
        one_pass = chance.choice(
            (
                "train(loader, model)",
                "total = train(loader, model, epoch)",
                "total += train(model=model, loader=loader)",
            )
        )
    epochs = pick(chance, EPOCHS)
    loop = epochs + "\n" + indented(f"i = 0\n{one_pass}\n{ends}", last_indent(epochs, "    "))
    setup = SETUP.format(loader=pick(chance, LOADERS))
    if form == 2:
        names = (
            "data, held_out, loader, model, criterion, optimizer, optimizers, scheduler, scaler, "
            "total, best, n, seen, correct, epoch, start"
        )
        main = f"global {names}\n{setup}{loop}"
        return HEAD + "def main():\n" + indented(main, "    ") + "\nif __name__ == '__main__':\n    main()\n"
    if form == 3:
        return (
            HEAD
            + "def main():\n"
            + indented(f"{setup}{loop}", "    ")
            + chance.choice(("main()\n", "if __name__ == '__main__': main()\n"))
        )
    return HEAD + functions + setup + loop


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(TARGETS["pytorch"]), st.sampled_from(["strong", "weak"]), st.booleans())
def test_no_program_makes_the_compiler_fail(seed: int, target: str, scaling: str, annotate: bool) -> None:
    text = random_program(random.Random(seed))
    try:
        ast.parse(text)
    except SyntaxError:
        pytest.fail(f"a fault of this test:\n{text}")
    options = Options(target, scaling, annotate=annotate)
    output = compile_source(SourceFile.from_text(text, "script.py"), options)
    assert output.plan.outcome in (Outcome.CONVERTED, Outcome.REFUSED), text
    assert all(finding.advice for finding in output.plan.refusals)
    if output.plan.outcome is Outcome.CONVERTED and not annotate:
        assert_stands_by_itself(output, options)


def test_random_programs_are_converted_and_refused() -> None:
    """Otherwise the test above would say little."""
    sources = [SourceFile.from_text(random_program(random.Random(seed)), "script.py") for seed in range(150)]
    outcomes = Counter(compile_source(source).plan.outcome for source in sources)
    assert min(outcomes[Outcome.CONVERTED], outcomes[Outcome.REFUSED]) >= 10, outcomes


# ---------------------------------------------------------------------- other people's files

STANDARD_LIBRARY = Path(sysconfig.get_paths()["stdlib"])
TORCH = Path(torch.__file__).parent


def sample(root: Path, count: int = 150, most: int = 60_000) -> list[Path]:
    found = (path for path in root.rglob("*.py") if "site-packages" not in path.relative_to(root).parts)
    return random.Random(20).sample(sorted(path for path in found if path.stat().st_size <= most), count)


def outcome(path: Path) -> Outcome | None:
    """What becomes of a file; ``None`` where it is no Python, as some test data of the standard library."""
    try:
        return compile_file(path, random.Random(path.name).choice(["", *TARGETS["pytorch"]])).plan.outcome
    except SourceError:
        return None


def outcome_alone(path: Path, folder: Path) -> Outcome | None:
    """What becomes of a copy of a file that has none of its project's modules beside it."""
    copy = Path(shutil.copy(path, folder))
    found = outcome(copy)
    copy.unlink()
    return found


def test_the_standard_library_trains_nothing(tmp_path: Path) -> None:
    found = Counter(outcome_alone(path, tmp_path) for path in sample(STANDARD_LIBRARY))
    assert set(found) <= {Outcome.NOTHING, None}
    assert found[Outcome.NOTHING] > 130


def test_the_files_of_torch_make_the_compiler_fail_nowhere(tmp_path: Path) -> None:
    for path in sample(TORCH):
        found = outcome_alone(path, tmp_path)
        if ".backward" not in path.read_text(encoding="utf-8"):
            assert found in (Outcome.NOTHING, Outcome.ALREADY_DISTRIBUTED), path


@pytest.mark.parametrize(
    "name", ["netrc.py", "asyncio/timeouts.py", "lib2to3/patcomp.py", "multiprocessing/__init__.py"]
)
def test_modules_that_import_hundreds_of_others_are_left_alone_too(name: str) -> None:
    assert outcome(STANDARD_LIBRARY / name) in (Outcome.NOTHING, Outcome.ALREADY_DISTRIBUTED)


@pytest.fixture(scope="module")
def torch_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of torch without the packages beside it, which it would lead to as if they were one project."""

    def other(within: str, names: list[str]) -> list[str]:
        return [name for name in names if not name.endswith(".py") and not Path(within, name).is_dir()]

    return Path(shutil.copytree(TORCH, tmp_path_factory.mktemp("alone") / "torch", ignore=other))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["_dynamo/variables/hashable.py", "_inductor/virtualized.py"])
def test_so_is_a_package_of_which_any_file_leads_to_all_of_it(name: str, torch_alone: Path) -> None:
    """The same hundreds of files to read, whichever is compiled."""
    assert outcome(torch_alone / name) in (Outcome.NOTHING, Outcome.ALREADY_DISTRIBUTED)
