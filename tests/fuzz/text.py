"""Writes the text of a script from its recipe."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from fuzz.grammar.batches import WAYS, Way, data_of, filled
from fuzz.grammar.metrics import own_names
from fuzz.grammar.piece import Piece, Value
from fuzz.recipe import Recipe

_NAME = re.compile(r"\$([A-Za-z_]\w*)")
_ALTERNATIVES = {
    "model": ("model", "net", "clf"),
    "loader": ("loader", "train_loader", "trainloader", "train_dl"),
    "test_loader": ("test_loader", "val_loader", "testloader", "valid_dl"),
    "train_set": ("train_set", "train_data", "train_dataset", "trainset"),
    "test_set": ("test_set", "test_data", "val_dataset", "testset"),
    "optimizer": ("optimizer", "opt"),
    "criterion": ("criterion", "loss_fn", "loss_func"),
    "scheduler": ("scheduler", "sched", "lr_scheduler"),
    "x": ("x", "inputs", "xb", "data", "X", "batch_x"),
    "y": ("y", "targets", "yb", "labels", "target", "batch_y"),
    "w": ("w", "weights", "wb", "sample_weight"),
    "out": ("out", "outputs", "logits", "output", "y_pred", "y_hat"),
    "loss": ("loss", "loss", "batch_loss"),
    "i": ("i", "batch_idx", "step_idx", "k"),
    "epoch": ("epoch", "epoch", "ep"),
    "Net": ("Net", "Model", "MLP", "Classifier"),
    "Points": ("Points", "MyDataset", "CustomDataset"),
    "Meter": ("AverageMeter", "Meter"),
    "Short": ("Mean", "Average"),
    "Logger": ("MetricLogger", "Tracker"),
    "total": ("total", "running_loss", "total_loss", "epoch_loss", "loss_sum"),
    "count": ("count", "n", "total_samples", "seen_samples"),
    "correct": ("correct", "hits", "n_correct"),
    "losses": ("losses", "batch_losses", "all_losses"),
    "meter": ("meter", "losses_meter", "avg_meter"),
}
_SHARED = ("model", "loader", "test_loader", "optimizer", "criterion", "scheduler", "train_set", "test_set", "device")
_SHARED += ("train_x", "train_y", "train_w")


@dataclass
class Writer:
    """Turns templates into text: knows what each ``$name`` is called, and where."""

    names: dict[str, str]
    owner: frozenset[str] = frozenset()  # what is an attribute of ``self``

    def __call__(self, template: str, own: dict[str, str] | None = None) -> str:
        """The text of a template; a metric has names of its own."""

        def name(match: re.Match[str]) -> str:
            key = match.group(1)
            if own and key in own:
                return own[key]
            plain = self.names.get(key, key)
            return f"self.{plain}" if key in self.owner else plain

        return _NAME.sub(name, template)


@dataclass
class Body:
    """A part of a script: templates that are not yet indented as a whole."""

    text: str = ""
    values: list[tuple[str, Value]] = field(default_factory=list)  # the name each is bound to


def indent(text: str, levels: int = 1) -> str:
    """The text further to the right."""
    return "".join("    " * levels + line if line.strip() else line for line in text.splitlines(keepends=True))


@dataclass(frozen=True)
class _Phases:
    """How one loop is told whether it trains: the flag, the loader, the data, and what is made or goes over phases."""

    flag: str
    loader: str
    data: str
    head: str = ""
    made: str = ""
    parameters: str = ""
    given: tuple[str, str] = ("True", "False")


_NAMED = 'sets = {"train": $train_set, "val": $test_set}\n'
_PHASES = (
    _Phases("training", "data_loader", "data", parameters="data_loader, data, training"),
    _Phases("stepper is not None", "data_loader", "data", parameters="data_loader, data, stepper=None",
            given=("$optimizer", "None")),
    _Phases('phase == "train"', "loaders[phase]", "sets[phase]", 'for phase in ["train", "val"]:\n',
            f'{_NAMED}loaders = {{"train": $loader, "val": $test_loader}}\n'),
    _Phases("training", "($loader if training else $test_loader)", "($train_set if training else $test_set)",
            "for training in (True, False):\n"),
    _Phases('phase == "train"', "loaders[phase]", "sets[phase]", 'for phase in ("train", "val"):\n',
            f'{_NAMED}loaders = {{name: DataLoader(sets[name], batch_size=SIZE, shuffle=name == "train") '
            'for name in ("train", "val")}\n'),
)  # fmt: skip
_ENTRIES = (
    *[("", "", "", "main()")] * 6,
    ("import click\n", "@click.command()\n", "", "main()"),
    ("from absl import app\n", "", "argv", "app.run(main)"),
)
"""How the main function is run: an import, a decorator, a parameter and a call."""
_AROUND = {"generator": "batches(LOADER)", "islice": "itertools.islice(LOADER, 3)", "endless": "endless(LOADER)",
           "zip": "zip(LOADER, itertools.count())"}  # fmt: skip
"""What is put around the loader in the head of the loop."""
_TAKEN = {
    "next": ("batches = iter($loader)\nfor $i in range(len($loader)):\n", "TARGET = next(batches)\n"),
    "next in while": (
        "batches, $i = iter($loader), -1\nwhile $i < len($loader) - 1:\n", "$i += 1\nTARGET = next(batches)\n"
    ),
    "restarted": (
        "batches = iter($loader)\nfor $i in range(len($loader) + 2):\n",
        "try:\n    TARGET = next(batches)\nexcept StopIteration:\n    batches = iter($loader)\n"
        "    TARGET = next(batches)\n",
    ),
    "restarted by number": (
        "for $i in range(len($loader) + 2):\n",
        "if $i % len($loader) == 0:\n    batches = iter($loader)\nTARGET = next(batches)\n",
    ),
    "next of endless": (
        "batches = endless($loader)\nfor $i in range(len($loader) + 2):\n", "TARGET = next(batches)\n"
    ),
}  # fmt: skip
"""How batches are taken one by one: the head of the loop, and its first lines."""
_ENDLESS = """

