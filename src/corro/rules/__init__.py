"""Rules: one concern a file, found by themselves."""
