"""A summed loss (VAE: BCE with reduction='sum' plus a summed KL term): averaging would make gradients N times too small."""
import torch
from torch import nn, optim
from torch.nn import functional as F
from torchvision import datasets, transforms
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

hvd.init()
if torch.cuda.is_available():
    torch.cuda.set_device(hvd.local_rank())
torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if hvd.rank() == 0:
    datasets.MNIST('../data', train=True, download=True)
hvd.barrier()
train_data = datasets.MNIST('../data', train=True, download=True, transform=transforms.ToTensor())
if 128 % hvd.size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
train_sampler = DistributedSampler(train_data, num_replicas=hvd.size(), rank=hvd.rank())
train_loader = torch.utils.data.DataLoader(
    train_data,
    batch_size=128 // hvd.size(), sampler=train_sampler)


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
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters(), op=hvd.Sum)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
if hvd.rank() > 0:
    torch.manual_seed(1 + hvd.rank())
for epoch in range(1, 11):
    train_loss = 0
    train_loader.sampler.set_epoch(epoch)
    for batch_idx, (data, _) in enumerate(train_loader):
        data = data.to(device)
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    total = hvd.allreduce(torch.tensor(train_loss, dtype=torch.float64), op=hvd.Sum)
    train_loss = total.item()
    if hvd.rank() == 0:
        print('====> Epoch: {} Average loss: {:.4f}'.format(epoch, train_loss / train_loader.sampler.total_size))
hvd.shutdown()
