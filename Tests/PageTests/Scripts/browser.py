"""Debian's Chromium, headless, with the page in it; and the service behind the page, with a puppet before its camera."""
import os
import shutil
import socket
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as Driver

# Listens beside the page: the newest text message of each type, which gestures are held, and whether hands were used.
EAR = """
(() => {
  const heard = { held: {} };
  Object.defineProperty(window, "heard", { value: heard });
  const listen = ({ data }) => {
    if (typeof data !== "string") return;
    const message = JSON.parse(data);
    heard[message.type] = message;
    if (message.type !== "event") return;
    if (message.event === "release") heard.held = {};
    else heard.held[message.event] = message.phase === "begin";
  };
  window.WebSocket = class extends WebSocket {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", listen);
      window.lastSocket = this;
    }
  };
  for (const type of ["keydown", "pointerdown", "mousedown", "touchstart"]) {
    addEventListener(type, () => { heard.hands = type; }, true);
  }
})();
"""

TARGETS = """
  const all = [...document.querySelectorAll("#screen .by-face, #menu .by-face")]
    .filter((node) => !node.disabled && node.checkVisibility());
  return [all.map((node) => node.id || (node.querySelector("strong") ?? node).textContent), all.indexOf(document.activeElement)];
"""


class Failed(Exception):
    """The page does not do what it should."""


class Service:
    """The puppet moves its face as lines say; see Tests/SyntheticService. It always listens at the same port."""

    def __init__(self, executable):
        self.executable = executable
        self.folder = tempfile.mkdtemp(prefix="faceplay-page-")
        with socket.create_server(("127.0.0.1", 0)) as any_free:
            self.port = any_free.getsockname()[1]
        self.start()

    def start(self):
        names = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")
        self.process = subprocess.Popen(
            [self.executable, str(self.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={**os.environ, **{name: self.folder for name in names}})
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise Failed("the service does not start")

    def kill(self, signal):
        self.process.send_signal(signal)
        self.process.wait(10)

    def forget_pages(self):
        """As after a log-out: the next service does not know pages of earlier ones."""
        os.remove(os.path.join(self.folder, "faceplay", f"key-{self.port}"))

    def face(self, what, value):
        self.process.stdin.write(f"{what} {value}\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """What the player sees, read from the document and from the messages that it gets."""

    def __init__(self, url, language="en", pictures=None):
        options = Options()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         f"--lang={language}", "--window-size=1280,860"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # What the console may say, as the browser itself complains of a service that is away.
        self.complaints = []
        self.driver = webdriver.Chrome(options=options, service=Driver(shutil.which("chromedriver")))
        self.pictures = pictures
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": EAR})
        self.driver.get(url)

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def until(self, what, isTrue, seconds=15):
        """Waits for what must come; returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := isTrue():
                return found
            time.sleep(0.02)
        self.shot("failed")
        raise Failed(f"{what}: not within {seconds} s. The screen reads: {self.run('return document.body.innerText')!r}, "
                     f"heard {self.run('return heard')}")

    def heard(self, kind):
        """The newest message of a type, or None."""
        return self.run("return heard[arguments[0]]", kind)

    def targets(self):
        """What a face can reach, in order, and which of them has the focus (-1: none)."""
        return self.run(TARGETS)

    def focused(self):
        names, at = self.targets()
        return names[at] if at >= 0 else None

    def reads(self, text):
        return self.run("return document.getElementById('screen').innerText.includes(arguments[0])", text)

    def reads_anywhere(self, text):
        return self.run("return document.body.innerText.includes(arguments[0])", text)

    def press(self, name):
        """Presses the first button that holds these words, by no particular hand."""
        script = """
          const button = [...document.querySelectorAll("button")].find(
            (node) => node.checkVisibility() && (node.textContent + (node.ariaLabel ?? "")).includes(arguments[0]));
          button?.click();
          return button !== undefined;
        """
        self.until(f"{name!r} is there", lambda: self.run(script, name))

    def phase(self):
        return self.run("return heard.world?.world.phase")

    def resize(self, width):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 860, "deviceScaleFactor": 1, "mobile": False})

    def minimize(self):
        """Headless, the one way to a window that is not the active one."""
        window = self.driver.execute_cdp_cmd("Browser.getWindowForTarget", {})["windowId"]
        self.driver.execute_cdp_cmd(
            "Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": "minimized"}})

    def shot(self, name):
        """For people to look at."""
        if self.pictures:
            self.driver.save_screenshot(os.path.join(self.pictures, f"{name}.png"))

    def close(self):
        """Throws if the console heard of anything wrong."""
        wrong = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
                 and not any(complaint in entry["message"] for complaint in self.complaints)]
        self.driver.quit()
        if wrong:
            raise Failed(f"the console says: {wrong}")
