// The page: one connection, one face, one screen at a time.
import { Connection } from "./connection.js";
import { element } from "./drawing.js";
import { HandsFree } from "./hands-free.js";
import { PictureInPicture } from "./pip.js";
import { startSky } from "./sky.js";
import * as sounds from "./sounds.js";
import { language, setLanguage, text } from "./texts.js";
import { canShowVideo, Video } from "./video.js";
import { calibrateScreen } from "./screens/calibrate.js";
import { playScreen } from "./screens/play.js";
import { settingsScreen } from "./screens/settings.js";
import { statusScreen } from "./screens/status.js";
import { welcomeScreen } from "./screens/welcome.js";

const screens = { welcome: welcomeScreen, calibrate: calibrateScreen, settings: settingsScreen, play: playScreen, status: statusScreen };

const byId = (id) => document.getElementById(id);
const connection = new Connection();
const video = new Video(connection);
const handsFree = new HandsFree(byId("screen"), byId("menu"));
const pip = new PictureInPicture(byId("pip"), video);

/** What every screen gets: the connection, what was last heard, and how to go on. */
const app = {
  connection, video, handsFree, pip,
  /** The newest message of each kind that is a state. */
  latest: {},
  /** Whether this page controls the game; the first to come does. */
  controls: true,
  go: (name, options) => show(name, options),
  change: (settings) => connection.send("setSettings", { settings }),
  notice,
};

let leave = () => {};
let current;

function show(name, options = {}) {
  leave();
  const left = new AbortController();
  current = name;
  handsFree.reset();
  handsFree.sleep("screen", false);
  handsFree.only = null;
  pip.close();
  const root = byId("screen");
  const cleanUp = screens[name](root, app, { ...options, signal: left.signal });
  // Whoever steers by face sees their face on every screen.
  if (!root.querySelector(".preview")) pip.open();
  leave = () => {
    left.abort();
    cleanUp?.();
  };
  drawFrame();
  root.scrollTo(0, 0);
  // The natural next step has the focus: one held purse goes on.
  handsFree.moveTo(root.querySelector(".by-face.main") ?? root.querySelector(".by-face") ?? root);
}

/** The menu, the hints and the language. */
function drawFrame() {
  byId("menu").ariaLabel = language === "ko" ? "화면" : "Screens";
  byId("menu").replaceChildren(
    ...Object.keys(screens).map((name) => {
      const button = element("button", { type: "button", className: "by-face", textContent: text(name) });
      if (name === current) button.ariaCurrent = "page";
      button.addEventListener("click", () => show(name));
      return button;
    }),
    languageButton(),
    // Every page hears the same face: one that only watches is asked by hand.
    ...(app.controls ? [] : [controlButton()]));
  drawHints();
  drawFace();
  drawStatus();
}

/** What tilts and purses do now. */
function hints() {
  if (!app.controls || isDemo()) return ["hintKeysOnly"];
  if (handsFree.isAsleep && current === "calibrate") return ["hintFollow"];
  if (app.latest.frame && !app.latest.frame.face) return ["hintBack", "hintKeys"];
  if (handsFree.isAsleep) return ["hintMove", "hintJump", "hintLeave"];
  if (handsFree.only) return ["hintMenu"];
  return handsFree.isAdjusting ? ["hintChange", "hintDone"] : ["hintTilt", "hintPurse", "hintKeys"];
}

function drawHints() {
  byId("hints").replaceChildren(...hints().map((key) => element("span", { textContent: text(key) })));
}

/** A recorded face plays because there is no camera: it chooses nothing. */
const isDemo = () => app.latest.status?.status.demo === true;

/** On every screen: nobody is filmed without seeing it, nor takes a recorded face for their own. */
function drawStatus() {
  const lines = { recording: app.latest.status?.status.isRecording ?? false, demo: isDemo() };
  for (const [key, isShown] of Object.entries(lines)) {
    const label = isShown ? text(key) : "";
    if (byId(key).textContent !== label) byId(key).textContent = label;
  }
  handsFree.sleep("demo", isDemo());
}

/** Whether the service has been missed since it was last there. */
let wasAway = false;

function hearControl(message) {
  app.latest.control = message;
  if (message.controls === app.controls) return;
  app.controls = message.controls;
  handsFree.sleep("control", !app.controls);
  notice(app.controls ? "" : text("watching"), 0);
  drawFrame();
}

function controlButton() {
  const button = element("button", { type: "button", textContent: text("takeControl") });
  button.addEventListener("click", () => connection.send("control"));
  return button;
}

function languageButton() {
  const button = element("button", { type: "button", className: "by-face", textContent: text("language") });
  button.lang = language === "ko" ? "en" : "ko";
  button.addEventListener("click", () => {
    setLanguage(language === "ko" ? "en" : "ko");
    show(current);
  });
  return button;
}

function drawFace() {
  const isFound = app.latest.frame?.face === true;
  const label = text(isFound ? "faceFound" : connection.isOpen ? "faceLost" : "notConnected");
  if (byId("face").textContent === label) return;
  byId("face").textContent = label;
  byId("face").classList.toggle("found", isFound);
  drawHints();
}

let noticeEnd;

/** Says something in the place of the hints, where it covers nothing; for 0 seconds: until something else is said. */
function notice(message, seconds = 6, isGood = false, title = "") {
  byId("notice").classList.toggle("good", isGood);
  byId("notice").textContent = message;
  byId("notice").title = title;
  byId("notice").hidden = !message;
  clearTimeout(noticeEnd);
  if (message && seconds) noticeEnd = setTimeout(() => notice(app.controls ? "" : text("watching"), 0), seconds * 1000);
}

for (const type of ["settings", "calibration", "status", "frame", "levels", "level"]) {
  connection.on(type, (message) => { app.latest[type] = message; });
}
connection.on("hello", (message) => {
  hearControl(message);
  if (!app.controls) notice(text("watching"), 0);
  else if (wasAway) notice(text("connectedAgain"), 4, true);
  wasAway = false;
});
connection.on("settings", ({ settings }) => {
  pip.size = settings.pictureSize ?? "medium";
  sounds.setVolume(settings.volume ?? 0.5);
});
connection.on("frame", drawFace);
connection.on("status", drawStatus);
handsFree.onChange = drawHints;
connection.on("event", (event) => handsFree.take(event));
connection.on("closed", () => {
  app.latest = {};
  handsFree.release();
  drawFace();
  drawStatus();
});
connection.on("away", ({ seconds, isRefused }) => {
  wasAway = true;
  notice(isRefused ? text("startedElsewhere") : text("disconnected", { seconds }), 0);
});
connection.on("control", hearControl);
connection.on("error", ({ code, message }) => {
  notice(code === "notInControl" ? text("notInControl", { button: text("takeControl") }) : message);
});
connection.on("saved", ({ name }) => notice(text("savedAs", { name: name.split("/").at(-1) }), 4, true, name));
addEventListener("pointerdown", sounds.allowSound);
addEventListener("keydown", sounds.allowSound);
document.addEventListener("visibilitychange", () => video.resubscribe());

setLanguage(language);
startSky(byId("sky"));
// The first settings say whether this player has been here before.
connection.on("settings", () => { if (!current) show("welcome"); });
if (!canShowVideo) notice(text("noVideo"));
