"""A batch that is padded with time in front has its samples in the second dimension, where the network wants them."""
import torch
from torch import nn
from torch.utils.data import DataLoader
torch.manual_seed(0)
data = [(torch.randint(0, 9, (n % 5 + 2,)), n % 2) for n in range(200)]
def collate(batch):
    xs = nn.utils.rnn.pad_sequence([b[0] for b in batch])
    return xs, torch.tensor([b[1] for b in batch])
train_loader = DataLoader(data, batch_size=20, shuffle=True, collate_fn=collate)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(9, 8)
        self.r = nn.GRU(8, 8)
        self.l = nn.Linear(8, 2)
    def forward(self, x):
        o, h = self.r(self.e(x))
        return self.l(h.squeeze(0))
model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(2):
    for a, b in train_loader:
        opt.zero_grad()
        loss = loss_fn(model(a), b)
        loss.backward()
        opt.step()
    print(epoch)

