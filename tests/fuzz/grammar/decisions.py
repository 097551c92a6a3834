"""What is decided and kept: checkpoints, early stops, best values, files."""

from __future__ import annotations

from fuzz.grammar.piece import Piece

DECISIONS = (
    Piece("best kept", before='$best = float("inf")\n', judged='if $judgement < $best:\n    $best = $judgement\n    torch.save($model.state_dict(), "best.pt")\n', finish='<<print("best", round($best, 4)) || print(f"best {$best:.4f}")>>\n', state=("best",), rebinds=False, weight=3),
    Piece("best reloaded", before='$best = <<float("inf") || 1e9>>\n', judged='if $judgement < $best:\n    $best = $judgement\n    torch.save($model.state_dict(), "best.pt")\n', finish='$model.load_state_dict(torch.load("best.pt"))\nprint("best", round($best, 4))\n', state=("best",), weight=2),
    Piece("best in memory", imports="import copy", before='$best = float("inf")\n$best_state = None\n', judged="if $judgement < $best:\n    $best = $judgement\n    $best_state = copy.deepcopy($model.state_dict())\n", finish="if $best_state is not None:\n    $model.load_state_dict($best_state)\n", state=("best", "best_state"), weight=1.5),
    Piece("best on training", before='$best = float("inf")\n', judged='if $trained < $best:\n    $best = $trained\n    torch.save({"epoch": $epoch, "model": $model.state_dict(), "loss": $best}, "best.pt")\n', state=("best",), weight=1.5),
    Piece("early stop", before='$best, $wait = float("inf"), 0\n', judged="if $judgement < $best - 0.01:\n    $best, $wait = $judgement, 0\nelse:\n    $wait += 1\n    if $wait >= 1:\n        print(\"stop\")\n        break\n", state=("best", "wait"), weight=1.5),
    Piece("rate and patience", before='$best, $bad = float("inf"), 0\n', judged="if $judgement < $best:\n    $best, $bad = $judgement, 0\nelse:\n    $bad += 1\n    for group in $optimizer.param_groups:\n        group[\"lr\"] *= 0.5\nif $bad >= <<1 || 2>>:\n    <<break || print(\"no better\", $bad)\n    break>>\n", state=("best", "bad"), weight=1.5),
    Piece("stop by training loss", judged="if $trained < 0.3:\n    print(f\"done {$trained:.4f}\")\n    break\n"),
    Piece("stop class", defs='''class EarlyStopping:
    def __init__(self, patience=1):
        self.patience, self.counter, self.best = patience, 0, None

    def __call__(self, value):
        if self.best is None or value < self.best:
            self.best, self.counter = value, 0
        else:
            self.counter += 1
        return self.counter >= self.patience
''', before="$stopper = EarlyStopping()\n", judged="if $stopper($judgement):\n    print(\"early stop\")\n    break\n", state=("stopper",), weight=0.3),
    Piece("checkpoint", judged='torch.save(\n    {"epoch": $epoch, "model": $model.state_dict(), "optimizer": $optimizer.state_dict()},\n    <<"checkpoint.pt" || f"checkpoint_{$epoch}.pt">>,\n)\n', weight=2),
    Piece("final weights", finish='torch.save($model.state_dict(), "model.pt")\n', weight=4),
    Piece("final model", finish='torch.save($model.state_dict(), "model.pt")\n$model.load_state_dict(torch.load("model.pt"))\nprint("parameters", sum(p.numel() for p in $model.parameters()))\n', weight=1.5),
    Piece("folder", imports="import os", before='os.makedirs("out", exist_ok=True)\n', finish='torch.save($model.state_dict(), os.path.join("out", "model.pt"))\n', weight=1.5),
    Piece("pathlib", imports="from pathlib import Path", before='$folder = Path("runs")\n$folder.mkdir(<<exist_ok=True || parents=True, exist_ok=True>>)\n', judged='torch.save($model.state_dict(), $folder / f"epoch{$epoch}.pt")\n', state=("folder",)),
    Piece("history json", imports="import json", before="$history = []\n", judged="$history.append(float($trained))\n", finish='with open("history.json", "w") as f:\n    json.dump($history, f)\n', state=("history",), weight=2),
    Piece("history dict", imports="import json", before='$history = {"train": [], "val": []}\n', judged='$history["train"].append(float($trained))\n$history["val"].append(float($judgement))\n', finish='<<json.dump($history, open("history.json", "w")) || with open("history.json", "w") as f:\n    json.dump($history, f, indent=2) || print({k: [round(v, 4) for v in vs] for k, vs in $history.items()})>>\n', state=("history",), weight=2.5),
    Piece("raw history", imports="import json", before="$history = []\n", judged="$history.append({\"epoch\": $epoch, \"train\": $trained, \"val\": $judgement})\n", finish='with open("history.json", "w") as f:\n    json.dump($history, f)\n', state=("history",), weight=1.5),
    Piece("csv", imports="import csv", before='$log = open("log.csv", "w", newline="")\n$writer = csv.writer($log)\n$writer.writerow(["epoch", "train", "val"])\n', judged="$writer.writerow([$epoch, f\"{$trained:.4f}\", f\"{$judgement:.4f}\"])\n", finish="$log.close()\n", state=("log", "writer"), weight=1.5),
    Piece("text log", judged='with open("log.txt", "a") as f:\n    f.write(f"{$epoch} {$trained:.4f} {$judgement:.4f}\\n")\n', weight=1.5),
    Piece("drawn losses", imports="import matplotlib.pyplot as plt", before="$curve = []\n", stepped="$curve.append($loss.item())\n", finish='<<plt.plot($curve)\nplt.savefig("curve.svg") || fig, ax = plt.subplots()\nax.plot($curve)\nfig.savefig("curve.svg") || fig, axes = plt.subplots(1, 2)\nfor ax, values in zip(axes, [$curve, $curve]):\n    ax.plot(values)\nplt.savefig("curve.svg")>>\n', state=("curve",), weight=1.5),
    Piece("drawn history", imports="import matplotlib.pyplot as plt", before="$history = []\n", judged="$history.append($trained)\n", finish='<<plt.figure(figsize=(4, 3))\nplt.plot($history, label="train")\nplt.legend()\nplt.savefig("history.svg")\nplt.close() || figure = plt.figure()\naxes = figure.add_subplot(111)\naxes.plot(range(len($history)), $history)\nfigure.savefig("history.svg")>>\n', state=("history",), weight=1.5),
    Piece("npy", imports="import numpy as np", before="$curve = []\n", judged="$curve.append(float($judgement))\n", finish='np.save("curve.npy", np.array($curve))\n', state=("curve",)),
    Piece("saved losses", before="$curve = []\n", stepped="$curve.append($loss.item())\n", finish='<<torch.save($curve, "curve.pt") || print("steps", len($curve), round($curve[0], 4), round($curve[-1], 4)) || print(f"mean {sum($curve) / len($curve):.4f}")>>\n', state=("curve",), weight=2),
    Piece("saved loss array", imports="import numpy as np", before="$curve = []\n", stepped="$curve.append($loss.detach().item())\n", finish='np.<<save("curve.npy", $curve) || savetxt("curve.txt", $curve)>>\n', state=("curve",)),
    Piece("loss file", before='$log = open("loss.txt", "w")\n', stepped="<<$log.write(f\"{$loss.item():.4f}\\n\") || print($epoch, $loss.item(), file=$log)>>\n", finish="$log.close()\n", state=("log",)),
    Piece("logging", imports="import logging", before='logging.basicConfig(level=logging.INFO, format="%(message)s")\n$logger = logging.getLogger(__name__)\n', judged='$logger.info(<<"epoch %d loss %.4f", $epoch, $trained || f"epoch {$epoch} loss {$trained:.4f}">>)\n', state=("logger",), weight=1.5),
    Piece("resume", imports="import os", before='$first = 0\nif os.path.exists("last.pt"):\n    state = torch.load("last.pt")\n    $model.load_state_dict(state["model"])\n    $first = state["epoch"]\n', judged='torch.save({"model": $model.state_dict(), "epoch": $epoch}, "last.pt")\n', state=("first",)),
    Piece("temporary", imports="import os\nimport tempfile", before='$folder = tempfile.mkdtemp()\n', judged='torch.save($model.state_dict(), os.path.join($folder, "m.pt"))\n', finish='$model.load_state_dict(torch.load(os.path.join($folder, "m.pt")))\n', state=("folder",), weight=0.4),
)  # fmt: skip
EXTRAS = (
    Piece("every k", stepped='if $i % <<2 || 3>> == 0:\n    <<print(f"{$epoch} {$i} {$loss.item():.4f}") || print("step", $i, "loss", round($loss.item(), 4)) || print("[%d, %d] loss: %.4f" % ($epoch + 1, $i + 1, $loss.item())) || print("batch {} of {}: {:.4f}".format($i, len($loader), $loss.item()))>>\n', weight=4),
    Piece("progress", stepped='if $i % 2 == 0:\n    print(f"[{$i * len($x)}/{len($loader.dataset)}] {$loss.item():.4f}")\n', weight=2),
    Piece("running print", epoch="$run = 0.0\n", stepped='$run += $loss.item()\nif $i % 2 == 1:\n    print(f"[{$epoch + 1}, {$i + 1}] {$run / 2:.4f}")\n    $run = 0.0\n', own=("run",), weight=2),
    Piece("batch accuracy", stepped='if $i == 0:\n    print("acc", ($out.argmax(1) == $y).float().mean().item())\n', needs=frozenset({"cls"}), weight=1.5),
    Piece("every step counted", before="$step = 0\n", stepped="$step += 1\nif $step % 3 == 0:\n    print($step, round($loss.item(), 4))\n", state=("step",), rebinds=True, weight=1.5),
    Piece("samples seen", before="$seen = 0\n", stepped="$seen += len($x)\n", finish='print("seen", $seen)\n', state=("seen",), rebinds=True, weight=1.5),
    Piece("steps counted", before="$steps = 0\n", stepped="$steps += 1\n", finish='print("steps", $steps)\n', state=("steps",), rebinds=True),
    Piece("sizes", before='print(<<len($train_set), len($test_set) || len($loader), len($test_loader) || len($loader.dataset), len($loader) || f"{len($train_set)} samples, {len($loader)} batches">>)\n', weight=3),
    Piece("batch size", before='print("batch size", $loader.batch_size)\n'),
    Piece("parameters", before='<<n_params = sum(p.numel() for p in $model.parameters()) || n_params = sum(p.numel() for p in $model.parameters() if p.requires_grad)>>\nprint(f"{n_params} parameters")\n', weight=2),
    Piece("set of words", before='codes = {<<word: code for code, word in enumerate(set("to be or not to be".split())) || word: code for code, word in enumerate(list(set("the order of a set".split())))>>}\nprint(len(codes), sorted(codes))\n', weight=0.7),
    Piece("print model", before="print($model)\n"),
    Piece("rate printed", judged='print("lr", <<$optimizer.param_groups[0]["lr"] || round($optimizer.param_groups[0]["lr"], 6)>>)\n', weight=2),
    Piece("batch sum of samples", epoch="", stepped='if $i == 0:\n    print("inputs", tuple($x.shape)[1:], $y.dtype)\n'),
    Piece("shape printed", stepped="if $i == 0 and $epoch == 0:\n    print($x.shape, $y.shape)\n", weight=0.7),
    Piece("targets counted", before="$class_sum = 0\n", stepped="$class_sum += int($y.sum())\n", finish="print($class_sum)\n", state=("class_sum",), rebinds=True, needs=frozenset({"cls"})),
    Piece("nan guard", stepped="if torch.isnan($loss):\n    print(\"nan\")\n    break\n", weight=0.5),
    Piece("stop in an epoch", stepped="if $loss.item() < <<0.4 || 0.6 || 1.0>>:\n    <<print($i) || print(f\"{$i} {$loss.item():.4f}\") || pass>>\n    break\n", weight=0.7),
    Piece("exit on nan", imports="import math\nimport sys", checked="if not math.isfinite($loss.item()):\n    <<print(\"bad\", $loss.item()) || pass>>\n    <<sys.exit(1) || raise ValueError(\"loss\")>>\n", weight=0.7),
    Piece("assert finite", stepped="assert torch.isfinite($loss)\n"),
    Piece("time", imports="import time", before="$start = time.time()\n", finish='elapsed = time.time() - $start\nprint("fast" if elapsed < 600 else "slow")\n', state=("start",)),
    Piece("weight norm", judged='print("norm", round(sum(p.norm().item() for p in $model.parameters()), 3))\n', weight=1.5),
    Piece("last loss", finish='print("last", round($loss.item(), 4))\n', weight=1, tags=frozenset({"flat"})),
    Piece("skip bad loss", checked='<<if not torch.isfinite($loss):\n    print("bad")\n    continue || if torch.isnan($loss):\n    continue || if $loss.item() > 50:\n    continue || if $loss.item() > 1.0:\n    continue>>\n', weight=0.7),
    Piece("skip small batch", batch="if <<len($x) < 2 || $x.size(0) < 3 || len($x) != $B>>:\n    continue\n", weight=0.2),
    Piece("skip late", batch="if $i >= <<3 || len($loader) - 1>>:\n    break\n", weight=0.4),
    Piece("loss by epoch", before="$curve = <<[0.0] * $E || np.zeros($E) || defaultdict(float) || torch.zeros($E)>>\n", imports="import numpy as np\nfrom collections import defaultdict", stepped="$curve[$epoch] += $loss.item()\n", finish='<<print("curve", [round(float($curve[e]) / len($loader), 4) for e in range($E)]) || for e in range($E):\n    print(f"{e}: {$curve[e] / len($loader):.4f}")>>\n', state=("curve",), weight=0.8),
    Piece("samples by epoch", before="$counts = [0] * $E\n", stepped="$counts[$epoch] += <<len($x) || $y.size(0)>>\n", finish="print($counts)\n", state=("counts",), weight=0.5),
    Piece("losses by epoch", before="$curves = {}\n", stepped="$curves.setdefault($epoch, []).append($loss.item())\n", finish='for e, values in $curves.items():\n    print(e, <<len(values), round(sum(values) / len(values), 4) || round(sum(values) / len(values), 4)>>)\n', state=("curves",), weight=0.5),
    Piece("losses of epochs", before="$curves = []\n", epoch="$curves.append([])\n", stepped="$curves[-1].append($loss.item())\n", finish='print([round(sum(c) / len(c), 4) for c in $curves])\n', state=("curves",), weight=0.5),
    Piece("sums shown", before='$sums = {"loss": 0.0, "n": 0}\n', stepped='$sums["loss"] += $loss.item() * len($x)\n$sums["n"] += len($x)\n', finish='<<print({k: round(v, 3) for k, v in $sums.items()}) || for k, v in $sums.items():\n    print(f"{k}: {v:.3f}") || print($sums["n"], round($sums["loss"] / $sums["n"], 4)) || with open("sums.json", "w") as f:\n    json.dump($sums, f)>>\n', imports="import json", state=("sums",), weight=1.5),
    Piece("means shown", before='$sums = {"loss": 0.0, "size": 0.0}\n$n_steps = 0\n', stepped='$sums["loss"] += $loss.item()\n$sums["size"] += $out.detach().abs().mean().item()\n$n_steps += 1\n', finish='print({k: round(v / $n_steps, 4) for k, v in $sums.items()})\n', state=("sums", "n_steps"), weight=0.5, rebinds=True),
    Piece("object shown", defs="""class Progress:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n):
        self.total += value * n
        self.count += n

    def __str__(self):
        return f"{self.total / max(self.count, 1):.4f} ({self.count})"
""", before="$progress = Progress()\n", stepped="$progress.update($loss.item(), len($x))\n", finish='<<print("progress", $progress) || print(f"progress {$progress}") || print(vars($progress)["count"]) || print($progress.__dict__)>>\n', state=("progress",), weight=1.2),
    Piece("classes seen", before="$seen_classes = torch.zeros($C, dtype=torch.long)\n", stepped="$seen_classes += torch.bincount($y, minlength=$C)\n", finish="print($seen_classes.tolist())\n", state=("seen_classes",), weight=0.5, rebinds=True, needs=frozenset({"cls"})),
    Piece("classes counted", imports="from collections import Counter", before="$seen_classes = Counter()\n", stepped="$seen_classes.update($y.tolist())\n", finish="print(sorted($seen_classes.items()))\n", state=("seen_classes",), weight=0.5, needs=frozenset({"cls"})),
    Piece("batch sizes listed", before="print([len(b[0]) for b in $test_loader])\n", forbids=frozenset({"dict"}), weight=0.5),
    Piece("mean of inputs", before="total_x, count_x = 0.0, 0\nfor batch in $loader:\n    total_x += batch[0].float().sum().item()\n    count_x += batch[0].numel()\nprint(f\"mean {total_x / count_x:.4f}\")\n", forbids=frozenset({"dict"}), weight=0.7),
    Piece("labels gathered", before="labels_seen = torch.cat([b[1] for b in $test_loader])\nprint(labels_seen.shape[0], labels_seen.float().mean().item())\n", forbids=frozenset({"dict"}), weight=0.7),
    Piece("try step", checked='try:\n    assert torch.isfinite($loss).all()\nexcept AssertionError:\n    continue\n', weight=0.4),
)  # fmt: skip

_DICT = frozenset({"dict"})
PEEKS = (
    Piece("peek", before='<<images, targets = next(iter($loader)) || sample = next(iter($loader))\nimages = sample[0]>>\nprint("batch", <<tuple(images.shape) || images.shape || images.size(0) || images[0].shape || images.dtype>>)\n', forbids=_DICT, weight=2),
    Piece("peek test", before='examples = next(iter($test_loader))\nprint(<<examples[0].shape || examples[0][0].shape || examples[1][:3].shape || len(examples[0])>>)\n', forbids=_DICT, weight=1.5),
    Piece("peek by size", before='images, targets = next(iter($loader))[:2]\nfor k in range(<<$B || len(images) || $loader.batch_size>>):\n    first = images[k]\nprint(first.shape)\n', forbids=_DICT, weight=0.6),
)  # fmt: skip
