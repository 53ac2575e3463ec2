#!/usr/bin/env python3
"""Measures faceplay's encoder beside x264 on the same frames in the same run, and what recording does to latency.

usage: encoding.py [--runs N] [--frames N]

x264 is ffmpeg's `libx264 -preset superfast -tune zerolatency -profile:v baseline`: its CPU is that of ffmpeg less that of
the same ffmpeg without an encoder. Subjects take turns; figures are medians over the runs. Fails when our encoder costs
more, or when recording adds more than 1 ms to the 95th percentile from frame to events.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile

from bench import CLIP, RELEASE, run

SIZES = {"640x480": 1_000_000, "1280x720": 2_500_000, "1920x1080": 6_000_000}
BENCHMARK = RELEASE / "EncodingBenchmark"


def source(size, frames):
    width, height = size.split("x")
    scale = f"scale={width}:{height}:force_original_aspect_ratio=increase,crop={width}:{height},format=yuv420p"
    return ["ffmpeg", "-v", "error", "-nostdin", "-i", str(CLIP), "-vf", scale, "-frames:v", str(frames)]


def ours(size, bit_rate, frames):
    """CPU milliseconds a frame and bits a second."""
    feeder = subprocess.Popen(source(size, frames) + ["-f", "rawvideo", "-"], stdout=subprocess.PIPE)
    words = [BENCHMARK, "encode"] + size.split("x") + [str(bit_rate)]
    result = json.loads(subprocess.run(words, stdin=feeder.stdout, stdout=subprocess.PIPE, check=True).stdout)
    feeder.stdout.close()
    feeder.wait()
    return sum(result["encode"]) / len(result["encode"]), result["bytes"] * 8 * 30 / len(result["encode"])


def x264(size, bit_rate, frames):
    rate = ["-b:v", str(bit_rate), "-maxrate", str(bit_rate), "-bufsize", str(bit_rate), "-g", "30"]
    options = ["-c:v", "libx264", "-preset", "superfast", "-tune", "zerolatency", "-profile:v", "baseline"] + rate
    with tempfile.NamedTemporaryFile(suffix=".h264") as file:
        encoded = run(source(size, frames) + options + ["-y", file.name])
        size_in_bytes = len(file.read())
    plain = run(source(size, frames) + ["-f", "null", "-"])
    return (encoded["cpu"] - plain["cpu"]) / frames, size_in_bytes * 8 * 30 / frames


def latency(records):
    with tempfile.TemporaryDirectory() as folder:
        words = [BENCHMARK, "latency", CLIP] + ([f"{folder}/run.mp4"] if records else [])
        return json.loads(run(words)["output"])


def middle(values):
    return statistics.median(values)


def main():
    parser = argparse.ArgumentParser(description="Measure faceplay's encoder beside x264.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--frames", type=int, default=300)
    arguments = parser.parse_args()
    failed = False
    print(
        f"""
## The encoder, and what recording costs

Medians of {arguments.runs} runs in turn with ffmpeg's `libx264 -preset superfast -tune zerolatency -profile:v baseline` on the
same {arguments.frames} frames; both bit rates are those reached.

| encode, CPU ms a frame | openh264 | x264 superfast | Mbit/s |
| --- | --- | --- | --- |"""
    )
    for size, bit_rate in SIZES.items():
        pairs = [(ours(size, bit_rate, arguments.frames), x264(size, bit_rate, arguments.frames))
                 for _ in range(arguments.runs)]
        mine, other = (middle(pair[i][0] for pair in pairs) for i in (0, 1))
        rates = (middle(pair[i][1] for pair in pairs) / 1e6 for i in (0, 1))
        failed |= mine > other
        print(f"| {size} | {mine:.2f} | {other:.2f} | {' · '.join(f'{rate:.2f}' for rate in rates)} |")

    turns = [(latency(False), latency(True)) for _ in range(arguments.runs)]
    print("\n| live, 640x480 at 30 fps | alone | recording |\n| --- | --- | --- |")
    for name, text in (("p50", "frame to events, median ms"), ("p95", "frame to events, 95 % ms")):
        alone, recording = (middle(turn[i][name] for turn in turns) for i in (0, 1))
        print(f"| {text} | {alone:.2f} | {recording:.2f} |")
        failed |= name == "p95" and recording > alone + 1
    alone, recording = (middle(turn[i]["cpu"] / turn[i]["frames"] for turn in turns) for i in (0, 1))
    print(f"| CPU ms a frame, all threads | {alone:.2f} | {recording:.2f} |")
    print(f"| frames not recorded | | {max(turn[1]['dropped'] for turn in turns)} |\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
