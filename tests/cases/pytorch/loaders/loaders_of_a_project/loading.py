from torch.utils.data import DataLoader, TensorDataset


def get_loader(
    inputs,
    labels,
    size: int = (32),  # of a batch
):
    return DataLoader(TensorDataset(inputs, labels), size)


def longer(*rows):
    return get_loader(*rows, size=100)
