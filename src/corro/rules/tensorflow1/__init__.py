"""The rules for sessions of TensorFlow 1; each file but those with an underscore is one."""
