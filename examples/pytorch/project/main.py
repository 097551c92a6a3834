"""Digits in a project of several files: a configuration, the data, models to choose from, and a trainer.

    python main.py                                  # a small network, 12 epochs
    python main.py --model conv --epochs 4 --lr 0.02

The data come with scikit-learn; nothing is downloaded. The best weights are kept in runs/best.pt.
"""

import argparse
import random

import numpy as np
import torch
from digits.config import Config
from digits.data import make_loaders
from digits.model import MODELS, make_model
from digits.trainer import Trainer


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=sorted(MODELS), default="mlp")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def main():
    args = parse_args()
    config = Config(**vars(args))
    set_seed(config.seed)

    train_loader, test_loader = make_loaders(config)
    model = make_model(config)
    print(f"{config.model}: {sum(p.numel() for p in model.parameters()):,} parameters")

    trainer = Trainer(config, model, train_loader, test_loader)
    trainer.fit()


if __name__ == "__main__":
    main()
