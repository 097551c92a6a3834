"""The test set is one tensor, evaluated without a loader: left as it is on every process, printed once."""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
X, y = make_moons(1200, noise=0.2, random_state=0)
X, y = torch.tensor(X).float(), torch.tensor(y)
loader_data = TensorDataset(X[:1000], y[:1000])
if 50 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=50 // dist.get_world_size(), sampler=loader_sampler)
test_x, test_y = X[1000:], y[1000:]
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

ddp_net = DistributedDataParallel(net)
for epoch in range(10):
    loader.sampler.set_epoch(epoch)
    for step, (b_x, b_y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp_net(b_x), b_y)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            pred_y = torch.max(net(test_x), 1)[1]
            accuracy = (pred_y == test_y).float().mean()
            if dist.get_rank() == 0:
                print('Epoch: ', epoch, '| test accuracy: %.2f' % accuracy)
del ddp_net
dist.destroy_process_group()
