"""'cuda:0' in a help text and .cuda of the user's own object are left alone."""
import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Notes:
    cuda = "the first GPU is called cuda:0"

    def to(self, device):
        return "note for " + device


hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
parser = argparse.ArgumentParser(description="Trains on the CPU; cuda:0 and nn.DataParallel are not used.")
args = parser.parse_args()
Notes_result = Notes()
if hvd.rank() == 0:
    print(Notes.cuda, Notes_result.to("cuda:0"))
torch.manual_seed(0)
loader_data = TensorDataset(torch.randn(320, 10), torch.randn(320, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=32 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(10, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
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
hvd.shutdown()
