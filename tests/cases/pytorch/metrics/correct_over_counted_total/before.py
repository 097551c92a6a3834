"""correct and total are both counted in the loop: both are sums over ranks, reduced together."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(400, 9), torch.randint(0, 2, (400,))), batch_size=40, shuffle=True)
model = nn.Linear(9, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    correct, total = 0, 0
    for data in loader:
        x, y = data
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _, predicted = torch.max(out.data, 1)
        total += y.size(0)
        correct += (predicted == y).sum().item()
    accuracy = 100 * correct / total
    print('Epoch: %d, training accuracy: %.2f%% of %d' % (epoch, accuracy, total))
