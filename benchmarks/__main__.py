"""`python -m benchmarks`: every benchmark, one after the other, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = ("search", "institutions", "loading", "delivery")


def main() -> int:
    """Run all; 1 when one of them fails."""
    codes = []
    for name in BENCHMARKS:
        print(f"\n== benchmarks.{name}", flush=True)
        codes.append(subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode)  # noqa: S603 - our own modules
    return int(any(codes))


if __name__ == "__main__":
    raise SystemExit(main())
