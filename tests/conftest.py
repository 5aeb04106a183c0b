"""Fixtures that every test module may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The data folder beside the checkout; a loud skip without it, a failure in CI."""
    if SHARED.is_dir():
        return SHARED
    message = "the shared data folder beside the checkout is missing"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
