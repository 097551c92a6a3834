"""Several models are trained on the same batches, each with its optimizer, in a loop over lists of them."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
x = torch.randn(256, 4)
loader = DataLoader(TensorDataset(x, x.pow(2).sum(1, keepdim=True)), batch_size=32, shuffle=True)
slow = nn.Linear(4, 1)
fast = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
nets = [slow, fast]
optimizers = [torch.optim.SGD(slow.parameters(), lr=0.01), torch.optim.SGD(fast.parameters(), lr=0.05)]
criterion = nn.MSELoss()
for epoch in range(4):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        for net, optimizer in zip(nets, optimizers):
            loss = criterion(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.6f}")
torch.save({"slow": slow.state_dict(), "fast": fast.state_dict()}, "nets.pt")
