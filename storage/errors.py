"""What can go wrong with the database, each as a sentence for the operator."""

from __future__ import annotations


class StorageError(Exception):
    """The database can't be used; the text says which file and why."""


class WrongApplicationError(StorageError):
    """The database belongs to another Discord application (rule 20 of the design)."""


class SubscriptionLimitError(StorageError):
    """The person or the channel follows as much as is allowed."""
