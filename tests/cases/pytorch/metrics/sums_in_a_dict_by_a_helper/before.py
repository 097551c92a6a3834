"""A helper adds to the sums in a defaultdict, of a phase that trains and one that does not; a text is joined of them."""
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(160, 6)
y = (x[:, :1] > 0).float()
loaders = {
    "train": DataLoader(TensorDataset(x[:128], y[:128]), batch_size=16, shuffle=True),
    "val": DataLoader(TensorDataset(x[128:], y[128:]), batch_size=16),
}
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def total_loss(logits, target, sums):
    entropy = F.binary_cross_entropy_with_logits(logits, target)
    distance = F.mse_loss(torch.sigmoid(logits), target)
    loss = 0.5 * entropy + 0.5 * distance
    sums["entropy"] += entropy.data.cpu().numpy() * target.size(0)
    sums["distance"] += distance.item() * target.size(0)
    sums["loss"] += loss.item() * target.size(0)
    return loss


def show(sums, samples, phase):
    parts = []
    for name in sums.keys():
        parts.append("{}: {:.4f}".format(name, sums[name] / samples))
    print("{}: {}".format(phase, ", ".join(parts)))


best = 1e10
for epoch in range(3):
    for phase in ["train", "val"]:
        if phase == "train":
            model.train()
        else:
            model.eval()
        sums = defaultdict(float)
        samples = 0
        for inputs, targets in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = total_loss(model(inputs), targets, sums)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            samples += inputs.size(0)
        show(sums, samples, phase)
        if phase == "val" and sums["loss"] / samples < best:
            best = sums["loss"] / samples
            torch.save(model.state_dict(), "best.pt")
