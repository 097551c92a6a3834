"""Mixup: each sample is mixed with another one of its batch, which a permutation picks, and the labels likewise."""
import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset


def mixup_data(x, y, alpha):
    lam = np.random.beta(alpha, alpha) if alpha > 0 else 1
    index = torch.randperm(x.size()[0]).to(x.device)
    return lam * x + (1 - lam) * x[index, :], y, y[index], lam


def mixup_criterion(criterion, pred, y_a, y_b, lam):
    return lam * criterion(pred, y_a) + (1 - lam) * criterion(pred, y_b)


torch.manual_seed(0)
np.random.seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 16), torch.randint(0, 4, (96,))), batch_size=16, shuffle=True)
net = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    total, correct, seen = 0.0, 0.0, 0
    for inputs, targets in loader:
        inputs, targets_a, targets_b, lam = mixup_data(inputs, targets, 1.0)
        inputs, targets_a, targets_b = map(Variable, (inputs, targets_a, targets_b))
        outputs = net(inputs)
        loss = mixup_criterion(criterion, outputs, targets_a, targets_b, lam)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        predicted = outputs.argmax(1)
        seen += targets.size(0)
        correct += (lam * predicted.eq(targets_a).cpu().sum().float()
                    + (1 - lam) * predicted.eq(targets_b).cpu().sum().float())
    print(f"epoch {epoch}: loss {total / len(loader):.4f}, accuracy {100. * correct / seen:.2f}")
