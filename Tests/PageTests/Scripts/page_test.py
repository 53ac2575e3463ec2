"""One behaviour of the page, in a browser: page_test.py BEHAVIOUR SERVICE [AXE]; pictures go to $FACEPLAY_PICTURES."""
import http.server
import os
import signal
import sys
import threading

from browser import Failed, Page, Service
from face import Face
from keyboard import Keyboard

SCREENS = {"en": ["Welcome", "Calibrate", "Settings", "Play", "Status"], "ko": ["시작", "보정", "설정", "놀이", "상태"]}


def by_face(service, page):
    face = Face(service, page)
    page.until("the face is seen", lambda: page.run("return heard.frame?.face && !!heard.settings"))
    page.until("the player's picture is shown", lambda: page.run("return document.querySelector('.none')?.hidden"))
    page.shot("welcome")
    face.choose("Luna", lambda: page.heard("settings")["settings"]["character"] == "luna")
    expect(page.focused() == "Luna", "the focus stays where a choice was made")

    face.choose("Calibrate for me", lambda: page.focused() == "Start")
    face.choose("Start", lambda: page.heard("calibration"))
    state = face.calibrate()
    expect(state["phase"] == "done", f"the calibration is done: {state}")
    expect(page.heard("settings")["settings"]["profile"] == "mine", "the player has a profile of their own")
    page.shot("calibrate-done")

    face.choose("Test it", lambda: page.reads("Tilt sensitivity"))
    tune(face, page)
    face.choose("Play", lambda: page.reads("Choose a level"))
    expect(page.reads("Easy: wide rocks and a slow monster"), "a level says how hard it is")
    page.shot("levels")
    face.choose("Gentle Drift", lambda: page.reads("How to climb"))
    page.shot("guide")
    face.choose("Don’t show again", lambda: page.phase() == "countdown")
    page.until("the game begins", lambda: page.phase() == "playing")
    page.shot("play")
    world = face.climb()
    expect(world["outcome"] == {"verdict": "success", "isBest": True}, f"the ship is reached: {world['outcome']}")
    page.until("the result is shown", lambda: page.reads("You are off!") and page.reads("A new best time!"))
    page.shot("result")
    face.choose("Again", lambda: page.phase() == "countdown")
    page.until("it goes on", lambda: page.phase() == "playing")
    expect(page.run("return heard.hands") is None, "no key and no pointer was used")


def tune(face, page):
    """A slider by face: a purse takes hold of it, tilts move it, a purse lets go; the trial run and the plots show it."""
    page.until("the trial runs", lambda: page.phase() == "playing")
    settings = lambda: page.heard("settings")["settings"]
    before = settings()
    is_held = lambda: page.run("return document.activeElement.classList.contains('adjusting')")
    face.choose("tiltSensitivity", is_held)
    face.show(roll=25)
    page.until("a tilt moves the slider", lambda: settings()["sensitivity"]["tilt"] > before["sensitivity"]["tilt"])
    page.until("it moves the trial's player", lambda: page.heard("world")["world"]["players"][0]["x"] > 20)
    page.shot("settings")
    face.rest()
    face.choose("tiltSensitivity", lambda: not is_held())
    side = lambda settings: settings["thresholds"]["tilt"]["right"]["begin"]
    expect(side(settings()) < side(before), "a higher sensitivity lowers the threshold")


