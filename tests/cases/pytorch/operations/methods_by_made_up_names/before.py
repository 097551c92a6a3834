"""A method that is looked up by a made-up name takes the samples together: refused."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(320, 6), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear1 = nn.Linear(6, 3)

    def forward(self, inputs):
        for number in range(1, 2):
            inputs = getattr(self, f"linear{number}")(inputs)
            inputs = getattr(self, f"centred{number}")(inputs)
        return inputs

    def centred1(self, inputs):
        return inputs - inputs.mean(0)


model = Network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for inputs, labels in loader:
        output = model(inputs)
        loss = F.cross_entropy(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
