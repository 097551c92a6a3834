"""What is counted, averaged and collected over batches, in training and in evaluation alike.

``$loader`` is the loader that is gone through, ``$x``, ``$y``, ``$out`` and ``$loss`` are the batch's.
"""

from __future__ import annotations

from fuzz.grammar.piece import Piece, Value, tags

_N = "<<len($x) || $x.size(0) || $x.shape[0] || len($y) || $y.size(0) || $y.shape[0]>>"
_LOSS = "<<$loss.item() || $loss.item() || float($loss) || $loss.detach().item() || $loss.data.item() || $loss.cpu().item()>>"
_DATA = "<<len($loader.dataset) || len($set) || $SIZE>>"
_HITS = "<<($out.argmax(1) == $y).sum().item() || ($out.argmax(dim=1) == $y).sum().item() || $out.argmax(dim=1).eq($y).sum().item() || torch.sum($out.argmax(1) == $y).item() || int(($out.argmax(1) == $y).sum()) || int(sum($out.argmax(1) == $y)) || ($out.max(1)[1] == $y).sum().item() || (torch.argmax($out, dim=-1) == $y).float().sum().item()>>"
_PART = "($out.argmax(1) == $y).float().mean().item()"


def _sum(name: str, epoch: str, step: str, *values: str, weight: float = 1.0, **more: object) -> Piece:
    label = name.split(":", maxsplit=1)[0]
    format_ = ".2f" if label == "accuracy" else ".4f"
    reported = tuple(Value(label, value, format_) for value in values)
    return Piece(name, epoch=epoch, step=step, values=reported, weight=weight, **more)  # type: ignore[arg-type]


METER = """class $Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count
"""
SHORT_METER = """class $Meter:
    def __init__(self<<|| , name="loss">>):
        self.total, self.count = 0.0, 0

    def add(self, value, n=1):
        self.total += value * n
        self.count += n

    <<def mean(self):|| @property
    def mean(self):>>
        return self.total / self.count
"""
DICT_METER = """class $Logger:
    def __init__(self):
        self.sums = defaultdict(float)
        self.counts = defaultdict(int)

    def update(self, n=1, **values):
        for name, value in values.items():
            self.sums[name] += value * n
            self.counts[name] += n

    def mean(self, name):
        return self.sums[name] / self.counts[name]
"""

