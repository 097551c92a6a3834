"""Scores of scikit-learn that are averages over samples, or their number, are reduced as others are."""

import torch
import torch.nn as nn
from sklearn.metrics import accuracy_score, mean_absolute_error
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    accuracy, right, distance = 0, 0, 0
    for step, (x, y) in enumerate(loader):
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predicted = torch.max(output.data, 1)[1].cpu()
        accuracy += accuracy_score(y.cpu().numpy(), predicted.numpy())
        right += accuracy_score(y, predicted, normalize=False)
        distance += mean_absolute_error(y_true=y, y_pred=predicted) * len(y)
        if step % 5 == 0:
            print(accuracy_score(y, predicted))
    print(accuracy / len(loader), right / len(loader.dataset), distance / len(loader.dataset))
