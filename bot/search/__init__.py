"""Paper search that forgives typing and never guesses."""
