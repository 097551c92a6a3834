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
    Piece("chosen of the library", build='$kind = <<os.environ.get("OPTIMIZER", "SGD") || "".join(["S", "G", "D"])>>\n$optimizer = <<getattr(torch.optim, $kind) || torch.optim.__dict__[$kind]>>($model.parameters(), lr=$lr)\n', imports="import os", state=("kind",), weight=1.5),
    Piece("chosen", build='''$optimizers = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
$optimizer = $optimizers["sgd"]($model.parameters(), lr=$lr)
''', weight=0.5),
    Piece("function", defs='''def make_optimizer(model, lr):
    return torch.optim.SGD(model.parameters(), lr=lr)
''', build="$optimizer = make_optimizer($model, $lr)\n"),
    Piece("temperature", build='''$scale = nn.Parameter(torch.ones(1))
$optimizer = torch.optim.SGD(<<[*$model.parameters(), $scale] || list($model.parameters()) + [$scale]>>, lr=$lr)
''', batch="", tags=tags("scaled"), state=("scale",), weight=0.7),
    Piece("body and head", build='''$optimizer = torch.optim.SGD(
    [{"params": $model.backbone.parameters(), "lr": 0.01}, {"params": $model.head.parameters()}], lr=$lr
)
''', needs=tags("thawed"), weight=6),
    Piece("head first", build="$optimizer = torch.optim.SGD($model.head.parameters(), lr=$lr)\n", epoch="if $epoch == 1:\n    $optimizer.add_param_group({\"params\": $model.backbone.parameters(), \"lr\": 0.01})\n", needs=tags("thawed"), weight=5),
    Piece("added_group", build='''$scale = nn.Parameter(torch.ones(1))
$optimizer = torch.optim.SGD($model.parameters(), lr=$lr)
$optimizer.add_param_group({"params": [$scale], "lr": 0.01})
''', tags=tags("scaled"), state=("scale",), weight=0.5),
)  # fmt: skip


def _accumulated(k: int) -> tuple[Piece, ...]:
    forms = {
        "full groups": f"($loss / {k}).backward()\nif ($i + 1) % {k} == 0:\n    STEP\n    ZERO\n",
        "all groups": f"($loss / {k}).backward()\nif ($i + 1) % {k} == 0 or $i + 1 == len($loader):\n    STEP\n    ZERO\n",
        "loss divided": f"$loss = $loss / {k}\n$loss.backward()\nif ($i + 1) % {k} == 0:\n    STEP\n    ZERO\n",
        "not divided": f"$loss.backward()\nif $i % {k} == {k - 1}:\n    STEP\n    ZERO\n",
    }
    return tuple(
        Piece(f"update: every {k}, {name}", update=text, tags=tags("accumulates"), weight=0.2)
        for name, text in forms.items()
    )


