"""A player who has a keyboard only."""
import time

from browser import Failed
from climber import plan

# key: (code, text that it types, Windows virtual key code)
KEYS = {
    "Tab": ("Tab", "", 9), "Enter": ("Enter", "\r", 13), "Escape": ("Escape", "", 27), " ": ("Space", " ", 32),
    "ArrowLeft": ("ArrowLeft", "", 37), "ArrowUp": ("ArrowUp", "", 38), "ArrowRight": ("ArrowRight", "", 39),
}


class Keyboard:
    def __init__(self, page):
        self.page = page
        self.held = None

    def event(self, kind, key, shift=False):
        code, text, number = KEYS[key]
        self.page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {
            "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0,
            **({"text": text} if text and kind == "keyDown" else {})})

    def press(self, key, shift=False):
        self.event("keyDown", key, shift)
        self.event("keyUp", key, shift)

    def go_to(self, name):
        """By Tab alone, which also stops at what no face needs."""
        self.page.until(f"{name!r} can be reached", lambda: name in self.page.targets()[0])
        for _ in range(60):
            if self.page.focused() == name:
                return
            self.press("Tab")
        raise Failed(f"Tab never comes to {name!r}")

    def choose(self, name, isDone):
        self.go_to(name)
        self.press("Enter")
        self.page.until(f"Enter chooses {name!r}", isDone, 4)

    def steer(self, steering):
        wanted = "ArrowRight" if steering > 0 else "ArrowLeft" if steering < 0 else None
        if wanted == self.held:
            return
        if self.held:
            self.event("keyUp", self.held)
        if wanted:
            self.event("keyDown", wanted)
        self.held = wanted

    def climb(self, seconds=120):
        """Plays until the run is over."""
        rest_end, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            world, level = self.page.run("return [heard.world.world, heard.level.level]")
            if world["phase"] == "over":
                self.steer(0)
                return world
            steering, jumps = plan(world, level)
            self.steer(steering)
            if jumps and time.monotonic() > rest_end and world["phase"] == "playing":
                self.press(" ")
                rest_end = time.monotonic() + 0.3
            time.sleep(0.02)
        raise Failed(f"not at the ship within {seconds} s: {world}")
