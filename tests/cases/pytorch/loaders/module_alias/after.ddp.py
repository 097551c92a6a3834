"""DataLoader reached through the alias of its module (import torch.utils.data as Data)."""
import torch
import torch.utils.data as Data
import torch.nn.functional as F
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("gloo")
seed = torch.tensor(torch.initial_seed() % 2**63)
dist.broadcast(seed, src=0)
seed = seed.item()
torch.manual_seed(seed)
LR = 0.01
BATCH_SIZE = 32
EPOCH = 12

x = torch.unsqueeze(torch.linspace(-1, 1, 1000), dim=1)
y = x.pow(2) + 0.1 * torch.normal(torch.zeros(*x.size()))

torch_dataset = Data.TensorDataset(x, y)
if BATCH_SIZE % dist.get_world_size() != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {dist.get_world_size()} processes")
loader_sampler = DistributedSampler(torch_dataset)
loader = Data.DataLoader(
    dataset=torch_dataset, batch_size=BATCH_SIZE // dist.get_world_size(), sampler=loader_sampler, num_workers=0
)


class Net(torch.nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.hidden = torch.nn.Linear(1, 20)
        self.predict = torch.nn.Linear(20, 1)

    def forward(self, x):
        x = F.relu(self.hidden(x))
        x = self.predict(x)
        return x


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=LR, betas=(0.9, 0.99))
loss_func = torch.nn.MSELoss()
ddp_net = DistributedDataParallel(net)
if dist.get_rank() > 0:
    torch.manual_seed(seed + dist.get_rank())
for epoch in range(EPOCH):
    if dist.get_rank() == 0:
        print('Epoch: ', epoch)
    loader.sampler.set_epoch(epoch)
    for step, (b_x, b_y) in enumerate(loader):
        output = ddp_net(b_x)
        loss = loss_func(output, b_y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
del ddp_net
dist.destroy_process_group()
