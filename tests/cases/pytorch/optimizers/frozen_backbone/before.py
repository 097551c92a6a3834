"""The backbone is frozen before training and only the head is optimised: freezing before the wrapping is right as it stands."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms

tf = transforms.Compose([transforms.Resize(64), transforms.ToTensor()])
loader = DataLoader(datasets.CIFAR10("data", train=True, download=True, transform=tf), batch_size=32, shuffle=True)
model_conv = models.resnet18(weights=None)
for param in model_conv.parameters():
    param.requires_grad = False
num_ftrs = model_conv.fc.in_features
model_conv.fc = nn.Linear(num_ftrs, 10)
criterion = nn.CrossEntropyLoss()
# Only the parameters of the final layer are optimised
optimizer_conv = optim.SGD(model_conv.fc.parameters(), lr=0.001, momentum=0.9)

for epoch in range(2):
    for inputs, labels in loader:
        optimizer_conv.zero_grad()
        criterion(model_conv(inputs), labels).backward()
        optimizer_conv.step()
