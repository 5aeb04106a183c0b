"""`python -m tests.cli.small_files BYTES ARGUMENTS…`: the command line where no file may grow beyond so many bytes."""

from __future__ import annotations

import resource
import signal
import sys

from bot.cli.main import main

if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
    raise SystemExit(main(sys.argv[2:]))
