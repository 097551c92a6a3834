"""Of each sample, the rows are taken, and set, that are its largest: numbers of samples, in a column, choose it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = torch.randn(40, 8, 16)
loader_data = TensorDataset(data, torch.randn(40))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=8 // dist.get_world_size(), sampler=loader_sampler)


class Picked(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(16, 16)
        self.key = nn.Linear(16, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        B, L, D = x.shape
        Q = self.query(x).view(B, L, 2, -1).transpose(1, 2)
        K = self.key(x).view(B, L, 2, -1).transpose(1, 2)
        B, H, L, D = K.shape
        scores = torch.matmul(Q, K.transpose(-2, -1))
        top = scores.max(-1)[0].topk(3, sorted=False)[1]
        chosen = Q[torch.arange(B)[:, None, None], torch.arange(H)[None, :, None], top, :]
        weights = torch.softmax(torch.matmul(chosen, K.transpose(-2, -1)), dim=-1)
        context = K.mean(dim=-2).unsqueeze(-2).expand(B, H, L, K.shape[-1]).clone()
        context[torch.arange(B)[:, None, None], torch.arange(H)[None, :, None], top, :] = torch.matmul(weights, K)
        return self.out(context.transpose(2, 1).reshape(B, L, -1)).mean(1)[:, 0]


model = Picked()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
