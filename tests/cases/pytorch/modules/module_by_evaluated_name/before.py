"""A function of one of several modules, by a name that is put together and evaluated; the loss likewise."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import nets

parser = argparse.ArgumentParser()
parser.add_argument("--net", default="narrow")
args = parser.parse_args()

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = eval("nets." + args.net + ".make")(3)
criterion = eval("nn.CrossEntropyLoss")()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        loss = criterion(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
