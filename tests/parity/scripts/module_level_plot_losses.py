"""Module level; mean loss of each epoch kept in a list and plotted; losses summed without .item()."""
import os

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
import torch
from sklearn.datasets import make_regression
from torch.utils.data import TensorDataset, DataLoader

torch.manual_seed(3)
X, y = make_regression(n_samples=256, n_features=8, noise=0.1, random_state=3)
X = torch.FloatTensor(X)
y = torch.FloatTensor(y).unsqueeze(1) / 100

dataset = TensorDataset(X, y)
loader = DataLoader(dataset, 32, True)

model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

if not os.path.isdir('plots'):
    os.mkdir('plots')

losses = []
for e in range(4):
    total = 0
    for xb, yb in loader:
        pred = model(xb)
        loss = loss_fn(pred, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    losses.append(float(total) / len(loader))
    print('Epoch', e, 'MSE', losses[-1])

plt.plot(losses)
plt.xlabel('epoch')
plt.ylabel('training loss')
plt.savefig('plots/loss.png')
plt.close()

with open('losses.txt', 'w') as f:
    for value in losses:
        f.write('%.4f\n' % value)