_LOCAL = "<<$loss.item() < 1.0 || $loss.item() > 0.7 || $loss.item() > 1.0 || $loss < 1.1 || $x.float().mean() > 0 || $x[:, 0].float().mean() > 0 || torch.isfinite($loss)>>"
UPDATES = (
    Piece("update: each batch", update="$loss.backward()\nSTEP\n", weight=80),
    *_accumulated(2),
    *_accumulated(3),
    *_accumulated(4),
    Piece("update: conditional step", update=f"$loss.backward()\nif {_LOCAL}:\n    STEP\n", weight=1.5),
    Piece("update: conditional", update=f"if {_LOCAL}:\n    $loss.backward()\n    STEP\n", weight=1.5),
    Piece(
        "update: carried gradients",
        update="if $i % 2 == 0:\n    ZERO\n$loss.backward()\nSTEP\n",
        tags=tags("accumulates"),
        weight=0.4,
    ),
    Piece(
        "update: two backward passes",
        update="(0.5 * $loss).backward(retain_graph=True)\n(0.5 * $loss).backward()\nSTEP\n",
        weight=0.4,
    ),
    Piece(
        "update: guarded",
        update="try:\n    $loss.backward()\n    STEP\nexcept RuntimeError:\n    continue\n",
        weight=0.4,
    ),
    Piece(
        "update: scaler",
        made='$scaler = torch.amp.GradScaler("cpu", init_scale=<<1024.0 || 2.0**14>>)\n',
        update="$scaler.scale($loss).backward()\n$scaler.unscale_($optimizer)\nSTEP\n",
        tags=tags("scaler"),
        state=("scaler",),
        weight=1.5,
    ),
    Piece(
        "update: scaler alone",
        made='$scaler = torch.amp.GradScaler("cpu")\n',
        update="$scaler.scale($loss).backward()\nSTEP\n",
        tags=tags("scaler"),
        state=("scaler",),
        weight=1,
    ),
    Piece(
        "update: scaler every 2",
        made='$scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)\n',
        update="$scaler.scale($loss / 2).backward()\nif ($i + 1) % 2 == 0:\n    $scaler.unscale_($optimizer)\n    STEP\n    ZERO\n",
        tags=tags("scaler", "accumulates"),
        state=("scaler",),
        weight=0.7,
    ),
    Piece(
        "update: scaler or not",
        made='$scaler = torch.amp.GradScaler("cpu", init_scale=1024.0) if <<$lr < 1 || $lr > 1>> else None\n',
        update="if $scaler is not None:\n    $scaler.scale($loss).backward()\n    $scaler.unscale_($optimizer)\n    STEP\nelse:\n    $loss.backward()\n    $optimizer.step()\n",
        tags=tags("scaler"),
        state=("scaler",),
        weight=0.7,
    ),
    Piece(
        "update: closure",
        update="def closure():\n    $loss.backward()\n    return <<$loss || $loss.item() || $loss.detach()>>\n\n<<$optimizer.step(closure) || evaluated = $optimizer.step(closure) || print(float($optimizer.step(closure)))>>\n",
        weight=1.5,
    ),
    Piece("update: mixed", update="$loss.backward()\nSTEP\n", tags=tags("mixed"), weight=1.5),
    Piece("update: autograd", update="torch.autograd.backward($loss)\nSTEP\n", weight=0.4),
    Piece(
        "update: gradients by hand",
        update="params = [p for p in $model.parameters() if p.requires_grad]\nfor p, g in zip(params, torch.autograd.grad($loss, params)):\n    p.grad = g\nSTEP\n",
        weight=0.4,
    ),
    Piece(
        "update: slopes at samples",
        update="grown = $x.detach().clone().requires_grad_(<<True || >>)\n"
        "slope = torch.autograd.grad(<<$model(grown).sum(), grown || outputs=$out[:, :1] * 1.0 + $model(grown).sum() * 0.1, inputs=grown, grad_outputs=torch.ones(len($x), 1) || $model(grown).mean(), grown || $model(grown)[:4].sum(), [grown]>>, create_graph=True)[0]\n"
        "($loss + 0.01 * slope.<<pow(2).mean() || norm(2, dim=1).mean() || view(slope.size(0), -1).norm(2, dim=1).sum() / len($x)>>).backward()\nSTEP\n",
        needs=tags("vec"),
        weight=0.4,
    ),
    Piece(
        "update: marks by a type",
        update="marks = torch.<<FloatTensor || Tensor>>(<<len($x), 1 || $x.size(0), 1 || $x.shape[0] || $x[:, :1].shape>>).fill_(0.5)\n"
        "($loss + 0.1 * F.mse_loss($out.float().view(len($x), -1)[:, :1], marks)).backward()\nSTEP\n",
        weight=0.4,
    ),
    Piece(
        "update: marks of the batch size",
        update="marks = torch.<<zeros($B, 1) || ones(($B, 1)) * 0.3 || full(($B, 1), 0.5) || FloatTensor($B, 1).fill_(0.5)>>\n"
        "($loss + 0.1 * F.mse_loss($out.float().view(<<len($x) || $B>>, -1)[:, :1], marks)).backward()\nSTEP\n",
        needs=tags("sized"),
        weight=0.6,
    ),
    Piece(
        "update: several steps",
        update="for _ in range(2):\n    ZERO\n    F.mse_loss($model($x), $out.detach() * 0.9).backward()\n    STEP\n",
        weight=0.3,
    ),
    Piece(
        "update: plain steps",
        update="$loss.backward()\nwith torch.no_grad():\n    for p in $model.parameters():\n        if p.grad is not None:\n            p -= 0.01 * p.grad\nSTEP\n",
        weight=0.4,
    ),
)

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
    Piece("rate: by chance", imports="import random", epoch=_RATE.format("$lr * random.uniform(0.5, 1.0)"), weight=0.4),
    Piece("rate: by time", imports="import time", before="$began = time.time()\n", stepped=_RATE.format("$lr if time.time() - $began < 600 else $lr / 10"), state=("began",), weight=0.2),
    Piece("rate: by norm", gradients="norm = torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)\n" + _RATE.format("$lr / (1 + norm.item())"), weight=0.4),
    Piece("rate: class", defs='''class WarmUp:
    def __init__(self, optimizer, lr, steps):
        self.optimizer, self.lr, self.steps, self.count = optimizer, lr, steps, 0

    def step(self<<|| , n=1>>):
        self.count += <<1 || n>>
        for group in self.optimizer.param_groups:
            group["lr"] = self.lr * min(1.0, self.count / self.steps)
'''.replace("<<|| , n=1>>", "").replace("<<1 || n>>", "1"), made="$scheduler = WarmUp($optimizer, $lr, 2 * len($loader))\n", stepped="$scheduler.step()\n"),
    Piece("rate: class by samples", defs='''class Decay:
    def __init__(self, optimizer, lr, total):
        self.optimizer, self.lr, self.total, self.seen = optimizer, lr, total, 0

    def step(self, n):
        self.seen += n
        for group in self.optimizer.param_groups:
            group["lr"] = self.lr * max(0.1, 1 - self.seen / self.total)
''', made="$scheduler = Decay($optimizer, $lr, $E * len($train_set))\n", stepped="$scheduler.step(<<len($x) || $y.size(0) || $B>>)\n"),
    Piece("momentum by samples", before="$seen = 0\n", batch="$seen += len($y)\nfor group in $optimizer.param_groups:\n    group[\"weight_decay\"] = 1e-4 * $seen\n", state=_SEEN, rebinds=True, weight=0.6),
)  # fmt: skip

