"""Nothing but definitions stands in front of the guard: workers may import the file."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def make_loader():
    features = torch.randn(64, 4)
    data = TensorDataset(features, (features[:, 0] > 0).long())
    if 16 % hvd.size() != 0:
        raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
    return DataLoader(data, batch_size=16 // hvd.size(), sampler=DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True), num_workers=2, drop_last=True)


if __name__ == "__main__":
    hvd.init()
    torch.manual_seed(0)
    loader = make_loader()
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
    hvd.shutdown()
