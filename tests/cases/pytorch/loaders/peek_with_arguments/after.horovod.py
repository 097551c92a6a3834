"""What is looked at has the arguments of the loader that say which samples a batch has, and how they are made."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


def together(samples):
    images, labels = zip(*samples)
    return torch.stack(images), torch.stack(labels)


hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--in-order", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(64, 4); y = (x.sum(1) > 0).long()
data = TensorDataset(x, y)
options = {"batch_size": args.batch_size, "num_workers": 2, "pin_memory": True}
if options["batch_size"] % hvd.size() != 0:
    raise SystemExit(f'batch size {options["batch_size"]} cannot be shared out over {hvd.size()} processes')
train_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=(not args.in_order))
train_loader = DataLoader(
    data,
    sampler=train_sampler,
    collate_fn=together,
    persistent_workers=True,
    **dict(options, batch_size=options["batch_size"] // hvd.size()),
)
test_loader = DataLoader(data, args.batch_size, False)
whole_loader = DataLoader(
    train_loader.dataset,
    batch_size=train_loader.batch_size * hvd.size(),
    shuffle=train_loader.sampler.shuffle,
    num_workers=train_loader.num_workers,
    collate_fn=train_loader.collate_fn,
)
next_result = next(iter(whole_loader))
result = [labels.tolist() for _, labels in [next(iter(DataLoader(test_loader.dataset, batch_size=test_loader.batch_size, shuffle=True)))]]
if hvd.rank() == 0:
    print(next_result[1].tolist(), result)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt = hvd.DistributedOptimizer(opt, named_parameters=model.named_parameters())
crit = nn.CrossEntropyLoss()
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(2):
    train_loader.sampler.set_epoch(epoch)
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    predictions = []
    for xb, yb in test_loader:
        predictions.append(model(xb).argmax(1))
    if hvd.rank() == 0:
        print(torch.cat(predictions)[:3])
hvd.shutdown()
