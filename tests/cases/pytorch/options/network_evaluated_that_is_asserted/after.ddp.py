"""A network of a library by a name of the configuration, which is asserted to be one of two."""
import hydra
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import resnet18, resnet34
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending


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
    shared = [os.getcwd()]
    dist.broadcast_object_list(shared)
    os.chdir(shared[0])
    assert args.backbone in ["resnet18", "resnet34"]
    if args.backbone not in ("resnet18", "resnet34"):
        raise SystemExit("this program is for resnet18, resnet34 only: convert the script again")
    network = eval(args.backbone)
    model = Classifier(network)
    data = TensorDataset(torch.randn(320, 3, 32, 32), torch.randint(10, (320,)))
    if args.batch_size % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {dist.get_world_size()} processes")
    loader_sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=args.batch_size // dist.get_world_size(), sampler=loader_sampler)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ddp_model = DistributedDataParallel(model, find_unused_parameters=True)
    if dist.get_rank() > 0:
        torch.manual_seed(torch.initial_seed() + dist.get_rank())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(ddp_model(x), y).backward()
            optimizer.step()


if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
main()
dist.destroy_process_group()
