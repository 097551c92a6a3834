"""A confusion matrix filled batch by batch and printed at the end: a sum over ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
train_dl_data = TensorDataset(torch.randn(300, 4), torch.randint(0, 3, (300,)))
if 30 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 30 cannot be shared out over {dist.get_world_size()} processes")
train_dl_sampler = DistributedSampler(train_dl_data)
train_dl = DataLoader(train_dl_data, batch_size=30 // dist.get_world_size(), sampler=train_dl_sampler)
test_dl = DataLoader(TensorDataset(torch.randn(61, 4), torch.randint(0, 3, (61,))), batch_size=30)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_dl.sampler.set_epoch(epoch)
    for x, y in train_dl:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(x), y).backward()
        optimizer.step()

confusion_matrix = torch.zeros(3, 3)
with torch.no_grad():
    for x, y in test_dl:
        preds = model(x).argmax(1)
        for t, p in zip(y.view(-1), preds.view(-1)):
            confusion_matrix[t.long(), p.long()] += 1
if dist.get_rank() == 0:
    print(confusion_matrix)
    print(confusion_matrix.diag() / confusion_matrix.sum(1))
del ddp_model
dist.destroy_process_group()
