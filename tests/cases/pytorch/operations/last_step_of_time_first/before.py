"""With time in front, the last item is the last step of every sample."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 20)
        self.head = nn.Linear(20, 1)

    def forward(self, x):               # x: (T, B, C)
        out, h = self.rnn(x)
        return self.head(out[-1]).squeeze(1)


xs = torch.randn(200, 9, 3)
ys = xs.mean(dim=(1, 2))
loader = DataLoader(TensorDataset(xs, ys), batch_size=20, shuffle=True)
net = Net()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in loader:
        pred = net(x.permute(1, 0, 2))
        loss = nn.functional.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
