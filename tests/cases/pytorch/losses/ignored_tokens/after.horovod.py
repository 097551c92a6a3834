"""ignore_index makes the divisor the number of tokens counted, which differs between the ranks' batches."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import torch.nn.functional as F
from torch.utils.data.distributed import DistributedSampler

hvd.init()
PAD = 0
torch.manual_seed(0)
tokens = torch.randint(1, 30, (400, 12))
for row in tokens:
    row[torch.randint(3, 12, (1,)).item():] = PAD
loader_data = TensorDataset(tokens)
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=20 // hvd.size(), sampler=loader_sampler)
model = nn.Sequential(nn.Embedding(30, 16, padding_idx=PAD), nn.Linear(16, 30))
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for (seq,) in loader:
        logits = model(seq[:, :-1])
        counted = hvd.allreduce((seq[:, 1:].reshape(-1) != criterion.ignore_index).sum(), op=hvd.Sum)
        counted = counted / hvd.size()
        loss = F.cross_entropy(
            logits.reshape(-1, 30), seq[:, 1:].reshape(-1), ignore_index=criterion.ignore_index, reduction="sum"
        ) / counted
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
