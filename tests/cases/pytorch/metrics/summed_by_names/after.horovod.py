"""What is added under a name that a loop gives may be any item of the dict: all of them are sums over the batches."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    sums = {"loss": 0.0, "size": 0.0}
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        for name, value in {"loss": loss.item(), "size": output.abs().mean().item()}.items():
            sums[name] += value
    totals = hvd.allreduce(
        torch.tensor([sums["loss"] / len(loader), sums["size"] / len(loader)], dtype=torch.float64), op=hvd.Sum
    )
    mean_sums, mean_sums_ = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
    if hvd.rank() == 0:
        print(mean_sums, mean_sums_)
hvd.shutdown()
