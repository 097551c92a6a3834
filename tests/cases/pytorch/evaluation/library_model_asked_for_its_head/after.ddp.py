"""A model of a library is asked for its head in each fold, and given none: that is no evaluation with dropout on."""
import timm
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import os
import torch.distributed as dist
import warnings
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = timm.create_model("resnet18", pretrained=True)
        width = self.body.get_classifier().in_features
        self.body.reset_classifier(0)
        self.top = nn.Linear(width, 1)

    def forward(self, x):
        return self.top(self.body(x))


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
data = TensorDataset(torch.randn(64, 3, 32, 32), torch.randn(64, 1))
for fold in range(2):
    model = Model()
    if 8 % dist.get_world_size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {dist.get_world_size()} processes")
    loader = DataLoader(data, batch_size=8 // dist.get_world_size(), sampler=DistributedSampler(data))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model)
    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    if dist.get_rank() > 0:
        torch.manual_seed(torch.randint(2**31, ()).item() + dist.get_rank())
    for epoch in range(2):
        model.train()
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(ddp_model(x), y)
            loss.backward()
            optimizer.step()
    del ddp_model
dist.destroy_process_group()
