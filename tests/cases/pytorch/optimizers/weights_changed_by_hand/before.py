"""Weights in tensors of their own, from which a function of the script's own subtracts their gradients."""
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = torch.randn(120, 2)
targets = features @ torch.tensor([2.0, -3.4]) + 4.2
loader = DataLoader(TensorDataset(features, targets), batch_size=12)
weight = torch.normal(0, 0.01, size=(2, 1)).requires_grad_()
offset = torch.zeros(1, requires_grad=True)


def squared(outputs, targets):
    return (outputs - targets.view(outputs.size())) ** 2 / 2


def descend(tensors, rate, batch_size):
    with torch.no_grad():
        for tensor in tensors:
            tensor -= rate * tensor.grad / batch_size


for epoch in range(2):
    for inputs, wanted in loader:
        loss = squared(torch.mm(inputs, weight) + offset, wanted).sum()
        loss.backward()
        descend([weight, offset], 0.03, 12)
        weight.grad.data.zero_()
        offset.grad = None
    print(f"epoch {epoch}: {squared(torch.mm(features, weight) + offset, targets).mean().item():.6f}")
print(weight.flatten().tolist(), offset.item())
