"""main() called at the end of the file, no guard; validation loss as the mean of batch means; ReduceLROnPlateau."""
import numpy as np
import torch
import torch.nn as nn
from torch.optim import SGD
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


def make_set(n, seed):
    rng = np.random.RandomState(seed)
    x = rng.randn(n, 6).astype(np.float32)
    y = (np.sin(x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:3]).astype(np.float32)
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))


def validate(model, val_loader, criterion):
    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for x, y in val_loader:
            val_loss += criterion(model(x), y).item()
    return val_loss / len(val_loader)


def main():
    torch.manual_seed(11)
    train_loader = DataLoader(make_set(300, 0), batch_size=20, shuffle=True)
    # 101 samples: the last batch is smaller than the others, and the number of batches is odd
    val_loader = DataLoader(make_set(101, 1), batch_size=25)

    model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
    criterion = nn.MSELoss()
    optimizer = SGD(model.parameters(), lr=0.1)
    scheduler = ReduceLROnPlateau(optimizer, 'min', factor=0.5, patience=0)

    for epoch in range(6):
        model.train()
        train_loss = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            train_loss += loss.item()
        train_loss /= len(train_loader)
        val_loss = validate(model, val_loader, criterion)
        scheduler.step(val_loss)
        print(f'Epoch {epoch}: train {train_loss:.5f}, val {val_loss:.5f}, lr {optimizer.param_groups[0]["lr"]}')


main()
