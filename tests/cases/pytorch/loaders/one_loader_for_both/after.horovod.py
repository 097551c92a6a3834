"""One loader both trains and is counted on afterwards: the count must cover each sample once, without padding."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_iris
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
iris = load_iris()
data = TensorDataset(torch.tensor(iris.data, dtype=torch.float), torch.tensor(iris.target))
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(data, batch_size=10 // hvd.size(), sampler=loader_sampler)

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(30):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

correct = 0
total = 0
model.eval()
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(dim=1) == y).sum().item()
        total += y.size(0)
    totals = hvd.allreduce(torch.tensor([correct, total], dtype=torch.float64), op=hvd.Sum)
    correct, total = int(totals[0]), int(totals[1])
if hvd.rank() == 0:
    print("accuracy on the training set: %.3f" % (correct / total))
hvd.shutdown()
