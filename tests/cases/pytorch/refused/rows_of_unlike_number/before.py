"""One text is written out, and its letters as labels: one row and five, which no number of processes can share."""

import torch
from torch import nn
from torch.autograd import Variable

WORDS = [[[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]]
targets = [1, 2, 1, 0, 0]
inputs = Variable(torch.Tensor(WORDS))
labels = Variable(torch.LongTensor(targets))


class Letters(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 3, batch_first=True)

    def forward(self, x):
        x = x.view(x.size(0), 5, 3)
        states, _ = self.rnn(x)
        return states.reshape(-1, 3)


torch.manual_seed(0)
model = Letters()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(100):
    loss = nn.functional.cross_entropy(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
