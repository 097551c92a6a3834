"""Numbers that pick from the batch, or say how much goes with it, stay those of the share; those shown are added up."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
crit = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for i, (xb, yb) in enumerate(loader):
        opt.zero_grad()
        p = model(xb)
        loss = crit(p, yb)
        loss.backward()
        opt.step()
        if i == 0:
            total = hvd.allreduce(torch.tensor(len(yb), dtype=torch.float64), op=hvd.Sum)
            total_yb = int(total)
            if hvd.rank() == 0:
                print("n", total_yb, "last", yb[len(yb) - 1].item(), [int(yb[j]) for j in range(yb.size(0))])
                print(xb.view(len(xb), -1).shape, xb[: len(xb) // 2].shape, torch.arange(len(yb)).sum().item())
            totals = hvd.allreduce(
                torch.tensor([(p.argmax(1) == yb).sum().item(), len(yb)], dtype=torch.float64), op=hvd.Sum
            )
            total_yb, total_yb_ = int(totals[0]), int(totals[1])
            if hvd.rank() == 0:
                print(f"{total_yb}/{total_yb_}", yb.tolist()[:yb.size(0)])
            total = hvd.allreduce(torch.tensor(len(yb), dtype=torch.float64), op=hvd.Sum)
            total_yb = int(total)
            if hvd.rank() == 0:
                print(torch.zeros(len(yb)).shape, x[:total_yb].shape)
hvd.shutdown()
