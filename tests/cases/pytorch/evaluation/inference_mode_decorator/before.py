"""The evaluation function is decorated with @torch.no_grad(): sums are reduced before it returns."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    correct = 0
    for x, y in loader:
        correct += (model(x.to(device)).argmax(-1) == y.to(device)).sum().item()
    return correct / len(loader.dataset)


def main():
    train = DataLoader(TensorDataset(torch.randn(640, 3), torch.randint(0, 2, (640,))), batch_size=64, shuffle=True)
    val = DataLoader(TensorDataset(torch.randn(65, 3), torch.randint(0, 2, (65,))), batch_size=64)
    model = nn.Linear(3, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for epoch in range(3):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(model, val):.3f}")


if __name__ == "__main__":
    main()
