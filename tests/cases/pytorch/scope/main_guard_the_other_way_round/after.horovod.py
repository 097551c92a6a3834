"""A guard written the other way round is one: processes of a loader import the script, and must not join the group."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

if __name__ != "__main__":
    print("imported")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 1)

    def forward(self, x):
        return self.layer(x)


def main():
    loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler, num_workers=2)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    loss_of_result = loss_of(model)
    if hvd.rank() == 0:
        print(loss_of_result)


def loss_of(model):
    return model(torch.ones(1, 10)).item()


if "__main__" == __name__:
    hvd.init()
    seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
    torch.manual_seed(seed)
    main()
    hvd.shutdown()
