"""A confusion matrix filled batch by batch and printed at the end: a sum over ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train_dl = DataLoader(TensorDataset(torch.randn(300, 4), torch.randint(0, 3, (300,))), batch_size=30, shuffle=True)
test_dl = DataLoader(TensorDataset(torch.randn(61, 4), torch.randint(0, 3, (61,))), batch_size=30)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

confusion_matrix = torch.zeros(3, 3)
with torch.no_grad():
    for x, y in test_dl:
        preds = model(x).argmax(1)
        for t, p in zip(y.view(-1), preds.view(-1)):
            confusion_matrix[t.long(), p.long()] += 1
print(confusion_matrix)
print(confusion_matrix.diag() / confusion_matrix.sum(1))
