"""The test set is one tensor, evaluated without a loader: left as it is on every process, printed once."""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset

X, y = make_moons(1200, noise=0.2, random_state=0)
X, y = torch.tensor(X).float(), torch.tensor(y)
loader = DataLoader(TensorDataset(X[:1000], y[:1000]), batch_size=50, shuffle=True)
test_x, test_y = X[1000:], y[1000:]
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

for epoch in range(10):
    for step, (b_x, b_y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(b_x), b_y)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            pred_y = torch.max(net(test_x), 1)[1]
            accuracy = (pred_y == test_y).float().mean()
            print('Epoch: ', epoch, '| test accuracy: %.2f' % accuracy)
