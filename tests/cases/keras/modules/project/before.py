"""A project: data, model and training each in a module of a package, which also draw, write and print."""

import argparse

from shop.data import CLASSES, load
from shop.train import train


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--out", default="runs")
    args = parser.parse_args()
    data = load()
    model = train(data, CLASSES, args.epochs, args.out)
    print(model.evaluate(*data.test, verbose=0))


if __name__ == "__main__":
    main()
