"""institutions."""
