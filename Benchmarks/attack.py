#!/usr/bin/env python3
"""Attacks the service while it plays the demo, in each way that its limits are for, and watches a page that behaves.

usage: attack.py [--seconds N] [FACEPLAY]

Fails where, during an attack, fewer than 95 % of the frames a second are analysed that were just before it, where a
limit does not hold, or where the log has not exactly one line of each kind of refusal. Takes about a minute.
Other programs that keep the cores busy spoil the comparison; `chrt --rr 1 Benchmarks/attack.py` keeps them out.
"""

import argparse
import base64
import multiprocessing
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
SHARE = 0.95


class Closed(Exception):
    """The other end is gone; its close status where it said one."""


class Connection:
    """A WebSocket on a bare socket, which can also misbehave."""

    def __init__(self, port, timeout=5):
        self.port = port
        self.buffer = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)

    def request(self, path, host=None, origin=None, method="GET", upgrade=False):
        """Returns the answer's status; 0 where there is none."""
        host = host or f"127.0.0.1:{self.port}"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
        if origin or upgrade:
            lines.append(f"Origin: {origin or 'http://' + host}")
        if upgrade:
            key = base64.b64encode(os.urandom(16)).decode()
            lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        try:
            self.socket.sendall("\r\n".join(lines + ["", ""]).encode())
            while b"\r\n\r\n" not in self.buffer:
                self._fill()
        except (Closed, OSError):
            return 0
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        return int(head.split()[1])

    def send(self, opcode, payload, claimed=None):
        count = len(payload) if claimed is None else claimed
        if count < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | count)
        elif count < 65_536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, count)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, count)
        # A mask of zeros changes nothing.
        self.socket.sendall(head + bytes(4) + payload)

    def message(self):
        """The next message's opcode and payload; pings are answered. Raises Closed at the end."""
        while True:
            head = self._read(2)
            count = head[1] & 0x7F
            if count >= 126:
                count = int.from_bytes(self._read(2 if count == 126 else 8), "big")
            opcode, payload = head[0] & 0x0F, self._read(count)
            if opcode == CLOSE:
                raise Closed(int.from_bytes(payload[:2], "big"))
            if opcode != PING:
                return opcode, payload
            self.send(PONG, payload)

    def close_status(self):
        try:
            while True:
                self.message()
        except Closed as end:
            return end.args[0] if end.args else None
        except OSError:
            return None

    def _read(self, count):
        while len(self.buffer) < count:
            self._fill()
        content, self.buffer = self.buffer[:count], self.buffer[count:]
        return content

    def _fill(self):
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            raise Closed()
        self.buffer += chunk


def requests(status, **words):
    """Asks over and over what is refused."""

    def attack(port, root, until):
        count = 0
        while time.monotonic() < until:
            connection = Connection(port)
            answer = connection.request(words.get("path", root), **{k: v for k, v in words.items() if k != "path"})
            connection.socket.close()
            if answer != status:
                return f"answered {answer}, not {status}"
            count += 1
        return count

    return attack


def breach(status, *frames, times=1):
    """Connects as a page, over and over, and sends what pages must not."""

    def attack(port, root, until):
        count = 0
        while time.monotonic() < until:
            page = Connection(port)
            if (answer := page.request(root + "ws", upgrade=True)) != 101:
                return f"a page was answered {answer}"
            try:
                for _ in range(times):
                    for frame in frames:
                        page.send(*frame)
            except OSError:
                pass  # Closed while we were still talking.
            ended = page.close_status()
            page.socket.close()
            # A connection that is reset under us loses its close frame.
            if ended not in (status, None):
                return f"closed with {ended}, not {status}"
            count += 1
        return count

    return attack


def half_open(port, root, until):
    """Sockets that begin a request and say no more; each that is hung up on is replaced."""
    count, sockets = 0, []
    while time.monotonic() < until:
        while len(sockets) < 150:
            connection = Connection(port)
            try:
                connection.socket.sendall(b"GET / HTTP/1.1\r\nHost:")
            except OSError:
                pass
            sockets.append(connection.socket)
            count += 1
        time.sleep(0.1)
        for each in sockets[:10]:
            each.close()
        sockets = sockets[10:]
    return count


def crowd(port, root, until):
    """200 pages at once, over and over: 31 beside the one that is there get in."""
    count = 0
    while time.monotonic() < until:
        pages = [Connection(port) for _ in range(200)]
        answers = [page.request(root + "ws", upgrade=True) for page in pages]
        for page in pages:
            page.socket.close()
        if answers.count(101) > 31 or any(answer not in (101, 503, 0) for answer in answers):
            return f"{answers.count(101)} of 200 got in, others were answered {set(answers) - {101}}"
        count += len(pages)
        # Those that got in must have left before the next come.
        time.sleep(0.2)
    return count


