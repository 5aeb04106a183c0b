"""What the speed and memory claims of the README are measured with; never part of the tests."""
