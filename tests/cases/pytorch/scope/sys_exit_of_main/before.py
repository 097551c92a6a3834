"""sys.exit(main()): the group ends before the program does."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split
import argparse, os
parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
parser.add_argument("--batch-size", type=int, default=32)

def main():
    args = parser.parse_args()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model = nn.Linear(10, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    first = 0
    if args.resume and os.path.exists("r.pt"):
        state = torch.load("r.pt")
        model.load_state_dict(state["m"]); optimizer.load_state_dict(state["o"]); scheduler.load_state_dict(state["s"])
        first = state["e"]
        print("resumed at", first)
    for epoch in range(first, 4):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        scheduler.step()
        torch.save(dict(m=model.state_dict(), o=optimizer.state_dict(), s=scheduler.state_dict(), e=epoch + 1), "r.pt")

if __name__ == "__main__":
    import sys
    sys.exit(main())
