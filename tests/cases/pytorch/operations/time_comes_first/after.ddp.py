"""A batch that is padded with time in front has its samples in the second dimension, where the network wants them."""
import torch
from torch import nn
from torch.utils.data import DataLoader
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending
if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = [(torch.randint(0, 9, (n % 5 + 2,)), n % 2) for n in range(200)]
def collate(batch):
    xs = nn.utils.rnn.pad_sequence([b[0] for b in batch])
    return xs, torch.tensor([b[1] for b in batch])
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(data)
train_loader = DataLoader(data, batch_size=20 // dist.get_world_size(), sampler=train_sampler, collate_fn=collate)
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
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for a, b in train_loader:
        opt.zero_grad()
        loss = loss_fn(ddp_model(a), b)
        loss.backward()
        opt.step()
    if dist.get_rank() == 0:
        print(epoch)
del ddp_model
dist.destroy_process_group()

