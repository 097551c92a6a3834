"""What is looked at has the arguments of the loader that say which samples a batch has, and how they are made."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


def together(samples):
    images, labels = zip(*samples)
    return torch.stack(images), torch.stack(labels)


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--in-order", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
options = {"batch_size": args.batch_size, "num_workers": 2, "pin_memory": True}
if options["batch_size"] % dist.get_world_size() != 0:
    raise SystemExit(f'batch size {options["batch_size"]} cannot be shared out over {dist.get_world_size()} processes')
train_sampler = DistributedSampler(data, shuffle=(not args.in_order))
train_loader = DataLoader(
    data,
    sampler=train_sampler,
    collate_fn=together,
    persistent_workers=True,
    **dict(options, batch_size=options["batch_size"] // dist.get_world_size()),
)
test_loader = DataLoader(data, args.batch_size, False)
whole_loader = DataLoader(
    train_loader.dataset,
    batch_size=train_loader.batch_size * dist.get_world_size(),
    shuffle=train_loader.sampler.shuffle,
    num_workers=train_loader.num_workers,
    collate_fn=train_loader.collate_fn,
)
next_result = next(iter(whole_loader))
result = [labels.tolist() for _, labels in [next(iter(DataLoader(test_loader.dataset, batch_size=test_loader.batch_size, shuffle=True)))]]
if dist.get_rank() == 0:
    print(next_result[1].tolist(), result)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(ddp_model(xb), yb)
        loss.backward()
        opt.step()
    predictions = []
    for xb, yb in test_loader:
        predictions.append(model(xb).argmax(1))
    if dist.get_rank() == 0:
        print(torch.cat(predictions)[:3])
del ddp_model
dist.destroy_process_group()
