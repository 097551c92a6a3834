"""Scores of scikit-learn that are no averages over the samples: those of classes, of some samples, or by weights."""

import torch
import torch.nn as nn
from sklearn.metrics import accuracy_score, f1_score
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    overlap, of_some, weighted = 0, 0, 0
    for x, y in loader:
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predicted = output.argmax(1)
        overlap += f1_score(y, predicted, average="macro")
        of_some += accuracy_score(y[y > 0], predicted[y > 0])
        weighted += accuracy_score(y, predicted, sample_weight=x[:, 0].abs())
    print(overlap / len(loader))
    print(of_some / len(loader))
    print(weighted / len(loader))
