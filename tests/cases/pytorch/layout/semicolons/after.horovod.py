"""Several statements share a line, joined by semicolons: what is inserted must keep their order."""
import torch; import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
x = torch.randn(320, 10); y = torch.randn(320, 1)
loader_data = TensorDataset(x, y)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler); model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.MSELoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(3):
    total = 0.0; seen = 0
    loader.sampler.set_epoch(epoch)
    for xb, yb in loader:
        optimizer.zero_grad(); loss = criterion(model(xb), yb); loss.backward(); optimizer.step()
        total += loss.item() * len(xb); seen += len(xb)
    totals = hvd.allreduce(torch.tensor([total, seen], dtype=torch.float64), op=hvd.Sum)
    total, seen = totals[0].item(), int(totals[1])
    if hvd.rank() == 0:
        print("epoch", epoch); print("loss", total / seen); torch.save(model.state_dict(), "m.pt")
hvd.shutdown()
