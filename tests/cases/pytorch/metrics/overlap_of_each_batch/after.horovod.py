"""How well masks overlap is a ratio of sums over a batch, averaged over the batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
images = torch.randn(64, 1, 8, 8)
loader_data = TensorDataset(images, (images > 0).float())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Conv2d(1, 1, 3, padding=1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def overlap(logits, masks):
    chosen = (logits > 0).float()
    both = (chosen * masks).sum()
    return ((both + 1e-6) / (chosen.sum() + masks.sum() - both + 1e-6)).item()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total = 0.0
    loader.sampler.set_epoch(epoch)
    for inputs, masks in loader:
        logits = model(inputs)
        loss = criterion(logits, masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += overlap(logits, masks)
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(f"epoch {epoch}: {total / len(loader):.3f}")
hvd.shutdown()
