"""A parameter of a constructor that is `None` where it is called decides which parameters an object keeps."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler


class Stepper:
    def __init__(self, params, method, rate, only=None):
        self.params = list(params)
        self.method = method
        self.rate = rate
        if only is not None:
            self.params = [only]
        self.make()

    def make(self):
        if self.method == "sgd":
            self.optimizer = hvd.DistributedOptimizer(torch.optim.SGD(self.params, lr=self.rate))
        else:
            self.optimizer = hvd.DistributedOptimizer(torch.optim.Adam(self.params, lr=self.rate))

    def step(self):
        self.optimizer.step()


hvd.init()
torch.manual_seed(0)
x = torch.randn(256, 6)
y = (x.sum(1) > 0).long()
loader_data = TensorDataset(x, y)
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(loader_data, num_replicas=hvd.size(), rank=hvd.rank())
loader = DataLoader(loader_data, batch_size=16 // hvd.size(), sampler=loader_sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
stepper = Stepper(model.parameters(), "sgd", 0.2)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(hvd.rank())
for epoch in range(3):
    loader.sampler.set_epoch(epoch)
    for a, b in loader:
        model.zero_grad()
        criterion(model(a), b).backward()
        stepper.step()
hvd.shutdown()
