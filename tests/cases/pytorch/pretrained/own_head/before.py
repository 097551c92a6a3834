"""A class of the script, derived from one of Transformers, uses a part of what its model gives."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import BertModel, BertPreTrainedModel


class Classifier(BertPreTrainedModel):
    def __init__(self, config, labels):
        super().__init__(config)
        self.bert = BertModel(config)
        self.fc = nn.Linear(config.hidden_size, labels)

    def forward(self, ids, mask):
        states = self.bert(ids, attention_mask=mask)[0]
        return self.fc(states[:, 0])


model = Classifier.from_pretrained("bert-base-uncased", labels=4)
loader = DataLoader(torch.load("texts.pt"), batch_size=8, shuffle=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for ids, mask, labels in loader:
        loss = criterion(model(ids, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
