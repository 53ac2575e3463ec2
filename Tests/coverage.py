#!/usr/bin/env python3
"""Prints line coverage by room from `swift test --show-codecov-path`'s JSON; fails when a pure room is below 90 %."""
import collections
import json
import re
import sys

PURE = {"FaceGeometry", "Gestures", "GestureStream", "Evaluation", "Calibration"}
FLOOR = 90.0

lines = collections.defaultdict(lambda: [0, 0])
with open(sys.argv[1], encoding="utf-8") as file:
    for entry in json.load(file)["data"][0]["files"]:
        room = re.search(r"/Sources/([^/]+)/", entry["filename"])
        if room:
            summary = entry["summary"]["lines"]
            lines[room.group(1)][0] += summary["covered"]
            lines[room.group(1)][1] += summary["count"]

low = []
for room, (covered, count) in sorted(lines.items()):
    share = 100 * covered / count
    if room in PURE and share < FLOOR:
        low.append(room)
    print(f"{room:18}{share:6.1f} % of {count} lines{'  (pure)' if room in PURE else ''}")
if low:
    sys.exit(f"below {FLOOR:.0f} %: {', '.join(low)}")
