"""A helper module with a plotting function and a save function; no training in it."""
import os
import matplotlib.pyplot as plt
import torch


def save_checkpoint(model, optimizer, epoch, folder):
    os.makedirs(folder, exist_ok=True)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch},
               os.path.join(folder, f"{epoch}.pt"))


def plot_losses(losses, path):
    plt.plot(losses)
    plt.savefig(path)
    print("saved", path)
