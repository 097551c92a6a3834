"""Every torch.load without a place loads to the CPU, also in code that nothing calls; a place that is given stays."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())


class Store:
    def load(self, path):
        return torch.load(path, map_location="cpu")


def unused(path):
    return torch.load(path, map_location="cpu")


model.load_state_dict(torch.load("a.pt", map_location="cpu"))
opt.load_state_dict(torch.load("b.pt", map_location=device))
if opt.state_dict()["state"]:
    hvd.broadcast_optimizer_state(opt, root_rank=0)
loader_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=8 // hvd.size(), sampler=loader_sampler)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()
hvd.shutdown()
