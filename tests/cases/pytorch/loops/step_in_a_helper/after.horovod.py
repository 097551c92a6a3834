"""The step itself is a helper that takes one batch and returns its loss; the loops stay outside."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def train_step(model, optimizer, batch):
    x, y = batch
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    x = torch.rand(900, 2)
    y = (x[:, :1] * x[:, 1:]).sqrt()
    loader_data = TensorDataset(x, y)
    if 45 % hvd.size() != 0:
        raise SystemExit(f"batch size 45 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=45 // hvd.size(), sampler=loader_sampler)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(10):
        epoch_loss = 0.0
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            epoch_loss += train_step(model, optimizer, batch)
        total = hvd.allreduce(torch.tensor(epoch_loss, dtype=torch.float64), op=hvd.Sum)
        epoch_loss = total.item() / hvd.size()
        if hvd.rank() == 0:
            print(f"{epoch:3d} {epoch_loss / len(loader):.5f}")


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
main()
hvd.shutdown()
