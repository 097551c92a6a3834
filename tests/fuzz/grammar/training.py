"""Optimizers, schedules, and what is done to gradients and weights."""

from __future__ import annotations

from fuzz.grammar.piece import Piece, tags

OPTIMIZERS = (
    Piece("sgd", build="$optimizer = <<torch.optim.SGD || optim.SGD>>($model.parameters(), lr=$lr)\n", imports="from torch import optim", weight=8),
    Piece("momentum", build="$optimizer = torch.optim.SGD($model.parameters(), lr=$lr, momentum=0.9<<|| , weight_decay=1e-3 || , nesterov=True>>)\n", weight=4),
    Piece("adam", build="$optimizer = torch.optim.<<Adam || AdamW>>($model.parameters(), lr=<<1e-3 || 0.01>><<|| , weight_decay=0.01 || , betas=(0.9, 0.99)>>)\n", weight=4),
    Piece("rmsprop", build="$optimizer = torch.optim.<<RMSprop || Adagrad>>($model.parameters(), lr=0.005)\n", weight=1),
    Piece("trainable", build="$optimizer = torch.optim.SGD(<<filter(lambda p: p.requires_grad, $model.parameters()) || [p for p in $model.parameters() if p.requires_grad]>>, lr=$lr)\n", weight=1.5),
    Piece("groups", build='''decay = [p for p in $model.parameters() if p.ndim > 1]
no_decay = [p for p in $model.parameters() if p.ndim <= 1]
$optimizer = torch.optim.SGD(
    [{"params": decay, "weight_decay": 0.01}, {"params": no_decay, "weight_decay": 0.0}], lr=$lr
)
''', weight=1.5),
    Piece("by_name", build='''$optimizer = torch.optim.AdamW(
    [
        {"params": [p for n, p in $model.named_parameters() if "bias" not in n], "weight_decay": 0.01},
        {"params": [p for n, p in $model.named_parameters() if "bias" in n], "weight_decay": 0.0},
    ],
    lr=0.005,
)
'''),
    Piece("chosen", build='''$optimizers = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
$optimizer = $optimizers["sgd"]($model.parameters(), lr=$lr)
''', weight=0.5),
    Piece("function", defs='''def make_optimizer(model, lr):
    return torch.optim.SGD(model.parameters(), lr=lr)
''', build="$optimizer = make_optimizer($model, $lr)\n"),
    Piece("temperature", build='''$scale = nn.Parameter(torch.ones(1))
$optimizer = torch.optim.SGD(<<[*$model.parameters(), $scale] || list($model.parameters()) + [$scale]>>, lr=$lr)
''', batch="", tags=tags("scaled"), state=("scale",), weight=0.7),
    Piece("added_group", build='''$scale = nn.Parameter(torch.ones(1))
$optimizer = torch.optim.SGD($model.parameters(), lr=$lr)
$optimizer.add_param_group({"params": [$scale], "lr": 0.01})
''', tags=tags("scaled"), state=("scale",), weight=0.5),
)  # fmt: skip

_RATE = '<<for group in $optimizer.param_groups:\n    group["lr"] = {0} || for g in $optimizer.param_groups:\n    g["lr"] = {0} || $optimizer.param_groups[0]["lr"] = {0}>>\n'
_SET_LR = 'def set_lr(optimizer, lr):\n    for group in optimizer.param_groups:\n        group["lr"] = lr\n'
_SEEN = ("seen",)


def _scheduler(
    name: str, made: str, weight: float = 1.0, judged: str = "$scheduler.step()\n", stepped: str = ""
) -> Piece:
    return Piece(
        f"scheduler: {name}",
        made=f"$scheduler = torch.optim.lr_scheduler.{made}\n",
        judged=judged,
        stepped=stepped,
        weight=weight,
        tags=tags("scheduler"),
    )


def _per_batch(name: str, made: str, weight: float = 1.0) -> Piece:
    return _scheduler(name, made, weight, "", "$scheduler.step()\n")


