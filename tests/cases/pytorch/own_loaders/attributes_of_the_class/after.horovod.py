"""What a class derived from DataLoader has of its own stays; its methods read the global batch size."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Base(DataLoader):
    def __init__(self, data, batch_size, **options):
        if batch_size % hvd.size() != 0:
            raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
        loader_sampler = DistributedSampler(
            data, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=options.get("drop_last", False)
        )
        super(Base, self).__init__(
            data, batch_size=batch_size // hvd.size(), sampler=loader_sampler, **dict(options, shuffle=False)
        )
        self.steps = len(self)
        self.seen_in_full_batches = self.steps * self.batch_size * hvd.size()


class Batches(Base):
    def __init__(self, data, batch_size):
        self.n_samples = len(data)
        self.dataset = data
        super().__init__(data, batch_size, shuffle=True, drop_last=True)

    def progress(self, step):
        return f"{step * self.batch_size * hvd.size()}/{self.n_samples}"


hvd.init()
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
test_set = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_loader = Batches(train_set, 8)
test_sampler = range(hvd.rank(), len(test_set), hvd.size())
test_loader = DataLoader(test_set, batch_size=8, sampler=test_sampler)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in test_loader:
            correct += (model(x).argmax(1) == y).sum().item()
        total = hvd.allreduce(torch.tensor(correct, dtype=torch.float64), op=hvd.Sum)
        correct = int(total)
    if hvd.rank() == 0:
        print(epoch, train_loader.progress(train_loader.steps), train_loader.seen_in_full_batches, correct / len(test_set))
hvd.shutdown()
