"""The hosts themselves, with a model of our own in the place of theirs. `make test-hosts` runs these; they need the network."""
