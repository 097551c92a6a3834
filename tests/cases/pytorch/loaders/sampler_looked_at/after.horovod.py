"""A look at a batch of a weighted loader shows a whole batch that is drawn as the script draws."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
import horovod.torch as hvd
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(1)
inputs = torch.randn(400, 5)
labels = (inputs[:, 0] > 1).long()
weights = 1.0 / labels.bincount()[labels].float()


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = hvd.rank() + len(indices)
        return (indices[i % len(indices)] for i in range(hvd.rank(), end, hvd.size()))

    def __len__(self):
        return (len(self.sampler) + hvd.size() - 1) // hvd.size()


if 40 % hvd.size() != 0:
    raise SystemExit(f"batch size 40 cannot be shared out over {hvd.size()} processes")
loader_sampler = SharedSampler(WeightedRandomSampler(weights, 400))
loader = DataLoader(TensorDataset(inputs, labels), batch_size=40 // hvd.size(), sampler=loader_sampler)
features, targets = next(iter(DataLoader(loader.dataset, batch_size=40, sampler=loader.sampler.sampler)))
if hvd.rank() == 0:
    print(features.shape, targets.float().mean().item())
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(2):
    correct = 0
    for x, y in loader:
        optimizer.zero_grad()
        output = model(x)
        nn.functional.cross_entropy(output, y).backward()
        optimizer.step()
        correct += (output.argmax(1) == y).sum().item()
    total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
    correct = int(total)
    if hvd.rank() == 0:
        print(epoch, correct / len(loader.dataset))
hvd.shutdown()