def endless(loader):
    while True:
        for batch in loader:
            yield batch
"""
_BATCHES = """

def batches(loader):
    for batch in loader:
        yield batch
"""


def _filled(template: str, lines: dict[str, str]) -> str:
    """A template with text in place of the lines that are a word, as far to the right."""

    def text(line: str) -> str:
        return indent(lines[line.strip()], (len(line) - len(line.lstrip())) // 4) if line.strip() in lines else line

    return "".join(map(text, template.splitlines(keepends=True)))


def write(recipe: Recipe) -> str:
    """The script."""
    return _without_idle_loader(_Script(recipe).write()) if recipe.style.fetch in WAYS else _Script(recipe).write()


def _without_idle_loader(text: str) -> str:
    """A script without the loaders that it only makes."""
    made = re.findall(r"^ *(\w+) = DataLoader\(.*\n", text, re.MULTILINE)
    idle = [name for name in made if len(re.findall(rf"(?<![\w.]){name}\b", text)) == 1]
    return re.sub(rf"^ *({'|'.join(idle)}) = DataLoader\(.*\n", "", text, flags=re.MULTILINE) if idle else text


class _Script:
    def __init__(self, recipe: Recipe) -> None:
        self.recipe, self.style = recipe, recipe.style
        self.plain = Writer(self._base_names())
        self.taken = set(self.plain.names.values())
        self.state = {name for each in recipe.parts for name in each.state}
        self.shared = [*_SHARED, *sorted(self.state)]
        self.own: dict[int, dict[str, str]] = {}
        for metric in recipe.metrics:
            self._name_own(metric, "train")
        for metric in recipe.test_metrics:
            self._name_own(metric, "test")

    # names

    def _base_names(self) -> dict[str, str]:
        style, recipe = self.style, self.recipe
        chance = random.Random(style.names)
        names = {k: chance.choice(v) if style.names else v[0] for k, v in _ALTERNATIVES.items()}
        numbers = {"B": recipe.batch, "E": recipe.epochs, "lr": style.rate, "TB": recipe.test_batch}
        for key, value in numbers.items():
            spelt = {"B": "batch_size", "E": "epochs", "lr": "lr", "TB": "test_batch_size"}[key]
            spelt = spelt.upper() if style.names % 3 == 1 and key != "lr" else spelt
            names[key] = {"names": spelt, "literals": str(value), "args": f"args.{spelt.lower()}"}[style.constants]
        outputs = 10 if "img" in recipe.data.tags else 3 if recipe.data.tags & {"cls", "multi"} else 1
        return names | {"N": str(recipe.train), "M": str(recipe.test), "C": str(outputs)}

    def _name_own(self, metric: Piece, prefix: str) -> None:
        own = {}
        for name in own_names(metric):
            chosen = self.plain.names.get(name, name)
            while chosen in self.taken:
                chosen = f"{prefix}_{chosen}"
            self.taken.add(chosen)
            own[name] = chosen
        self.own[id(metric)] = own

    # parts

    def write(self) -> str:
        recipe, plain = self.recipe, self.plain
        layout = self.style.layout
        body = {
            "module": self._flat,
            "main": self._flat,
            "functions": self._functions,
            "functions in main": self._functions,
            "globals": self._globals,
            "trainer": self._trainer,
            "phases": self._phases,
        }[layout]
        functions, main = body()
        defs = "\n\n".join(dict.fromkeys(plain(p.defs) for p in recipe.pieces if p.defs))
        defs += _BATCHES * (self.style.fetch == "generator") + _ENDLESS * ("endless" in self.style.fetch)
        if self.style.fetch in WAYS:
            defs += f"\n\n{filled(WAYS[self.style.fetch].defs, recipe.data)}"
        head = f"{self._imports()}\n\n{defs}\n"
        config = self._config()
        seed = self.style.seeded
        if layout in ("main", "functions in main"):
            imported, decorator, parameter, called = _ENTRIES[self.style.names % len(_ENTRIES)]
            inside = f"{decorator}def main({parameter}):\n{indent(config[1] + seed + main)}"
            call = f'if __name__ == "__main__":\n    {called}\n' if self.style.guard else f"{called}\n"
            return f"{imported}{head}{config[0]}\n{functions}\n\n{inside}\n\n{call}"
        return f"{head}{config[0]}{config[1]}{seed}\n{functions}\n{main}"

    def _imports(self) -> str:
        lines = ["import torch", "import torch.nn as nn", "import torch.nn.functional as F"]
        if "np." in self.style.seeded:
            lines.append("import numpy as np")
        if self.style.constants == "args":
            lines.append("import argparse")
        if self.style.fetch in ("islice", "zip"):
            lines.append("import itertools")
        for piece in self.recipe.pieces:
            lines += piece.imports.splitlines()
        return "\n".join(dict.fromkeys(lines)) + "\n"

    def _config(self) -> tuple[str, str]:
        """What stands at module level, and what is parsed where the program begins."""
        style, recipe = self.style, self.recipe
        if style.constants == "literals":
            return "", ""
        numbers = {"B": recipe.batch, "E": recipe.epochs, "lr": style.rate, "TB": recipe.test_batch}
        if style.constants == "names":
            return "".join(f"{self.plain.names[key]} = {value}\n" for key, value in numbers.items()), ""
        options = "".join(
            f'parser.add_argument("--{self.plain.names[key][5:].replace("_", "-")}", '
            f"type={type(value).__name__}, default={value})\n"
            for key, value in numbers.items()
        )
        parsed = f"parser = argparse.ArgumentParser()\n{options}args = parser.parse_args()\n"
        return "", parsed

    def _setup(self) -> str:
        """Data, loaders, model, loss and optimizer."""
        return self._given() + self._begun()

    def _given(self) -> str:
        """Data and loaders."""
        rows = data_of(self.recipe.data) if self.style.fetch in WAYS else ""
        device = 'device = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n' if self.style.device else ""
        return self.plain(self.recipe.data.data + rows + self._loaders()) + device

    def _begun(self) -> str:
        """Model, loss and optimizer."""
        recipe = self.recipe
        model = recipe.model.build
        if self.style.device:
            model += (
                "$model<<>>.to(device)\n".replace("<<>>", "")
                if self.style.names % 2
                else "$model = $model.to(device)\n"
            )
        made = "".join(p.made for p in recipe.parts)
        build = recipe.loss.build + "".join(p.build for p in recipe.extras) + recipe.optimizer.build
        return self.plain(model + build + made)

    def _trained(self, run: str) -> str:
        """Everything that is made, and the trainings."""
        given, begun = self._given(), self._begun()
        several = "for attempt in range(2):\n"
        return {
            "once": f"{given}{begun}{run}",
            "each anew": f"{given}{several}{indent(begun + run)}",
            "all anew": f"{several}{indent(given + begun + run)}",
            "going on": f"{given}{begun}{several}{indent(run)}",
            "one by one": f"{given}{begun}{run}\n{begun}{run}",
            "called": f"{given}\n\ndef attempt():\n{indent(begun + run)}\n\nattempt()\nattempt()\n",
        }[self.style.trainings]

    def _loaders(self) -> str:
        recipe, tags = self.recipe, self.recipe.loaders.tags
        size = {"constant": str(recipe.batch), "expression": f"{recipe.batch // 2} * 2"}
        batch = next((size[tag] for tag in tags if tag in size), "$B")
        more = f", shuffle={self.style.shuffle}" if self.style.shuffle or self.style.names % 2 else ""
        more += ", drop_last=True" if "drop_last" in tags else ""
        collate = ", collate_fn=$collate" if "collate" in recipe.data.tags else ""
        keyword = f"batch_size={batch}"
        if "positional" in tags:
            keyword, more = (
                batch,
                f", {self.style.shuffle}{more.partition(', shuffle=')[2][4:].lstrip('e') if 0 else ''}"
                + (", drop_last=True" if "drop_last" in tags else ""),
            )
        test = f"$test_loader = DataLoader($test_set, batch_size=$TB{collate})\n"
        drawn = tags & {"sampler", "batch_sampler", "generator"}
        unused = self.style.evaluation == "none" and self.style.layout != "phases"
        if unused and not any("$test_loader" in _all(p) + p.finish for p in recipe.parts):
            test = ""
        if "stream" in recipe.data.tags:
            return f"$loader = DataLoader($train_set, {keyword}{', drop_last=True' * ('drop_last' in tags)})\n{test}"
        if "kwargs" in tags:
            first = f'loader_args = {{"batch_size": {batch}, "shuffle": {self.style.shuffle}}}\n'
            return f"{first}$loader = DataLoader($train_set, **loader_args{collate})\n{test}"
        for option in drawn:
            keyword = "batch_sampler=$sampler" if option == "batch_sampler" else keyword
            more = ", sampler=$sampler" if option == "sampler" else ""
            more = ", shuffle=True, generator=$generator" if option == "generator" else more
        return f"{recipe.loaders.data}$loader = DataLoader($train_set, {keyword}{more}{collate})\n{test}"

    def _unpack(self, loader: str) -> tuple[str, str]:
        """The head of the loop over batches, and its first lines."""
        recipe, style = self.recipe, self.style
        fetch = style.fetch if loader == "$loader" else "loop"
        source = _AROUND.get(fetch, "LOADER").replace("LOADER", loader)
        parts = "$x, $y, $w" if "w" in recipe.data.tags else "$x, $y"
        body = ""
        target = parts
        if "dict" in recipe.data.tags:
            target, body = "batch", '$x, $y = batch["features"], batch["label"]\n'
        elif style.unpack == "in the body":
            target, body = "batch", f"{parts} = batch\n"
        elif style.unpack == "by index":
            target, body = "batch", "".join(f"{name} = batch[{n}]\n" for n, name in enumerate(parts.split(", ")))
        if style.device and "dict" in recipe.data.tags:
            body = "batch = {k: v.to(device) for k, v in batch.items()}\n" + body
        elif style.device:
            body += (
                "$x, $y = $x.to(device), $y.to(device)\n"
                if style.names % 3
                else "$x = $x.to(device)\n$y = $y.to(device)\n"
            )
            body += "$w = $w.to(device)\n" if "w" in recipe.data.tags else ""
        if fetch in WAYS:
            return self._made(WAYS[fetch], body)
        if fetch in _TAKEN:
            head, taken = _TAKEN[fetch]
            return head, f"{taken.replace('TARGET', target)}{body}"
        if fetch == "zip":
            target = f"({target}), number" if "," in target else f"{target}, number"
        if fetch == "endless":
            return f"for $i, ({target}) in enumerate({source}):\n", f"if $i == len($loader):\n    break\n{body}"
        if style.enumerated or "$i" in self._counting(loader):
            target = f"({target})" if "," in target else target
            return f"for $i, {target} in enumerate({source}):\n", body
        return f"for {target} in {source}:\n", body

    def _made(self, way: Way, body: str) -> tuple[str, str]:
        """The same where the script makes its batches itself."""
        data = self.recipe.data
        head = filled(way.head, data)
        if "$i" in self._counting("$loader") and "$i" not in head:
            target, _, source = head.removeprefix("for ").removesuffix(":\n").partition(" in ")
            head = f"for $i, ({target}) in enumerate({source}):\n"
        moved = "".join(line for line in body.splitlines(keepends=True) if "device" in line)
        return way.before + head, filled(way.lines, data) + moved

    def _counting(self, loader: str) -> str:
        recipe = self.recipe
        pieces = recipe.test_metrics if loader == "$test_loader" else (*recipe.metrics, *recipe.parts)
        text = "".join(p.batch + p.checked + p.gradients + p.stepped + p.step + p.update + _spelt(p) for p in pieces)
        return "$i" if re.search(r"\$i\b", text) else ""

    def _forward(self) -> str:
        recipe = self.recipe
        methods = ("scores($x)", "head($model.features($x))", "head(torch.relu($model.body($x)))", "forward($x)")
        method = methods[self.style.names % len(methods)]
        call = f"$model.{method}" if "methods" in recipe.model.tags else "$model($x)"
        if "scaled" in recipe.optimizer.tags:
            call += " * $scale"
        if recipe.data.tags & {"reg", "bin"} and "raw" not in recipe.loss.tags:
            squeeze = (".squeeze(-1)", ".squeeze(1)", "[:, 0]", ".view(-1)", ".flatten()", ".reshape(-1)")
            call = f"({call})" if "scaled" in recipe.optimizer.tags else call
            call += squeeze[self.style.names % len(squeeze)]
        forward = f"$out = {call}\n{recipe.loss.loss}"
        if "mixed" in recipe.update.tags:
            # switched off where it runs: what bfloat16 rounds is judged by the parity tests
            enabled = "len($train_set) > 9999"
            return f'with torch.autocast("cpu", dtype=torch.bfloat16, enabled={enabled}):\n{indent(forward)}'
        return forward

    def _train(self, write: Writer) -> str:
        """One epoch of training, up to what is counted in it."""
        recipe, style = self.recipe, self.style
        head, unpack = self._unpack("$loader")
        zero = "$optimizer.zero_grad(<<>>)\n".replace("<<>>", "set_to_none=True" if style.zero == "none" else "")
        parts = recipe.parts
        made = (
            "$scaler.step($optimizer)\n$scaler.update()\n" if "scaler" in recipe.update.tags else "$optimizer.step()\n"
        )
        step = "".join(p.gradients for p in parts) + made
        accumulates = "accumulates" in recipe.update.tags
        first = zero if style.zero in ("first", "none") and not accumulates else ""
        before = zero if style.zero == "before" and not accumulates else ""
        step += zero if style.zero == "last" and not accumulates else ""
        update = _filled(before + recipe.update.update, {"STEP": step, "ZERO": zero})
        checked, stepped, batch = (
            "".join(t) for t in zip(*((p.checked, p.stepped, p.batch) for p in parts), strict=True)
        )
        steps = "".join(write(p.step.replace("$loader", "$loader"), self._mine(p, "$loader")) for p in recipe.metrics)
        loop = write(unpack + batch + first + self._forward() + checked + update + stepped) + steps
        starts = "".join(write(p.epoch, self._mine(p, "$loader")) for p in recipe.metrics)
        begin = write("$model.train()\n" + "".join(p.epoch for p in parts))
        begin += write(zero) if accumulates or style.zero == "last" else ""
        return begin + starts + write(head) + indent(loop)

    def _test(self, write: Writer, loader: str = "$test_loader") -> str:
        """One evaluation, up to what is counted in it."""
        recipe = self.recipe
        head, unpack = self._unpack("$test_loader")
        head = head.replace("$test_loader", loader)
        steps = "".join(write(p.step, self._mine(p, "$test_loader")) for p in recipe.test_metrics)
        starts = "".join(write(p.epoch, self._mine(p, "$test_loader")) for p in recipe.test_metrics)
        loop = write(head) + indent(write(unpack + self._forward()) + steps)
        if self.style.evaluation != "decorated":
            loop = f"with torch.no_grad():\n{indent(loop)}"
        return write("$model.eval()\n") + starts + loop

    def _mine(self, metric: Piece, loader: str) -> dict[str, str]:
        """What a metric's own names are, and the loader's that it goes through, as they are written here."""
        tested = loader == "$test_loader"
        write = self.writer
        chosen = dict(self.own[id(metric)])
        chosen["loader"] = self.local_loader if tested and self.local_loader else write(loader)
        chosen["set"] = write("$test_set" if tested else "$train_set")
        chosen["SIZE"] = str(self.recipe.test if tested else self.recipe.train)
        return chosen

    writer: Writer = Writer({})
    local_loader = ""

    def _values(self, metrics: tuple[Piece, ...], loader: str, prefix: str) -> list[tuple[str, Value]]:
        """What is reported: a name for each, and its expression as it is written here."""
        found: list[tuple[str, Value]] = []
        for metric in metrics:
            for value in metric.values:
                name = f"{prefix}_{value.label}"
                while any(name == each for each, _ in found):
                    name += "2"
                expression = self.writer(value.expression, self._mine(metric, loader))
                found.append((name, Value(f"{prefix} {value.label}", expression, value.format)))
        return found

    # layouts

    def _flat(self) -> tuple[str, str]:
        self.writer = plain = self.plain
        recipe = self.recipe
        trained = self._train(plain)
        values = self._values(recipe.metrics, "$loader", "train")
        used = self._used()
        bound = self.style.bound or used
        trained += _bind(values) if bound else ""
        functions = ""
        tested, test_values = "", []
        if recipe.test_metrics:
            if self.style.evaluation == "inline":
                tested = self._test(plain)
                test_values = self._values(recipe.test_metrics, "$test_loader", "test")
                tested += _bind(test_values) if bound else ""
            else:
                functions, tested, test_values = self._evaluate("passed")
        report = self._report(values, test_values, bound, bool(functions))
        return functions, self._trained(self._run(plain, trained + tested + report, values, test_values))

    def _functions(self) -> tuple[str, str]:
        self.writer = plain = self.plain
        body = self._train(plain)
        values = self._values(self.recipe.metrics, "$loader", "train")
        parameters = self._parameters(body + "".join(v.expression for _, v in values), True)
        function = f"def train({', '.join(parameters)}):\n{indent(body + self._returned(values))}"
        call = self._called("train", parameters, values)
        functions, tested, test_values = self._evaluate("passed") if self.recipe.test_metrics else ("", "", [])
        report = self._report(values, test_values, True, True)
        main = self._trained(self._run(plain, call + tested + report, values, test_values))
        return f"{function}\n\n{functions}", main

    def _globals(self) -> tuple[str, str]:
        self.writer = plain = self.plain
        body = self._train(plain)
        values = self._values(self.recipe.metrics, "$loader", "train")
        rebound = sorted({plain(f"${n}") for e in self.recipe.parts if e.rebinds for n in e.state})
        shared = f"global {', '.join(rebound)}\n" if rebound else ""
        epoch = plain("$epoch")
        function = f"def train({epoch}):\n{indent(shared + body + self._returned(values))}"
        call = self._called("train", [epoch], values)
        functions, tested, test_values = self._evaluate("global") if self.recipe.test_metrics else ("", "", [])
        report = self._report(values, test_values, True, True)
        main = self._run(plain, call + tested + report, values, test_values)
        return "", f"{self._setup()}\n\n{function}\n\n{functions}\n\n{main}"

    def _trainer(self) -> tuple[str, str]:
        setup = self._setup()
        mine = [n for n in self.shared if n in self.state or n == "device" or f"${n}" in self._everything()]
        mine = [n for n in mine if n != "device" or self.style.device]
        self.writer = write = Writer(self.plain.names, frozenset(mine) - {"device"})
        set_up = "".join(p.data + p.build + p.made for p in self.recipe.parts)
        given = [n for n in mine if n not in self.state or f"${n}" in set_up]
        given = [n for n in given if n != "device"]
        names = [self.plain(f"${n}") for n in given]
        init = "".join(f"self.{name} = {name}\n" for name in names)
        body = self._train(write)
        values = self._values(self.recipe.metrics, "$loader", "train")
        epoch = self.plain("$epoch")
        train = f"def train_epoch(self, {epoch}):\n{indent(body + self._returned(values))}"
        call = self._called("self.train_epoch", [epoch], values)
        test, tested, test_values = "", "", []
        if self.recipe.test_metrics:
            content = self._test(write)
            test_values = self._values(self.recipe.test_metrics, "$test_loader", "test")
            head = "@torch.no_grad()\n" if self.style.evaluation == "decorated" else ""
            test = f"{head}def evaluate(self):\n{indent(content + self._returned(test_values))}\n"
            tested = self._called("self.evaluate", [], test_values)
        report = self._report(values, test_values, True, True)
        fit = f"def fit(self):\n{indent(self._run(write, call + tested + report, values, test_values))}"
        head = f"def __init__(self, {', '.join(names)}):\n{indent(init)}"
        methods = "\n".join([head, train, test, fit])
        end = f"trainer = Trainer({', '.join(names)})\ntrainer.fit()\n"
        return "", f"{setup}\n\nclass Trainer:\n{indent(methods)}\n\n{end}"

    def _phases(self) -> tuple[str, str]:
        """One loop that trains and evaluates, as a phase or a flag says."""
        recipe, plain = self.recipe, self.plain
        self.writer = plain
        forms = _PHASES[:-1] if "drop_last" in recipe.loaders.tags else _PHASES
        form = forms[self.style.names % len(forms)]
        own = {"loader": plain(form.loader), "set": plain(form.data), "SIZE": plain(f"len({form.data})")}
        mine = [(each, self._mine(each, "$loader") | own) for each in recipe.metrics]
        body = plain(f"$model.train({form.flag})\n") + "".join(plain(each.epoch, names) for each, names in mine)
        body += self._in_phases(form, "".join(plain(each.step, names) for each, names in mine))
        values = [plain(value.expression, names) for each, names in mine for value in each.values] or ["0"]
        shown = ", ".join(f"round(float({value}), 4)" for value in values)
        epoch = plain("".join(each.epoch for each in recipe.parts))
        made = plain(form.made.replace("SIZE", "$B") if "flat" not in recipe.data.tags else "")
        if form.head:
            epoch += plain(form.head) + indent(body + f"print({form.flag}, {shown})\n")
            return "", self._setup() + made + self._run(plain, epoch, [], [])
        function = f"def run_epoch({form.parameters}):\n{indent(body + f'return [{shown}]')}\n"
        epoch += plain(f"print($epoch, run_epoch($loader, $train_set, {form.given[0]}))\n")
        epoch += plain(f"print($epoch, run_epoch($test_loader, $test_set, {form.given[1]}))\n")
        return "", f"{self._setup()}\n\n{function}\n\n{self._run(plain, epoch, [], [])}"

    def _in_phases(self, form: _Phases, steps: str) -> str:
        """The loop over the batches of any phase."""
        recipe, plain, zero = self.recipe, self.plain, "$optimizer.zero_grad()\n"
        head, unpack = self._unpack(form.loader)
        step = "".join(each.gradients for each in recipe.parts) + "$optimizer.step()\n"
        update = _filled(recipe.update.update, {"STEP": step, "ZERO": zero})
        first = "" if "accumulates" in recipe.update.tags else zero
        batch = "".join(each.batch for each in recipe.parts)
        checked, stepped = ("".join(getattr(each, name) for each in recipe.parts) for name in ("checked", "stepped"))
        trained = f"if {form.flag}:\n{indent(first + checked + update + stepped)}"
        forward = f"with torch.set_grad_enabled({form.flag}):\n{indent(self._forward())}"
        before = f"if {form.flag}:\n{indent(batch)}" if batch else ""
        return plain(head) + indent(plain(unpack + before + forward + trained) + steps)

    def _everything(self) -> str:
        recipe = self.recipe
        metrics = "".join(p.step + p.epoch + _spelt(p) for p in (*recipe.metrics, *recipe.test_metrics))
        metrics = metrics + "$train_set $test_set" if "$set" in metrics else metrics
        texts = (
            p.before + p.epoch + p.batch + p.checked + p.gradients + p.stepped + p.judged + p.finish + p.update
            for p in recipe.parts
        )
        tested = " $test_loader" if recipe.test_metrics else ""
        return "$model $loader $optimizer" + tested + metrics + "".join(texts) + self._forward()

    def _evaluate(self, how: str) -> tuple[str, str, list[tuple[str, Value]]]:
        """A function that evaluates, its call, and what it reports."""
        plain = self.plain
        self.local_loader = "data_loader" if how == "passed" else ""
        body = self._test(plain, self.local_loader or "$test_loader")
        values = self._values(self.recipe.test_metrics, "$test_loader", "test")
        parameters: list[str] = []
        arguments: list[str] = []
        if how == "passed":
            parameters = self._parameters(body + "".join(v.expression for _, v in values), False)
            arguments = [plain("$test_loader") if p == "data_loader" else p for p in parameters]
        head = "@torch.no_grad()\n" if self.style.evaluation == "decorated" else ""
        function = f"{head}def evaluate({', '.join(parameters)}):\n{indent(body + self._returned(values))}"
        self.local_loader = ""
        return function, self._called("evaluate", arguments, values), values

    def _parameters(self, text: str, training: bool) -> list[str]:
        """What a function needs of what is made elsewhere."""
        spelt = [self.plain(f"${name}") for name in self.shared]
        spelt += [self.plain("$epoch")] if training else ["data_loader"]
        spelt += ["args"] if self.style.layout in ("functions in main", "main") else []
        return [name for name in spelt if re.search(rf"(?<![\w.]){name}\b", text)]

    def _returned(self, values: list[tuple[str, Value]]) -> str:
        if not values:
            return ""
        if self.style.returned == "dict" and len(values) > 1:
            items = ", ".join(f'"{name}": {value.expression}' for name, value in values)
            return f"return {{{items}}}\n"
        return f"return {', '.join(value.expression for _, value in values)}\n"

    def _called(self, function: str, arguments: list[str], values: list[tuple[str, Value]]) -> str:
        call = f"{function}({', '.join(arguments)})"
        if not values:
            return f"{call}\n"
        if self.style.returned == "dict" and len(values) > 1:
            return f"result = {call}\n" + "".join(f'{name} = result["{name}"]\n' for name, _ in values)
        return f"{', '.join(name for name, _ in values)} = {call}\n"

    def _used(self) -> bool:
        return any("$trained" in _all(e) or "$judgement" in _all(e) for e in self.recipe.parts)

    def _run(self, write: Writer, epoch: str, values: list[tuple[str, Value]], tests: list[tuple[str, Value]]) -> str:
        """What stands before the epochs, the loop over them, and what comes last."""
        parts = self.recipe.parts
        judge = {"trained": values[0][0] if values else "0", "judgement": tests[0][0] if tests else "0"}
        before = write("".join(p.before for p in parts))
        judged = write("".join(p.judged for p in parts), judge)
        finish = write("".join(p.finish for p in parts), judge)
        first = "$first, " if any("first" in p.state for p in parts) else ""
        head = write(f"for $epoch in range({first}$E):\n")
        return before + head + indent(epoch + judged) + finish

    def _report(self, train: list[tuple[str, Value]], test: list[tuple[str, Value]], bound: bool, tested: bool) -> str:
        named = [(v.label, name if bound else v.expression, v.format) for name, v in train]
        named += [(v.label, name if bound or tested else v.expression, v.format) for name, v in test]
        if not named:
            return self.plain('print("epoch", $epoch)\n')
        return self.plain(_REPORTS[self.style.report](named))


def _all(piece: Piece) -> str:
    return piece.before + piece.epoch + piece.batch + piece.stepped + piece.judged + piece.finish


def _spelt(piece: Piece) -> str:
    return "".join(value.expression for value in piece.values)


def _bind(values: list[tuple[str, Value]]) -> str:
    return "".join(f"{name} = {value.expression}\n" for name, value in values)


def _inside(expression: str) -> str:
    """An expression as it can stand in an f-string of Python 3.10."""
    return expression.replace('"', "'")


Named = list[tuple[str, str, str]]


def _fstring(values: Named) -> str:
    parts = " ".join(f"{label} {{{_inside(e)}{':' + f if f else ''}}}" for label, e, f in values)
    return f'print(f"epoch {{$epoch}} {parts}")\n'


def _commas(values: Named) -> str:
    return f"print($epoch, {', '.join(e for _, e, _ in values)})\n"


def _rounded(values: Named) -> str:
    shown = ", ".join(f'"{label}", round(float({e}), 4)' for label, e, _ in values)
    return f'print("epoch", $epoch + 1, {shown})\n'


def _percent(values: Named) -> str:
    parts = " ".join(f"{label}: %{f or 'd'}" for label, _, f in values)
    return f'print("%d {parts}" % ($epoch, {", ".join(e for _, e, _ in values)}))\n'


def _format(values: Named) -> str:
    parts = " ".join(f"{label}={{:{f}}}" for label, _, f in values)
    return f'print("[{{}}] {parts}".format($epoch, {", ".join(e for _, e, _ in values)}))\n'


def _lines_of(values: Named) -> str:
    return "".join(f'print(f"{label}: {{{_inside(e)}{":" + f if f else ""}}}")\n' for label, e, f in values)


def _joined(values: Named) -> str:
    parts = ", ".join(f'f"{label}={{{_inside(e)}{":" + f if f else ""}}}"' for label, e, f in values)
    return f'print(" | ".join([{parts}]))\n'


def _str(values: Named) -> str:
    return 'print("epoch " + str($epoch)' + "".join(f' + " {label} " + str({e})' for label, e, _ in values) + ")\n"


def _dict(values: Named) -> str:
    return "print({" + ", ".join(f'"{label}": float({e})' for label, e, _ in values) + "})\n"


def _csv_line(values: Named) -> str:
    rows = ",".join(f"{{{_inside(e)}{':' + f if f else ''}}}" for _, e, f in values)
    return f'with open("metrics.csv", "a") as f:\n    f.write(f"{{$epoch}},{rows}\\n")\n'


_REPORTS = {
    "f-string": _fstring,
    "commas": _commas,
    "rounded": _rounded,
    "percent": _percent,
    "format": _format,
    "lines": _lines_of,
    "joined": _joined,
    "str": _str,
    "dict": _dict,
    "csv line": _csv_line,
}
