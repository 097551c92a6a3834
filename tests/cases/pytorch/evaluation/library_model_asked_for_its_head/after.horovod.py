"""A model of a library is asked for its head in each fold, and given none: that is no evaluation with dropout on."""
import timm
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import horovod.torch as hvd
import warnings
from torch.utils.data.distributed import DistributedSampler


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = timm.create_model("resnet18", pretrained=True)
        width = self.body.get_classifier().in_features
        self.body.reset_classifier(0)
        self.top = nn.Linear(width, 1)

    def forward(self, x):
        return self.top(self.body(x))


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 3, 32, 32), torch.randn(64, 1))
for fold in range(2):
    model = Model()
    if 8 % hvd.size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=8 // hvd.size(), sampler=loader_sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    if hvd.rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + hvd.rank())
    for epoch in range(2):
        model.train()
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
hvd.shutdown()
