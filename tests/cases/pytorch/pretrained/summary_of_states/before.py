"""A layer of Transformers makes one row of the states of each text, which a class of the script goes on with."""

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import XLNetModel, XLNetPreTrainedModel
from transformers.modeling_utils import SequenceSummary


class Tagger(XLNetPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.transformer = XLNetModel(config)
        self.summary = SequenceSummary(config)
        self.fc = nn.Linear(config.d_model, config.num_labels)

    def forward(self, ids, mask):
        states = self.transformer(ids, attention_mask=mask)[0]
        return self.fc(self.summary(states))


model = Tagger.from_pretrained("xlnet-base-cased", num_labels=6)
loader = DataLoader(torch.load("texts.pt"), batch_size=8, shuffle=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(3):
    for ids, mask, tags in loader:
        loss = criterion(model(ids, mask), tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
