"""`before.py` with Accelerate, by hand: parts are prepared one by one, and each batch is split."""
import torch
from accelerate import Accelerator, DataLoaderConfiguration, skip_first_batches
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

config = DataLoaderConfiguration(split_batches=True)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2, dataloader_config=config)
torch.manual_seed(0)
x = torch.randn(57, 10)
y = (x[:, 0] > 0).long()
train_loader = DataLoader(TensorDataset(x[:44], y[:44]), batch_size=8, shuffle=True)
test_loader = DataLoader(TensorDataset(x[44:], y[44:]), batch_size=16)
model = accelerator.prepare(nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2)))
train_loader = accelerator.prepare(train_loader)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
optimizer = accelerator.prepare(optimizer)

for epoch in range(3):
    model.train()
    batches = skip_first_batches(train_loader, 2) if epoch == 0 else train_loader
    for a, b in batches:
        with accelerator.accumulate(model):
            loss = nn.functional.cross_entropy(model(a), b)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for a, b in test_loader:
            correct += (model(a).argmax(1) == b).sum().item()
    accelerator.print(f"epoch {epoch}: accuracy {correct / 13:.2%}")
accelerator.end_training()
