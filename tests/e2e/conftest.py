"""End to end: the whole bot, the real client, real sockets, against the sandbox."""

from tests.herald_fixtures import empty_herald, herald, idle_herald, sample_database

__all__ = ["empty_herald", "herald", "idle_herald", "sample_database"]
