def count_hits(logits, labels):
    return (logits.argmax(dim=1) == labels).sum().item()
