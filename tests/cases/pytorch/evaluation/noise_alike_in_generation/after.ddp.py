"""All processes draw the same batches, so also the same noise where the model goes on in training mode after training."""
import torch
from torch import nn
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
torch.manual_seed(0)
data = torch.randint(0, 10, (500,))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 16)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(16, 10)

    def forward(self, x):
        return self.out(self.drop(self.table(x)))


def batch(size):
    start = torch.randint(0, len(data) - 9, (size,))
    x = torch.stack([data[i : i + 8] for i in start])
    y = torch.stack([data[i + 1 : i + 9] for i in start])
    return x, y


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def share_rows(batch):
    if len(batch) % dist.get_world_size() != 0:
        raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
    rows = len(batch) // dist.get_world_size()
    return batch[dist.get_rank() * rows :][:rows]


ddp_model = DistributedDataParallel(model)
for step in range(30):
    x, y = map(share_rows, batch(16))
    optimizer.zero_grad()
    logits = ddp_model(x)
    nn.functional.cross_entropy(logits.view(-1, 10), y.view(-1)).backward()
    optimizer.step()

written = torch.zeros((1, 1), dtype=torch.long)
for _ in range(20):
    following = model(written)[:, -1, :].argmax(dim=-1, keepdim=True)
    written = torch.cat((written, following), dim=1)
if dist.get_rank() == 0:
    print(written[0].tolist())
del ddp_model
dist.destroy_process_group()
