"""Rules that are the same for several frontends: each folder says which these are."""
