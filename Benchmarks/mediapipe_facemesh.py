"""The peer: MediaPipe's FaceMesh with refined landmarks over a clip, measured like Stages/main.swift.

usage: mediapipe_facemesh.py CLIP

Prints one JSON object; times in milliseconds, CPU time of the whole process.
"""

import json
import resource
import sys
import time

import cv2
import mediapipe

imported = time.process_time()  # of which most is Python's import


def cpu():
    return time.process_time() * 1e3


def main():
    cv2.setNumThreads(1)
    clip = cv2.VideoCapture(sys.argv[1])
    begin = time.monotonic()
    mesh = mediapipe.solutions.face_mesh.FaceMesh(max_num_faces=1, refine_landmarks=True)
    loaded = time.monotonic()
    decode, track, first = [], [], None
    while True:
        before = cpu()
        found, picture = clip.read()
        if not found:
            break
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
        decoded, wall = cpu(), time.monotonic()
        mesh.process(picture)
        if first is None:
            first = (time.monotonic() - wall) * 1e3
            continue
        decode.append(decoded - before)
        track.append(cpu() - decoded)
    json.dump(
        {
            "engine": f"MediaPipe {mediapipe.__version__}",
            "load": (loaded - begin) * 1e3,
            "firstFrame": first,
            "decode": decode,
            "track": track,
            "start": imported * 1e3,
            "whole": time.process_time() * 1e3,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
