"""What Keras' hooks share, whichever Keras it is: numpy only, the arrays and calls of an engine are given."""
