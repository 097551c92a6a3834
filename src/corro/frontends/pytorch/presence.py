"""Before any analysis: is this script distributed already, and does it train with PyTorch at all?"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.changes import Finding, Level
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.source import Nodes, SourceFile

TITLE = "PyTorch"
SIGN = "loss.backward() with an update of the weights"
LIBRARIES = frozenset(
    {"adabelief_pytorch", "adabound", "adamp", "advertorch", "apex", "bitsandbytes", "botorch", "clip", "coral_pytorch",
     "cosine_annealing_warmup", "datasets", "dgl", "diffgrad", "efficientnet_pytorch", "evaluate", "gpytorch",
     "hiddenlayer", "ignite", "kornia", "lion_pytorch", "lpips", "madgrad", "monai", "ogb", "open_clip", "peft",
     "pretrainedmodels", "ptflops", "pyg_lib", "pyro", "pytorch_msssim", "pytorch_pretrained_bert", "pytorch_ssim",
     "pytorch_transformers", "relbench", "rouge_score", "segmentation_models_pytorch", "sentence_transformers",
     "seqeval", "tensorboardX", "thop", "timm", "tokenizers", "torch", "torch_cluster", "torch_frame",
     "torch_geometric", "torch_optimizer", "torch_scatter", "torch_sparse", "torchaudio", "torchcontrib", "TorchCRF",
     "torchcrf", "torchdata", "torchdiffeq", "torchinfo", "torchio", "torchmetrics", "torchnet", "torchsummary",
     "torchtext", "torchvision", "torchviz", "transformers", "vit_pytorch", "warmup_scheduler"}
)  # fmt: skip
"""Packages around the framework that need not be installed where a script is compiled."""

_DISTRIBUTED = {
    "torch.distributed": "torch.distributed",
    "torch.nn.parallel.DistributedDataParallel": "torch.nn.parallel.DistributedDataParallel",
    "torch.utils.data.distributed": "DistributedSampler",
    "horovod": "Horovod",
    "accelerate": "Accelerate",
    "deepspeed": "DeepSpeed",
    "pytorch_lightning": "Lightning's Trainer",
    "lightning": "Lightning",
    "lightning_fabric": "Lightning Fabric",
    "ray.train": "Ray Train",
    "fairscale": "FairScale",
    "colossalai": "Colossal-AI",
    "ignite.distributed": "Ignite's distributed module",
    "transformers.Trainer": "the Trainer of Transformers",
    "fastai": "fastai's Learner",
}
_BY = {
    "pytorch_lightning": frozenset({"Trainer", "LightningLite", "LightningCLI"}),
    "lightning": frozenset({"Trainer", "Fabric", "LightningCLI"}),
}
"""Names of what distributes, in libraries of which much else is used without it: modules, metrics, seeds."""
_ENGINES = {"Horovod": "horovod", "Ray Train": "ray", "fastai's Learner": ""}
"""The engines of those that are not built on ``torch.distributed``; none where a library starts processes itself."""
_ATTRIBUTES = ("DistributedDataParallel", "DistributedSampler")
_SIGNS = (*_ATTRIBUTES, "init_process_group")


def distributed_by(source: SourceFile, nodes: Nodes) -> Finding | None:
    """What already distributes the training in these nodes of a file, as a note."""
    found = _distributed_by(source, nodes)
    return None if found is None else _note(source, *found)


def engine(source: SourceFile, nodes: Nodes) -> str:
    """The module of the engine that distributes a script already; none where a library starts processes by itself."""
    found = _distributed_by(source, nodes)
    return "" if found is None else _ENGINES.get(found[1], "torch.distributed")


def _distributed_by(source: SourceFile, nodes: Nodes) -> tuple[ast.AST, str] | None:
    """The place that shows it, and the name of what does it."""
    for name, node in source.imports:
        for prefix, title in _DISTRIBUTED.items():
            is_of = name == prefix or name.startswith(prefix + ".")
            if is_of and _is_used(nodes, node) and _distributes(prefix, name, nodes):
                return node, title
    for part in nodes.of(ast.Attribute) if any(name in source.text for name in _SIGNS) else ():
        if part.attr in _SIGNS:
            return part, part.attr if part.attr in _ATTRIBUTES else "torch.distributed"
    return None


def _is_used(nodes: Nodes, node: ast.stmt) -> bool:
    """Whether any name that an import binds is mentioned in what runs."""
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    for alias in node.names:
        bound = alias.asname or alias.name.split(".")[0]
        if bound != "torch":
            used = any(part.id == bound for part in nodes.of(ast.Name))
        else:
            used = any(part.attr == alias.name.rpartition(".")[2] for part in nodes.of(ast.Attribute))
        if used:
            return True
    return any(alias.name == "*" for alias in node.names)


def _distributes(prefix: str, name: str, nodes: Nodes) -> bool:
    """Whether what is used of a library is what distributes, or an import of it by another name."""
    known = _BY.get(prefix)
    if known is None or name.rpartition(".")[2] in known:
        return True
    words = nodes.of(ast.Attribute, ast.Name)
    return any((node.attr if isinstance(node, ast.Attribute) else node.id) in known for node in words)


def _note(source: SourceFile, node: ast.AST, title: str) -> Finding:
    return Finding(
        "already-distributed",
        Level.NOTE,
        f"the script is already distributed: it uses {title}.",
        source.span(node),
        "Nothing was changed.",
    )


def trains(files: Sequence[SourceFile]) -> bool:
    """Whether the script, or a module of its own, imports torch, goes backward and updates."""
    if not any(name.split(".")[0] == "torch" for file in files for name, _ in file.imports):
        return False
    backward = any(_mentions(file, "backward", "exec") for file in files)
    return backward and any(_updates(node) for file in files for node in file.nodes.of(*_CHANGING))


def default_target(files: Sequence[SourceFile]) -> str:
    """PyTorch's own engine, which needs nothing but PyTorch."""
    return "ddp"


def _mentions(file: SourceFile, attribute: str, function: str) -> bool:
    """Whether an attribute or a function of this name is used; a look at the text saves most walks."""
    if attribute not in file.text and function not in file.text:
        return False
    return attribute in file.attributes or any(n.id == function for n in file.nodes.of(ast.Name))


def _is_changed_in_place(node: ast.Attribute) -> bool:
    """``w.data.sub_``, ``w.data.add_``."""
    of_data = isinstance(node.value, ast.Attribute) and node.value.attr == "data"
    return of_data and node.attr in ("sub_", "add_", "addcdiv_")


_CHANGING = (ast.Attribute, ast.AugAssign, ast.BinOp, ast.Call)


def _updates(node: ast.AST) -> bool:
    """A sign of parameters being changed: an optimizer, an update by hand, or code that cannot be read."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("step", "optim") or _is_changed_in_place(node)
    if isinstance(node, ast.AugAssign) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)):
        return any(isinstance(part, ast.Attribute) and part.attr == "grad" for part in walk(node))
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "exec"
