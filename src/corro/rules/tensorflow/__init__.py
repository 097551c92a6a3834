"""The rules for training loops of TensorFlow; each file but those with an underscore is one."""
