"""Mixup: each sample is mixed with another one of its batch, which a permutation picks, and the labels likewise."""
import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def mixup_data(x, y, alpha):
    lam = np.random.beta(alpha, alpha) if alpha > 0 else 1
    index = torch.randperm(x.size()[0]).to(x.device)
    return lam * x + (1 - lam) * x[index, :], y, y[index], lam


def mixup_criterion(criterion, pred, y_a, y_b, lam):
    return lam * criterion(pred, y_a) + (1 - lam) * criterion(pred, y_b)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(0)
np.random.seed(0)
loader_data = TensorDataset(torch.randn(96, 16), torch.randint(0, 4, (96,)))
if 16 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=16 // dist.get_world_size(), sampler=loader_sampler)
net = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
    np.random.seed(dist.get_rank())
for epoch in range(2):
    total, correct, seen = 0.0, 0.0, 0
    loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        inputs, targets_a, targets_b, lam = mixup_data(inputs, targets, 1.0)
        inputs, targets_a, targets_b = map(Variable, (inputs, targets_a, targets_b))
        outputs = ddp_net(inputs)
        loss = mixup_criterion(criterion, outputs, targets_a, targets_b, lam)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        predicted = outputs.argmax(1)
        seen += targets.size(0)
        correct += (lam * predicted.eq(targets_a).cpu().sum().float()
                    + (1 - lam) * predicted.eq(targets_b).cpu().sum().float())
    totals = torch.tensor([total, seen], dtype=torch.float64)
    dist.all_reduce(totals)
    total, seen = totals[0].item() / dist.get_world_size(), int(totals[1])
    total_correct = correct.detach().clone().double()
    dist.all_reduce(total_correct)
    correct = total_correct.to(correct.dtype)
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: loss {total / len(loader):.4f}, accuracy {100. * correct / seen:.2f}")
del ddp_net
dist.destroy_process_group()
