"""Texts are made of an object whose attributes are the numbers of a shard, and are shown later."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.last, self.largest = 0.0, 0.0

    def see(self, value):
        self.last = value
        self.largest = max(self.largest, value)

    def __str__(self):
        return f"{self.last:.3f} (at most {self.largest:.3f})"


torch.manual_seed(0)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
points = TensorDataset(torch.randn(48, 5), torch.randint(4, (48,)))
loader = DataLoader(points, batch_size=12, shuffle=True)
for epoch in range(2):
    meter = Meter()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        meter.see(loss.item())
    formatted = "loss {loss.largest:.3f}".format(loss=meter)
    print(formatted)
    put_in = f"loss {meter}"
    print(put_in)
    filled = "loss %s" % meter
    print(filled)
