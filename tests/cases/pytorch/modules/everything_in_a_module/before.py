"""A script that calls the main function of a longer module."""

from program import main

main()
