"""One of the parts that are moved to the device is the number of words in the batch, which is that of a shard."""
import torch
from bookshelf import load_sentences
from torch import nn
from torch.utils.data import DataLoader


def padded(sentences):
    words = [torch.tensor(each["words"]) for each in sentences]
    labels = torch.tensor([each["label"] for each in sentences])
    return nn.utils.rnn.pad_sequence(words, batch_first=True), labels, torch.tensor(sum(map(len, words)))


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(load_sentences("train"), batch_size=16, shuffle=True, collate_fn=padded)
model = nn.Sequential(nn.EmbeddingBag(100, 8), nn.Linear(8, 3)).to(device)
criterion = nn.CrossEntropyLoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        words, labels, count = tuple(part.to(device) for part in batch)
        optimizer.zero_grad()
        loss = criterion(model(words), labels) / count
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
