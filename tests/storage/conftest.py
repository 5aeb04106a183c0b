"""Fixtures of this folder's tests."""

from tests.storage.fixtures import clock, database

__all__ = ["clock", "database"]
