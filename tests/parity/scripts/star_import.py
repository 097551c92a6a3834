"""`from torch.nn import *`; the model's class beside plain functions; the criterion is a function of its own."""
import torch
from torch.nn import *
from torch.optim import *
from torch.utils.data import *


def criterion(prediction, target):
    return ((prediction - target) ** 2).mean()


torch.manual_seed(8)
inputs = torch.rand(180, 3) * 2 - 1
outputs = inputs.prod(1, keepdim=True) + inputs[:, :1]
train_data = DataLoader(TensorDataset(inputs, outputs), 18, shuffle=True)

network = Sequential(Linear(3, 32), Tanh(), Linear(32, 1))
opt = SGD(network.parameters(), 0.05)

for i in range(5):
    epoch_loss = []
    for a, b in train_data:
        opt.zero_grad()
        l = criterion(network(a), b)
        l.backward()
        opt.step()
        epoch_loss.append(l.item())
    print(i, sum(epoch_loss) / len(epoch_loss))
