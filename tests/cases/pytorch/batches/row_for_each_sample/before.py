"""Lists of its words grow within a sample, which has one row in the batch: the mean is one over samples."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(3)
        self.words = [torch.randint(0, 20, (4 + 3 * (n % 4),), generator=generator).tolist() for n in range(48)]

    def __len__(self):
        return len(self.words)

    def __getitem__(self, index):
        return self.words[index]


def first_words(sentences):
    pairs, following = [], []
    for words in sentences:
        cleaned = []
        for word in words:
            if word != 0:
                cleaned.append(word)
        cleaned += [0, 0, 0]
        if len(cleaned) > 8:
            pairs.append(cleaned[1:3])
        else:
            pairs.append(cleaned[:2])
        following.append(cleaned[2])
    return torch.tensor(pairs), torch.tensor(following)


torch.manual_seed(0)
loader = DataLoader(Sentences(), batch_size=8, shuffle=True, collate_fn=first_words)
model = nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(16, 20))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for pairs, following in loader:
        optimizer.zero_grad()
        loss = criterion(model(pairs), following)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
