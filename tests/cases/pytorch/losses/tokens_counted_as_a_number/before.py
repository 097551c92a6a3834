"""The number of tokens that a loss divides by is read out of a tensor: each process knows that of its shard."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(9, 8)
        self.lstm = nn.LSTM(8, 6, batch_first=True)
        self.fc = nn.Linear(6, 4)

    def forward(self, words):
        states, _ = self.lstm(self.embedding(words))
        states = states.contiguous().view(-1, states.shape[2])
        return nn.functional.log_softmax(self.fc(states), dim=1)


def loss_fn(outputs, labels):
    labels = labels.view(-1)
    mask = (labels >= 0).float()
    labels = labels % outputs.shape[1]
    tokens = int(torch.sum(mask))
    return -torch.sum(outputs[range(outputs.shape[0]), labels] * mask) / tokens


torch.manual_seed(0)
data = TensorDataset(torch.randint(0, 9, (64, 7)), torch.randint(-1, 4, (64, 7)))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for words, tags in loader:
        loss = loss_fn(model(words), tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
