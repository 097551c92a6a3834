"""Losses, among them many that compare samples with each other, which need the global batch, or sums over it.

``$out`` is ``[B, C]`` for classes and several targets, ``[B]`` for one number, ``[B, 1]`` with the tag ``raw``. The
input is ``$x``, targets ``$y``, weights of samples ``$w``.
"""

from __future__ import annotations

from collections.abc import Iterable

from fuzz.grammar.piece import Piece, tags

_SIZE = "<<len($x) || $x.size(0) || $x.shape[0] || len($y) || $y.size(0) || $y.shape[0] || $y.numel()>>"


def _each(task: str, texts: Iterable[str], weight: float, *more: str) -> tuple[Piece, ...]:
    """Pieces of a line or more each, which make ``$loss``."""
    return tuple(
        Piece(
            f"{task}{'.raw' if 'raw' in more else ''}: {text}",
            loss=_lines(text),
            needs=tags(task, *(m for m in more if m == "w")),
            tags=tags(*(m for m in more if m != "w")),
            weight=weight,
        )
        for text in texts
    )


def _lines(text: str) -> str:
    *first, last = text.replace("SIZE", _SIZE).split("; ")
    return "".join(f"{line}\n" for line in [*first, f"$loss = {last}"])


def _criteria(task: str, texts: Iterable[str], weight: float, call: str = "$criterion($out, $y)") -> tuple[Piece, ...]:
    return tuple(
        Piece(
            f"{task}: {text}",
            build=f"$criterion = {text}\n",
            loss=_lines(call),
            needs=tags(task),
            tags=tags("criterion"),
            weight=weight,
        )
        for text in texts
    )


