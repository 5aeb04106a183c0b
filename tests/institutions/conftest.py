"""The shipped directory and its resolver, built once a session."""

from __future__ import annotations

import pytest

from bot.institutions.directory import Directory
from bot.institutions.resolver import Resolver


@pytest.fixture(scope="session")
def directory() -> Directory:
    return Directory.shipped()


@pytest.fixture(scope="session")
def resolver(directory: Directory) -> Resolver:
    return Resolver(directory)
