"""A decoder that puts the scores of each step in their place, forced by the targets at times."""
import random

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
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randint(0, 20, (640, 6)), torch.randint(0, 20, (640, 5)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=DistributedSampler(data))


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.encoder = nn.GRU(8, 16, batch_first=True)
        self.cell = nn.GRUCell(8, 16)
        self.scores = nn.Linear(16, 20)

    def forward(self, source, target, forcing=0.5):
        steps, batch_size = target.shape[1], source.shape[0]
        outputs = torch.zeros(steps, batch_size, 20).to(source.device)
        state = self.encoder(self.embedding(source))[1][-1]
        token = target[:, 0]
        for t in range(1, steps):
            state = self.cell(self.embedding(token), state)
            scores = self.scores(state)
            outputs[t] = scores
            token = target[:, t] if random.random() < forcing else scores.argmax(1)
        return outputs


model = Translator()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for source, target in loader:
        output = ddp_model(source, target)
        output = output[1:].permute(1, 0, 2).reshape(-1, 20)
        loss = criterion(output, target[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
