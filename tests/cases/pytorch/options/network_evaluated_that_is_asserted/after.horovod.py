"""A network of a library by a name of the configuration, which is asserted to be one of two."""
import hydra
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import resnet18, resnet34
import horovod.torch as hvd
import os
from torch.utils.data.distributed import DistributedSampler


class Classifier(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network(weights=None)
        self.network.fc = nn.Identity()
        self.head = nn.Linear(512, 10)

    def forward(self, x):
        return self.head(self.network(x))


@hydra.main(config_path=".", config_name="settings")
def main(args):
    os.chdir(hvd.broadcast_object(os.getcwd()))
    assert args.backbone in ["resnet18", "resnet34"]
    if args.backbone not in ("resnet18", "resnet34"):
        raise SystemExit("this program is for resnet18, resnet34 only: convert the script again")
    network = eval(args.backbone)
    model = Classifier(network)
    data = TensorDataset(torch.randn(320, 3, 32, 32), torch.randint(10, (320,)))
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    loader_sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=args.batch_size // hvd.size(), sampler=loader_sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() > 0:
        torch.manual_seed(torch.initial_seed() + hvd.rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            hvd.grouped_allreduce_(
                [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
            )
            optimizer.step()


hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
main()
hvd.shutdown()
