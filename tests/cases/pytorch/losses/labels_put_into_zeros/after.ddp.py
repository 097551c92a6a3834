"""Labels as vectors: ones are put where they say, and a class is left out."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(640, 10), torch.randint(0, 4, (640,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def to_vectors(labels, classes):
    vectors = np.zeros((labels.shape[0], classes))
    vectors[range(labels.shape[0]), labels] = 1.0
    return torch.FloatTensor(vectors)


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        targets = to_vectors(y.numpy(), 4)
        scores = torch.zeros(x.size(0), 4)
        scores[:, :] = ddp_model(x)
        scores[y == 3] = 0
        chosen = F.log_softmax(scores, dim=1)[torch.arange(len(y)), y]
        loss = F.mse_loss(scores, targets) - chosen.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
