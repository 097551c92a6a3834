"""Weights that libraries write to where they look for them: the others load them once rank 0 has."""

import open_clip
import torch
from pytorch_pretrained_bert import BertTokenizer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)


def rank_0_first(make):
    made = make() if hvd.rank() == 0 else None
    hvd.barrier()
    return made if hvd.rank() == 0 else make()


network, _, prepare = rank_0_first(lambda: open_clip.create_model_and_transforms("ViT-B-32", pretrained="openai"))
tokenizer = rank_0_first(lambda: BertTokenizer.from_pretrained("bert-base-uncased"))
x = torch.randn(64, 4)
y = torch.randn(64, 1)
model = nn.Linear(4, 1)
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
