#!/usr/bin/env python3
"""Draws docs/track.svg: the live view as a terminal shows it, beside the picture it was made from.

usage: screenshot.py FACEPLAY CLIP SECONDS OUTPUT (needs ffmpeg)"""
import base64
import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import termios

COLUMNS, ROWS, LINE_HEIGHT, PICTURE_WIDTH = 78, 24, 18, 280


def view(program, clip, seconds):
    """The lines on the screen once the clip has played for this long."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(program, [program, "track", clip])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    screen, text = [], b""
    while True:
        text += os.read(terminal, 65536)
        *drawings, text = text.split(b"\x1b[J")
        for drawing in drawings:
            plain = re.sub(r"\x1b\[[0-9?]*[A-Za-z]", "", drawing.decode()).replace("\r", "")
            screen = plain.rstrip("\n").split("\n")
        shown = re.search(r"dropped · ([0-9.]+) s", "\n".join(screen))
        if shown and float(shown.group(1)) >= seconds:
            os.kill(child, 2)
            return screen


def picture(clip, seconds):
    command = ["ffmpeg", "-v", "error", "-ss", str(seconds), "-i", clip, "-frames:v", "1"]
    command += ["-vf", f"scale={PICTURE_WIDTH}:-2", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "4", "-"]
    return base64.b64encode(subprocess.run(command, check=True, capture_output=True).stdout).decode()


def main(program, clip, seconds, output):
    lines = view(program, clip, float(seconds))
    height = max(len(lines) * LINE_HEIGHT, PICTURE_WIDTH * 3 // 4) + 32
    width = PICTURE_WIDTH + 40 + COLUMNS * 8
    rows = "\n".join(
        f'<text x="{PICTURE_WIDTH + 32}" y="{28 + index * LINE_HEIGHT}" xml:space="preserve">{html.escape(line)}</text>'
        for index, line in enumerate(lines))
    with open(output, "w", encoding="utf-8") as file:
        file.write(f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="monospace" font-size="13" fill="#d8e1e8">
<rect width="{width}" height="{height}" rx="8" fill="#14202b"/>
<image x="16" y="16" width="{PICTURE_WIDTH}" height="{PICTURE_WIDTH * 3 // 4}" href="data:image/jpeg;base64,{picture(clip, seconds)}"/>
{rows}
</svg>
""")


if __name__ == "__main__":
    main(*sys.argv[1:])
