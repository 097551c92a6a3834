"""Optimizers and schedules of libraries around PyTorch: classes derived from those of ``torch.optim``.

An optimizer here steps by the gradients that it finds, and draws no random numbers; one that goes backward itself, or
steps another optimizer, is none of them. A schedule sets the rates of the optimizer that it is given first.
"""

from __future__ import annotations

from corro.anatomy.kinds import Kind

_OPTIMIZERS = {
    "adabelief_pytorch": frozenset({"AdaBelief"}),
    "adabound": frozenset({"AdaBound", "AdaBoundW"}),
    "adamp": frozenset({"AdamP", "SGDP"}),
    "diffgrad": frozenset({"diffgrad", "DiffGrad"}),
    "lion_pytorch": frozenset({"Lion"}),
    "madgrad": frozenset({"MADGRAD", "MirrorMADGRAD"}),
    "torch_optimizer": frozenset(
        {"A2GradExp", "A2GradInc", "A2GradUni", "AccSGD", "AdaBelief", "AdaBound", "AdaMod", "Adafactor", "AdamP",
         "AggMo", "Apollo", "DiffGrad", "Lamb", "LARS", "MADGRAD", "NovoGrad", "PID", "QHAdam", "QHM", "RAdam",
         "Ranger", "RangerQH", "RangerVA", "SGDP", "SGDW", "SWATS", "Shampoo", "Yogi"}
    ),
}  # fmt: skip
_SCHEDULES = {
    "cosine_annealing_warmup": frozenset({"CosineAnnealingWarmupRestarts"}),
    "timm.scheduler": frozenset(
        {"CosineLRScheduler", "MultiStepLRScheduler", "PlateauLRScheduler", "PolyLRScheduler", "StepLRScheduler",
         "TanhLRScheduler"}
    ),
    "warmup_scheduler": frozenset({"GradualWarmupScheduler"}),
}  # fmt: skip


def kind_of(name: str) -> Kind | None:
    """Whether a class of this dotted name, of whichever module of its library, is an optimizer or a schedule."""
    last = name.rpartition(".")[2]
    for kind, known in ((Kind.OPTIMIZER, _OPTIMIZERS), (Kind.SCHEDULER, _SCHEDULES)):
        if any(last in classes and name.startswith(f"{library}.") for library, classes in known.items()):
            return kind
    return None
