"""A project: the graph is made in a module and run in another; the script puts them together."""

import os

from digits.graph import Graph
from digits.rows import load
from digits.training import train
import horovod.tensorflow as hvd


def main():
    os.makedirs("runs", exist_ok=True)
    graph = Graph(6, 3)
    error = train(graph, load(), epochs=3)
    if hvd.rank() == 0:
        print("error", round(float(error), 4))


if __name__ == "__main__":
    hvd.init()
    main()
