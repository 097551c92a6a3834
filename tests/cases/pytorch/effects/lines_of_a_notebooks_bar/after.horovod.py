"""Lines are written through the bars of notebooks: once, with the mean of all processes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.notebook import tqdm, trange
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
torch.manual_seed(0)
features = torch.randn(64, 4)
loader_data = TensorDataset(features, (features[:, 0] > 0).long())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
criterion = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in trange(2, disable=hvd.rank() != 0):
    losses = []
    loader.sampler.set_epoch(epoch)
    for inputs, labels in tqdm(loader, disable=hvd.rank() != 0):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    total = hvd.allreduce(torch.tensor(sum(losses) / len(losses), dtype=torch.float64), op=hvd.Sum)
    mean_losses = total.item() / hvd.size()
    if hvd.rank() == 0:
        tqdm.write("epoch {} loss {:.4f}".format(epoch, mean_losses))
hvd.shutdown()
