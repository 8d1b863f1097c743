"""The hosts themselves, with a model of our own making in the place of theirs. `make hosts` runs these; they need the network."""