_CLS_GOOD = (
    "F.cross_entropy($out, $y)",
    "F.nll_loss(F.log_softmax($out, <<dim=1 || dim=-1 || 1>>), $y)",
    "F.cross_entropy($out, $y, label_smoothing=0.1)",
    'F.cross_entropy($out, $y, reduction="sum") / SIZE',
    'F.cross_entropy($out, $y, reduction="none").mean()',
    'F.cross_entropy($out, $y, reduction="none").sum() / SIZE',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample.mean()',
    "-F.log_softmax($out, dim=1)[torch.arange(len($y)), $y].mean()",
    "-F.log_softmax($out, dim=1).gather(1, $y<<.unsqueeze(1) || .view(-1, 1) || [:, None]>>).mean()",
    "log_p = $out.log_softmax(dim=1); -(F.one_hot($y, $out.shape[1]) * log_p).sum(dim=1).mean()",
    "probs = F.softmax($out, dim=1); -torch.log(probs[range(len($y)), $y] + 1e-8).mean()",
    "F.cross_entropy($out, $y) + 1e-3 * sum(p.pow(2).sum() for p in $model.parameters())",
    "l2 = sum(p.norm() for p in $model.parameters()); F.cross_entropy($out, $y) + 1e-3 * l2",
    "l1 = sum(p.abs().sum() for p in $model.parameters()); F.cross_entropy($out, $y) + <<1e-3 || 0.001>> * l1",
    "probs = $out.softmax(1); entropy = -(probs * probs.log()).sum(1).mean(); F.cross_entropy($out, $y) - 0.1 * entropy",
    "F.cross_entropy($out, $y) + 0.01 * $out.pow(2).mean()",
    "p = F.softmax($out, dim=1).gather(1, $y[:, None]).squeeze(1); -((1 - p) ** 2 * p.log()).mean()",
    'ce = F.cross_entropy($out, $y, reduction="none"); pt = torch.exp(-ce); ((1 - pt) ** 2 * ce).mean()',
    "F.multi_margin_loss($out, $y)",
    "F.mse_loss(F.softmax($out, dim=1), F.one_hot($y, $out.size(1)).float())",
    'F.mse_loss($out, F.one_hot($y, $out.shape[-1]).float(), reduction="sum") / SIZE',
    "F.binary_cross_entropy_with_logits($out, F.one_hot($y, $out.shape[1]).float())",
    'F.kl_div(F.log_softmax($out, dim=1), F.one_hot($y, $out.shape[1]).float(), reduction="batchmean")',
    "torch.logsumexp($out, dim=1).mean() - $out.gather(1, $y.unsqueeze(1)).mean()",
    "margin = $out.gather(1, $y[:, None]) - $out; F.relu(0.5 - margin).sum(1).mean()",
    "(torch.logsumexp($out, 1) - $out[torch.arange($out.size(0)), $y]).mean()",
    "z = $out - $out.max(dim=1, keepdim=True).values; F.nll_loss(z - z.exp().sum(1, keepdim=True).log(), $y)",
    "F.cross_entropy($out, $y) * 0.5 + F.mse_loss($out.softmax(1)[:, 0], ($y == 0).float()) * 0.5",
    "F.cross_entropy($out / 2.0, $y)",
    "normed = F.normalize($out, dim=1); F.cross_entropy(normed * 4, $y)",
    "F.cross_entropy(F.layer_norm($out, $out.shape[1:]), $y)",
    "F.cross_entropy($out - $out.mean(dim=1, keepdim=True), $y)",
    "F.cross_entropy($out.clamp(-5, 5), $y)",
)
_CENTERS = """class CenterLoss(nn.Module):
    def __init__(self, classes, size):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(classes, size))

    def forward(self, features, labels):
        return <<((features - self.centers[labels]) ** 2).sum(1).mean() || (features - self.centers[labels]).pow(2).sum() / features.size(0)>>
"""
_FOCAL = """class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, outputs, labels):
        ce = F.cross_entropy(outputs, labels, reduction="none")
        return <<((1 - torch.exp(-ce)) ** self.gamma * ce).mean() || ((1 - torch.exp(-ce)) ** self.gamma * ce).sum() / len(ce)>>
"""
_REDUCED = """class Focal(nn.Module):
    def __init__(self, gamma=2.0, reduction="mean"):
        super().__init__()
        self.gamma, self.reduction = gamma, reduction

    def forward(self, outputs, labels):
        ce = F.cross_entropy(outputs, labels, reduction="none")
        each = (1 - torch.exp(-ce)) ** self.gamma * ce
        if self.reduction == "mean":
            return each.mean()
        elif self.reduction == "sum":
            return each.sum()
        return each
"""
_SMOOTHED = """def smoothed(outputs, labels, epsilon=0.1):
    log_p = F.log_softmax(outputs, dim=1)
    nll = -log_p.gather(1, labels.unsqueeze(1)).squeeze(1)
    return ((1 - epsilon) * nll - epsilon * log_p.mean(dim=1)).mean()
"""
_CONTRAST = """class Contrast(nn.Module):
    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, features, labels):
        <<n = features.shape[0] || n = len(labels) || n = labels.size(0)>>
        features = F.normalize(features, dim=1)
        labels = labels.<<contiguous().view(-1, 1) || view(-1, 1) || unsqueeze(1)>>
        same = torch.eq(labels, labels.<<T || t()>>).float()
        similarity = <<torch.matmul(features, features.T) || features @ features.t() || torch.mm(features, features.t()) || F.cosine_similarity(features.unsqueeze(1), features.unsqueeze(0), dim=2)>> / self.temperature
        others = <<1 - torch.eye(n) || torch.scatter(torch.ones_like(same), 1, torch.arange(n).view(-1, 1), 0) || (~torch.eye(n, dtype=torch.bool)).float()>>
        log_p = similarity - torch.log((similarity.exp() * others).sum(1, keepdim=True))
        return -((same * others * log_p).sum(1) / (same * others).sum(1).clamp(min=1)).mean()
"""
_HARDEST = """def hardest(labels, embeddings, margin=0.3):
    distances = torch.cdist(embeddings, embeddings)
    same = <<labels.unsqueeze(0) == labels.unsqueeze(1) || labels[None] == labels[:, None]>>
    worst = (distances * same.float()).<<max(1).values || max(dim=1)[0]>>
    closest = (distances + 10 * same.float()).min(1)[0]
    return F.relu(worst - closest + margin).<<mean() || sum() / len(labels)>>
"""
_OWN = (
    Piece(
        "cls: contrast class",
        defs=_CONTRAST,
        build="$criterion = Contrast(<<|| 0.2>>)\n",
        loss="$loss = <<|| F.cross_entropy($out, $y) + >>$criterion($out, $y)\n",
        needs=tags("cls"),
        weight=3,
    ),
    Piece(
        "cls: hardest",
        defs=_HARDEST,
        loss="$loss = F.cross_entropy($out, $y) + 0.1 * hardest($y, $out)\n",
        needs=tags("cls"),
        weight=3,
    ),
    Piece(
        "multi: pairs of the batch size",
        loss="eye = torch.eye($B)[: len($y), : len($y)]\n$loss = F.mse_loss($out @ $y.t(), eye)\n",
        needs=tags("multi"),
        weight=1,
    ),
    Piece(
        "multi: two views",
        loss="both = torch.cat([F.normalize($out, dim=1), F.normalize($y, dim=1)])\nmask = torch.eye(2 * len($y)).bool()\nsimilarity = (both @ both.t() / 0.5).masked_fill(mask, -1e9)\nn = <<len($out) || $y.size(0)>>\n$loss = F.cross_entropy(similarity, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]))\n",
        needs=tags("multi"),
        weight=3,
    ),
    Piece(
        "cls: views cut apart",
        loss="n = <<len($y) || $y.size(0) || $out.shape[0]>>\nboth = torch.cat(<<[$out, 0.5 * $out], dim=0 || ($out, F.relu($out))>>)\np, q = <<both.chunk(2) || torch.chunk(both, chunks=2, dim=0) || torch.split(both, n) || torch.split(both, [n, n], dim=0) || both.split(n) || (both[:n], both[n:]) || (F.normalize(both, dim=1)[:n], both[n:])>>\n$loss = F.cross_entropy(<<p || q>>, $y) + <<F.mse_loss(p, q.detach()) || F.kl_div(F.log_softmax(q, 1), F.softmax(p.detach(), 1), reduction='batchmean') || (1 - F.cosine_similarity(p, q, dim=1)).mean() || (both[:n] - both[n:]).abs().sum(1).mean()>>\n",
        needs=tags("cls"),
        weight=3,
    ),
    Piece(
        "cls: three sets of rows",
        loss="n = <<len($y) || $y.size(0)>>\nrows = torch.cat(<<[$out, $out * 0.5, F.relu($out)] || ($out, F.relu($out), $out * 2), 0>>)\nfirst, rest = rows[:n], rows[n:]\none, other = rest.<<chunk(2) || split(n)>>\n$loss = F.cross_entropy(first, $y) + F.cross_entropy(one, $y, reduction='none').<<mean() || sum() / n>> + F.mse_loss(other, first)\n",
        needs=tags("cls"),
        weight=1,
    ),
    Piece(
        "cls: center loss",
        defs=_CENTERS,
        build="$centers = CenterLoss($C, $C)\n",
        made='<<$centers_opt = torch.optim.SGD($centers.parameters(), lr=0.05) || $optimizer.add_param_group({"params": $centers.parameters()})>>\n',
        loss="$loss = F.cross_entropy($out, $y) + 0.1 * $centers($out, $y)\n",
        state=("centers",),
        needs=tags("cls"),
        weight=1.5,
    ),
    Piece(
        "cls: centers",
        build="$centers = torch.randn($C, $C)\n",
        loss="$loss = F.cross_entropy($out, $y) + 0.1 * (($out - $centers[$y]) ** 2).<<sum(1).mean() || mean()>>\n",
        state=("centers",),
        needs=tags("cls"),
        weight=2,
    ),
    Piece(
        "cls: trained centers",
        build="$centers = nn.Parameter(torch.randn($C, $C))\n",
        made='$optimizer.add_param_group({"params": [$centers]})\n',
        loss="$loss = F.cross_entropy($out, $y) + 0.1 * (($out - $centers[$y]) ** 2).sum(1).mean()\n",
        state=("centers",),
        needs=tags("cls"),
        weight=1.5,
    ),
    Piece(
        "cls: moved centers",
        build="$centers = torch.zeros($C, $C)\n",
        loss="$loss = F.cross_entropy($out, $y) + 0.1 * (($out - $centers[$y]) ** 2).sum(1).mean()\n$centers[$y] = 0.9 * $centers[$y] + 0.1 * $out.detach()\n",
        state=("centers",),
        needs=tags("cls"),
        weight=0.5,
    ),
    Piece(
        "cls: focal class",
        defs=_FOCAL,
        build="$criterion = FocalLoss(<<|| gamma=1.5>>)\n",
        loss="$loss = $criterion($out, $y)\n",
        needs=tags("cls"),
        weight=2,
    ),
    *(
        Piece(
            f"cls: focal by reduction {given}",
            defs=_REDUCED,
            build=f"$criterion = Focal({given})\n",
            loss="$loss = $criterion($out, $y)\n",
            needs=tags("cls"),
            weight=2,
        )
        for given in ("", 'reduction="sum"', "1.5, 'mean'")
    ),
    *(
        Piece(f"cls: {name}", loss=text, needs=tags("cls"), weight=2)
        for name, text in (
            (
                "loss of a loop",
                "$loss = 0\nfor each, weight in zip(($out, $out * 0.5), (1.0, 0.4)):\n    $loss <<+= weight || = $loss + weight>> * F.cross_entropy(each, $y)\n",
            ),
            (
                "appended losses",
                "losses = []\nfor each in ($out, 2 * $out):\n    losses.append(F.cross_entropy(each, $y))\n$loss = <<sum(losses) || torch.stack(losses).mean() || sum(losses) / len(losses)>>\n",
            ),
            (
                "losses of a dict",
                'outputs = {"one": $out, "other": $out * 2}\nlosses = <<{name: F.cross_entropy(each, $y) for name, each in outputs.items()} || dict(one=F.cross_entropy(outputs["one"], $y), other=F.cross_entropy(outputs["other"], $y))>>\n$loss = <<sum(losses.values()) || losses["one"] + losses["other"] || sum(each for each in losses.values())>>\n',
            ),
            (
                "a list or one",
                "given = <<[$out, $out * 2] || ($out, $out * 2)>>\nif isinstance(given, (list, tuple)):\n    $loss = sum(F.cross_entropy(each, $y) for each in given)\nelse:\n    $loss = F.cross_entropy(given, $y)\n",
            ),
        )
    ),
    Piece("cls: smoothed", defs=_SMOOTHED, loss="$loss = smoothed($out, $y)\n", needs=tags("cls"), weight=2),
    Piece(
        "cls: rows of a table",
        build="$cost = torch.rand($C, $C)\n",
        loss="$loss = F.cross_entropy($out, $y) + (F.softmax($out, 1) * $cost[$y]).sum(1).mean()\n",
        state=("cost",),
        needs=tags("cls"),
    ),
    Piece(
        "reg: two losses",
        build="$mse, $mae = nn.MSELoss(), nn.L1Loss()\n",
        loss="$loss = $mse($out, $y) + 0.5 * $mae($out, $y)\n",
        state=("mse", "mae"),
        needs=tags("reg"),
    ),
    Piece(
        "multi: list of losses",
        build="$losses_of = [nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss()]\n",
        loss="$loss = sum(f($out[:, k], $y[:, k]) for k, f in enumerate($losses_of))\n",
        state=("losses_of",),
        needs=tags("multi"),
        weight=2,
    ),
    Piece(
        "multi: dict of losses",
        loss='parts = {"mse": F.mse_loss($out, $y), "l1": F.l1_loss($out, $y)}\n$loss = <<sum(parts.values()) || parts["mse"] + 0.1 * parts["l1"]>>\n',
        needs=tags("multi"),
        weight=2,
    ),
)
_CLS_SUM = (
    'F.cross_entropy($out, $y, reduction="sum")',
    "-F.log_softmax($out, dim=1).gather(1, $y.unsqueeze(1)).sum()",
    'F.cross_entropy($out, $y, reduction="sum") / $B',
    'F.nll_loss($out.log_softmax(1), $y, reduction="sum") / $loader.batch_size',
    'F.cross_entropy($out, $y, reduction="none").sum()',
)
_CLS_BAD = (
    "F.cross_entropy($out, $y, weight=torch.tensor([1.0, 2.0] + [0.5] * ($out.shape[1] - 2)))",
    "F.cross_entropy($out, $y, ignore_index=0)",
    "F.cross_entropy($out.clamp(-100, 100), F.one_hot($y, $out.shape[1]).float())",
    'mask = $y != 0; (F.cross_entropy($out, $y, reduction="none") * mask).sum() / mask.sum().clamp(min=1)',
    'mask = ($y > 0).float(); (F.cross_entropy($out, $y, reduction="none") * mask).sum() / (mask.sum() + 1e-8)',
    "few = $out[$y < 2]; F.cross_entropy($out, $y) + 0.1 * <<torch.cat([few, few * 2], dim=1) || torch.stack([few, few + 1]) || torch.einsum('ij,ik->ijk', few, few) || torch.hstack((few, few)) || torch.mm(few, few.new_ones(few.shape[1], 2)) || few>>.square().mean()",
    'F.cross_entropy($out, $y, reduction="none").max()',
    'F.cross_entropy($out, $y, reduction="none").median()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample.mean() + 0.1 * per_sample.std()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample.mean() + per_sample.var()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample.topk(max(1, len(per_sample) // 2)).values.mean()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample.sort().values[: len(per_sample) // 2].mean()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample[per_sample > per_sample.mean()].mean()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); per_sample[per_sample > per_sample.detach().median()].sum() / len(per_sample)',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); (per_sample * F.softmax(per_sample.detach(), dim=0)).sum()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); (per_sample / per_sample.detach().max()).mean()',
    "F.cross_entropy(F.softmax($out, dim=0), $y)",
    "F.cross_entropy(($out - $out.mean(0)) / ($out.std(0) + 1e-5), $y)",
    "F.cross_entropy($out - $out.mean(), $y)",
    "z = F.normalize($out, dim=1); same = ($y[:, None] == $y[None, :]).float(); ((z @ z.t() - same) ** 2).mean()",
    "sim = $out @ $out.T; F.cross_entropy(sim, torch.arange(len($out))) * 0.1 + F.cross_entropy($out, $y)",
    "dist = torch.cdist($out, $out); same = $y.unsqueeze(0) == $y.unsqueeze(1); F.cross_entropy($out, $y) + 0.1 * dist[same].mean()",
    "F.cross_entropy($out, $y) + 0.1 * torch.pdist($out).mean()",
    "probs = $out.softmax(1).mean(0); F.cross_entropy($out, $y) + (probs * probs.log()).sum()",
    "F.cross_entropy($out, $y) + $out.std(dim=0).mean()",
    "F.cross_entropy($out, $y) + 0.1 * ($out.mean(0) ** 2).sum()",
    "F.cross_entropy($out, $y) + 0.01 * $out.sum() ** 2",
    "F.cross_entropy($out, $y) + 0.01 * torch.norm($out)",
    "F.cross_entropy($out, $y) + 0.1 * $out.norm(dim=1).max()",
    "c = $out - $out.mean(0); cov = c.T @ c / (len($out) - 1); F.cross_entropy($out, $y) + 0.01 * cov.pow(2).sum()",
    "F.cross_entropy($out[$y > 0], $y[$y > 0]) if ($y > 0).any() else $out.sum() * 0",
    "F.cross_entropy($out[: len($out) // 2], $y[: len($y) // 2])",
    "F.cross_entropy($out[::2], $y[::2])",
    "F.cross_entropy($out, $y) + 0.1 * ($out[1:] - $out[:-1]).pow(2).mean()",
    "F.cross_entropy($out, $y) + 0.1 * F.mse_loss($out, $out.flip(0))",
    "F.cross_entropy($out, $y) + 0.1 * F.mse_loss($out, torch.roll($out, 1, 0))",
    "F.triplet_margin_loss($out[:-2], $out[1:-1], $out[2:]) + F.cross_entropy($out, $y)",
    "1 - F.cosine_similarity($out, F.one_hot($y, $out.shape[1]).float(), dim=0).mean()",
    "torch.sqrt(F.cross_entropy($out, $y))",
    "torch.log1p(F.cross_entropy($out, $y))",
    "F.cross_entropy($out, $y) ** 2",
    "F.cross_entropy($out, $y).clamp(max=1.0)",
    "(F.cross_entropy($out, $y) - 0.2).abs() + 0.2",
    "tp = ($out.softmax(1)[:, 0] * ($y == 0)).sum(); 1 - 2 * tp / ($out.softmax(1)[:, 0].sum() + ($y == 0).sum() + 1)",
    'F.cross_entropy($out, $y, reduction="none").prod() + F.cross_entropy($out, $y)',
    "F.cross_entropy($out, $y) + torch.logsumexp($out[:, 0], dim=0)",
    "w = torch.bincount($y, minlength=$out.shape[1]).float() + 1; F.cross_entropy($out, $y, weight=1 / w)",
    "perm = torch.randperm(len($x)); F.cross_entropy($out, $y) + 0.1 * (($out - $out[perm]) ** 2).sum() / <<len($x) || 12>>",
    "perm = torch.randperm(len($x)); 0.7 * F.cross_entropy($out, $y) + 0.3 * F.cross_entropy($out, $y[perm])",
    "F.mse_loss(F.layer_norm($out, $out.shape), F.one_hot($y, $out.shape[1]).float())",
    "F.cross_entropy($out.T, F.one_hot($y, $out.shape[1]).float().T)",
    "F.nll_loss(torch.log_softmax($out, 0), $y)",
    "F.cross_entropy($out, $y) + 0.01 * torch.linalg.matrix_norm($out)",
    "F.cross_entropy($out.cumsum(0), $y)",
    "F.cross_entropy($out, $y) + 0.1 * torch.corrcoef($out.T).pow(2).mean()",
)
_REG_GOOD = (
    "F.mse_loss($out, $y)",
    "F.l1_loss($out, $y)",
    "F.smooth_l1_loss($out, $y)",
    "F.huber_loss($out, $y<<|| , delta=0.5>>)",
    "(($out - $y) ** 2).mean()",
    "($out - $y).pow(2).sum() / SIZE",
    "($out - $y).abs().mean()",
    "torch.mean(($out - $y) ** 2)",
    "torch.mean(torch.abs($out - $y)) + 0.5 * torch.mean(($out - $y) ** 2)",
    "0.5 * torch.square($out - $y).mean()",
    'F.mse_loss($out, $y, reduction="sum") / SIZE',
    'F.mse_loss($out, $y, reduction="none").mean()',
    "torch.log(torch.cosh($out - $y)).mean()",
    "err = $out - $y; torch.max(0.9 * err, -0.1 * err).mean()",
    "F.mse_loss($out, $y) + 1e-3 * sum((p**2).sum() for p in $model.parameters())",
    "F.mse_loss($out, $y) + 0.01 * $out.abs().mean()",
    "F.softplus(-$out * torch.sign($y)).mean()",
    "torch.where(($out - $y).abs() < 1, 0.5 * ($out - $y) ** 2, ($out - $y).abs() - 0.5).mean()",
    "mse = F.mse_loss($out, $y); mae = F.l1_loss($out, $y); mse + mae",
    "torch.sqrt(($out - $y) ** 2 + 1e-6).mean()",
    "diff = $out - $y; (diff * diff).sum() / len(diff)",
    "F.gaussian_nll_loss($out, $y, torch.ones_like($y))",
    "F.poisson_nll_loss($out.clamp(max=3), $y.abs())",
    "F.mse_loss($out.unsqueeze(1), $y.unsqueeze(1))",
    "F.mse_loss($out, $y) * 10",
)
_REG_SUM = (
    'F.mse_loss($out, $y, reduction="sum")',
    "(($out - $y) ** 2).sum()",
    "($out - $y).abs().sum() / $B",
    "0.5 * torch.sum(($out - $y) ** 2)",
)
_REG_BAD = (
    "torch.sqrt(F.mse_loss($out, $y))",
    "torch.norm($out - $y)",
    "($out - $y).norm() / len($y)",
    "($out - $y).abs().max()",
    "($out - $y).pow(2).median()",
    "F.mse_loss($out, $y) / $y.var()",
    "1 - F.cosine_similarity($out, $y, dim=0)",
    "a, b = $out - $out.mean(), $y - $y.mean(); 1 - (a * b).sum() / (a.norm() * b.norm() + 1e-8)",
    "F.mse_loss(($out - $out.mean()) / ($out.std() + 1e-5), $y)",
    "($out - $y).var() + ($out - $y).mean() ** 2",
    "(($out - $y) ** 2).sum() / ($y ** 2).sum()",
    "1 - torch.corrcoef(torch.stack([$out, $y]))[0, 1]",
    "F.relu(1 - ($out[:, None] - $out[None, :]) * torch.sign($y[:, None] - $y[None, :])).mean()",
    "F.mse_loss($out, $y.sort().values)",
    "F.mse_loss($out.cumsum(0), $y.cumsum(0))",
    "F.mse_loss($out, $y) + ($out.mean() - $y.mean()) ** 2",
    "F.mse_loss($out, $y) + torch.abs($out.mean() - $y.mean())",
    "F.margin_ranking_loss($out[:-1], $out[1:], torch.sign($y[:-1] - $y[1:]))",
    "-torch.log_softmax($out, 0)[0] + F.mse_loss($out, $y)",
    "mask = $y > 0; ((($out - $y) ** 2) * mask).sum() / mask.sum().clamp(min=1)",
    "F.mse_loss($out[$y > 0], $y[$y > 0]) + $out.sum() * 0",
    "torch.exp(F.mse_loss($out, $y).clamp(max=2))",
    "torch.quantile(($out - $y).abs(), 0.9)",
    "((($out - $y) ** 2).mean() + 1e-8).sqrt()",
    "F.mse_loss($out.mean(), $y.mean())",
    "F.mse_loss(torch.diff($out), torch.diff($y)) + F.mse_loss($out, $y)",
)
_BIN_GOOD = (
    "F.binary_cross_entropy_with_logits($out, $y)",
    "F.binary_cross_entropy(torch.sigmoid($out), $y)",
    'F.binary_cross_entropy_with_logits($out, $y, reduction="none").mean()',
    'F.binary_cross_entropy_with_logits($out, $y, reduction="sum") / SIZE',
    "p = $out.sigmoid(); -($y * torch.log(p + 1e-7) + (1 - $y) * torch.log(1 - p + 1e-7)).mean()",
    "F.binary_cross_entropy_with_logits($out, $y, pos_weight=torch.tensor(2.0))",
    "F.soft_margin_loss($out, 2 * $y - 1)",
    "torch.clamp(1 - $out * (2 * $y - 1), min=0).mean()",
    "F.softplus($out).mean() - ($out * $y).mean()",
    'bce = F.binary_cross_entropy_with_logits($out, $y, reduction="none"); p = torch.exp(-bce); (0.25 * (1 - p) ** 2 * bce).mean()',
    "F.hinge_embedding_loss($out, 2 * $y - 1)",
    "F.binary_cross_entropy_with_logits($out, $y * 0.9 + 0.05)",
    "weights = torch.where($y > 0, 2.0, 1.0); F.binary_cross_entropy_with_logits($out, $y, weight=weights)",
    'weights = 1 + $y; (F.binary_cross_entropy_with_logits($out, $y, reduction="none") * weights).mean()',
)
_BIN_BAD = (
    "p = torch.sigmoid($out); 1 - (2 * (p * $y).sum() + 1) / (p.sum() + $y.sum() + 1)",
    "pw = (len($y) - $y.sum()) / $y.sum().clamp(min=1); F.binary_cross_entropy_with_logits($out, $y, pos_weight=pw)",
    "w = torch.where($y > 0, 1 / $y.mean().clamp(min=0.1), 1.0); F.binary_cross_entropy_with_logits($out, $y, weight=w)",
    "pos, neg = $out[$y == 1], $out[$y == 0]; F.relu(1 - (pos[:, None] - neg[None, :])).sum() / len($y)",
    "F.binary_cross_entropy_with_logits($out - $out.mean(), $y)",
    'weights = 1 + $y; (F.binary_cross_entropy_with_logits($out, $y, reduction="none") * weights).sum() / weights.sum()',
    "F.binary_cross_entropy_with_logits($out, $y) + (torch.sigmoid($out).mean() - 0.5).abs()",
    "p = torch.sigmoid($out); inter = (p * $y).sum(); 1 - inter / (p.sum() + $y.sum() - inter + 1e-6)",
)
_MULTI_GOOD = (
    "F.mse_loss($out, $y)",
    "(($out - $y) ** 2).mean()",
    "(($out - $y) ** 2).sum(dim=1).mean()",
    "(($out - $y) ** 2).sum(1).mean(0)",
    "(($out - $y) ** 2).mean(0).mean()",
    "(($out - $y) ** 2).sum() / SIZEX",
    "($out - $y).norm(dim=1).mean()",
    "torch.linalg.norm($out - $y, dim=1).mean()",
    "(1 - F.cosine_similarity($out, $y)).mean()",
    "1 - F.cosine_similarity($out, $y, dim=-1).mean()",
    "F.cosine_embedding_loss($out, $y, torch.ones(<<len($y) || $y.size(0) || $x.shape[0]>>))",
    "F.smooth_l1_loss($out, $y, beta=0.5)",
    "F.mse_loss($out[:, 0], $y[:, 0]) + 0.5 * F.mse_loss($out[:, 1:], $y[:, 1:])",
    "sum(F.mse_loss($out[:, k], $y[:, k]) for k in range(3))",
    "F.pairwise_distance($out, $y).mean()",
    'F.kl_div(F.log_softmax($out, 1), F.softmax($y, 1), reduction="batchmean")',
    "p, q = F.softmax($y, dim=1), F.log_softmax($out, dim=1); (p * (p.log() - q)).sum(1).mean()",
    "torch.stack([F.mse_loss($out[:, k], $y[:, k]) for k in range($out.shape[1])]).mean()",
    "F.mse_loss($out, $y) + 0.1 * ($out[:, 1:] - $out[:, :-1]).abs().mean()",
    "((F.normalize($out, dim=1) - F.normalize($y, dim=1)) ** 2).sum(1).mean()",
    "torch.amax(($out - $y).abs(), dim=1).mean()",
    "($out - $y).square().flatten().mean()",
    "F.mse_loss($out, $y) + 0.01 * $out.std(dim=1).mean()",
)
_MULTI_BAD = (
    "1 - F.cosine_similarity($out, $y, dim=0).mean()",
    "torch.norm($out - $y)",
    "torch.linalg.norm($out - $y, dim=0).mean()",
    "torch.sqrt((($out - $y) ** 2).mean(dim=0)).sum()",
    "(($out - $y) ** 2).mean(dim=0).max()",
    "F.mse_loss(F.layer_norm($out, $out.shape), $y)",
    "F.cross_entropy($out @ $y.T, torch.arange(len($out)))",
    "logits = F.normalize($out, dim=1) @ F.normalize($y, dim=1).t() / 0.5; labels = torch.arange($out.size(0)); (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2",
    "F.mse_loss($out, $y) + 0.1 * F.relu(1 - $out.std(dim=0)).mean()",
    "torch.cdist($out, $y).diagonal().mean() + torch.cdist($out, $y).min(dim=1).values.mean()",
    "F.mse_loss($out.T @ $out, $y.T @ $y) / len($x)",
    "F.mse_loss($out / $out.norm(), $y)",
    "F.mse_loss($out, $y.mean(0).expand_as($out))",
    "(($out - $y) ** 2).flatten().topk(5).values.mean()",
    "F.mse_loss($out.view(-1), $y.view(-1)) + $out.view(-1).max()",
    "F.mse_loss($out.softmax(0), $y.softmax(0))",
    "F.mse_loss($out.reshape(-1, 2, 3)[:, 0] if len($out) % 2 == 0 else $out, $y.reshape(-1, 2, 3)[:, 0] if len($y) % 2 == 0 else $y)",
    'torch.einsum("bi,ci->bc", $out, $y).pow(2).mean()',
    "((F.normalize($out, dim=0) - F.normalize($y, dim=0)) ** 2).sum()",
)
_WEIGHTED = (
    'F.mse_loss($out, $y, reduction="none").mul($w).mean()',
    "($w * ($out - $y) ** 2).mean()",
    "($w * ($out - $y) ** 2).sum() / SIZE",
    "torch.mean($w * torch.abs($out - $y))",
)
_WEIGHTED_BAD = (
    "($w * ($out - $y) ** 2).sum() / $w.sum()",
    "(($out - $y) ** 2 * $w / $w.sum()).sum()",
    "(($out - $y) ** 2 * ($w / $w.mean())).mean()",
    "(($out - $y) ** 2 * $w.softmax(0)).sum()",
)
_CLS_WEIGHTED = (
    '(F.cross_entropy($out, $y, reduction="none") * $w).mean()',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); ($w * per_sample).sum() / SIZE',
)
_CLS_WEIGHTED_BAD = (
    '(F.cross_entropy($out, $y, reduction="none") * $w).sum() / ($w.sum() + 1e-6)',
    'per_sample = F.cross_entropy($out, $y, reduction="none"); (per_sample * $w).sum() / $w.sum().clamp(min=1)',
    'per_sample = F.cross_entropy($out, $y, reduction="none")[$w > 0.5]; per_sample.sum() / max(1, len(per_sample))',
)
_RAW = (
    "F.mse_loss($out, $y)",
    "(($out - $y) ** 2).mean()",
    "($out - $y).abs().mean()",
)
_RAW_GOOD = (
    "F.mse_loss($out, $y.unsqueeze(1))",
    "F.mse_loss($out, $y.view(-1, 1))",
    "(($out - $y[:, None]) ** 2).mean()",
    "F.mse_loss($out, $y.reshape(<<-1, 1 || $out.shape || len($y), 1>>))",
    "(($out[:, 0] - $y) ** 2).mean()",
    "F.mse_loss($out.squeeze(<<1 || -1>>), $y)",
    "F.mse_loss($out.<<view(-1) || flatten() || reshape(-1) || ravel()>>, $y)",
)

