"""An update by numbers of another kind than gradients: it is not known what the step is."""

import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(120, 2)
targets = features @ torch.tensor([2.0, -3.4]) + 4.2
loader = DataLoader(TensorDataset(features, targets), batch_size=12)
weight = torch.normal(0, 0.01, size=(2, 1)).requires_grad_()
offset = torch.zeros(1, requires_grad=True)


def descend(tensors, rate):
    for tensor in tensors:
        tensor.data -= rate * torch.randn_like(tensor) * tensor.grad


for epoch in range(2):
    for inputs, wanted in loader:
        loss = ((torch.mm(inputs, weight) + offset)[:, 0] - wanted).pow(2).mean()
        weight.grad = None
        offset.grad = None
        loss.backward()
        descend([weight, offset], 0.03)
