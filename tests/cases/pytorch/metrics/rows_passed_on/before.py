"""A block that may pass its rows on as they are is of the same type on both ways: its hits are counted as they are."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
y = torch.randint(0, 3, (64,))


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.layer = nn.Linear(inputs, outputs)
        self.around = nn.Linear(inputs, outputs) if inputs != outputs else None

    def forward(self, rows):
        kept = rows if self.around is None else self.around(rows)
        return torch.relu(self.layer(rows) + kept)


model = nn.Sequential(Block(8, 8), Block(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    correct = 0
    counter = 0
    for start in range(0, 64, 16):
        inputs, labels = x[start : start + 16], y[start : start + 16]
        output = model(inputs)
        correct += output.data.max(1)[1].eq(labels).sum()
        counter += output.size(0)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(100.0 * correct / counter)
