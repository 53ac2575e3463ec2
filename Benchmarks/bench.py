#!/usr/bin/env python3
"""Measures faceplay beside MediaPipe's FaceMesh (refined landmarks) on the same clip in the same run.

usage: bench.py [--write FILE | --check FILE] [--runs N]

--write replaces the Markdown page FILE; --check compares with the thresholds in the JSON file FILE and fails above one.
Both programs run in turn, several times; figures are medians over the runs. Run by `make bench` and `make bench-check`,
which build what is measured and install the peer in .build/bench-venv.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / ".build/release"
CLIP = ROOT / "clips/demo.mp4"
PEER = "MediaPipe"
STAGES = {
    "decode": "decode",
    "track": "track: crop, networks, 478 points",
    "recognise": "recognise: events",
    "search": "search a picture without a face",
}


def run(command):
    """Runs a program to its end: standard output, wall and CPU milliseconds, MiB at most."""
    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"bench.py: {' '.join(map(str, command))} failed with status {process.returncode}")
        output.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return {"output": output.read(), "wall": wall * 1e3, "cpu": cpu * 1e3, "memory": usage.ru_maxrss / 1024}


def stages(engine, instructions=None):
    words = [RELEASE / "StageBenchmark", CLIP, ROOT / "models", engine] + ([instructions] if instructions else [])
    return json.loads(run(words)["output"])


def export(engine):
    with tempfile.TemporaryDirectory() as folder:
        return run([RELEASE / "faceplay", "export", CLIP, "-o", f"{folder}/out.jsonl", "--engine", engine])


def peer():
    words = [ROOT / ".build/bench-venv/bin/python", ROOT / "Benchmarks/mediapipe_facemesh.py", CLIP]
    return json.loads(run(words)["output"])


def instruction_sets():
    """The ones this CPU has, plainest first, as StageBenchmark names them."""
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    return ["baseline"] + [name for name, flag in (("avx2", "avx2"), ("avx512", "avx512bw")) if flag in flags]


def measure(runs):
    """All figures of all runs: {subject: [figures of a run]}; subjects take turns, so that all meet the same disturbance."""
    results = {}
    for number in range(runs):
        print(f"run {number + 1} of {runs}", file=sys.stderr)
        results.setdefault(PEER, []).append(peer())
        for name in instruction_sets():
            results.setdefault(name, []).append(stages("fused", name))
        results.setdefault("dnn", []).append(stages("dnn"))
        for engine in ("fused", "dnn"):
            results.setdefault(f"export {engine}", []).append(export(engine))
        results.setdefault("help", []).append(run([RELEASE / "faceplay", "--help"]))
    return results


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def typical(results, subject, figure):
    """The median over the runs of `figure`, a key or a function of one run's figures."""
    pick = figure if callable(figure) else lambda run: run[figure]
    return statistics.median(pick(run) for run in results[subject])


def stage(results, subject, name, share=0.5):
    return typical(results, subject, lambda run: percentile(run[name], share))


def tracked_frame(results, subject):
    """CPU of a frame from crop to events, decoding left out."""
    return stage(results, subject, "track") + (stage(results, subject, "recognise") if subject != PEER else 0)


def ready(results, subject):
    return typical(results, subject, lambda run: run["load"] + run["firstFrame"])


def without_start(results):
    """CPU of an export without what any command costs: loading the program. The peer's import is left out as well."""
    return typical(results, "export fused", "cpu") - typical(results, "help", "cpu")


def measured_against_thresholds(results):
    """{threshold's name: figure}; ratios are ours over the peer's."""
    ratios = {
        "tracked frame": tracked_frame(results, instruction_sets()[-1]) / tracked_frame(results, PEER),
        "whole export": without_start(results) / typical(results, PEER, lambda run: run["whole"] - run["start"]),
        "memory": typical(results, "export fused", "memory") / typical(results, PEER, "memory"),
    }
    return {"ratios": ratios, "milliseconds": {"load and first frame": ready(results, instruction_sets()[-1])}}


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def table(header, rows):
    lines = [header, ["---"] * len(header)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def page(results, runs):
    subjects = instruction_sets()[::-1] + ["dnn", PEER]
    names = [results[subject][0]["engine"] for subject in subjects]

    def cell(subject, name):
        if name not in results[subject][0]:
            return "–"
        return f"{stage(results, subject, name):.2f} · {stage(results, subject, name, 0.95):.2f}"

    stage_rows = [[text] + [cell(subject, name) for subject in subjects] for name, text in STAGES.items()]
    frame_row = ["**tracked frame**"] + [f"**{tracked_frame(results, subject):.2f}**" for subject in subjects]
    ready_row = ["load and first frame, wall"] + [f"{ready(results, subject):.0f}" for subject in subjects]

    def whole(name, subject, cpu):
        frames = len(results[PEER][0]["track"]) + 1
        spent = typical(results, subject, cpu)
        return [name, f"{spent / 1e3:.2f}", f"{spent / frames:.2f}", f"{typical(results, subject, 'memory'):.0f}"]

    limits = json.loads((ROOT / "Benchmarks/thresholds.json").read_text())
    measured = measured_against_thresholds(results)
    limit_rows = [
        [name + (", ms" if kind == "milliseconds" else ""), f"{figure:.2f}", f"{limits[kind][name]}"]
        for kind, figures in measured.items()
        for name, figure in figures.items()
    ]
    return f"""# Benchmarks

`make bench` writes this page. {processor()}; Linux {platform.release()}; {runs} runs in turn with MediaPipe 0.10.14's
FaceMesh (`refine_landmarks=True`, one face) in Python, medians over the runs. The clip is `clips/demo.mp4`, 640×480, 840
frames, H.264. CPU time counts all threads.

## A frame, CPU ms: median · 95th percentile

{table(["stage"] + names, stage_rows + [frame_row, ready_row])}

A tracked frame goes from crop to events, decoding left out. The fused engine is shown with each of the CPU's instruction
sets forced; MediaPipe has its own best ones.

## A whole clip, decoding included

{table(["", "CPU s", "CPU ms a frame", "MiB"], [
    whole("`faceplay export`", "export fused", "cpu"),
    whole("`faceplay export --engine dnn`", "export dnn", "cpu"),
    whole("MediaPipe", PEER, "whole"),
])}

Of this, loading the program is {typical(results, "help", "cpu") / 1e3:.2f} s (`faceplay --help`) and Python's import of MediaPipe
{typical(results, PEER, "start") / 1e3:.2f} s; the ratio below leaves both out.

## Ratios to MediaPipe, and what `make bench-check` allows

{table(["", "measured", "at most"], limit_rows)}
"""


def check(results, path):
    limits = json.loads(pathlib.Path(path).read_text())
    failed = False
    for kind, figures in measured_against_thresholds(results).items():
        for name, figure in figures.items():
            is_met = figure <= limits[kind][name]
            failed |= not is_met
            print(f"{'✓' if is_met else '✗'} {name} ({kind}): {figure:.3f}, at most {limits[kind][name]}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description="Measure faceplay beside MediaPipe's FaceMesh.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", metavar="FILE")
    what.add_argument("--check", metavar="FILE")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    results = measure(arguments.runs)
    if arguments.check:
        return check(results, arguments.check)
    pathlib.Path(arguments.write).write_text(page(results, arguments.runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
