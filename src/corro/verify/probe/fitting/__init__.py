"""What the hooks of all frameworks share: numpy only, the arrays and calls of an engine are given."""
