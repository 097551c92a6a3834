"""Imagenet-style: the model is taken from torchvision by the name on the command line."""
import argparse

import torch
import torch.nn as nn
import torchvision.models as models
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="resnet18")
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 3, 64, 64), torch.randint(0, 10, (64,)))
train_loader = DataLoader(data, batch_size=16, shuffle=True)
model = models.__dict__[args.arch](num_classes=10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    model.train()
    for images, target in train_loader:
        output = model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
torch.save({"arch": args.arch, "state_dict": model.state_dict()}, "checkpoint.pt")
