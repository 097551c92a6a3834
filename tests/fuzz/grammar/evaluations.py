"""Evaluations besides that of each epoch: at the start, at the end, of the training data, of single samples."""

from __future__ import annotations

from fuzz.grammar.piece import Piece, tags

_DICT = tags("dict")
_CLS = tags("cls")
_LOOP = "$model.eval()\n{0}with torch.no_grad():\n    for batch in {1}:\n        pred = $model(batch[0]<<|| .to(batch[0].device)>>)\n{2}"
_HITS = "<<(pred.argmax(1) == batch[1]).sum().item() || pred.argmax(dim=1).eq(batch[1]).sum().item()>>"


def _pass(start: str, loader: str, step: str, end: str) -> str:
    return _LOOP.format(start, loader, "".join(f"        {line}\n" for line in step.splitlines())) + end


_FUNCTION = """def accuracy_of(model, loader):
    model.eval()
    hits, count = 0, 0
    with torch.no_grad():
        for batch in loader:
            pred = model(batch[0]).argmax(dim=1)
            hits += (pred == batch[1]).sum().item()
            count += <<len(pred) || batch[1].size(0)>>
    return hits / count
"""
_MEAN = """def mean_output(model, loader):
    model.eval()
    values = []
    with torch.no_grad():
        for batch in loader:
            values.append(model(batch[0]).<<mean().item() || abs().mean().item()>>)
    return sum(values) / len(values)
"""

EVALUATIONS = (
    Piece("final accuracy", finish=_pass("right = 0\n", "$test_loader", f"right += {_HITS}\n", 'print(f"final {right / len($test_loader.dataset):.4f}")\n'), needs=_CLS, forbids=_DICT, weight=3),
    Piece("baseline", before=_pass("right = 0\n", "$test_loader", f"right += {_HITS}\n", 'print("before", right / len($test_set))\n'), needs=_CLS, forbids=_DICT),
    Piece("training accuracy", finish=_pass("right, seen_all = 0, 0\n", "$loader", f"right += {_HITS}\nseen_all += len(batch[1])\n", 'print("train", right / seen_all)\n'), needs=_CLS, forbids=_DICT, weight=1.5),
    Piece("both by function", defs=_FUNCTION, finish='print("train", accuracy_of($model, $loader), "test", accuracy_of($model, $test_loader))\n', needs=_CLS, forbids=_DICT, weight=1.5),
    Piece("each epoch by function", defs=_FUNCTION, judged='print(f"held out {accuracy_of($model, $test_loader):.4f}")\n', needs=_CLS, forbids=_DICT, weight=2),
    Piece("mean by function", defs=_MEAN, judged="print(round(mean_output($model, $test_loader), 5))\n", forbids=_DICT, weight=1.5),
    Piece("predictions saved", imports="import numpy as np", finish=_pass("rows = []\n", "$test_loader", "rows.append(pred.numpy())\n", 'np.save("pred.npy", np.concatenate(rows))\n'), forbids=_DICT, weight=2),
    Piece("predictions kept", finish=_pass("rows = []\n", "$test_loader", "rows.append(pred)\n", 'torch.save(torch.cat(rows), "pred.pt")\n'), forbids=_DICT, weight=1.5),
    Piece("predictions in a file", finish=_pass("rows = []\n", "$test_loader", "rows.extend(pred.argmax(1).tolist())\n", 'with open("pred.csv", "w") as f:\n    for n, label in enumerate(rows):\n        f.write(f"{n},{label}\\n")\n'), needs=_CLS, forbids=_DICT, weight=1.5),
    Piece("first predictions", finish="$model.eval()\nwith torch.no_grad():\n    first = $model(torch.stack([$test_set[n][0] for n in range(3)]))\nprint([round(v, 3) for v in first.flatten()[:3].tolist()])\n", forbids=_DICT, weight=1.5),
    Piece("first batch", finish='$model.eval()\nwith torch.no_grad():\n    batch = next(iter($test_loader))\n    pred = $model(batch[0])\nprint("batch", <<round(pred.mean().item(), 4) || pred[:2].flatten().tolist() || len(pred)>>)\n', forbids=_DICT),
    Piece("one sample", finish='$model.eval()\nsample = $test_set[0][0].unsqueeze(0)\nprint("one", round($model(sample).sum().item(), 4))\n', forbids=_DICT),
    Piece("per class", finish=_pass("right, seen_all = [0] * 10, [0] * 10\n", "$test_loader", "for t, p in zip(batch[1].tolist(), pred.argmax(1).tolist()):\n    right[t] += int(t == p)\n    seen_all[t] += 1\n", 'for c in range(3):\n    print(f"class {c}: {right[c]}/{seen_all[c]}")\n'), needs=_CLS, forbids=_DICT, weight=1.5),
    Piece("confusion", imports="from sklearn.metrics import confusion_matrix", finish=_pass("truth, guess = [], []\n", "$test_loader", "truth += batch[1].tolist()\nguess += pred.argmax(1).tolist()\n", "print(confusion_matrix(truth, guess))\n"), needs=_CLS, forbids=_DICT, weight=1.5),
    Piece("confusion tensor", finish=_pass("table = torch.zeros(10, 10, dtype=torch.long)\n", "$test_loader", "table += torch.bincount(batch[1] * 10 + pred.argmax(1), minlength=100).view(10, 10)\n", 'print(table.diag().tolist(), table.sum().item())\n'), needs=_CLS, forbids=_DICT),
    Piece("report", imports="from sklearn.metrics import classification_report", finish=_pass("truth, guess = [], []\n", "$test_loader", "truth.append(batch[1])\nguess.append(pred.argmax(1))\n", "print(classification_report(torch.cat(truth), torch.cat(guess), zero_division=0))\n"), needs=_CLS, forbids=_DICT),
    Piece("few batches", finish=_pass("part = []\n", "$test_loader", "part.append(pred.sum().item())\nif len(part) == 2:\n    break\n", "print([round(v, 3) for v in part])\n"), forbids=_DICT, weight=0.7),
    Piece("wrong ones", finish=_pass("wrong = []\n", "$test_loader", "wrong.extend((pred.argmax(1) != batch[1]).nonzero().flatten().tolist())\n", 'print("wrong", len(wrong))\n'), needs=_CLS, forbids=_DICT),
    Piece("numbered wrong ones", finish=_pass("wrong, at = [], 0\n", "$test_loader", "wrong += [at + k for k in range(len(batch[1])) if pred[k].argmax() != batch[1][k]]\nat += len(batch[1])\n", "print(wrong[:5])\n"), needs=_CLS, forbids=_DICT, weight=0.7),
    Piece("whole set", finish="$model.eval()\nwith torch.no_grad():\n    every = torch.stack([item[0] for item in $test_set])\n    print(round($model(every).mean().item(), 5))\n", forbids=_DICT),
    Piece("best class", finish=_pass("sums = 0\n", "$test_loader", "sums = sums + pred.sum(0)\n", "print(sums.argmax().item(), [round(v, 2) for v in sums.tolist()])\n"), forbids=_DICT),
    Piece("min and max", finish=_pass('low, high = float("inf"), float("-inf")\n', "$test_loader", "low = min(low, pred.min().item())\nhigh = max(high, pred.max().item())\n", "print(round(low, 4), round(high, 4))\n"), forbids=_DICT),
)  # fmt: skip
