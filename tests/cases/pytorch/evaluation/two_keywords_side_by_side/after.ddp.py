"""The batch size and the shuffling of an evaluation loader stand on neighbouring lines, and both go."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
dataset = TensorDataset(torch.randn(640, 8), torch.randint(0, 2, (640,)))
held_out = TensorDataset(torch.randn(99, 8), torch.randint(0, 2, (99,)))
if 64 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(dataset=dataset,
                    batch_size=64 // dist.get_world_size(),
                    sampler=DistributedSampler(dataset))
test_batches = list(BatchSampler(range(len(held_out)), 64, drop_last=False))[dist.get_rank()::dist.get_world_size()]
test_loader = DataLoader(dataset=held_out,
                         batch_sampler=test_batches)
model = nn.Linear(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def test():
    test_loss = 0
    correct = 0
    for x, y in test_loader:
        out = model(x)
        test_loss += criterion(out, y).item()
        correct += (out.argmax(1) == y).sum().item()
    totals = torch.tensor([test_loss, correct], dtype=torch.float64)
    dist.all_reduce(totals)
    test_loss, correct = totals[0].item(), int(totals[1])
    test_loss /= len(test_loader.dataset)
    if dist.get_rank() == 0:
        print(test_loss, correct, len(test_loader.dataset))


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = criterion(ddp_model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    test()
del ddp_model
dist.destroy_process_group()
