"""Two spaces of indentation, which inserted lines follow."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

def train(model, loader, optimizer, epochs):
  hvd.broadcast_parameters(model.state_dict(), root_rank=0)
  if hvd.rank() > 0:
    torch.manual_seed(torch.initial_seed() + hvd.rank())
  for epoch in range(epochs):
    total = 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
      optimizer.zero_grad()
      loss = nn.functional.mse_loss(model(x), y)
      loss.backward()
      optimizer.step()
      total += loss.item()
    total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
    total = total_.item() / hvd.size()
    if epoch % 2 == 0:
      if hvd.rank() == 0:
        print('%d %.4f' % (epoch, total / len(loader)))

if __name__ == '__main__':
  hvd.init()
  seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
  torch.manual_seed(seed)
  loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
  if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
  loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
  loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
  net = nn.Linear(10, 1)
  train(
    net,
    loader,
    hvd.DistributedOptimizer(torch.optim.Adam(net.parameters(), lr=0.01), named_parameters=net.named_parameters()),
    4,
  )
  hvd.shutdown()
