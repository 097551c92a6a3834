"""A model writes captions: its checkpoint tells what the loss is a mean over; texts are padded in each batch."""

import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForVision2Seq, AutoProcessor

processor = AutoProcessor.from_pretrained("Salesforce/blip2-opt-2.7b")
model = AutoModelForVision2Seq.from_pretrained("Salesforce/blip2-opt-2.7b").cuda()
photos = load_dataset("imagefolder", data_dir="photos", split="train")


def together(samples):
    texts = processor.tokenizer([each["caption"] for each in samples], padding=True, return_tensors="pt")
    images = processor.image_processor([each["image"] for each in samples], return_tensors="pt")
    return {"input_ids": texts["input_ids"], "pixel_values": images["pixel_values"]}


loader = DataLoader(photos, batch_size=8, shuffle=True, collate_fn=together)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
model.train()
for epoch in range(3):
    for batch in loader:
        tokens, pixels = batch["input_ids"].cuda(), batch["pixel_values"].cuda()
        outputs = model(input_ids=tokens, pixel_values=pixels, labels=tokens)
        outputs.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
