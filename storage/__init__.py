"""The only place with SQL: a SQLite file, its migrations, and stores that turn rows into dataclasses.

Promises: one writer behind a lock, every change in a transaction, times in aware UTC.
Leaves to `bot`: what to store and when.
"""
