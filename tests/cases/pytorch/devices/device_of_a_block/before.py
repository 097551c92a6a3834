"""Training runs in a block that makes one GPU the current one: it would be the same one for all processes."""

import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--gpu-index", type=int, default=0)
args = parser.parse_args()
if not torch.cuda.is_available():
    args.gpu_index = -1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
inputs = torch.rand(64, 3)
loader = DataLoader(TensorDataset(inputs, inputs.sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Linear(3, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
with torch.cuda.device(args.gpu_index):
    model = model.to(device)
    for features, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(features.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()