def by_keyboard(service, page):
    keys = Keyboard(page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    keys.choose("Calibrate for me", lambda: page.focused() == "Start")
    keys.choose("Start", lambda: page.focused() == "Cancel")
    keys.choose("Cancel", lambda: page.focused() == "Start")
    keys.choose("Settings", lambda: page.reads("Tilt sensitivity"))
    keys.go_to("tiltSensitivity")
    keys.press("ArrowRight")
    page.until("an arrow moves the slider", lambda: page.heard("settings")["settings"]["sensitivity"]["tilt"] == 55)
    keys.choose("Play", lambda: page.reads("Choose a level"))
    keys.choose("Gentle Drift", lambda: page.reads("How to climb"))
    keys.choose("Let’s go", lambda: page.phase() == "countdown")
    page.until("the game begins", lambda: page.phase() == "playing")
    keys.press("Escape")
    page.until("Escape pauses", lambda: page.phase() == "paused" and page.focused() == "Go on")
    keys.press("Escape")
    page.until("Escape goes on", lambda: page.phase() == "playing")
    world = keys.climb()
    expect(world["outcome"]["verdict"] == "success", f"the ship is reached: {world['outcome']}")
    page.until("the result is shown", lambda: page.reads("You are off!"))
    keys.choose("Again", lambda: page.phase() == "countdown")


def face_away(service, page):
    face, keys = Face(service, page), Keyboard(page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    keys.choose("Play now", lambda: page.reads("Choose a level"))
    keys.choose("Gentle Drift", lambda: page.reads("How to climb"))
    keys.choose("Let’s go", lambda: page.phase() == "countdown")
    page.until("the game begins", lambda: page.phase() == "playing")
    face.show(face=0)
    page.until("the game waits", lambda: page.phase() == "waiting")
    page.until("the page says so", lambda: page.reads("I cannot see you. The game waits."))
    page.shot("waiting")
    face.show(face=1)
    page.until("it counts down", lambda: page.phase() == "countdown")
    page.until("it goes on", lambda: page.phase() == "playing")
    face.show(face=0)
    page.until("the game waits again", lambda: page.phase() == "waiting")
    keys.choose("Play with the keyboard", lambda: page.phase() == "countdown")
    page.until("it goes on without a face", lambda: page.phase() == "playing")


def chooses_once(service, page):
    """What talk and short purses do not choose, and that a purse held on chooses nothing more."""
    face = Face(service, page)
    page.until("the face is seen", lambda: page.run("return heard.frame?.face") and page.focused() == "Calibrate for me")
    page.run("window.clicks = 0; addEventListener('click', () => clicks++, true)")
    face.show(talk=1)
    pass_by(page, 2)
    face.show(talk=0, purse=1)
    page.until("the purse is seen", lambda: page.run("return heard.held.purse"))
    pass_by(page, 0.3)
    face.rest()
    expect(page.run("return clicks") == 0, "neither talk nor a short purse chooses")
    face.show(purse=1)
    page.until("a held purse chooses", lambda: page.focused() == "Start", 4)
    pass_by(page, 2)
    expect(page.run("return clicks") == 1 and page.focused() == "Start", "a purse that is held on chooses no more")
    face.rest()


def pauses_by_face(service, page):
    """From play: out of the picture, back, and in the countdown a held purse opens the menu, which has everything."""
    face = Face(service, page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    face.choose("Play now", lambda: page.reads("Choose a level"))
    face.choose("Gentle Drift", lambda: page.reads("How to climb"))
    face.choose("Let’s go", lambda: page.phase() == "countdown")
    hints = lambda: page.run("return document.getElementById('hints').innerText")

    def open_menu():
        page.until("it is played", lambda: page.phase() == "playing")
        page.until("the hints are the game's", lambda: "jump" in hints())
        expect(page.run(IN_HAND) is None, "nothing is in hand while gestures are the game's")
        face.show(face=0)
        page.until("the game waits", lambda: page.phase() == "waiting")
        page.until("the page says what to do", lambda: "Come back" in hints() and "next button" not in hints())
        face.show(face=1)
        page.until("it counts down", lambda: page.phase() == "countdown")
        # At once: the count does not wait for the test.
        face.show(purse=1)
        page.until("the page says how to come to the menu, and a ring fills around its button",
                   lambda: hints() == "Hold pursed lips: menu" and page.run(IN_HAND) == "Menu"
                   and page.run(RING_SHARE) > 0.2)
        page.shot("opens-menu")
        page.until("the game is paused", lambda: page.phase() == "paused")
        face.rest()
        page.until("going on has the focus", lambda: page.focused() == "Go on" and page.run(IN_HAND) == "Go on")

    open_menu()
    is_recording = lambda: page.heard("status")["status"]["isRecording"]
    face.choose("Record", is_recording)
    page.until("the page says so", lambda: page.reads_anywhere("● Recording"))
    face.choose("Stop recording", lambda: not is_recording())
    page.until("it says what was saved, by the file's name",
               lambda: page.run("return /^Saved: [^/]+$/.test(document.getElementById('notice').innerText)"))
    face.choose("Photo", lambda: page.heard("saved")["name"].endswith(".jpg"))
    face.choose("Back to the rock", lambda: page.phase() == "countdown")
    page.until("the way back was taken", lambda: page.heard("world")["world"]["players"][0]["respawns"] == 1)
    open_menu()
    face.choose("Stop", lambda: page.phase() == "over")
    page.until("the result is shown", lambda: page.reads("Stopped"))
    expect(page.run("return heard.hands") is None, "no key and no pointer was used")


# What a held purse would choose, by the frame that the player sees around it.
IN_HAND = """
  const framed = [...document.querySelectorAll("button, input")].filter((node) => {
    const style = getComputedStyle(node);
    return node.checkVisibility() && style.outlineStyle === "solid" && style.outlineColor === "rgb(255, 212, 121)";
  });
  return framed.length ? framed.map((node) => node.id || node.textContent).join() : null;
"""

# How far the ring has filled, if it is clear of the words: 0…1.
RING_SHARE = """
  const ring = document.querySelector("#purse-ring rect + rect");
  const [box, inside] = [ring, document.querySelector(".in-hand")].map((node) => node?.getBoundingClientRect());
  if (!box || box.left >= inside.left || box.right <= inside.right || box.top >= inside.top) return 0;
  return parseFloat(ring.getAttribute("stroke-dasharray"));
"""


def unfocused(service, page):
    """Another window is the active one: tilts choose all the same, and the player sees what."""
    face = Face(service, page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    page.minimize()
    page.until("the window is not the active one", lambda: not page.run("return document.hasFocus()"))
    expect(page.run("return document.querySelector(':focus')") is None, "the browser shows no focus")
    face.go_to("Play now")
    expect(page.run(IN_HAND) == "Play now", f"what is in hand is framed: {page.run(IN_HAND)}")
    face.choose("Calibrate for me", lambda: page.focused() == "Start")
    expect(page.run(IN_HAND) == "Start", "on the next screen, too")
    face.choose("Start", lambda: page.focused() == "Cancel")
    expect(page.run(IN_HAND) is None, "nothing is framed while gestures choose nothing")


def demo(service, page):
    """Without a camera a recorded face plays: the page says so everywhere, and takes nothing from it."""
    face = Face(service, page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    expect(not page.reads_anywhere("No camera"), "a camera is there")
    page.run(DEMO)
    for language, switch in [("en", "한국어"), ("ko", "English")]:
        words = {"en": "No camera: a recorded face plays.", "ko": "카메라가 없어 녹화된 얼굴이"}[language]
        for screen in SCREENS[language]:
            page.press(screen)
            page.until("the page says so", lambda: page.reads_anywhere(words))
        page.press(switch)
    page.press("Welcome")
    focused = page.focused()
    expect(page.run(IN_HAND) is None, "nothing is in hand")
    face.show(roll=25, purse=1)
    page.until("the gestures come", lambda: page.run("return heard.held.tilt && heard.held.purse"))
    pass_by(page, 1.5)
    expect(page.focused() == focused, "gestures move and choose nothing")
    face.rest()
    page.run("isDemo = false")
    page.until("a camera is there again", lambda: not page.reads_anywhere("No camera"))
    face.choose("Calibrate for me", lambda: page.focused() == "Start")


# From now on the service says that a recorded face plays, until `isDemo` is false.
DEMO = """
  window.isDemo = true;
  const parse = JSON.parse;
  JSON.parse = (text) => {
    const message = parse(text);
    if (message.type === "status") message.status.demo = isDemo;
    return message;
  };
"""


def second_page(service, page):
    face = Face(service, page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    second = Page(service.url)
    try:
        second.until("the second page watches", lambda: second.reads_anywhere("Another page controls the game"))
        face.choose("Calibrate for me", lambda: page.focused() == "Start")
        expect(second.focused() == "Calibrate for me", "the page that watches stays where it is")
        second.run("lastSocket.send(JSON.stringify({ type: 'snap' }))")
        second.until("it says how to do it here", lambda: second.reads_anywhere("press “Control here” first"))
        second.press("Control here")
        page.until("the first page watches now", lambda: page.reads_anywhere("Another page controls the game"))
        Face(service, second).choose("Calibrate for me", lambda: second.focused() == "Start")
        page.press("Settings")
        second.press("Settings")
        second.until("the trial runs", lambda: second.phase() == "playing")
        second.press("Play")
        second.press("First Orbit")
        second.press("Let’s go")
        page.until("another game has its place", lambda: page.heard("level")["level"]["name"] == "orbit")
    finally:
        second.close()
    page.until("the page that is left controls", lambda: not page.reads_anywhere("Another page controls the game"))
    page.until("its trial runs", lambda: page.heard("level")["level"]["name"] == "gentle" and page.phase() == "playing")


def comes_back(service, page):
    """The service dies and comes again while the page shows the picture, plays, calibrates and tunes."""
    face = Face(service, page)
    page.complaints = ["net::ERR_CONNECTION_REFUSED"]
    page.run("window.isTheSame = true")
    is_shown = lambda: page.run("return document.querySelector('.none').hidden && heard.frame?.face")
    page.until("the player's picture is shown", is_shown)
    page.run("lastSocket.send(JSON.stringify({ type: 'record', on: true }))")
    page.until("a recording is made", lambda: page.reads_anywhere("● Recording"))
    for death, words in [(signal.SIGKILL, "faceplay does not answer"), (signal.SIGTERM, "응답하지 않아요")]:
        service.kill(death)
        page.until("the page says so", lambda: page.reads_anywhere(words))
        expect(page.run(IS_BLANK, PICTURES), "no picture of before is shown")
        expect(not page.reads_anywhere("●"), "nothing is said to be recorded")
        page.shot(f"away-{death.name}")
        service.start()
        page.until("the page says that it is back", lambda: page.reads_anywhere(BACK[words]))
        page.until("the picture is shown again", is_shown)
        expect(page.driver.current_url == service.url, "the address is the new one")
        if death == signal.SIGKILL:
            page.press("한국어")
    page.press("English")

    def restart(prepare=lambda: None):
        service.kill(signal.SIGKILL)
        page.until("the page says so", lambda: page.reads_anywhere("faceplay does not answer"))
        prepare()
        page.run("for (const type in heard) if (type !== 'held') delete heard[type]")
        service.start()

    page.press("Play now")
    page.press("Gentle Drift")
    page.press("Let’s go")
    page.until("the game begins", lambda: page.phase() == "playing")
    restart()
    page.until("a game begins with a countdown", lambda: page.phase() == "countdown")
    page.until("it is played", lambda: page.phase() == "playing")
    page.run("lastSocket.close()")
    page.until("a game of the same service waits", lambda: page.phase() == "paused" and page.focused() == "Go on")
    face.choose("Go on", lambda: page.phase() == "countdown")
    page.until("it goes on", lambda: page.phase() == "playing")
    page.press("Stop")
    page.until("the result is shown", lambda: page.reads("Stopped"))
    restart()
    page.until("the page is back", lambda: page.run("return heard.frame?.face"))
    expect(page.reads("Stopped") and page.phase() is None, "a result stays")
    face.choose("Again", lambda: page.phase() == "countdown")

    page.press("Settings")
    page.until("the trial runs", lambda: page.phase() == "playing")
    restart()
    page.until("the trial runs again", lambda: page.phase() == "playing")

    page.press("Calibrate")
    face.choose("Start", lambda: page.focused() == "Cancel")
    page.until("landmarks are shown", lambda: not page.run(IS_BLANK, ".preview canvas + canvas"))
    restart()
    page.until("the page is back", lambda: page.run("return heard.frame?.face"))
    expect(page.focused() == "Start", "the calibration may be begun again")
    page.until("landmarks are shown again", lambda: not page.run(IS_BLANK, ".preview canvas + canvas"))
    face.choose("Start", lambda: page.focused() == "Cancel")

    page.complaints.append("Unexpected response code: 403")
    restart(service.forget_pages)
    page.until("the page says what to do", lambda: page.reads_anywhere("open the one that it printed"))
    expect(page.run("return isTheSame"), "the page was never loaded again")


def impostor(service, page):
    """Somebody else listens at the port while the service is down: what the page shows them opens nothing later."""
    page.complaints = ["net::ERR_CONNECTION_REFUSED", "Unexpected response code: 404"]
    page.until("the page is there", lambda: page.run("return heard.frame?.face"))
    key = page.heard("hello")["key"]
    shown = []

    class Impostor(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            shown.append(f"{self.path} {self.headers}")
            self.send_response(200 if self.path == "/run" else 404)
            self.end_headers()
            if self.path == "/run":
                self.wfile.write(b"0123456789abcdef" * 2)

        def log_message(self, *_):
            pass

    service.kill(signal.SIGKILL)
    with http.server.HTTPServer(("127.0.0.1", service.port), Impostor) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        page.until("the page looks for the service twice", lambda: sum("/ws " in each for each in shown) > 1)
        server.shutdown()
        thread.join()
    earlier = service.url.split("/")[-2]
    service.start()
    page.until("the page finds the service", lambda: page.reads_anywhere("faceplay is back."))
    later = service.url.split("/")[-2]
    expect(not any(secret in each for secret in (key, earlier, later) for each in shown), f"nothing of use: {shown}")


BACK = {"faceplay does not answer": "faceplay is back.", "응답하지 않아요": "faceplay가 돌아왔어요."}

PICTURES = ".preview canvas, #pip canvas"

# Nothing is drawn on these canvases.
IS_BLANK = """
  return [...document.querySelectorAll(arguments[0])].every((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data.every((value) => value === 0);
  });
"""


def sees_themselves(service, page):
    """On every screen, wherever it leads."""
    sees = lambda: page.until("the player sees themselves", lambda: not page.run(IS_BLANK, PICTURES))
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    for screen in SCREENS["en"]:
        page.press(screen)
        sees()
    page.press("Play")
    page.press("Gentle Drift")
    page.until("the guide is there", lambda: page.reads("How to climb"))
    sees()
    page.press("Let’s go")
    page.until("the game begins", lambda: page.phase() == "playing")
    sees()
    page.press("Hide my picture")
    expect(page.run("return getComputedStyle(document.querySelector('#pip canvas')).visibility") == "hidden",
           "a picture that was folded is not seen")
    page.until("nor asked for", lambda: page.run(VIEWERS) == 0)
    page.press("Show my picture")
    sees()


# Pages that the service encodes for.
VIEWERS = """
  const request = new XMLHttpRequest();
  request.open("GET", "metrics", false);
  request.send();
  return Number(/^faceplay_viewers (\\d+)/m.exec(request.responseText)[1]);
"""


def plot_labels(service, page):
    """Labels keep clear of each other and of the curve, however near their lines are."""
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    page.run(LABELS)
    page.press("Settings")
    for tilt in (0, 100):
        page.run("document.getElementById('tiltSensitivity').value = arguments[0];"
                 "document.getElementById('tiltSensitivity').dispatchEvent(new Event('change'))", tilt)
        settings = lambda: page.heard("settings")["settings"]
        page.until("the setting is told", lambda: settings()["sensitivity"]["tilt"] == tilt)
        page.run("labels = {}")
        pass_by(page, 0.3)
        plots = page.run("return labels")
        expect(sorted(len(plot) for plot in plots.values()) == [2, 4], f"all lines have labels: {plots}")
        for plot in plots.values():
            rows = sorted(row["y"] for row in plot.values())
            expect(all(b - a >= 13 for a, b in zip(rows, rows[1:])), f"labels keep clear of each other: {rows}")
            expect(all(row["x"] + row["width"] <= row["canvas"] for row in plot.values()), f"none is cut off: {plot}")


# Notes where each plot's labels are drawn.
LABELS = """
  window.labels = {};
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (label, x, y) {
    const name = this.canvas.ariaLabel;
    if (this.canvas.className === "plot") {
      (labels[name] ??= {})[`${label} ${y}`] = { x, y, width: this.measureText(label).width, canvas: this.canvas.clientWidth };
    }
    draw.call(this, label, x, y);
  };
"""


def pass_by(page, seconds):
    """Lets that much of the stream come."""
    began = page.heard("frame")["t"]
    page.until(f"{seconds} s pass", lambda: page.heard("frame")["t"] - began > seconds * 1e9)


def axe(service, page, rules):
    """Every screen in both languages: axe's rules, and nothing wider than the window."""
    face = Face(service, page)
    page.until("the first screen is there", lambda: page.focused() == "Calibrate for me")
    page.run(open(rules).read())
    wrong = []
    for language, switch in [("en", "한국어"), ("ko", "English")]:
        for name in SCREENS[language]:
            page.press(name)
            page.shot(f"{name}-{language}")
            wrong += check(page, f"{name} ({language})")
        page.press(SCREENS[language][3])
        expect(page.reads({"en": "Hardest: ", "ko": "아주 어려움: "}[language]), "a level says how hard it is")
        page.press("Gentle Drift")
        wrong += check(page, f"guide ({language})")
        page.press({"en": "Let’s go", "ko": "좋아요"}[language])
        page.until("the game begins", lambda: page.phase() == "playing")
        wrong += check(page, f"play ({language})")
        page.press({"en": "Pause", "ko": "멈춤"}[language])
        page.until("it is paused", lambda: page.phase() == "paused")
        page.shot(f"paused-{language}")
        wrong += check(page, f"paused ({language})")
        page.press({"en": "Stop", "ko": "그만하기"}[language])
        page.until("it is over", lambda: page.phase() == "over")
        page.shot(f"stopped-{language}")
        wrong += check(page, f"result ({language})")
        page.press(switch)
    expect(not wrong, "\n".join(wrong))


def check(page, where):
    found = page.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then((result) => done(result.violations))")
    wrong = [f"{where}: {rule['id']}: {node['html']} {node['any'] and node['any'][0]['message']}"
             for rule in found for node in rule["nodes"]]
    for width in (1280, 390):
        page.resize(width)
        wrong += [f"{where}, {width} wide: {text}" for text in page.run(CLIPPED)]
    page.resize(1280)
    return wrong


# What does not fit into the window, and buttons whose words do not fit into them.
CLIPPED = """
  const clipped = [...document.querySelectorAll("button")].filter((node) => node.checkVisibility()).filter((node) => {
    const box = node.getBoundingClientRect();
    return node.scrollWidth > node.clientWidth + 1 || box.left < 0 || box.right > document.documentElement.clientWidth;
  }).map((node) => node.textContent);
  return document.documentElement.scrollWidth > innerWidth ? ["wider than the window", ...clipped] : clipped;
"""


def expect(isTrue, what):
    if not isTrue:
        raise Failed(f"not so: {what}")


BEHAVIOURS = {
    "by-face": by_face, "by-keyboard": by_keyboard, "face-away": face_away, "pauses-by-face": pauses_by_face,
    "unfocused": unfocused, "demo": demo, "chooses-once": chooses_once, "second-page": second_page,
    "comes-back": comes_back, "impostor": impostor, "sees-themselves": sees_themselves, "plot-labels": plot_labels, "axe": axe,
}


def main(behaviour, executable, *rules):
    service = Service(executable)
    try:
        page = Page(service.url, pictures=os.environ.get("FACEPLAY_PICTURES"))
        try:
            BEHAVIOURS[behaviour](service, page, *rules)
        finally:
            page.close()
    finally:
        service.close()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Failed as failure:
        # What the console said may hide what failed before.
        sys.exit("\n".join(str(each) for each in (failure.__context__, failure) if each))
