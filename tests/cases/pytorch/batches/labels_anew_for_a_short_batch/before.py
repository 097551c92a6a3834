"""Labels of the batch size are made before each epoch, and anew for a last batch that is shorter."""
import torch
from torch import nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

batch_size = 16
loader = DataLoader(TensorDataset(torch.randn(104, 6)), batch_size=batch_size, shuffle=True)
model = nn.Sequential(nn.Linear(6, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.BCELoss()
for epoch in range(3):
    real = torch.ones(batch_size)
    fake = torch.zeros(batch_size)
    real, fake = Variable(real), Variable(fake)
    for (x,) in loader:
        mini_batch = x.size()[0]
        if mini_batch != batch_size:
            real = torch.ones(mini_batch)
            fake = torch.zeros(mini_batch)
            real, fake = Variable(real), Variable(fake)
        optimizer.zero_grad()
        noise = torch.randn(mini_batch, 6)
        loss = criterion(model(x).squeeze(), real) + criterion(model(noise).squeeze(), fake)
        loss.backward()
        optimizer.step()
