"""A batch that is padded with time in front has its samples in the second dimension, where the network wants them."""
import torch
from torch import nn
from torch.utils.data import DataLoader
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
data = [(torch.randint(0, 9, (n % 5 + 2,)), n % 2) for n in range(200)]
def collate(batch):
    xs = nn.utils.rnn.pad_sequence([b[0] for b in batch])
    return xs, torch.tensor([b[1] for b in batch])
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(data, batch_size=20 // hvd.size(), sampler=train_sampler, collate_fn=collate)
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
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
loss_fn = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for a, b in train_loader:
        opt.zero_grad()
        loss = loss_fn(model(a), b)
        loss.backward()
        opt.step()
    if hvd.rank() == 0:
        print(epoch)
hvd.shutdown()