SCHEDULES = (
    _scheduler("step", "StepLR($optimizer, step_size=1, gamma=<<0.5 || 0.1>>)", 2),
    _scheduler("exponential", "ExponentialLR($optimizer, 0.7)"),
    _scheduler("cosine", "CosineAnnealingLR($optimizer, <<T_max=$E || $E>>)", 1.5),
    _scheduler("multistep", "MultiStepLR($optimizer, milestones=[1, 2], gamma=0.3)"),
    _scheduler("lambda", "LambdaLR($optimizer, lr_lambda=lambda e: <<0.9**e || 1 / (1 + e)>>)"),
    _scheduler("by length", "CosineAnnealingLR($optimizer, T_max=len($loader) * $E)"),
    _per_batch("batch cosine", "CosineAnnealingLR($optimizer, T_max=<<len($loader) * $E || $E * len($loader)>>)", 1.5),
    _per_batch("one cycle", "OneCycleLR(\n    $optimizer, max_lr=0.1, <<total_steps=$E * len($loader) || epochs=$E, steps_per_epoch=len($loader)>>\n)", 2),
    _per_batch("warm-up", "LambdaLR($optimizer, lambda s: min(1.0, (s + 1) / <<5 || len($loader)>>))", 1.5),
    _per_batch("linear", "LinearLR($optimizer, start_factor=0.1, total_iters=len($loader))"),
    _per_batch("steps by samples", "CosineAnnealingLR($optimizer, T_max=$E * (<<len($train_set) // $loader.batch_size || len($loader.dataset) // $B || len($loader.sampler) // $loader.batch_size>> + 1))"),
    _per_batch("by data", "StepLR($optimizer, step_size=<<max(1, len($train_set) // $B) || max(1, len($loader.dataset) // (2 * $B))>>, gamma=0.5)"),
    _scheduler("plateau", 'ReduceLROnPlateau($optimizer, factor=0.1, patience=0<<|| , threshold=0.5 || , mode="min">>)', 2, "$scheduler.step($judgement)\n"),
    _scheduler("plateau on training", "ReduceLROnPlateau($optimizer, patience=0, threshold=0.5)", 1.5, "$scheduler.step($trained)\n"),
    Piece("rate: by epoch", epoch=_RATE.format("$lr * 0.5**$epoch"), weight=1.5),
    Piece("rate: function", defs=_SET_LR, epoch="set_lr($optimizer, $lr / ($epoch + 1))\n"),
    Piece("rate: by batch", before="$seen = 0\n", stepped="$seen += 1\n" + _RATE.format("$lr / (1 + 0.1 * $seen)"), state=_SEEN, rebinds=True),
    Piece("rate: by samples", before="$seen = 0\n", batch="$seen += <<len($x) || $x.size(0) || $B>>\n" + _RATE.format("$lr * max(0.1, 1 - $seen / ($E * len($loader.dataset)))"), state=_SEEN, rebinds=True, weight=1.5),
    Piece("rate: by i", batch=_RATE.format("$lr * ($epoch + ($i + 1) / len($loader)) / $E"), weight=1.5),
    Piece("rate: by loss", stepped=_RATE.format("0.01 if $loss.item() < 0.5 else $lr"), weight=0.7),
    Piece("rate: warm-up by hand", before="$step = 0\n", batch="$step += 1\nif $step <= 4:\n    for group in $optimizer.param_groups:\n        group[\"lr\"] = $lr * $step / 4\n", state=("step",), rebinds=True),
    Piece("rate: decayed", judged='for group in $optimizer.param_groups:\n    group["lr"] *= 0.5\n', weight=1.2),
    Piece("rate: by batch size", batch=_RATE.format("$lr * $loader.batch_size / $B"), weight=0.7),
    Piece("rate: when worse", before="$previous = float(\"inf\")\n", judged="if $judgement > $previous:\n    for group in $optimizer.param_groups:\n        group[\"lr\"] *= 0.5\n$previous = $judgement\n", state=("previous",)),
    Piece("momentum by samples", before="$seen = 0\n", batch="$seen += len($y)\nfor group in $optimizer.param_groups:\n    group[\"weight_decay\"] = 1e-4 * $seen\n", state=_SEEN, rebinds=True, weight=0.6),
)  # fmt: skip

