"""Shares of a batch that a sampler of the script makes may differ in size; none is filled up."""

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset
import horovod.torch as hvd
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)
data = TensorDataset(torch.randn(90, 8), torch.randn(90, 1))


class SharedBatches(Sampler):
    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        for batch in hvd.broadcast_object([list(batch) for batch in self.batches]):
            if len(batch) < hvd.size():
                raise SystemExit("a batch has fewer samples than there are processes")
            yield batch[hvd.rank() :: hvd.size()]

    def __len__(self):
        return len(self.batches)


loader = DataLoader(data, batch_sampler=SharedBatches(BatchSampler(RandomSampler(data), 25, drop_last=True)))
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_weight(samples):
    total = hvd.allreduce(torch.tensor([len(samples)], device=samples.device), op=hvd.Sum)
    return len(samples) * hvd.size() / total.item()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    for x, y in loader:
        weight = share_weight(x)
        optimizer.zero_grad()
        (nn.functional.mse_loss(model(x), y) * weight).backward()
        optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), "model.pt")
hvd.shutdown()
