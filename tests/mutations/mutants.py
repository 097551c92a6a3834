"""The right programs, and each of them broken in one known way. A trap's number is that of the catalogue of traps."""

from __future__ import annotations

from trials import Base, Mutant

_SILENT = {"metrics": "reports no numbers"}

BASES = {
    "dense.ddp": Base("dense", "ddp"),
    "dense.horovod": Base("dense", "horovod"),
    "dense-3.ddp": Base("dense", "ddp", processes=3),
    "dense-4.horovod": Base("dense", "horovod", processes=4),
    "dense-weak.ddp": Base("dense", "ddp", weak=True, edits=[("24 // size", "24"), ("lr=0.1", "lr=0.1 * size")]),
    "dense-weak.horovod": Base("dense", "horovod", weak=True, edits=[("24 // size", "24"), ("lr=0.1", "lr=0.1 * size")]),
    "reporting.ddp": Base("reporting", "ddp"),
    "reporting.horovod": Base("reporting", "horovod"),
    "reporting-3.ddp": Base("reporting", "ddp", processes=3),
    "augmented.ddp": Base("augmented", "ddp"),
    "augmented.horovod": Base("augmented", "horovod"),
    "plateau.ddp": Base("plateau", "ddp"),
    "plateau.horovod": Base("plateau", "horovod"),
    "cycle.ddp": Base("cycle", "ddp", unknown=_SILENT),
    "cycle.horovod": Base("cycle", "horovod", unknown=_SILENT),
    "accumulation.ddp": Base("accumulation", "ddp"),
    "accumulation.horovod": Base("accumulation", "horovod"),
    "clipping.ddp": Base("clipping", "ddp"),
    "clipping.horovod": Base("clipping", "horovod"),
    "amp.ddp": Base("amp", "ddp"),
    "gan.ddp": Base("gan", "ddp"),
    "heads.horovod": Base("heads", "horovod"),
    "stopping.ddp": Base("stopping", "ddp"),
    "stream.ddp": Base("stream", "ddp"),
    "weighted.ddp": Base("weighted", "ddp", unknown={"coverage": "drawn at random"}),
    "gate.ddp": Base("gate", "ddp"),
    "split.ddp": Base("random_split_unseeded", "ddp"),
    "split.horovod": Base("random_split_unseeded", "horovod"),
    "summed.ddp": Base("summed_loss", "ddp"),
    "summed.horovod": Base("summed_loss", "horovod"),
    "writer.ddp": Base("tensorboard_writer", "ddp"),
    "resume.ddp": Base("checkpoint_resume", "ddp", arguments=("--resume",), prepare=()),
    "resume.horovod": Base("checkpoint_resume", "horovod", arguments=("--resume",), prepare=()),
    "warmup.ddp": Base("exponential_lr_odd_batches", "ddp", weak=True),
    "warmup.horovod": Base("exponential_lr_odd_batches", "horovod", weak=True),
}

MUTANTS: list[Mutant] = []
