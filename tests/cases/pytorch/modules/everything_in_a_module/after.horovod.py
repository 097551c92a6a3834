"""A script that calls the main function of a longer module."""

from program import main
import horovod.torch as hvd
import torch

hvd.init()
main()
hvd.shutdown()
