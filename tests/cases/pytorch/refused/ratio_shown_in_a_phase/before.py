"""The rate of a phase is shown while the phase runs: in training it is of this process's shard so far, and divided by all samples."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 6)
y = (x.sum(1) > 0).long()
sets = {"train": TensorDataset(x, y), "valid": TensorDataset(x[:32], y[:32])}
loaders = {p: DataLoader(sets[p], batch_size=16, shuffle=True) for p in ["train", "valid"]}
sizes = {p: len(sets[p]) for p in ["train", "valid"]}
net = nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
best = 0.0
for epoch in range(2):
    for phase in ["train", "valid"]:
        net.train() if phase == "train" else net.eval()
        running_loss = 0.0
        corrects = 0
        for a, b in loaders[phase]:
            opt.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                out = net(a)
                loss = nn.functional.cross_entropy(out, b)
                if phase == "train":
                    loss.backward()
                    opt.step()
            running_loss += loss.item() * a.size(0)
            corrects += torch.sum(out.argmax(1) == b)
            epoch_loss = running_loss / sizes[phase]
            epoch_acc = corrects.double() / sizes[phase]
            print("{} Loss: {:.4f} Accuracy: {:.4f}".format(phase, epoch_loss, epoch_acc))
            if phase == "valid" and epoch_acc > best:
                best = epoch_acc
