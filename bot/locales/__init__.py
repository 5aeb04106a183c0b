"""locales."""
