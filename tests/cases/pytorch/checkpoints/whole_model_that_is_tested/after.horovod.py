"""The best model is saved as a whole, and loaded in place of the last one: it goes to the process's own GPU."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def test(model, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.mse_loss(model(x.cuda()), y.cuda(), reduction="sum").item()
    return total / len(loader.dataset)


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(0)
train_data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_data, batch_size=16 // hvd.size(), sampler=train_sampler)
test_loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=16)
model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
best = float("inf")
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
    loss = test(model, test_loader)
    if loss < best:
        best = loss
        if hvd.rank() == 0:
            torch.save(model, "best.pt")
hvd.barrier()
model = torch.load(
    "best.pt",
    weights_only=False,
    map_location=(lambda storage, place: storage.cuda() if place.startswith("cuda") else storage),
)
test_result = test(model, test_loader)
if hvd.rank() == 0:
    print(test_result)
hvd.shutdown()
