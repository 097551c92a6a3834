"""Shares of a batch may differ in size: the loss, and means that are added up or printed, are weighed, sums are not."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x, y = torch.randn(104, 8), torch.randint(0, 3, (104,))


class SharedSampler(Sampler):
    def __init__(self, sampler, batch_size):
        self.sampler, self.batch_size = sampler, batch_size

    def __iter__(self):
        drawn = [list(self.sampler)]
        dist.broadcast_object_list(drawn)
        indices = drawn[0]
        end = len(indices)
        if 0 < end % self.batch_size < dist.get_world_size():
            raise SystemExit("the last batch has fewer samples than there are processes: use drop_last=True")
        return (indices[i] for i in range(end) if i % self.batch_size % dist.get_world_size() == dist.get_rank())

    def __len__(self):
        end = len(self.sampler)
        full, rest = (
            len(range(dist.get_rank(), n, dist.get_world_size())) for n in (self.batch_size, end % self.batch_size)
        )
        return end // self.batch_size * full + rest


loader_data = TensorDataset(x, y)
if 33 < dist.get_world_size():
    raise SystemExit(f"batch size 33 cannot be shared out over {dist.get_world_size()} processes")
loader = DataLoader(
    loader_data,
    batch_size=len(range(dist.get_rank(), 33, dist.get_world_size())),
    sampler=SharedSampler(RandomSampler(loader_data), 33),
)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def share_weight(samples):
    total = torch.tensor([len(samples)], device=samples.device)
    dist.all_reduce(total)
    return len(samples) * dist.get_world_size() / total.item()


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    total, correct, running, losses = 0.0, 0, 0.0, []
    for i, (images, labels) in enumerate(loader):
        weight_ = share_weight(images)
        scores = ddp_model(images)
        loss = F.cross_entropy(scores, labels) + 1e-4 * model.weight.pow(2).sum()
        optimizer.zero_grad()
        (loss * weight_).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(labels)
        correct += (scores.argmax(1) == labels).sum().item()
        running += loss.item() * weight_
        losses.append(loss.item() * weight_)
        if i % 2 == 1:
            totals = torch.tensor([loss.item() * weight_, running / 2], dtype=torch.float64)
            dist.all_reduce(totals)
            mean_loss, mean_running = totals[0].item() / dist.get_world_size(), totals[1].item() / dist.get_world_size()
            if dist.get_rank() == 0:
                print(f"{epoch} {i} {mean_loss:.4f} {mean_running:.4f}")
            running = 0.0
    totals = torch.tensor([total, correct], dtype=torch.float64)
    dist.all_reduce(totals)
    total, correct = totals[0].item(), int(totals[1])
    total_ = torch.tensor(sum(losses) / len(losses), dtype=torch.float64)
    dist.all_reduce(total_)
    mean_losses = total_.item() / dist.get_world_size()
    if dist.get_rank() == 0:
        print(f"{epoch} {total / 104:.4f} {correct / len(loader.dataset):.4f} {mean_losses:.4f}")
del ddp_model
dist.destroy_process_group()
