"""Scores of scikit-learn that are averages over samples, or their number, are reduced as others are."""

import torch
import torch.nn as nn
from sklearn.metrics import accuracy_score, mean_absolute_error
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 4), torch.randint(0, 3, (320,)))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    accuracy, right, distance = 0, 0, 0
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        predicted = torch.max(output.data, 1)[1].cpu()
        accuracy += accuracy_score(y.cpu().numpy(), predicted.numpy())
        right += accuracy_score(y, predicted, normalize=False)
        distance += mean_absolute_error(y_true=y, y_pred=predicted) * len(y)
        if step % 5 == 0:
            total = hvd.allreduce(torch.tensor(accuracy_score(y, predicted), dtype=torch.float64), op=hvd.Sum)
            mean_accuracy_score = total.item() / hvd.size()
            if hvd.rank() == 0:
                print(mean_accuracy_score)
    totals = hvd.allreduce(torch.tensor([accuracy, right, distance], dtype=torch.float64), op=hvd.Sum)
    accuracy, right, distance = totals[0].item() / hvd.size(), int(totals[1]), totals[2].item()
    if hvd.rank() == 0:
        print(accuracy / len(loader), right / loader.sampler.total_size, distance / loader.sampler.total_size)
hvd.shutdown()
