"""The user's .cuda() calls stay: the process's current device is its own GPU."""
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

use_cuda = torch.cuda.is_available()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,))), batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss()
if use_cuda:
    model.cuda()
    criterion = criterion.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        if use_cuda:
            x, y = x.cuda(), y.cuda()
        x, y = Variable(x), Variable(y)
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
