"""Rules for every framework."""

FRONTENDS = ("keras", "pytorch", "tensorflow", "tensorflow1")
