"""Metric objects that all processes feed with all of the data do not gather."""

import torch
import torch.nn.functional as F
from torchmetrics import Accuracy, ConfusionMatrix, F1Score, MetricCollection
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
held_out = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=8)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scores = MetricCollection(
    {"accuracy": Accuracy(task="multiclass", num_classes=3), "f1": F1Score(task="multiclass", num_classes=3)}
)
confusion = ConfusionMatrix(task="multiclass", num_classes=3).to("cpu")
best = 0.0
for epoch in range(2):
    for x, y in loader:
        output = model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for x, y in held_out:
            output = model(x)
            scores.update(output, y)
            confusion(output, y)
    result = scores.compute()
    print(epoch, result["accuracy"], confusion.compute())
    if result["f1"].item() > best:
        best = result["f1"].item()
        torch.save(model.state_dict(), "best.pt")
    scores.reset()
    confusion.reset()
