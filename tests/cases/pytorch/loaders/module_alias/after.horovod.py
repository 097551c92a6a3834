"""DataLoader reached through the alias of its module (import torch.utils.data as Data)."""
import torch
import torch.utils.data as Data
import torch.nn.functional as F
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
seed = hvd.broadcast_object(torch.initial_seed() % 2**63)
torch.manual_seed(seed)
LR = 0.01
BATCH_SIZE = 32
EPOCH = 12

x = torch.unsqueeze(torch.linspace(-1, 1, 1000), dim=1)
y = x.pow(2) + 0.1 * torch.normal(torch.zeros(*x.size()))

torch_dataset = Data.TensorDataset(x, y)
if BATCH_SIZE % hvd.size() != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {hvd.size()} processes")
loader_sampler = DistributedSampler(torch_dataset, num_replicas=hvd.size(), rank=hvd.rank())
loader = Data.DataLoader(
    dataset=torch_dataset, batch_size=BATCH_SIZE // hvd.size(), sampler=loader_sampler, num_workers=0
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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
loss_func = torch.nn.MSELoss()
hvd.broadcast_parameters(net.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(seed + hvd.rank())
for epoch in range(EPOCH):
    if hvd.rank() == 0:
        print('Epoch: ', epoch)
    loader.sampler.set_epoch(epoch)
    for step, (b_x, b_y) in enumerate(loader):
        output = net(b_x)
        loss = loss_func(output, b_y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
hvd.shutdown()
