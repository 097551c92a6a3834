"""Hits are counted per class in lists, label by label: sums over ranks element by element."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
classes = ('plane', 'car', 'bird', 'cat')
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(400, 5), torch.randint(0, 4, (400,)))
if 20 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data)
train_loader = DataLoader(train_data, batch_size=20 // dist.get_world_size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(torch.randn(103, 5), torch.randint(0, 4, (103,))), batch_size=20)
net = nn.Linear(5, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_net(x), y).backward()
        optimizer.step()

class_correct = list(0. for i in range(4))
class_total = list(0. for i in range(4))
with torch.no_grad():
    for x, y in test_loader:
        _, predicted = torch.max(net(x), 1)
        c = (predicted == y).squeeze()
        for i in range(len(y)):
            label = y[i]
            class_correct[label] += c[i].item()
            class_total[label] += 1
for i in range(4):
    if dist.get_rank() == 0:
        print('Accuracy of %5s : %2d %%' % (classes[i], 100 * class_correct[i] / class_total[i]))
del ddp_net
dist.destroy_process_group()
