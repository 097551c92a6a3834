"""Half precision with a scaler; gradients are unscaled and clipped."""
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32)[:768] / 16
    y = torch.tensor(digits.target)[:768]
    loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
    model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=5)
    for epoch in range(2):
        total, correct = 0.0, 0
        for images, labels in loader:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                output = model(images)
                loss = nn.functional.cross_entropy(output, labels)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            total += loss.item() * len(labels)
            correct += (output.argmax(1) == labels).sum().item()
        print(f"epoch {epoch}: loss {total / len(loader.dataset):.3f}, {correct} right, scale {scaler.get_scale()}")


if __name__ == "__main__":
    main()
