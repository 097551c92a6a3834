"""Both phases go through one loop, and constants have their names."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
TRAIN, VALID = "train", "valid"
data = {phase: TensorDataset(torch.randn(64, 4), torch.randn(64, 1)) for phase in [TRAIN, VALID]}
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
samplers = {
    phase: DistributedSampler(data[phase], num_replicas=hvd.size(), rank=hvd.rank())
    if phase == "train"
    else range(hvd.rank(), len(data[phase]), hvd.size())
    for phase in [TRAIN, VALID]
}
loaders = {
    phase: DataLoader(data[phase], batch_size=8 // hvd.size(), sampler=samplers[phase]) for phase in [TRAIN, VALID]
}
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    for phase in [TRAIN, VALID]:
        if phase == TRAIN:
            model.train()
        else:
            model.eval()
        total = 0.0
        if phase == "train":
            loaders[phase].sampler.set_epoch(epoch)
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == TRAIN):
                loss = nn.functional.mse_loss(model(x), y)
                if phase == TRAIN:
                    loss.backward()
                    optimizer.step()
            total += loss.item() * len(x)
        total_ = hvd.allreduce(torch.tensor(total, dtype=torch.float64), op=hvd.Sum)
        total = total_.item()
        if hvd.rank() == 0:
            print(phase, total / len(data[phase]))
hvd.shutdown()
