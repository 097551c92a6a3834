"""What is done by default does not train: what is left out is another option that stands in the way, not the training."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
parser = argparse.ArgumentParser()
parser.add_argument("--do_train", action="store_true")
parser.add_argument("--pretrained", action="store_true")
args = parser.parse_args()
torch.manual_seed(0)
if args.pretrained:
    raise SystemExit("this program is for the default of --pretrained only")
    model = torch.load("model.pt")
else:
    model = nn.Linear(10, 1)
if args.do_train:
    loader_data = TensorDataset(torch.randn(640, 10), torch.randn(640, 1))
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(hvd.rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    if hvd.rank() == 0:
        torch.save(model, "model.pt")
hvd.shutdown()
