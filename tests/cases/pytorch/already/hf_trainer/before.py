"""Already distributed: the Trainer of transformers distributes by itself under torchrun."""
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

tokenizer = AutoTokenizer.from_pretrained("bert-base-cased")
dataset = load_dataset("yelp_review_full").map(
    lambda rows: tokenizer(rows["text"], padding="max_length", truncation=True), batched=True)
model = AutoModelForSequenceClassification.from_pretrained("bert-base-cased", num_labels=5)
args = TrainingArguments(output_dir="out", num_train_epochs=3, per_device_train_batch_size=8)
trainer = Trainer(model=model, args=args, train_dataset=dataset["train"], eval_dataset=dataset["test"])
trainer.train()
