"""A loop over one loader takes batches of another one besides."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
from torch.utils.data.distributed import DistributedSampler


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


def main():
    x = torch.randn(96, 5)
    y = x.sum(1, keepdim=True)
    source_data = TensorDataset(x, y)
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    source_sampler = DistributedSampler(source_data, num_replicas=hvd.size(), rank=hvd.rank())
    source = DataLoader(source_data, batch_size=16 // hvd.size(), sampler=source_sampler)
    target_data = TensorDataset(x[:48] + 1)
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    target = DataLoader(target_data, batch_size=16 // hvd.size(), sampler=SharedSampler(RandomSampler(target_data)))
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        others = iter(target)
        source.sampler.set_epoch(epoch)
        for i, (inputs, targets) in enumerate(source):
            try:
                (shifted,) = next(others)
            except StopIteration:
                others = iter(target)
                (shifted,) = next(others)
            loss = F.mse_loss(model(inputs), targets) + model(shifted).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    main()
    hvd.shutdown()
