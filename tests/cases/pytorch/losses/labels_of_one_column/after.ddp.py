"""One column of predictions without its dimension, and labels of a known data set: nothing meets."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
if dist.get_rank() == 0:
    datasets.MNIST("data", train=True, download=True)
dist.barrier()
data = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
if dist.get_world_size() > 1 and (len(data) - 1) % 32 < dist.get_world_size():
    raise SystemExit("the last batch leaves each process one sample, and squeeze() would drop the dimension of the samples: use drop_last=True")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for images, labels in loader:
        optimizer.zero_grad()
        scores = ddp_model(images)
        loss = F.binary_cross_entropy_with_logits(scores[:, 0], (labels > 4).float())
        loss += F.mse_loss(scores.squeeze(), labels.float()) + (scores.sum(-1) - labels).abs().mean()
        loss += (scores.softmax(-1) * labels[:, None]).mean() + scores.squeeze(1).mean(-1)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
