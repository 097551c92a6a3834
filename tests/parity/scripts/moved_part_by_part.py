"""A function moves whatever it is given, part by part, and a loader's batches go through it: steps are methods."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Digits(Dataset):
    def __init__(self):
        images, self.labels = load_digits(return_X_y=True)
        self.images = torch.tensor(images[:960] / 16, dtype=torch.float32)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def get_default_device():
    if torch.cuda.is_available():
        return torch.device("cuda")
    else:
        return torch.device("cpu")


def to_device(data, device):
    """Move tensors to the chosen device."""
    if isinstance(data, (list, tuple)):
        return [to_device(x, device) for x in data]
    elif isinstance(data, dict):
        return {key: to_device(value, device) for key, value in data.items()}
    return data.to(device, non_blocking=True)


class DeviceDataLoader:
    def __init__(self, dl, device):
        self.dl = dl
        self.device = device

    def __iter__(self):
        for b in self.dl:
            yield to_device(b, self.device)

    def __len__(self):
        return len(self.dl)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

    def forward(self, images):
        return self.layers(images)

    def training_step(self, batch):
        images, labels = batch
        return F.cross_entropy(self(images), labels)

    def validation_step(self, batch):
        images, labels = batch
        out = self(images)
        right = torch.tensor(torch.sum(out.argmax(dim=1) == labels).item() / len(labels))
        return {"val_loss": F.cross_entropy(out, labels).detach(), "val_acc": right}

    def validation_epoch_end(self, outputs):
        loss = torch.stack([x["val_loss"] for x in outputs]).mean()
        right = torch.stack([x["val_acc"] for x in outputs]).mean()
        return {"val_loss": loss.item(), "val_acc": right.item()}


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    outputs = [model.validation_step(batch) for batch in loader]
    return model.validation_epoch_end(outputs)


def fit(epochs, rate, model, train_loader, val_loader, opt_func=torch.optim.SGD):
    optimizer = opt_func(model.parameters(), rate)
    for epoch in range(epochs):
        model.train()
        losses = []
        for batch in train_loader:
            loss = model.training_step(batch)
            losses.append(loss)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        result = evaluate(model, val_loader)
        result["train_loss"] = torch.stack(losses).mean().item()
        print(f"epoch {epoch}: {result['train_loss']:.5f} {result['val_loss']:.5f} {result['val_acc']:.4f}")


torch.manual_seed(43)
train_ds, val_ds = random_split(Digits(), [720, 240])
device = get_default_device()
train_loader = DeviceDataLoader(DataLoader(train_ds, 48, shuffle=True), device)
val_loader = DeviceDataLoader(DataLoader(val_ds, 96), device)
model = to_device(Classifier(), device)
fit(3, 0.5, model, train_loader, val_loader)
