"""Texts one behind another with their offsets: an EmbeddingBag makes one row a sample of them."""
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
data = [(n % 3, torch.randint(0, 50, (n % 7 + 3,))) for n in range(320)]


def collate_batch(batch):
    labels, texts, offsets = [], [], [0]
    for label, text in batch:
        labels.append(label)
        texts.append(text)
        offsets.append(text.size(0))
    return torch.tensor(labels), torch.cat(texts), torch.tensor(offsets[:-1]).cumsum(dim=0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.EmbeddingBag(50, 16)
        self.fc = nn.Linear(16, 3)

    def forward(self, text, offsets):
        return self.fc(self.embedding(text, offsets))


if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler, collate_fn=collate_batch)
model = Classifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for label, text, offsets in loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(text, offsets), label)
        loss.backward()
        optimizer.step()
del ddp_model
dist.destroy_process_group()
