"""Trains a model, and keeps the best one."""

import os

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR


class Trainer:
    """Holds all that one training needs."""

    def __init__(self, config, model, train_loader, test_loader):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_loader = train_loader
        self.test_loader = test_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=config.lr, momentum=config.momentum)
        self.scheduler = CosineAnnealingLR(self.optimizer, T_max=config.epochs)
        self.best = 0.0
        os.makedirs(config.folder, exist_ok=True)

    def fit(self):
        """Train for all epochs."""
        for epoch in range(1, self.config.epochs + 1):
            loss = self.train_epoch()
            accuracy = self.evaluate()
            self.scheduler.step()
            print(f"epoch {epoch:2d}  loss {loss:.4f}  accuracy {accuracy:.2%}")
            if accuracy > self.best:
                self.best = accuracy
                self.save(epoch)
        print(f"best accuracy {self.best:.2%}")

    def train_epoch(self):
        """One pass over the training data; the mean loss."""
        self.model.train()
        total, count = 0.0, 0
        for images, labels in self.train_loader:
            images, labels = images.to(self.device), labels.to(self.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(images), labels)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(labels)
            count += len(labels)
        return total / count

    @torch.no_grad()
    def evaluate(self):
        """The accuracy on the held-out data."""
        self.model.eval()
        correct = 0
        for images, labels in self.test_loader:
            images, labels = images.to(self.device), labels.to(self.device)
            correct += (self.model(images).argmax(1) == labels).sum().item()
        return correct / len(self.test_loader.dataset)

    def save(self, epoch):
        """Keep these weights as the best so far."""
        path = os.path.join(self.config.folder, "best.pt")
        torch.save({"epoch": epoch, "accuracy": self.best, "model": self.model.state_dict()}, path)
