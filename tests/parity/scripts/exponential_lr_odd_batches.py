"""Numbers that do not divide: 203 training samples in batches of 30, 7 evaluation samples in batches of 4; log file."""
import os

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

BATCH = 30
OUT = 'results'
os.makedirs(OUT, exist_ok=True)
log_file = open(os.path.join(OUT, 'log.csv'), 'w')
log_file.write('epoch,loss,lr\n')

torch.manual_seed(12)
x = torch.randn(210, 5)
y = torch.sigmoid(x.sum(1, keepdim=True))
train_dl = DataLoader(TensorDataset(x[:203], y[:203]), batch_size=BATCH, shuffle=True)
valid_dl = DataLoader(TensorDataset(x[203:], y[203:]), batch_size=4)

model = torch.nn.Sequential(torch.nn.Linear(5, 10), torch.nn.ReLU(), torch.nn.Linear(10, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.5)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)

for epoch in range(3):
    model.train()
    for xb, yb in train_dl:
        loss = F.binary_cross_entropy_with_logits(model(xb), yb)
        loss.backward()
        opt.step()
        opt.zero_grad()
    sched.step()

    model.eval()
    with torch.no_grad():
        valid_loss = sum(F.binary_cross_entropy_with_logits(model(xb), yb) for xb, yb in valid_dl)
    valid_loss = valid_loss.item() / len(valid_dl)
    print(epoch, f'{valid_loss:.6f}', sched.get_last_lr()[0])
    log_file.write(f'{epoch},{valid_loss:.5f},{sched.get_last_lr()[0]:.5f}\n')

log_file.close()
