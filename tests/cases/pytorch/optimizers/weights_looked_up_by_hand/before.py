"""Rows of a table are looked up, and the table is one of the tensors that the script changes itself."""
import torch

torch.manual_seed(0)
tokens = torch.randint(0, 7, (100,))
labels = torch.randn(100)
E = torch.randn(7, 3)
b = torch.zeros(1)
params = [E, b]
for p in params:
    p.requires_grad_(True)


def sgd(params, lr):
    for param in params:
        param.data -= lr * param.grad
        param.grad.zero_()


for epoch in range(3):
    for i in range(0, 100, 10):
        t = tokens[i : i + 10]
        y = labels[i : i + 10]
        loss = ((E[t].sum(1) + b - y) ** 2).mean()
        loss.backward()
        sgd(params, 0.03)
print(E, b)
