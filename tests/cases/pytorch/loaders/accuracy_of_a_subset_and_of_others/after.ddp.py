"""Accuracy of the training data, drawn by a sampler, and of held-out data by one function that sums up."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def compute_accuracy(model, data_loader):
    correct_pred, num_examples = 0, 0
    cross_entropy = 0.0
    for features, targets in data_loader:
        logits = model(features)
        cross_entropy += F.cross_entropy(logits, targets).item()
        num_examples += targets.size(0)
        correct_pred += (torch.argmax(logits, 1) == targets).sum()
    if isinstance(data_loader.sampler, SharedSampler):
        totals = torch.tensor([float(correct_pred), num_examples, cross_entropy], dtype=torch.float64)
        dist.all_reduce(totals)
        correct_pred, num_examples, cross_entropy = (
            totals[0].long(),
            int(totals[1]),
            totals[2].item() / dist.get_world_size(),
        )
    return correct_pred.float() / num_examples * 100, cross_entropy / num_examples


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(1)
x, y = torch.randn(200, 10), torch.randint(0, 3, (200,))
train_sampler = SubsetRandomSampler(torch.arange(40, 200))


class SharedSampler(Sampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = dist.get_rank() + len(indices)
        return (indices[i % len(indices)] for i in range(dist.get_rank(), end, dist.get_world_size()))

    def __len__(self):
        return (len(self.sampler) + dist.get_world_size() - 1) // dist.get_world_size()


if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
train_loader = DataLoader(
    TensorDataset(x, y), batch_size=16 // dist.get_world_size(), sampler=SharedSampler(train_sampler)
)
test_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=16)
model = torch.nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(2):
    model.train()
    for features, targets in train_loader:
        cost = F.cross_entropy(ddp_model(features), targets)
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        train_acc, train_loss = compute_accuracy(model, train_loader)
        test_acc, test_loss = compute_accuracy(model, test_loader)
    if dist.get_rank() == 0:
        print(f"train {train_acc:.4f} {train_loss:.4f} test {test_acc:.4f} {test_loss:.4f}")
del ddp_model
dist.destroy_process_group()
