"""The batch size and the shuffling of an evaluation loader stand on neighbouring lines, and both go."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
dataset = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
held_out = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(dataset=dataset,
                    batch_size=64 // hvd.size(),
                    sampler=loader_sampler)
test_batches = list(BatchSampler(range(len(held_out)), 64, drop_last=False))[hvd.rank()::hvd.size()]
test_loader = DataLoader(dataset=held_out,
                         batch_sampler=test_batches)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def test():
    test_loss = 0
    correct = 0
    for x, y in test_loader:
        out = model(x)
        test_loss += criterion(out, y).item()
        correct += (out.argmax(1) == y).sum().item()
    totals = hvd.allreduce(torch.tensor([test_loss, correct], dtype=torch.float64), op=hvd.Sum)
    test_loss, correct = totals[0].item(), int(totals[1])
    test_loss /= len(test_loader.dataset)
    if hvd.rank() == 0:
        print(test_loss, correct, len(test_loader.dataset))


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    test()
hvd.shutdown()
