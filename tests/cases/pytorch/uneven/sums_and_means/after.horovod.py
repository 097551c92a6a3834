"""Shares of a batch may differ in size: the loss, and means that are added up or printed, are weighed, sums are not."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data import RandomSampler
from torch.utils.data import Sampler

hvd.init()
torch.manual_seed(0)
x, y = torch.randn(104, 8), torch.randint(0, 3, (104,))


class SharedSampler(Sampler):
    def __init__(self, sampler, batch_size):
        self.sampler, self.batch_size = sampler, batch_size

    def __iter__(self):
        indices = hvd.broadcast_object(list(self.sampler))
        end = len(indices)
        if 0 < end % self.batch_size < hvd.size():
            raise SystemExit("the last batch has fewer samples than there are processes: use drop_last=True")
        return (indices[i] for i in range(end) if i % self.batch_size % hvd.size() == hvd.rank())

    def __len__(self):
        end = len(self.sampler)
        full, rest = (len(range(hvd.rank(), n, hvd.size())) for n in (self.batch_size, end % self.batch_size))
        return end // self.batch_size * full + rest


loader_data = TensorDataset(x, y)
if 33 < hvd.size():
    raise SystemExit(f"batch size 33 cannot be shared out over {hvd.size()} processes")
loader = DataLoader(
    loader_data,
    batch_size=len(range(hvd.rank(), 33, hvd.size())),
    sampler=SharedSampler(RandomSampler(loader_data), 33),
)
model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def share_weight(samples):
    total = hvd.allreduce(torch.tensor([len(samples)], device=samples.device), op=hvd.Sum)
    return len(samples) * hvd.size() / total.item()


hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    total, correct, running, losses = 0.0, 0, 0.0, []
    for i, (images, labels) in enumerate(loader):
        weight_ = share_weight(images)
        scores = model(images)
        loss = F.cross_entropy(scores, labels) + 1e-4 * model.weight.pow(2).sum()
        optimizer.zero_grad()
        (loss * weight_).backward()
        optimizer.synchronize()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        with optimizer.skip_synchronize():
            optimizer.step()
        total += loss.item() * len(labels)
        correct += (scores.argmax(1) == labels).sum().item()
        running += loss.item() * weight_
        losses.append(loss.item() * weight_)
        if i % 2 == 1:
            totals = hvd.allreduce(torch.tensor([loss.item() * weight_, running / 2], dtype=torch.float64), op=hvd.Sum)
            mean_loss, mean_running = totals[0].item() / hvd.size(), totals[1].item() / hvd.size()
            if hvd.rank() == 0:
                print(f"{epoch} {i} {mean_loss:.4f} {mean_running:.4f}")
            running = 0.0
    totals = hvd.allreduce(torch.tensor([total, correct], dtype=torch.float64), op=hvd.Sum)
    total, correct = totals[0].item(), int(totals[1])
    total_ = hvd.allreduce(torch.tensor(sum(losses) / len(losses), dtype=torch.float64), op=hvd.Sum)
    mean_losses = total_.item() / hvd.size()
    if hvd.rank() == 0:
        print(f"{epoch} {total / 104:.4f} {correct / len(loader.dataset):.4f} {mean_losses:.4f}")
hvd.shutdown()
