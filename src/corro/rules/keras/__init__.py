"""The rules for Keras; each file but those with an underscore is one."""
