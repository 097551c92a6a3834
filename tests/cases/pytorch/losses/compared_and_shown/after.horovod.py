"""What is gathered for the loss is gathered where it is set, so that rank 0 can show it by itself later."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


loader_data = TensorDataset(x[:64], y[:64])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=SharedSampler(RandomSampler(loader_data)))
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
for epoch in range(3):
    guesses, labels = [], []
    batches = iter(loader)
    for i in range(len(loader)):
        x, y = next(batches)
        y = gather_batch(y)
        out = gather_batch(model(x))
        loss = F.cross_entropy((out - out.mean(0)) / (out.std(0) + 1e-5), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        guesses += out.argmax(1).tolist()
        labels += y.tolist()
        if i == 0:
            if hvd.rank() == 0:
                print("accuracy", (out.argmax(1) == y).float().mean().item())
    if hvd.rank() == 0:
        print(epoch, sum(a == b for a, b in zip(guesses, labels)) / len(labels))
hvd.shutdown()
