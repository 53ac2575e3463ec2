"""A player who has a face only: tilts go from button to button, a held purse chooses, and both play."""
import time

from browser import Failed
from climber import plan

# Degrees: beyond any threshold that a calibration of this player gives, and full speed.
TILT = 25
# Seconds: a jump's purse, and the rest of the lips after it.
PURSE, REST = 0.27, 0.2


class Face:
    def __init__(self, service, page):
        self.service, self.page = service, page

    def show(self, **parts):
        for what, value in parts.items():
            self.service.face(what, value)

    def rest(self):
        self.show(roll=0, purse=0, talk=0, smile=0)
        self.page.until("the gestures end", lambda: self.page.run("return !heard.held.tilt && !heard.held.purse"))

    def go_to(self, name):
        """Tilts until this has the focus, the shorter way."""
        self.page.until(f"{name!r} can be reached", lambda: name in self.page.targets()[0])
        for _ in range(60):
            names, at = self.page.targets()
            way = names.index(name) - at
            if way == 0 and at >= 0:
                return
            if abs(way) > len(names) / 2:
                way = -way
            self.show(roll=TILT if way > 0 else -TILT)
            self.page.until("a tilt moves the focus", lambda: self.page.targets()[1] != at, 3)
            self.rest()
        raise Failed(f"tilting never comes to {name!r}")

    def choose(self, name, isDone):
        """Goes there and holds pursed lips until it is done."""
        self.go_to(name)
        self.show(purse=1)
        self.page.until(f"a held purse chooses {name!r}", isDone, 4)
        self.rest()

    def calibrate(self):
        """Does what the screen asks for until it is done."""
        asked, since = None, 0
        while True:
            state = self.page.heard("calibration")["calibration"]
            if state["phase"] in ("done", "refused", "idle"):
                self.rest()
                return state
            activity = state["activity"] if state["phase"] == "recording" else "rest"
            if activity != asked:
                asked, since = activity, time.monotonic()
                self.page.shot(f"calibrate-{activity}")
            self.do(activity, time.monotonic() - since - 0.4)
            time.sleep(0.03)

    def do(self, activity, seconds):
        """What an activity looks like a while after it was asked for."""
        if seconds < 0:
            return
        roll = -TILT if "Left" in activity else TILT if "Right" in activity else 0
        # Half a second of purse every one and a half.
        pursed = activity.lower().endswith("purse") and 0.8 < seconds % 1.5 < 1.3
        self.show(roll=roll, purse=int(pursed), talk=int(activity == "talk"), smile=int(activity == "smile"))

    def climb(self, seconds=120):
        """Plays until the run is over."""
        limits = self.page.heard("settings")["settings"]
        purse_end = rest_end = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            world, level = self.page.run("return [heard.world.world, heard.level.level]")
            if world["phase"] == "over":
                self.rest()
                return world
            now = time.monotonic()
            steering, jumps = plan(world, level)
            if jumps and now > rest_end and world["phase"] == "playing":
                purse_end, rest_end = now + PURSE, now + PURSE + REST
            self.show(roll=degrees(steering, limits), purse=int(now < purse_end))
            time.sleep(0.02)
        raise Failed(f"not at the ship within {seconds} s: {world}")


def degrees(steering, settings):
    """The tilt that steers so: the recogniser's curve, backwards."""
    if steering == 0:
        return 0
    side = settings["thresholds"]["tilt"]["left" if steering < 0 else "right"]
    angle = side["begin"] + (side["full"] - side["begin"]) * abs(steering) ** (1 / settings["curve"])
    return angle if steering > 0 else -angle
