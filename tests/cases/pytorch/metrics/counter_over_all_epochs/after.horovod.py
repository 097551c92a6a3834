"""A counter goes on over the epochs: its whole gets a name of its own."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
train_set = TensorDataset(torch.randn(128, 6), torch.randint(0, 3, (128,)))
test_set = TensorDataset(torch.randn(51, 6), torch.randint(0, 3, (51,)))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = DataLoader(train_set, batch_size=16 // hvd.size(), sampler=train_sampler)
test_loader = DataLoader(test_set, batch_size=16)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()

global_step = 0
examples_seen = 0
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for x, y in train_loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        global_step += 1
        examples_seen += len(x)
        if global_step % 5 == 0:
            totals = hvd.allreduce(torch.tensor([examples_seen, loss.item()], dtype=torch.float64), op=hvd.Sum)
            total_examples_seen, mean_loss = int(totals[0]), totals[1].item() / hvd.size()
            if hvd.rank() == 0:
                print(global_step, total_examples_seen, mean_loss)
total = hvd.allreduce(torch.tensor(examples_seen, dtype=torch.float64), op=hvd.Sum)
total_examples_seen = int(total)
if hvd.rank() == 0:
    print("total", total_examples_seen)
hvd.shutdown()
