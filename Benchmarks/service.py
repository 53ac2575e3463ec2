#!/usr/bin/env python3
"""Measures the whole service: the demo clip as a camera of 30 frames a second, headless Chromium as the page that plays.

usage: service.py [--runs N] [--seconds N] [FACEPLAY]

Prints Markdown: medians over the runs, each with the machine's load at the time. Needs chromium, chromium-driver,
python3-selenium and ffmpeg. The page is not changed: a script put before it listens to what it hears and looks at what it
has drawn. All clocks are CLOCK_MONOTONIC: the page's is set against this program's by the quickest of many exchanges, and
half of that exchange's time is the error that is told.

Where other programs keep the cores busy they are measured, too; `chrt --rr 1 Benchmarks/service.py` keeps them out.
"""

import argparse
import contextlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from bench import CLIP, RELEASE, percentile, table

WIDTH, HEIGHT, RATE = 640, 480, 30
# The number of a frame: a white and a black block to find the levels by, then the number's bits, highest first.
BITS, BLOCK = 14, 40
LIMITS = {"reaction": 50, "glass": 80, "cpu": 35}

# Before the page's own scripts. `frames`: when what the page drew of each frame was on its way to the screen: the end of
# the next animation frame. `jumps`: the same of the first world with a jump in it. `pictures`: the first such end at which
# a canvas shows a frame's number.
WATCH = """
(() => {
  const bench = (window.bench = { frames: [], purses: [], jumps: [], pictures: {}, reads: false });
  const Socket = WebSocket;
  let heard = [], scheduled = false;
  const after = new MessageChannel();
  let atEnd = [];
  after.port1.onmessage = () => {
    const now = performance.now();
    for (const act of atEnd) act(now);
    atEnd = [];
  };
  const whenDrawn = (act) => {
    heard.push(act);
    if (scheduled) return;
    scheduled = true;
    // The message is handled after this frame's drawing, the page's and the browser's.
    requestAnimationFrame(() => {
      scheduled = false;
      atEnd.push(...heard);
      heard = [];
      after.port2.postMessage(0);
    });
  };
  let jumpedAt = 0;
  window.WebSocket = class extends Socket {
    constructor(...words) {
      super(...words);
      window.benchSocket = this;
      this.addEventListener("message", ({ data }) => {
        if (typeof data !== "string") return;
        const message = JSON.parse(data);
        if (message.type === "frame") {
          const { n, t } = message;
          whenDrawn((shown) => bench.frames.push({ n, t, shown }));
        } else if (message.type === "event" && message.event === "purse" && message.phase === "begin") {
          bench.purses.push(message.t);
        } else if (message.type === "world") {
          bench.phase = message.world.phase;
          const jump = message.world.players[0].jumpedAt, purse = bench.purses.at(-1);
          if (jump > jumpedAt && purse !== undefined) whenDrawn((shown) => bench.jumps.push({ t: purse, shown }));
          jumpedAt = jump;
        }
      });
    }
  };
  const read = () => {
    requestAnimationFrame(read);
    if (!bench.reads) return;
    const canvas = document.querySelector("#pip canvas");
    if (!canvas || canvas.width < 100) return;
    const row = canvas.getContext("2d").getImageData(0, Math.round(canvas.height * BAR_Y), canvas.width, 1).data;
    const block = (index) => row[4 * Math.round(((index + 0.5) * BLOCK / WIDTH) * canvas.width) + 1];
    const [white, black] = [block(0), block(1)];
    if (white - black < 100) return;
    let number = 0;
    for (let bit = 0; bit < BITS; bit++) number = 2 * number + (block(2 + bit) > (white + black) / 2 ? 1 : 0);
    if (bench.pictures[number] !== undefined) return;
    bench.pictures[number] = null;
    atEnd.push((now) => { bench.pictures[number] = now; });
    after.port2.postMessage(0);
  };
  requestAnimationFrame(read);
})();
"""


