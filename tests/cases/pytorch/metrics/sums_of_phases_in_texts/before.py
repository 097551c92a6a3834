"""Sums of a phase that trains and of one that does not, in a dict: both are reduced, and texts of them are shown."""

from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
sets = {
    "train": TensorDataset(torch.randn(96, 6), torch.rand(96, 1)),
    "val": TensorDataset(torch.randn(24, 6), torch.rand(24, 1)),
}
loaders = {
    "train": DataLoader(sets["train"], batch_size=12, shuffle=True),
    "val": DataLoader(sets["val"], batch_size=12),
}
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def calc_loss(pred, target, metrics):
    loss = F.mse_loss(pred, target)
    metrics["loss"] += loss.data.cpu().numpy() * target.size(0)
    return loss


def print_metrics(metrics, samples, phase):
    outputs = []
    for k in metrics.keys():
        outputs.append("{}: {:4f}".format(k, metrics[k] / samples))
    print("{}: {}".format(phase, ", ".join(outputs)))


for epoch in range(2):
    for phase in ["train", "val"]:
        model.train(phase == "train")
        metrics = defaultdict(float)
        samples = 0
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = calc_loss(model(x), y, metrics)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            samples += x.size(0)
        print_metrics(metrics, samples, phase)
