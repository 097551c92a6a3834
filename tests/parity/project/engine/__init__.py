from .loop import evaluate, train
from .net import Net
