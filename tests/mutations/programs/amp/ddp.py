"""By hand: DDP averages gradients in single precision."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(4)
x = torch.randn(96, 16)
y = (x[:, :4].sum(1) > 0).long()
data = TensorDataset(x, y)
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=16 // size, sampler=sampler)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
ddp_model = DistributedDataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)

for epoch in range(2):
    sampler.set_epoch(epoch)
    correct = 0
    for a, b in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = ddp_model(a)
            loss = criterion(output, b)
        loss.backward()
        optimizer.step()
        correct += (output.argmax(1) == b).sum().item()
    correct = torch.tensor(correct)
    dist.all_reduce(correct)
    if rank == 0:
        print(f'epoch {epoch}: {correct.item()} right')
if rank == 0:
    torch.save(model.state_dict(), 'amp.pt')
del ddp_model
dist.destroy_process_group()