GRADIENTS = (
    Piece("clip norm", gradients="<<torch.nn.utils.clip_grad_norm_ || nn.utils.clip_grad_norm_>>($model.parameters(), <<1.0 || 0.5 || max_norm=0.3>>)\n", weight=3),
    Piece("clip value", gradients="torch.nn.utils.clip_grad_value_($model.parameters(), 0.1)\n", weight=1.5),
    Piece("clip by hand", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad.clamp_(-0.1, 0.1)\n"),
    Piece("norm logged", before="$norms = []\n", gradients="$norms.append(float(torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)))\n", finish='print("mean norm", round(sum($norms) / len($norms), 5))\n', state=("norms",), weight=1.5),
    Piece("norm by hand", before="$norms = []\n", gradients="$norms.append(sum(p.grad.norm().item() ** 2 for p in $model.parameters() if p.grad is not None) ** 0.5)\n", finish='print("norms", round($norms[0], 5), round($norms[-1], 5))\n', state=("norms",)),
    Piece("norm printed", gradients="norm = torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)\nif $i == 0:\n    print(f\"norm {norm.item():.5f}\")\n"),
    Piece("skip large", gradients="norm = torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)\nif norm > 100:\n    continue\n"),
    Piece("scaled gradients", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad.mul_(0.5)\n"),
    Piece("normalised gradients", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad.div_(p.grad.norm() + 1e-3)\n"),
)  # fmt: skip

EDITS = (
    Piece("clamp weights", stepped="with torch.no_grad():\n    for p in $model.parameters():\n        p.clamp_(-0.5, 0.5)\n", weight=1.5),
    Piece("clamp data", stepped="for p in $model.parameters():\n    p.data.clamp_(-0.5, 0.5)\n"),
    Piece("decay by hand", stepped="with torch.no_grad():\n    for p in $model.parameters():\n        p.mul_(0.999)\n"),
    Piece("ema", imports="import copy", before="$ema = copy.deepcopy($model)\n", stepped="with torch.no_grad():\n    for a, b in zip($ema.parameters(), $model.parameters()):\n        a.mul_(0.9).add_(b, alpha=0.1)\n", finish='print("ema", round(sum(p.abs().sum().item() for p in $ema.parameters()), 4))\n', state=("ema",), weight=2),
    Piece("ema dict", before="$shadow = {k: v.clone() for k, v in $model.state_dict().items()}\n", stepped="for k, v in $model.state_dict().items():\n    $shadow[k] = 0.9 * $shadow[k] + 0.1 * v\n", finish='torch.save($shadow, "ema.pt")\n', state=("shadow",)),
    Piece("data dependent", stepped="with torch.no_grad():\n    next(iter($model.parameters())).sub_(0.001 * $x.mean())\n", weight=0.4),
    Piece("average of epochs", before="$kept = []\n", judged="$kept.append([p.detach().clone() for p in $model.parameters()])\n", finish="with torch.no_grad():\n    for p, *past in zip($model.parameters(), *$kept):\n        p.copy_(sum(past) / len(past))\n", state=("kept",)),
    Piece("unfreeze", epoch="if $epoch == 1:\n    for p in $model.parameters():\n        p.requires_grad = True\n"),
    Piece("unfreeze function", defs="def set_trainable(module, flag):\n    for p in module.parameters():\n        p.requires_grad = flag\n", epoch="set_trainable($model, $epoch > 0)\n", weight=0.5, tags=tags("no_step_first")),
)  # fmt: skip
