"""A single sample is written out: there is nothing to share out over processes."""

import torch
from torch import nn
from torch.autograd import Variable

SAMPLE = [[0.5, 1.0, 2.0]]
CLASS = [1]
inputs = Variable(torch.Tensor(SAMPLE))
labels = Variable(torch.LongTensor(CLASS))
torch.manual_seed(0)
model = nn.Linear(3, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(100):
    loss = nn.functional.cross_entropy(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
