"""The loader is iterated through tqdm: the sampler is still the loader's, the bar is shown once."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from tqdm import tqdm

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_loader = DataLoader(
    datasets.CIFAR10("data", train=True, download=True, transform=transforms.ToTensor()),
    batch_size=128,
    shuffle=True,
    num_workers=2,
)
model = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 10)
).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    loop = tqdm(train_loader, desc=f"Epoch {epoch + 1}", leave=False)
    for images, labels in loop:
        images, labels = images.to(device), labels.to(device)
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loop.set_postfix(loss=loss.item())
