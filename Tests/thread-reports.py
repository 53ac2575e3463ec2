#!/usr/bin/env python3
"""Judges the thread sanitizer's reports: fails on any but those of two threads that each hold a Mutex.

usage: thread-reports.py FILE...

Swift's Mutex on Linux waits in the kernel, which hands the lock over by itself (futex(2), FUTEX_LOCK_PI): the sanitizer
does not see that the one who waited comes after the one who let go. Both accesses are then below the closures of
`withLock`, whose type is mangled as below.
"""

import re
import sys

LOCKED = re.compile(r"YuYTXEfU\d*_")


def is_handover(report):
    """Whether both accesses, the report's first two stacks, are made under a lock."""
    accesses = re.split(r"\n\s*\n", report)[:2]
    return len(accesses) == 2 and all(LOCKED.search(access) for access in accesses)


def main(paths):
    reports = []
    for path in paths:
        with open(path, errors="replace") as file:
            reports += file.read().split("WARNING: ThreadSanitizer")[1:]
    races = [report for report in reports if not is_handover(report)]
    for race in races:
        print("WARNING: ThreadSanitizer" + race)
    print(f"{len(races)} races; {len(reports) - len(races)} reports of locks handed over by the kernel")
    return 1 if races else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
