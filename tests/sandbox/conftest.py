"""The sandbox's own tests use its fixtures."""

from tests.sandbox_fixtures import bench, clock, demo, sandbox

__all__ = ["bench", "clock", "demo", "sandbox"]
