"""What is drawn on axes is reduced where it is drawn: what is asked of the axes later tells of no shard."""
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
net = nn.Linear(10, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(a), b)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
fig = plt.figure()
ax1 = fig.add_subplot(111)
ax1.plot(range(len(losses)), losses, label="loss")
ax1.set_ylim([0, 3])
ax1.set_xlabel("step")
ax1.legend()
ax2 = ax1.twiny()
ax2.set_xlabel("epochs")
plt.tight_layout()
plt.savefig("a.pdf")
