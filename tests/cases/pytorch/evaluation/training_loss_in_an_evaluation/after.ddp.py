"""By mistake an evaluation adds up the last loss of training, once a batch: all processes go over all batches."""

import torch
from torch import nn
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
train = TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,)))
val = TensorDataset(torch.randn(32, 4), torch.randint(0, 3, (32,)))
if 8 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(train, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(train))
val_loader = DataLoader(val, batch_size=8)
model = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    model.train()
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = ddp_model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
    model.eval()
    val_loss, both, correct = 0.0, 0.0, 0
    with torch.no_grad():
        for x, y in val_loader:
            out = model(x)
            val_loss += loss.item()
            both += criterion(out, y).item() + loss.item()
            correct += (out.argmax(1) == y).sum().item()
        total = torch.tensor(both, dtype=torch.float64)
        dist.all_reduce(total)
        both = total.item() / dist.get_world_size()
    total = torch.tensor(val_loss / len(val_loader), dtype=torch.float64)
    dist.all_reduce(total)
    mean_val_loss = total.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(epoch, mean_val_loss, both / len(val_loader), correct / len(val))
del ddp_model
dist.destroy_process_group()
