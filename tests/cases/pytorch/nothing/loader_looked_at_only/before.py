"""Goes through a DataLoader to count labels and draw a picture; trains nothing."""
import collections
import matplotlib.pyplot as plt
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

loader = DataLoader(datasets.MNIST("data", download=True, transform=transforms.ToTensor()), batch_size=100, shuffle=True)
counts = collections.Counter()
for images, labels in loader:
    counts.update(labels.tolist())
plt.bar(list(counts), list(counts.values()))
plt.savefig("labels.png")
