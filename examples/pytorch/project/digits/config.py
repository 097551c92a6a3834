"""What a run is made with."""

from dataclasses import dataclass


@dataclass
class Config:
    """The settings of a run."""

    model: str = "mlp"
    epochs: int = 12
    batch_size: int = 64
    lr: float = 0.05
    momentum: float = 0.9
    seed: int = 1
    folder: str = "runs"
