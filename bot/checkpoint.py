"""Named points of the pipeline, at which the kill test ends the process.

Promises: nothing happens there in the product. Leaves to the tests: what to do where.
"""

from __future__ import annotations

from collections.abc import Callable

Checkpoint = Callable[[str], None]


def nothing(_name: str) -> None:
    """What the product does at a checkpoint."""
