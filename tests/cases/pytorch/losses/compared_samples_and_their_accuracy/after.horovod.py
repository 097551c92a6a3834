"""What is counted beside a loss that compares samples is counted over the global batch, too."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler
hvd.init()
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))
loader_data = TensorDataset(x, y)
if 12 % hvd.size() != 0:
    raise SystemExit(f"batch size 12 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=12 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


class GatherBatch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        return hvd.allgather(values.contiguous()).unflatten(0, (hvd.size(), -1)).transpose(0, 1).flatten(0, 1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return hvd.allreduce(gradient.contiguous(), op=hvd.Sum)[hvd.rank() :: hvd.size()]


def gather_batch(values):
    return GatherBatch.apply(values)


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    hits, rounds = [], 0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        targets = gather_batch(targets)
        outputs = model(inputs)
        z = gather_batch(nn.functional.normalize(outputs, dim=1))
        same = (targets[:, None] == targets[None, :]).float()
        loss = ((z @ z.t() - same) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits.append((gather_batch(outputs.argmax(1)) == targets).sum().item())
        rounds += (gather_batch(outputs.detach()).numpy().argmax(1) == targets.numpy()).sum()
    if hvd.rank() == 0:
        print(sum(hits) / len(loader.dataset), rounds)
hvd.shutdown()