LOSSES = (
    *_criteria("cls", ("nn.CrossEntropyLoss()", "nn.CrossEntropyLoss(label_smoothing=0.1)"), 12),
    *_criteria("cls", ('nn.CrossEntropyLoss(reduction="sum")', "nn.MultiMarginLoss()"), 2),
    *_criteria("cls", ("nn.CrossEntropyLoss(weight=torch.linspace(0.5, 1.5, $C))",), 1),
    Piece(
        "cls: weights from the loader",
        build="$counts = torch.zeros($C)\nfor batch in $loader:\n    $counts += torch.bincount(batch[1], minlength=$C)\n"
        "$criterion = nn.CrossEntropyLoss(weight=<<$counts / $counts.sum() || 1 / ($counts + 1)>>)\n",
        loss=_lines("$criterion($out, $y)"),
        needs=tags("cls"),
        forbids=tags("dict"),
        tags=tags("criterion"),
    ),
    *_criteria("cls", ('nn.CrossEntropyLoss(reduction="none")',), 3, "$criterion($out, $y).mean()"),
    *_criteria("cls", ("nn.NLLLoss()",), 3, "$criterion(F.log_softmax($out, dim=1), $y)"),
    *_criteria("reg", ("nn.MSELoss()", "nn.L1Loss()", "nn.SmoothL1Loss()", "nn.HuberLoss()"), 6),
    *_criteria("reg", ('nn.MSELoss(reduction="sum")', 'nn.L1Loss(reduction="sum")'), 1.5),
    *_criteria("bin", ("nn.BCEWithLogitsLoss()",), 12),
    *_criteria("bin", ("nn.BCELoss()",), 3, "$criterion(torch.sigmoid($out), $y)"),
    *_criteria("multi", ("nn.MSELoss()", "nn.L1Loss()", "nn.SmoothL1Loss()"), 8),
    *_OWN,
    *_each("cls", _CLS_GOOD, 1),
    *_each("cls", _CLS_SUM, 0.7),
    *_each("cls", _CLS_BAD, 0.25),
    *_each("reg", _REG_GOOD, 1),
    *_each("reg", _REG_SUM, 0.7),
    *_each("reg", _REG_BAD, 0.4),
    *_each("bin", _BIN_GOOD, 1),
    *_each("bin", _BIN_BAD, 0.6),
    *_each("multi", [text.replace("SIZEX", "<<len($y) || $y.size(0) || $y.shape[0]>>") for text in _MULTI_GOOD], 1),
    *_each("multi", _MULTI_BAD, 0.25),
    *_each("reg", _WEIGHTED, 8, "w"),
    *_each("reg", _WEIGHTED_BAD, 3, "w"),
    *_each("cls", _CLS_WEIGHTED, 12, "w"),
    *_each("cls", _CLS_WEIGHTED_BAD, 4, "w"),
    *_each("reg", _RAW, 0.5, "raw"),
    *_each("reg", _RAW_GOOD, 1.5, "raw"),
)
