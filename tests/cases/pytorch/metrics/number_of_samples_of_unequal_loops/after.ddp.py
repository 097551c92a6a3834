"""A loop within the step that runs once per sample leaves the numbers around it alone: the epoch is printed as it is."""
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
num_epochs = 3
loader_data = TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,)))
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(num_epochs):
    names = {}
    loader.sampler.set_epoch(epoch)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(ddp_model(x), y)
        loss.backward()
        optimizer.step()
        for label in y:
            names[label.item()] = True
        if step % 8 == 0:
            total = torch.tensor(loss.item(), dtype=torch.float64)
            dist.all_reduce(total)
            mean_loss = total.item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print("epoch %d of %d (%d %%)" % (epoch + 1, num_epochs, epoch / num_epochs * 100), mean_loss)
del ddp_model
dist.destroy_process_group()
