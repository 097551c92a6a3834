"""Learn features of digits without labels: two noisy views of each image are to be alike (SimCLR).

Neighbours by these features are of the same class. The data comes with scikit-learn.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

epochs = 20
batch_size = 128
temperature = 0.5


class TwoViews(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.view(self.images[index]), self.view(self.images[index])

    def view(self, image):
        shift = torch.randint(-1, 2, (2,)).tolist()
        return torch.roll(image, shift, dims=(1, 2)) + 0.2 * torch.randn_like(image)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(), nn.Flatten()
        )
        self.projection = nn.Sequential(nn.Linear(288, 64), nn.ReLU(), nn.Linear(64, 32))

    def forward(self, images):
        return F.normalize(self.projection(self.features(images)), dim=1)


class NTXent(nn.Module):
    """The other view of an image is to be found among all views of the batch."""

    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature

    def forward(self, first, second):
        views = torch.cat([first, second])
        size = views.size(0)
        similarity = views @ views.t() / self.temperature
        similarity = similarity.masked_fill(torch.eye(size, dtype=torch.bool, device=views.device), -1e9)
        labels = torch.arange(size, device=views.device).roll(size // 2)
        return F.cross_entropy(similarity, labels)


def main():
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target)
    loader = DataLoader(TwoViews(images[:1400]), batch_size=batch_size, shuffle=True, drop_last=True)
    model = Encoder()
    criterion = NTXent(temperature)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

    for epoch in range(epochs):
        model.train()
        total = 0.0
        for first, second in loader:
            loss = criterion(model(first), model(second))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}")

    model.eval()
    with torch.no_grad():
        features = F.normalize(model.features(images), dim=1)
    similarity = features[1400:] @ features[:1400].t()
    accuracy = (labels[similarity.argmax(1)] == labels[1400:]).float().mean().item()
    print(f"nearest neighbour: {100 * accuracy:.1f} % of the held-out digits are right")


if __name__ == "__main__":
    main()
