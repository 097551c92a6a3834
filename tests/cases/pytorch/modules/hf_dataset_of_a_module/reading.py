from datasets import load_dataset
from torch.utils.data import DataLoader


def make_loader():
    dataset = load_dataset("ag_news", split="train").with_format("torch", columns=["label"])
    return DataLoader(dataset, batch_size=32, shuffle=True)
