"""What a loop counts of one sample after the other is a sum over the samples, in training as in an evaluation."""

import torch
import torch.nn as nn
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
held_out = DataLoader(TensorDataset(torch.randn(90, 4), torch.randint(0, 3, (90,))), batch_size=32)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
threshold = 0.5
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(4):
    right, of_some, seen = 0, 0, 0
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += len(x)
        for i in range(len(output)):
            if torch.argmax(output[i]) == y[i]:
                right += 1
            elif output[i][0].item() > threshold and y[i] != 2:
                of_some += 2
    totals = hvd.allreduce(torch.tensor([right, of_some, seen], dtype=torch.float64), op=hvd.Sum)
    right, of_some, seen = int(totals[0]), int(totals[1]), int(totals[2])
    if hvd.rank() == 0:
        print(right / seen, of_some)
    known = 0
    with torch.no_grad():
        for x, y in held_out:
            predicted = model(x).argmax(1)
            for i in range(y.size(0)):
                if predicted[i].item() == y[i].item():
                    known += 1
    if hvd.rank() == 0:
        print(known / len(held_out.dataset))
hvd.shutdown()