METRICS = (
    _sum("loss: sum of means", "$total = <<0.0 || 0>>\n", f"$total += {_LOSS}\n", "$total / len($loader)", weight=6),
    _sum("loss: sum by i", "$total = 0.0\n", f"$total += {_LOSS}\n", "$total / ($i + 1)", weight=1.5),
    _sum("loss: counted batches", "$total, $count = 0.0, 0\n", f"$total += {_LOSS}\n$count += 1\n", "$total / $count", weight=2),
    _sum("loss: by samples", "$total = 0.0\n", f"$total += {_LOSS} * {_N}\n", f"$total / {_DATA}", weight=6),
    _sum("loss: by counted samples", "$total, $count = 0.0, 0\n", f"$total += {_LOSS} * {_N}\n$count += {_N}\n", "$total / $count", weight=4),
    _sum("loss: batch variable", "$total, $count = 0.0, 0\n", f"bs = {_N}\n$total += $loss.item() * bs\n$count += bs\n", "$total / $count", weight=2),
    _sum("loss: spelt out", "$total = 0.0\n", f"$total = $total + {_LOSS} * {_N}\n", f"$total / {_DATA}"),
    _sum("loss: tensor", "$total = <<torch.zeros(1) || torch.tensor(0.0) || 0.0>>\n", f"$total += <<$loss.detach() || $loss.data>> * {_N}\n", f"<<$total.item() || float($total)>> / {_DATA}", weight=2),
    _sum("loss: tensor without item", "$total = 0\n", "$total += $loss.detach()\n", "$total / len($loader)", weight=1.5),
    _sum("loss: numpy", "$total = 0.0\n", "$total += $loss.<<detach().numpy() || detach().cpu().numpy()>>\n", "$total / len($loader)", weight=1.5),
    _sum("loss: list mean", "$losses = []\n", f"$losses.append({_LOSS})\n", "<<sum($losses) / len($losses) || np.mean($losses) || sum($losses) / len($loader)>>", weight=4, imports="import numpy as np"),
    _sum("loss: list of sums", "$losses = []\n", f"$losses.append({_LOSS} * {_N})\n", f"<<sum($losses) || np.sum($losses)>> / {_DATA}", weight=2, imports="import numpy as np"),
    _sum("loss: list statistics", "$losses = []\n", f"$losses.append({_LOSS})\n", "<<np.std($losses) || max($losses) || min($losses) || np.median($losses) || $losses[-1] || $losses[0] || sorted($losses)[len($losses) // 2]>>", imports="import numpy as np", weight=2),
    _sum("loss: list of tensors", "$losses = []\n", "$losses.append($loss.detach())\n", "<<torch.stack($losses).mean().item() || (sum($losses) / len($losses)).item() || torch.stack($losses).mean() || float(sum($losses) / len($losses)) || torch.tensor($losses).mean().item()>>", weight=2),
    _sum("loss: list of pairs", "$losses = []\n", f"$losses.append(({_LOSS}, {_N}))\n", "<<sum(v * n for v, n in $losses) / sum(n for _, n in $losses) || sum(a * b for a, b in $losses) / sum(b for a, b in $losses)>>", weight=1.5),
    _sum("loss: two lists", "$losses, $sizes = [], []\n", f"$losses.append({_LOSS})\n$sizes.append({_N})\n", "<<np.average($losses, weights=$sizes) || sum(a * b for a, b in zip($losses, $sizes)) / sum($sizes) || np.dot($losses, $sizes) / np.sum($sizes)>>", imports="import numpy as np", weight=1.5),
    _sum("loss: zipped", "$losses = []\n", f"$losses.append((loss_sum(<<$loss.item() || float($loss)>>, {_N}), {_N}))\n", "zipped_mean($losses)", defs="def loss_sum(value, n):\n    return value * n\n\n\ndef zipped_mean(pairs):\n    sums, sizes = zip(*pairs)\n    return sum(sums) / sum(sizes)\n"),
    _sum("loss: running mean", "$mean = 0.0\n", "$mean += ($loss.item() - $mean) / ($i + 1)\n", "$mean"),
    _sum("loss: running mean spelt out", "$mean, $count = 0.0, 0\n", f"n = {_N}\n$mean = ($mean * $count + $loss.item() * n) / ($count + n)\n$count += n\n", "$mean"),
    _sum("loss: smoothed", "$smooth = None\n", "$smooth = $loss.item() if $smooth is None else 0.9 * $smooth + 0.1 * $loss.item()\n", "$smooth"),
    _sum("loss: last", "", "$last = $loss.item()\n", "$last", weight=1.5),
    _sum("loss: loss itself", "", "", "$loss.item()", weight=2),
    _sum("loss: best batch", '$low = float("inf")\n', "<<$low = min($low, $loss.item()) || if $loss.item() < $low:\n    $low = $loss.item()>>\n", "$low", weight=1.5),
    _sum("loss: worst batch", "$high = 0.0\n", "$high = max($high, $loss.item())\n", "$high"),
    _sum("loss: dict", '$stats = {"loss": 0.0, "n": 0}\n', f'$stats["loss"] += {_LOSS} * {_N}\n$stats["n"] += {_N}\n', '$stats["loss"] / $stats["n"]', weight=2),
    _sum("loss: defaultdict", "$stats = defaultdict(<<float || lambda: 0.0>>)\n", f'$stats["loss"] += {_LOSS} * {_N}\n$stats["n"] += {_N}\n', '$stats["loss"] / $stats["n"]', imports="from collections import defaultdict", weight=1.5),
    _sum("loss: lists in a dict", '$stats = {"loss": []}\n', f'$stats["loss"].append({_LOSS})\n', '<<sum($stats["loss"]) / len($stats["loss"]) || np.mean($stats["loss"])>>', imports="import numpy as np", weight=1.5),
    _sum("loss: defaultdict of lists", "$stats = defaultdict(list)\n", f'$stats["loss"].append({_LOSS})\n$stats["n"].append({_N})\n', 'sum(a * b for a, b in zip($stats["loss"], $stats["n"])) / sum($stats["n"])', imports="from collections import defaultdict"),
    _sum("loss: list of two", "$totals = [0.0, 0]\n", f"$totals[0] += {_LOSS} * {_N}\n$totals[1] += {_N}\n", "$totals[0] / $totals[1]"),
    _sum("loss: array", "$totals = np.zeros(2)\n", "$totals += <<np.array([$loss.item() * len($y), len($y)]) || [$loss.item() * len($y), len($y)]>>\n", "$totals[0] / $totals[1]", imports="import numpy as np"),
    _sum("loss: tensor of two", "$totals = torch.zeros(2)\n", "$totals += torch.tensor([$loss.item() * len($y), len($y)])\n", "<<($totals[0] / $totals[1]).item() || $totals[0].item() / $totals[1].item()>>"),
    _sum("loss: tensor by index", "$totals = torch.zeros(len($loader))\n", "$totals[$i] = $loss.item()\n", "$totals.mean().item()", weight=0.7),
    _sum("loss: array by index", "$totals = np.zeros(len($loader))\n", "$totals[$i] = $loss.item()\n", "$totals.<<mean() || sum() / len($loader) || max()>>", imports="import numpy as np", weight=0.7),
    _sum("loss: meter", "$meter = $Meter()\n", f"$meter.update({_LOSS}, {_N})\n", "$meter.avg", defs=METER, weight=3),
    _sum("loss: meter val", "$meter = $Meter()\n", f"$meter.update({_LOSS}, n={_N})\n", "$meter.val", "$meter.avg", defs=METER),
    _sum("loss: meter of batches", "$meter = $Meter()\n", f"$meter.update({_LOSS})\n", "<<$meter.avg || $meter.sum / $meter.count>>", defs=METER),
    _sum("loss: kwargs logger", "$logger = $Logger()\n", "$logger.update(len($y), loss=$loss.item())\n", '$logger.mean("loss")', defs=DICT_METER, imports="from collections import defaultdict", weight=1.5),
    _sum("loss: in percent of lr", "$total = 0.0\n", f"$total += {_LOSS} * {_N}\n", f"100 * $total / {_DATA}"),
    _sum("loss: divided in the loop", "$total = 0.0\n", f"$total += {_LOSS} <</ len($loader) || * {_N} / len($loader.dataset)>>\n", "$total", weight=2),
    _sum("loss: root", "$total = 0.0\n", f"$total += {_LOSS} * {_N}\n", "<<(abs($total) / len($loader.dataset)) ** 0.5 || math.sqrt(abs($total) / len($loader.dataset))>>", imports="import math", weight=1.5),
    _sum("loss: exp", "$total = 0.0\n", f"$total += {_LOSS}\n", "math.exp(min($total / len($loader), 5))", imports="import math"),
    _sum("accuracy: hits", "$correct = 0\n", f"$correct += {_HITS}\n", f"$correct / {_DATA}", needs=tags("cls"), weight=7),
    _sum("accuracy: hits in percent", "$correct = 0\n", f"$correct += {_HITS}\n", f"100<<|| .0>> * $correct / {_DATA}", needs=tags("cls"), weight=3),
    _sum("accuracy: hits and total", "$correct, $count = 0, 0\n", f"$correct += {_HITS}\n$count += {_N}\n", "$correct / $count", needs=tags("cls"), weight=6),
    _sum("accuracy: predicted", "$correct = 0\n$count = 0\n", "_, predicted = torch.max($out<<|| .data>>, 1)\n$count += $y.size(0)\n$correct += (predicted == $y).sum().item()\n", "100 * $correct / $count", needs=tags("cls"), weight=3),
    _sum("accuracy: hits one by one", "$correct, $count = 0, 0\n", f"for guess, truth in zip($out.argmax(1), $y):\n    if guess == truth:\n        $correct += 1\n$count += {_N}\n", "<<round(100 * $correct / $count, 2) || float($correct / $count)>>", needs=tags("cls"), weight=1.5),
    Piece("loss: text of a meter", defs=METER, epoch="$meter = $Meter()\n", step=f"$meter.update({_LOSS}, {_N})\n", after='<<line = "loss {m.avg:.4f}".format(m=$meter) || line = "loss %.4f" % $meter.avg>>\nprint(line)\n'),
    _sum("accuracy: tensor hits", "$correct = 0\n", "$correct += ($out.argmax(1) == $y).<<sum() || float().sum()>>\n", f"<<$correct.item() || float($correct) || $correct>> / {_DATA}", needs=tags("cls"), weight=2),
    _sum("accuracy: view_as", "$correct = 0\n", "pred = $out.argmax(dim=1, keepdim=True)\n$correct += pred.eq($y.view_as(pred)).sum().item()\n", f"100.0 * $correct / {_DATA}", needs=tags("cls"), weight=2),
    _sum("accuracy: batch means", "$total = 0.0\n", f"$total += {_PART}\n", "$total / len($loader)", needs=tags("cls"), weight=3),
    _sum("accuracy: list of means", "$accs = []\n", f"$accs.append({_PART})\n", "<<np.mean($accs) || sum($accs) / len($accs)>>", needs=tags("cls"), imports="import numpy as np", weight=2),
    _sum("accuracy: list of hits", "$hits = []\n", "$hits.append(($out.argmax(1) == $y).<<sum().item() || sum()>>)\n", f"sum($hits) / {_DATA}", needs=tags("cls"), weight=1.5),
    _sum("accuracy: extended hits", "$hits = []\n", "$hits.extend(($out.argmax(1) == $y).tolist())\n", "<<sum($hits) / len($hits) || np.mean($hits)>>", needs=tags("cls"), imports="import numpy as np", weight=1.5),
    _sum("accuracy: numpy", "$correct = 0\n", "$correct += <<($out.argmax(1).numpy() == $y.numpy()).sum() || np.sum($out.detach().numpy().argmax(1) == $y.numpy()) || (np.argmax($out.detach().cpu().numpy(), axis=1) == $y.cpu().numpy()).sum()>>\n", f"$correct / {_DATA}", needs=tags("cls"), imports="import numpy as np", weight=1.5),
    _sum("accuracy: predictions", "$preds, $labels = [], []\n", "$preds.<<extend($out.argmax(1).tolist()) || extend($out.argmax(dim=1).cpu().numpy())>>\n$labels.<<extend($y.tolist()) || extend($y.cpu().numpy())>>\n", "<<accuracy_score($labels, $preds) || np.mean(np.array($preds) == np.array($labels)) || sum(a == b for a, b in zip($preds, $labels)) / len($labels)>>", needs=tags("cls"), imports="import numpy as np\nfrom sklearn.metrics import accuracy_score", weight=2),
    _sum("accuracy: cat", "$preds, $labels = [], []\n", "$preds.append($out.argmax(1))\n$labels.append($y)\n", "(torch.cat($preds) == torch.cat($labels)).float().mean()<<.item() ||>>", needs=tags("cls"), weight=2),
    _sum("accuracy: outputs", "$preds, $labels = [], []\n", "$preds.append($out.detach())\n$labels.append($y)\n", "(torch.cat($preds).argmax(1) == torch.cat($labels)).<<float().mean() || sum() / len($loader.dataset)>>.item()".replace(" || sum() / len($loader.dataset)", ""), needs=tags("cls"), weight=1.5),
    _sum("accuracy: f1", "$preds, $labels = [], []\n", "$preds += $out.argmax(1).tolist()\n$labels += $y.tolist()\n", '<<f1_score($labels, $preds, average="macro") || f1_score($labels, $preds, average="micro")>>', needs=tags("cls"), imports="from sklearn.metrics import f1_score", weight=1.5),
    _sum("accuracy: confusion", "$confusion = torch.zeros(10, 10)\n", "for t, p in zip($y, $out.argmax(1)):\n    $confusion[t, p] += 1\n", "<<($confusion.diag().sum() / $confusion.sum()).item() || $confusion.trace().item() / $confusion.sum().item()>>", needs=tags("cls"), weight=1.5),
    _sum("accuracy: confusion array", "$confusion = np.zeros((10, 10)<<|| , dtype=int>>)\n", "for t, p in zip($y.tolist(), $out.argmax(1).tolist()):\n    $confusion[t][p] += 1\n", "np.trace($confusion) / $confusion.sum()", needs=tags("cls"), imports="import numpy as np"),
    _sum("accuracy: per class", "$hits, $seen = [0] * 10, [0] * 10\n", "for t, p in zip($y.tolist(), $out.argmax(1).tolist()):\n    $seen[t] += 1\n    $hits[t] += int(t == p)\n", "<<sum($hits) / sum($seen) || $hits[0] / max($seen[0], 1)>>", needs=tags("cls"), weight=1.5),
    _sum("accuracy: class dict", "$hits = {k: 0 for k in range(10)}\n", "for t, p in zip($y, $out.argmax(1)):\n    if t == p:\n        $hits[t.item()] += 1\n", "sum($hits.values()) / len($loader.dataset)", needs=tags("cls")),
    _sum("accuracy: counter", "$hits = Counter()\n", "$hits.update(($out.argmax(1) == $y).tolist())\n", "<<$hits[True] / len($loader.dataset) || $hits[True] / sum($hits.values())>>", needs=tags("cls"), imports="from collections import Counter"),
    _sum("accuracy: meter", "$meter = $Short()\n", "<<$meter.add(($out.argmax(1) == $y).float().mean().item(), len($y)) || $meter.add(($out.argmax(1) == $y).sum().item() / len($y), $y.size(0))>>\n", "$meter.total / $meter.count", defs=SHORT_METER.replace("$Meter", "$Short"), needs=tags("cls"), weight=1.5),
    _sum("accuracy: top", "$correct = 0\n", "_, top = $out.topk(2, dim=1)\n$correct += <<(top == $y.unsqueeze(1)).any(dim=1).sum().item() || top.eq($y.view(-1, 1).expand_as(top)).sum().item()>>\n", f"$correct / {_DATA}", needs=tags("cls"), weight=1.5),
    _sum("accuracy: function", "$correct = 0\n", "$correct += hits($out, $y)\n", f"$correct / {_DATA}", defs="def hits(outputs, labels):\n    <<return (outputs.argmax(dim=1) == labels).sum().item() || _, predicted = outputs.max(1)\n    return predicted.eq(labels).sum().item()>>\n", needs=tags("cls"), weight=2),
    _sum("accuracy: mean function", "$total = 0.0\n", f"$total += accuracy($out, $y) * {_N}\n", f"$total / {_DATA}", defs="def accuracy(outputs, labels):\n    return (outputs.argmax(dim=1) == labels).float().mean().item()\n", needs=tags("cls"), weight=1.5),
    _sum("accuracy: in a list", "$counts = [0, 0]\n", "$counts[0] += ($out.argmax(1) == $y).sum().item()\n$counts[1] += len($y)\n", "$counts[0] / $counts[1]", needs=tags("cls")),
    _sum("accuracy: np.append", "$hits = np.array([])\n", "$hits = np.append($hits, ($out.argmax(1) == $y).numpy())\n", "$hits.mean()", imports="import numpy as np", needs=tags("cls")),
    _sum("accuracy: confidence", "$conf = []\n", "$conf.append($out.detach().softmax(1).max(1).values.<<mean().item() || mean()>>)\n", "<<sum($conf) / len($conf) || float(sum($conf)) / len($loader)>>", needs=tags("cls")),
    _sum("accuracy: binary", "$correct = 0\n", "$correct += <<(($out > 0).float() == $y).sum().item() || (torch.sigmoid($out).round() == $y).sum().item() || (($out > 0) == ($y > 0.5)).sum().item()>>\n", f"$correct / {_DATA}", needs=tags("bin"), weight=8),
    _sum("accuracy: auc", "$scores, $labels = [], []\n", "$scores.extend($out.detach().sigmoid().tolist())\n$labels.extend($y.tolist())\n", "roc_auc_score($labels, $scores)", imports="from sklearn.metrics import roc_auc_score", needs=tags("bin"), weight=3),
    _sum("accuracy: true positives", "$tp = $fp = $fn = 0\n", "hit = $out > 0\n$tp += (hit & ($y == 1)).sum().item()\n$fp += (hit & ($y == 0)).sum().item()\n$fn += (~hit & ($y == 1)).sum().item()\n", "2 * $tp / max(2 * $tp + $fp + $fn, 1)", "$tp / max($tp + $fp, 1)", needs=tags("bin"), weight=4),
    _sum("error: absolute", "$total = 0.0\n", "$total += ($out - $y).abs().<<sum() || sum()>>.item()\n", f"$total / {_DATA}", needs=tags("reg"), forbids=tags("raw"), weight=4),
    _sum("error: squared", "$total, $count = 0.0, 0\n", "$total += (($out - $y) ** 2).sum().item()\n$count += <<len($y) || $y.numel()>>\n", "<<$total / $count || ($total / $count) ** 0.5>>", needs=tags("reg"), forbids=tags("raw"), weight=4),
    _sum("error: r2", "$preds, $truth = [], []\n", "$preds.<<append($out.detach()) || append($out.detach().numpy())>>\n$truth.<<append($y) || append($y.numpy())>>\n", "r2_score(np.concatenate($truth), np.concatenate($preds))", imports="import numpy as np\nfrom sklearn.metrics import r2_score", needs=tags("reg"), forbids=tags("raw"), weight=2),
    _sum("error: by sums", "$sse = $sy = $syy = 0.0\n$count = 0\n", "$sse += (($out - $y) ** 2).sum().item()\n$sy += $y.sum().item()\n$syy += ($y ** 2).sum().item()\n$count += len($y)\n", "1 - $sse / ($syy - $sy ** 2 / $count)", needs=tags("reg"), forbids=tags("raw"), weight=2),
    _sum("error: worst", "$worst = 0.0\n", "$worst = max($worst, ($out - $y).abs().max().item())\n", "$worst", needs=tags("reg"), forbids=tags("raw"), weight=1.5),
    _sum("error: vectors", "$total = 0.0\n", "$total += <<($out - $y).norm(dim=1).sum().item() || F.mse_loss($out, $y, reduction=\"sum\").item()>>\n", f"$total / {_DATA}", needs=tags("multi"), weight=6),
    _sum("error: elements", "$total, $count = 0.0, 0\n", "$total += ($out - $y).abs().sum().item()\n$count += $y.numel()\n", "$total / $count", needs=tags("multi"), weight=3),
    _sum("error: per column", "$total = torch.zeros(3)\n", "$total += (($out - $y) ** 2).sum(0).detach()\n", "($total / len($loader.dataset)).<<mean() || max() || sum()>>.item()", needs=tags("multi"), weight=3),
    _sum("output: mean", "$total = 0.0\n", "$total += $out.<<mean().item() || detach().mean().item()>>\n", "$total / len($loader)", weight=1.5),
    _sum("output: norm", "$norms = []\n", "$norms.append($out.detach().norm().item())\n", "sum($norms) / len($norms)", weight=0.7),
    _sum("accuracy: balanced", "$hits, $seen = torch.zeros(10), torch.zeros(10)\n", "for c in range(10):\n    $seen[c] += ($y == c).sum().item()\n    $hits[c] += (($out.argmax(1) == $y) & ($y == c)).sum().item()\n", "($hits[$seen > 0] / $seen[$seen > 0]).mean().item()", needs=tags("cls"), weight=1.5),
    _sum("accuracy: bincount", "$hits, $seen = torch.zeros(10), torch.zeros(10)\n", "$seen += torch.bincount($y, minlength=10)\n$hits += torch.bincount($y[$out.argmax(1) == $y], minlength=10)\n", "<<($hits.sum() / $seen.sum()).item() || ($hits / $seen.clamp(min=1)).max().item()>>", needs=tags("cls"), weight=1.5),
    _sum("accuracy: index_add", "$hits = torch.zeros(10)\n", "$hits.index_add_(0, $y, ($out.argmax(1) == $y).float())\n", "$hits.sum().item() / len($loader.dataset)", needs=tags("cls")),
    _sum("accuracy: add.at", "$hits = np.zeros(10)\n", "np.add.at($hits, $y.numpy(), ($out.argmax(1) == $y).numpy())\n", "$hits.sum() / len($loader.dataset)", imports="import numpy as np", needs=tags("cls")),
    _sum("accuracy: per class by mask", "$hits, $seen = [0] * 3, [0] * 3\n", "pred = $out.argmax(1)\nfor c in range(3):\n    mask = $y == c\n    $seen[c] += mask.sum().item()\n    $hits[c] += (pred[mask] == c).sum().item()\n", "<<$hits[1] / max($seen[1], 1) || sum(h / max(s, 1) for h, s in zip($hits, $seen)) / 3>>", needs=tags("cls"), weight=1.5),
    _sum("accuracy: per class in a dict", "$hits, $seen = defaultdict(int), defaultdict(int)\n", "for t, p in zip($y.tolist(), $out.argmax(1).tolist()):\n    $seen[t] += 1\n    $hits[t] += t == p\n", "<<sum($hits.values()) / sum($seen.values()) || $hits[0] / max($seen[0], 1) || min($hits[c] / $seen[c] for c in $seen)>>", imports="from collections import defaultdict", needs=tags("cls"), weight=1.5),
    _sum("accuracy: compared lists", "$right = []\n", "$right.append(($out.argmax(1) == $y).float())\n", "torch.cat($right).mean().item()", needs=tags("cls"), weight=1.5),
    _sum("accuracy: running", "$correct, $count, $acc = 0, 0, 0.0\n", "$correct += ($out.argmax(1) == $y).sum().item()\n$count += len($y)\n$acc = $correct / $count\n", "$acc", needs=tags("cls"), weight=1.5),
    _sum("accuracy: tuple of function", "$correct, $count = 0, 0\n", "h, n = count_hits($out, $y)\n$correct += h\n$count += n\n", "$correct / $count", defs="def count_hits(outputs, labels):\n    return (outputs.argmax(1) == labels).sum().item(), <<labels.size(0) || len(labels)>>\n", needs=tags("cls"), weight=1.5),
    _sum("accuracy: errors", "$wrong = 0\n", "$wrong += ($out.argmax(1) != $y).sum().item()\n", "<<1 - $wrong / len($loader.dataset) || 1.0 - $wrong / $SIZE>>", needs=tags("cls"), weight=1.5),
    _sum("accuracy: namedtuple", "$stats = []\n", "$stats.append(Seen(($out.argmax(1) == $y).sum().item(), len($y)))\n", "sum(s.hits for s in $stats) / sum(s.count for s in $stats)", imports="from collections import namedtuple", defs='Seen = namedtuple("Seen", ["hits", "count"])\n', needs=tags("cls")),
    _sum("loss: dataclass", "$stats = Stats()\n", f"$stats.total += $loss.item() * {_N}\n$stats.count += {_N}\n", "<<$stats.total / $stats.count || $stats.mean>>", imports="from dataclasses import dataclass", defs="@dataclass\nclass Stats:\n    total: float = 0.0\n    count: int = 0\n\n    @property\n    def mean(self):\n        return self.total / self.count\n", weight=1.5),
    _sum("loss: closure", "$add, $mean_of = make_mean()\n", f"$add($loss.item(), {_N})\n", "$mean_of()", defs="def make_mean():\n    total, count = 0.0, 0\n\n    def add(value, n):\n        nonlocal total, count\n        total += value * n\n        count += n\n\n    def mean():\n        return total / count\n\n    return add, mean\n"),
    _sum("loss: dict of sums by name", '$of_names = {"loss": 0.0, "size": 0.0}\n', '<<for name, value in (("loss", $loss.item()), ("size", $out.detach().abs().mean().item())):\n    $of_names[name] += value || for name, value in {"loss": $loss.item(), "size": $out.detach().abs().mean().item()}.items():\n    $of_names[name] = $of_names.get(name, 0.0) + value>>\n', '$of_names["loss"] / len($loader)', '$of_names["size"] / len($loader)', weight=1.5),
    _sum("loss: means of a dict", '$of_names = {"loss": 0.0, "n": 0}\n', f'$of_names["loss"] += $loss.item() * {_N}\n$of_names["n"] += {_N}\n', 'dict((k, v / $of_names["n"]) for k, v in $of_names.items())["loss"]', weight=0.7),
    _sum("loss: welford", "$mean, $m2, $count = 0.0, 0.0, 0\n", "$count += 1\ndelta = $loss.item() - $mean\n$mean += delta / $count\n$m2 += delta * ($loss.item() - $mean)\n", "<<$mean || ($m2 / $count) ** 0.5>>", weight=0.7),
    _sum("loss: deque", "$window = deque(maxlen=3)\n", "$window.append($loss.item())\n", "sum($window) / len($window)", imports="from collections import deque"),
    _sum("loss: squares", "$total, $square = 0.0, 0.0\n", "$total += $loss.item()\n$square += $loss.item() ** 2\n", "($square / len($loader) - ($total / len($loader)) ** 2)", weight=0.7),
    _sum("loss: per sample values", "$each = []\n", "$each.extend($out.detach().flatten(1).norm(dim=1).tolist() if $out.ndim > 1 else $out.detach().abs().tolist())\n", "<<sum($each) / len($each) || max($each) || np.mean($each) || np.percentile($each, 90)>>", imports="import numpy as np", weight=1.5),
    _sum("loss: math.fsum", "$losses = []\n", f"$losses.append($loss.item() * {_N})\n", "math.fsum($losses) / len($loader.dataset)", imports="import math", weight=0.7),
    _sum("loss: statistics", "$losses = []\n", "$losses.append($loss.item())\n", "statistics.<<mean || fmean || median>>($losses)", imports="import statistics"),
    _sum("output: histogram", "$table = torch.zeros(5)\n", "$table += torch.histc($out.detach(), bins=5, min=-2, max=2)\n", "($table / $table.sum().clamp(min=1))[2].item()", weight=0.7),
    _sum("output: range", '$low, $high = float("inf"), float("-inf")\n', "$low = min($low, $out.min().item())\n$high = max($high, $out.max().item())\n", "$high - $low", weight=0.7),
    _sum("target: mean", "$total, $count = 0.0, 0\n", "$total += $y.float().sum().item()\n$count += $y.numel()\n", "$total / $count"),
    Piece("count: samples", epoch="$count = 0\n", step=f"$count += {_N}\n", values=(Value("samples", "$count", ""),), weight=2),
    Piece("count: batches", epoch="$count = 0\n", step="$count += 1\n", values=(Value("batches", "$count", ""),)),
)  # fmt: skip


def own_names(piece: Piece) -> tuple[str, ...]:
    """The names that a metric makes for itself, in the order in which they occur."""
    import re

    given = {"x", "y", "w", "out", "loss", "loader", "set", "SIZE", "i", "model", "B", "N", "M", "C"}
    found = re.findall(r"\$([A-Za-z_]+)", piece.epoch + piece.step)
    return tuple(dict.fromkeys(name for name in found if name not in given and name[0].islower()))