# One that is followed without an answer: answers that are not read are another limit's.
LOOK_AWAY = b'{"type":"video","on":false}'
# Name, attack, what the log says of it.
ATTACKS = [
    ("wrong Host", requests(403, host="evil.example"), "its Host is not our address"),
    ("wrong Origin", requests(403, origin="http://evil.example"), "its Origin is not our address"),
    ("wrong token", requests(403, path="/0123456789abcdef0123456789abcdef/"), "without this run's token"),
    ("a method that is not GET", requests(405, method="POST"), "is no GET"),
    ("bad UTF-8", breach(1007, (TEXT, b'{"\xff\xfe"}')), "not UTF-8"),
    ("binary data", breach(1003, (BINARY, bytes(16))), "binary data"),
    ("huge frames", breach(1009, (TEXT, b" " * 9000, 1 << 40)), "too large a message"),
    ("floods", breach(1008, (TEXT, LOOK_AWAY), times=2000), "too much at once"),
    ("half-open sockets", half_open, "too many are open"),
    ("200 pages", crowd, "too many are connected"),
]


def perform(index, port, root, until, outcome):
    outcome.put(ATTACKS[index][1](port, root, until))


class GoodPage:
    """Counts the frames that it hears of."""

    def __init__(self, port, root):
        self.connection = Connection(port, timeout=20)
        assert self.connection.request(root + "ws", upgrade=True) == 101
        self.frames, self.end = 0, None
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        try:
            while True:
                _, payload = self.connection.message()
                if payload.startswith(b'{"type":"frame"'):
                    self.frames += 1
        except (Closed, OSError) as end:
            self.end = end



def analysed(port, root):
    """How many frames the pipeline has analysed, and when that was asked; waits until there is room to ask."""
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{root}metrics", timeout=1) as answer:
                text, now = answer.read().decode(), time.monotonic()
            return int(re.search(r"^faceplay_frames_total (\d+)", text, re.MULTILINE)[1]), now
        except OSError:
            time.sleep(0.1)


def attack_all(port, root, seconds):
    """Prints a line for each attack; whether all went well."""
    page, is_well = GoodPage(port, root), True

    def rates(during):
        """Frames a second: analysed, and heard of by the page."""
        (frames, start), heard = analysed(port, root), page.frames
        during()
        heard, (later, end) = page.frames - heard, analysed(port, root)
        return (later - frames) / (end - start), heard / seconds

    time.sleep(1)
    for index, (name, _, _) in enumerate(ATTACKS):
        quiet, quiet_page = rates(lambda: time.sleep(seconds))
        outcome = multiprocessing.Queue()
        until = time.monotonic() + seconds
        process = multiprocessing.Process(target=perform, args=(index, port, root, until, outcome))
        process.start()
        attacked, attacked_page = rates(lambda: time.sleep(max(until - time.monotonic(), 0)))
        result = outcome.get(timeout=60)
        process.join()
        holds = isinstance(result, int) and attacked >= SHARE * quiet and page.end is None
        is_well &= holds
        print(f"{'✓' if holds else '✗'} {name}: {result if isinstance(result, str) else f'{result} times'}; "
              f"{quiet:.1f} frames a second before, {attacked:.1f} during; "
              f"the page heard of {quiet_page:.1f} and {attacked_page:.1f}")
        # Sockets that were left open are hung up on within five seconds.
        if name == "half-open sockets":
            time.sleep(6)
    return is_well


def check_log(text):
    lines = [line for line in text.splitlines() if re.search("refused|closed a page", line)]
    is_well = True
    for name, _, words in ATTACKS:
        count = sum(words in line for line in lines)
        if count != 1:
            is_well = False
            print(f"✗ {name}: {count} lines in the log")
    known = [words for _, _, words in ATTACKS]
    for line in lines:
        if not any(words in line for words in known):
            print(f"  also in the log: {line}")
    return is_well


def main():
    parser = argparse.ArgumentParser(description="Attack the service while it plays the demo.")
    parser.add_argument("program", nargs="?", default=ROOT / ".build/release/faceplay")
    parser.add_argument("--seconds", type=float, default=2.5, help="of each attack, and of quiet before it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Longer than the attacks take: opening a clip again is a gap of its own.
        clip = f"{folder}/demo.mp4"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-stream_loop", "4", "-i", ROOT / "clips/demo.mp4", "-c", "copy", clip], check=True)
        with open(f"{folder}/log", "w+") as log:
            service = subprocess.Popen(
                [arguments.program, "play", "--source", clip, "--port", "0", "--no-open"],
                stdout=subprocess.PIPE, stderr=log, env=dict(os.environ, XDG_DATA_HOME=folder))
            port, root = re.match(r"http://127\.0\.0\.1:(\d+)(/.*/)", service.stdout.readline().decode()).groups()
            try:
                is_well = attack_all(int(port), root, arguments.seconds)
            finally:
                service.terminate()
                status = service.wait(timeout=20)
            log.seek(0)
            is_well &= check_log(log.read())
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    return 0 if is_well and status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
