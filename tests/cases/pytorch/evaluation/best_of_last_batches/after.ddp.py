"""The best accuracy of a last batch is kept over the epochs: that is nothing that the evaluation sums up."""
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
x, y = torch.randn(320, 8), torch.randint(0, 3, (320,))
train_data = TensorDataset(x[:256], y[:256])
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_sampler = DistributedSampler(train_data, drop_last=True)
train_loader = DataLoader(train_data, batch_size=16 // dist.get_world_size(), sampler=train_sampler, drop_last=True)
test_loader = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=16)
model = nn.Linear(8, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 0.0
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(3):
    train_loader.sampler.set_epoch(epoch)
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(ddp_model(inputs), labels)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for inputs, labels in test_loader:
            hits = model(inputs).argmax(1) == labels
            accuracy = hits.float().mean().item()
    if accuracy > best:
        best = accuracy
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "best.pt")
    if dist.get_rank() == 0:
        print(epoch, accuracy, best)
del ddp_model
dist.destroy_process_group()
