"""A pass that ends at the first batch shows it whole; a flag tells the function which loader is shared out."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def make(n, shuffle=True, for_training=False):
    loader_data = TensorDataset(torch.randn(n, 4), torch.randn(n, 1))
    if for_training:
        if 8 % hvd.size() != 0:
            raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
        sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
        share = 8 // hvd.size()
    else:
        sampler = None
        share = 8
    return DataLoader(loader_data, batch_size=share, sampler=sampler)


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
train_loader = make(640, for_training=True)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    plot_loader = make(64)
    for x, y in DataLoader(plot_loader.dataset, batch_size=8, shuffle=True):
        model_result = model(x)
        if hvd.rank() == 0:
            print(model_result.mean().item())
        break
hvd.shutdown()