def numbered_clip(path):
    """The demo clip three times over, longer than a run, with each frame's number drawn along its lower edge."""
    size = WIDTH * HEIGHT * 3 // 2
    reader = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-stream_loop", "2", "-i", CLIP, "-vf", f"scale={WIDTH}:{HEIGHT}", "-pix_fmt", "yuv420p",
         "-f", "rawvideo", "-"], stdout=subprocess.PIPE)
    writer = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE),
         "-i", "-", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "18", path], stdin=subprocess.PIPE)
    number = 0
    while len(picture := bytearray(reader.stdout.read(size))) == size:
        blocks = [1, 0] + [number >> bit & 1 for bit in reversed(range(BITS))]
        row = b"".join(bytes([235 if block else 16]) * BLOCK for block in blocks)
        for y in range(HEIGHT - BLOCK, HEIGHT):
            picture[y * WIDTH:(y + 1) * WIDTH] = row
        for plane in range(2):
            start = WIDTH * HEIGHT + plane * WIDTH * HEIGHT // 4 + WIDTH // 2 * (HEIGHT - BLOCK) // 2
            picture[start:start + WIDTH // 2 * BLOCK // 2] = bytes([128]) * (WIDTH // 2 * BLOCK // 2)
        writer.stdin.write(picture)
        number += 1
    writer.stdin.close()
    if reader.wait() != 0 or writer.wait() != 0:
        sys.exit("service.py: ffmpeg failed")


class Faceplay:
    """The service as a process of its own, with its files in a folder of its own."""

    def __init__(self, program, clip, folder):
        environment = dict(os.environ, XDG_DATA_HOME=folder)
        environment.pop("DISPLAY", None)
        self.process = subprocess.Popen(
            [program, "play", "--source", clip, "--port", "0", "--no-open"], stdout=subprocess.PIPE, env=environment)
        self.url = self.process.stdout.readline().decode().strip()

    def metrics(self):
        with urllib.request.urlopen(self.url + "metrics") as answer:
            text = answer.read().decode()
        return {name: float(value) for name, value in re.findall(r"^(faceplay_\S+) (\S+)$", text, re.MULTILINE)}

    def cpu(self):
        """Seconds, all threads."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def over(self, seconds):
        """Per cent of a core, and frames analysed a second, over the next seconds."""
        before, cpu, start = self.metrics(), self.cpu(), time.monotonic()
        time.sleep(seconds)
        cpu, after = self.cpu() - cpu, self.metrics()
        spent = time.monotonic() - start
        frames = after["faceplay_frames_total"] - before["faceplay_frames_total"]
        encoded = after["faceplay_pictures_encoded_total"] - before["faceplay_pictures_encoded_total"]
        return {"cpu": 100 * cpu / spent, "rate": frames / spent, "encoded": encoded}

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=20)


@contextlib.contextmanager
def faceplay(program, clip):
    with tempfile.TemporaryDirectory() as folder:
        service = Faceplay(program, clip, folder)
        try:
            yield service
        finally:
            service.stop()


@contextlib.contextmanager
def browser():
    options = Options()
    for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800", "--mute-audio"]:
        options.add_argument(word)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    script = WATCH
    for name, value in {"BAR_Y": (HEIGHT - BLOCK / 2) / HEIGHT, "WIDTH": WIDTH, "BLOCK": BLOCK, "BITS": BITS}.items():
        script = re.sub(rf"\b{name}\b", str(value), script)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        yield driver
    finally:
        driver.quit()


def clock_offset(driver):
    """Milliseconds to add to the page's clock for CLOCK_MONOTONIC, and how wrong that can be."""
    best = (float("inf"), 0)
    for _ in range(200):
        before = time.monotonic_ns()
        page = driver.execute_script("return performance.now()")
        after = time.monotonic_ns()
        best = min(best, ((after - before) / 2e6, (before + after) / 2e6 - page))
    return best[1], best[0]


def wait(driver, script, seconds=30):
    limit = time.monotonic() + seconds
    while not driver.execute_script(f"return {script}"):
        if time.monotonic() > limit:
            sys.exit(f"service.py: the page never came to: {script}")
        time.sleep(0.05)


def play(driver, service):
    """From the welcome to a game that runs, by the page's own buttons."""
    driver.get(service.url)
    wait(driver, "document.querySelector('#menu button') !== null && window.benchSocket?.readyState === 1")
    driver.execute_script("benchSocket.send(JSON.stringify({type: 'setSettings', settings: {guideSeen: true}}))")
    time.sleep(0.5)
    driver.execute_script("document.querySelectorAll('#menu button')[3].click()")
    wait(driver, "document.querySelector('#screen .main') !== null")
    driver.execute_script("document.querySelector('#screen .main').click()")
    wait(driver, "document.querySelector('#pip canvas')?.width > 100")
    # A purse of the clip's that falls into the countdown opens the menu.
    wait(driver, "(bench.phase === 'paused' && benchSocket.send(JSON.stringify({type: 'game', action: 'resume'})),"
                 " bench.phase === 'playing')")


def one_run(program, clip, seconds):
    figures = {}
    with faceplay(program, clip) as service:
        time.sleep(1)
        alone = service.over(seconds / 2)
        with browser() as driver:
            driver.get(service.url)
            wait(driver, "document.querySelector('#menu button') !== null")
            driver.execute_script("document.querySelectorAll('#menu button')[4].click()")
            driver.execute_script("document.querySelector('#pip button').click()")
            time.sleep(1)
            idle = service.over(seconds / 2)
            play(driver, service)
            playing = service.over(seconds)
            offset, error = clock_offset(driver)
            start = service.metrics()["faceplay_start_seconds"] * 1e3
            driver.execute_script("bench.reads = true; bench.pictures = {}; bench.frames = []; bench.jumps = []")
            time.sleep(seconds)
            frames, pictures, jumps = driver.execute_script("return [bench.frames, bench.pictures, bench.jumps]")
    times = {frame["n"]: frame["t"] / 1e6 + start for frame in frames}
    reaction = [frame["shown"] + offset - times[frame["n"]] for frame in frames]
    glass = [
        shown + offset - times[int(number)] for number, shown in pictures.items() if shown and int(number) in times]
    figures["idle cost"] = idle["cpu"] - alone["cpu"]
    figures["encoded idle"] = idle["encoded"]
    figures["alone"], figures["playing"], figures["rate"] = alone["cpu"], playing["cpu"], playing["rate"]
    for name, values in {"reaction": reaction, "glass": glass}.items():
        if len(values) < seconds * RATE / 3:
            sys.exit(f"service.py: only {len(values)} frames for “{name}”")
        figures[f"{name} p50"], figures[f"{name} p95"] = percentile(values, 0.5), percentile(values, 0.95)
        figures[f"{name} count"] = len(values)
    figures["jumps"] = [jump["shown"] + offset - (jump["t"] / 1e6 + start) for jump in jumps]
    figures["clock error"], figures["load"] = error, os.getloadavg()[0]
    return figures


def report(runs):
    def cell(name, digits=1):
        values = [run[name] for run in runs]
        return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"

    is_alone = os.sched_getscheduler(0) == os.SCHED_RR
    jumps = [jump for run in runs for jump in run["jumps"]]
    rows = [
        ["frame to the page's drawing of it, p95, ms", cell("reaction p95"), str(LIMITS["reaction"])],
        ["same, median, ms", cell("reaction p50"), ""],
        [f"frame with a purse to the page's first drawing of the jump, {len(jumps)} jumps, median (greatest), ms",
         f"{statistics.median(jumps):.1f} ({max(jumps):.1f})" if jumps else "–", ""],
        ["glass to glass: frame to its picture on the page, p95, ms", cell("glass p95"), str(LIMITS["glass"])],
        ["same, median, ms", cell("glass p50"), ""],
        ["service with game, encoding and a viewer, % of a core", cell("playing"), str(LIMITS["cpu"])],
        ["service without a page, % of a core", cell("alone"), ""],
        ["what a page with its picture folded away adds, % of a core", cell("idle cost"), "0"],
        ["pictures encoded for it", cell("encoded idle", 0), "0"],
        ["frames analysed a second", cell("rate"), ""],
        ["error of the clocks' comparison, ms", cell("clock error", 2), ""],
        ["load of the machine", cell("load"), ""],
    ]
    return f"""## The service with a page

`clips/demo.mp4` as a camera of 30 frames a second, headless Chromium without a GPU as the page, on the same
{os.cpu_count()} cores{", both scheduled before other programs (SCHED_RR)" if is_alone else ""}. Medians of {len(runs)} runs
(least–greatest); CPU is the service's alone, the load is that of all programs.

{table(["", "measured", "at most"], rows)}
"""


def main():
    parser = argparse.ArgumentParser(description="Measure the service with a page.")
    parser.add_argument("program", nargs="?", default=RELEASE / "faceplay")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clip = f"{folder}/numbered.mp4"
        numbered_clip(clip)
        runs = []
        for number in range(arguments.runs):
            print(f"run {number + 1} of {arguments.runs}", file=sys.stderr)
            runs.append(one_run(arguments.program, clip, arguments.seconds))
            print(runs[-1], file=sys.stderr)
    print(report(runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
