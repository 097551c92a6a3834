"""Frontends recognise what a script is; each understands one framework."""
