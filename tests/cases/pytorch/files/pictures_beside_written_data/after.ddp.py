"""Pictures are read on a path that depends on files; rank 0 has written weights and a table only, and no picture."""

import json
import os

import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.transforms.functional import to_tensor
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
x = torch.randn(320, 64)
loader_data = TensorDataset(x, (x[:, 0] > 0).long())
if 32 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(loader_data)
loader = DataLoader(loader_data, batch_size=32 // dist.get_world_size(), sampler=loader_sampler)
model = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

with open("classes.json" if dist.get_rank() == 0 else os.devnull, "w") as file:
    file.write(json.dumps({"0": "low", "1": "high"}))


def predictions(folder):
    """What the model says of the pictures that a list in the folder names."""
    found = []
    if not os.path.exists(os.path.join(folder, "names.txt")):
        return found
    with open(os.path.join(folder, "names.txt")) as names:
        for line in names.readlines():
            path = os.path.join(folder, line.strip())
            if os.path.exists(path):
                found.append([path, line])
    pictures = [to_tensor(Image.open(path).convert("L")) for path, _ in found]
    with torch.no_grad():
        return [int(model(picture.view(1, -1)).argmax()) for picture in pictures]


ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(dist.get_rank())
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    for inputs, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(ddp_model(inputs), labels).backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "weights-{}.pth".format(epoch))
    predictions_result = predictions("pictures")
    if dist.get_rank() == 0:
        print(predictions_result)
del ddp_model
dist.destroy_process_group()