_CRITIC = """$critic = nn.Linear(1, 1)
$critic_optimizer = torch.optim.<<SGD($critic.parameters(), lr=0.1) || Adam($critic.parameters(), lr=0.01)>>
"""
_CRITIC_RATE = "$critic_scheduler = torch.optim.lr_scheduler.<<StepLR($critic_optimizer, 1, gamma=0.5) || ExponentialLR($critic_optimizer, 0.6)>>\n"
_JUDGED = "$critic($out{0}.float().reshape(len($out), -1).mean(1, keepdim=True))"
_FOOLED = f"$loss = $loss + 0.1 * F.mse_loss({_JUDGED.format('')}, torch.<<ones || zeros>>(len($out), 1))\n"
_OPPOSED = f"F.mse_loss({_JUDGED.format('.detach()')}, torch.zeros(<<len($out) || $out.size(0)>>, 1))"
_STEPPED = f"""$critic_optimizer.zero_grad()
<<({_OPPOSED}).backward() || $gap = {_OPPOSED}
$gap.backward() || (0.5 * {_OPPOSED}).backward()
(0.5 * {_OPPOSED}).backward()>>
<<$critic_optimizer.step() || if $i % 2 == 0:
    $critic_optimizer.step()>>
"""
_ADDED = _STEPPED.replace(", 1))", ", 1), reduction='sum')").replace("lr=0.1", "lr=0.01")
_TOLD = 'print("critic", round($critic.weight.sum().item(), 4))\n'


def _opponent(name: str, checked: str = "", stepped: str = _STEPPED, judged: str = "") -> Piece:
    held = ("critic", "critic_optimizer", *(["critic_scheduler"] if judged else []))
    build = _CRITIC + _CRITIC_RATE * bool(judged)
    return Piece(
        f"opponent: {name}", build=build, checked=checked, stepped=stepped, judged=judged, finish=_TOLD, state=held
    )


OPPONENTS = (
    _opponent("beside"),
    _opponent("fooled", _FOOLED),
    _opponent("with a rate of its own", _FOOLED, judged="$critic_scheduler.step()\n"),
    _opponent("of sums", _FOOLED, _ADDED),
)

