"""A summed loss (VAE: BCE with reduction='sum' plus a summed KL term): averaging would make gradients N times too small."""
import torch
from torch import nn, optim
from torch.nn import functional as F
from torchvision import datasets, transforms
import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler
import torch.distributed.nn  # imported after the start, it would keep the group from ending

if "RANK" not in os.environ:
    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {__file__}")
dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
if torch.cuda.is_available():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if dist.get_rank() == 0:
    datasets.MNIST('../data', train=True, download=True)
dist.barrier()
train_data = datasets.MNIST('../data', train=True, download=True, transform=transforms.ToTensor())
if 128 % dist.get_world_size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {dist.get_world_size()} processes")
train_loader = torch.utils.data.DataLoader(
    train_data,
    batch_size=128 // dist.get_world_size(), sampler=DistributedSampler(train_data))


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(784, 400)
        self.fc21 = nn.Linear(400, 20)
        self.fc22 = nn.Linear(400, 20)
        self.fc3 = nn.Linear(20, 784)

    def forward(self, x):
        h = F.relu(self.fc1(x.view(-1, 784)))
        mu, logvar = self.fc21(h), self.fc22(h)
        std = torch.exp(0.5 * logvar)
        z = mu + torch.randn_like(std) * std
        return torch.sigmoid(self.fc3(z)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 784), reduction='sum')
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)
ddp_model = DistributedDataParallel(model)
if dist.get_rank() > 0:
    torch.manual_seed(1 + dist.get_rank())
for epoch in range(1, 11):
    train_loss = 0
    train_loader.sampler.set_epoch(epoch)
    for batch_idx, (data, _) in enumerate(train_loader):
        data = data.to(device)
        optimizer.zero_grad()
        recon_batch, mu, logvar = ddp_model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        (loss * dist.get_world_size()).backward()
        train_loss += loss.item()
        optimizer.step()
    total = torch.tensor(train_loss, dtype=torch.float64)
    dist.all_reduce(total)
    train_loss = total.item()
    if dist.get_rank() == 0:
        print('====> Epoch: {} Average loss: {:.4f}'.format(epoch, train_loss / train_loader.sampler.total_size))
del ddp_model
dist.destroy_process_group()
