"""Commands are tested with the whole bot on the sandbox."""

from tests.herald_fixtures import empty_herald, herald, idle_herald, sample_database

__all__ = ["empty_herald", "herald", "idle_herald", "sample_database"]