GRADIENTS = (
    Piece("clip norm", gradients="<<torch.nn.utils.clip_grad_norm_ || nn.utils.clip_grad_norm_>>($model.parameters(), <<1.0 || 0.5 || max_norm=0.3>>)\n", weight=3),
    Piece("clip value", gradients="torch.nn.utils.clip_grad_value_($model.parameters(), 0.1)\n", weight=1.5),
    Piece("clip by hand", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad.clamp_(-0.1, 0.1)\n"),
    Piece("norm logged", before="$norms = []\n", gradients="$norms.append(float(torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)))\n", finish='print("mean norm", round(sum($norms) / len($norms), 5))\n', state=("norms",), weight=1.5),
    Piece("norm by hand", before="$norms = []\n", gradients="$norms.append(sum(p.grad.norm().item() ** 2 for p in $model.parameters() if p.grad is not None) ** 0.5)\n", finish='print("norms", round($norms[0], 5), round($norms[-1], 5))\n', state=("norms",)),
    Piece("norm printed", gradients="norm = torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)\nif $i == 0:\n    print(f\"norm {norm.item():.5f}\")\n"),
    Piece("skip large", gradients="norm = torch.nn.utils.clip_grad_norm_($model.parameters(), 1.0)\nif norm > 100:\n    continue\n"),
    Piece("scaled gradients", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad.mul_(0.5)\n"),
    Piece("hooks", made="$norms = []\nfor p in $model.parameters():\n    if p.requires_grad:\n        p.register_hook(lambda g: $norms.append(g.norm().item()))\n", finish='print("gradients", len($norms), round(sum($norms) / len($norms), 5))\n', state=("norms",), weight=0.7),
    Piece("largest gradient", before="$largest = 0.0\n", gradients="$largest = max($largest, max(p.grad.abs().max().item() for p in $model.parameters() if p.grad is not None))\n", finish='print("largest", round($largest, 5))\n', state=("largest",), rebinds=True, weight=0.7),
    Piece("penalty on gradients", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        <<p.grad += 0.01 * p.detach().sign() || p.grad.data.add_(p.data, alpha=0.01) || p.grad = p.grad.clamp(-0.1, 0.1)>>\n"),
    Piece("clip before", batch="torch.nn.utils.clip_grad_norm_([p for p in $model.parameters() if p.grad is not None], 1.0)\n", weight=0.3),
    Piece("clip after", stepped="torch.nn.utils.clip_grad_value_($model.parameters(), 0.1)\n", weight=0.3),
    Piece("norms after", before="$norms = []\n", stepped="if $i % 2 == 0:\n    $norms.extend(p.grad.norm().item() for p in $model.parameters() if p.grad is not None)\n", finish='print("norms", len($norms), round(sum($norms), 4))\n', state=("norms",)),
    Piece("norms after the pass", before="$norms = []\n", judged="$norms.extend(p.grad.norm().item() for p in $model.parameters() if p.grad is not None)\n", finish='print("norms", len($norms), round(sum($norms), 4))\n', state=("norms",)),
    Piece("clip in a function", made="def clip(module, limit=0.2):\n    if limit:\n        <<torch.nn.utils.clip_grad_norm_(module.parameters(), limit) || for p in module.parameters():\n            if p.grad is not None:\n                p.grad.clamp_(-limit, limit)>>\n", gradients="clip($model)\n"),
    Piece("clip where large", gradients="if <<$i % 2 == 0 || $loss.item() > 0.7 || $x.float().mean() > 0>>:\n    torch.nn.utils.clip_grad_norm_($model.parameters(), 0.3)\n"),
    Piece("noise on gradients", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad += 0.01 * torch.randn_like(p.grad)\n", weight=0.3),
    Piece("gradients by samples", gradients="for p in $model.parameters():\n    if p.grad is not None:\n        p.grad.mul_(<<len($x) / 16 || $x.float().std() || $loss.item()>>)\n", weight=0.5),
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
    Piece("first layer by data", stepped="$model[0].bias.data -= 0.01 * <<$x.mean() || $y.float().mean() || $loss.item()>>\n", needs=tags("sequential"), weight=0.7),
    Piece("first layer decayed", stepped="<<$model[0].weight.data *= 0.999 || $model[0].weight.data.mul_(0.999)>>\n", needs=tags("sequential")),
    Piece("attribute by epoch", epoch="$model.scale = <<1.0 / (1 + $epoch) || 0.5**$epoch>>\n", needs=tags("scales"), weight=3),
    Piece("attribute by samples", before="$seen = 0\n", stepped="$seen += len($x)\n$model.scale = 1.0 / (1 + 0.01 * $seen)\n", state=_SEEN, rebinds=True, needs=tags("scales"), weight=2),
    Piece("attribute by loss", stepped="$model.scale = <<1.0 / (1.0 + $loss.item()) || float($out.detach().abs().mean())>>\n", needs=tags("scales"), weight=1.5),
    Piece("modules in a list", made="$others = [nn.Linear(6, 2) for _ in range(2)]\n$others_opt = torch.optim.SGD([p for m in $others for p in m.parameters()], lr=0.05)\n", stepped="other_loss = sum(m($x).pow(2).mean() for m in $others)\n$others_opt.zero_grad()\nother_loss.backward()\n$others_opt.step()\n", state=("others", "others_opt"), needs=tags("vec"), weight=0.5),
    Piece("models in a list", made="$others = [nn.Linear(6, 2) for _ in range(2)]\n$others_opts = [torch.optim.SGD(m.parameters(), lr=0.05) for m in $others]\n", stepped="for m, o in zip($others, $others_opts):\n    o.zero_grad()\n    m($x).pow(2).mean().backward()\n    o.step()\n", state=("others", "others_opts"), needs=tags("vec"), weight=0.5),
    Piece("student", made="$student = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, $C))\n$student_opt = torch.optim.Adam($student.parameters(), lr=0.01)\n", stepped="gap = F.mse_loss($student($x), $model($x).detach())\n$student_opt.zero_grad()\ngap.backward()\n$student_opt.step()\n", finish='print("student", round(sum(p.abs().sum().item() for p in $student.parameters()), 3))\n', state=("student", "student_opt"), needs=tags("vec"), weight=0.7),
    Piece("prototypes by data", made="$prototypes = torch.zeros($C, $C)\n", stepped="with torch.no_grad():\n    for c in $y.unique():\n        $prototypes[c] = 0.9 * $prototypes[c] + 0.1 * $out[$y == c].mean(0)\n", finish='<<print("prototypes", round($prototypes.norm().item(), 4)) || torch.save($prototypes, "prototypes.pt")>>\n', state=("prototypes",), needs=tags("cls"), weight=0.5),
    Piece("features outside forward", checked="$loss = $loss + 0.01 * $model.features($x).pow(2).mean()\n", needs=tags("features"), weight=2),
    Piece("layer outside forward", checked="$loss = $loss + 0.01 * <<$model[0].weight.norm() || $model[0]($x).pow(2).mean() || $model[-1].weight.abs().sum()>>\n", needs=tags("sequential"), weight=0.7),
    Piece("second loss", checked="<<second = $out.pow(2).mean()\n$loss = $loss + 0.1 * second || $loss += 0.1 * $out.abs().mean()>>\n"),
    Piece("freeze", epoch="if $epoch == 1:\n    <<for p in list($model.parameters())[:2]:\n        p.requires_grad = False || next($model.parameters()).requires_grad = False || for n, p in $model.named_parameters():\n        p.requires_grad_(\"bias\" not in n)>>\n"),
    Piece("second optimizer", made="$second = torch.optim.<<SGD([p for p in $model.parameters() if p.requires_grad][-1:], lr=0.01) || Adam(list($model.parameters())[-2:], lr=1e-3)>>\n", batch="$second.zero_grad()\n", gradients="$second.step()\n", state=("second",), tags=tags("no_step_first")),
    Piece("second rate", made="$second = torch.optim.SGD(list($model.parameters())[-1:], lr=0.02)\n$second_rate = torch.optim.lr_scheduler.StepLR($second, 1, 0.5)\n", batch="$second.zero_grad()\n", gradients="$second.step()\n", judged="$second_rate.step()\n", state=("second", "second_rate")),
    Piece("unfreeze", epoch="if $epoch == 1:\n    for p in $model.parameters():\n        p.requires_grad = True\n"),
    Piece("unfreeze function", defs="def set_trainable(module, flag):\n    for p in module.parameters():\n        p.requires_grad = flag\n", epoch="set_trainable($model, $epoch > 0)\n", weight=0.5, tags=tags("no_step_first")),
)  # fmt: skip
