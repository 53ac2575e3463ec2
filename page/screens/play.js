// Play: choose a level, see the guide, climb, and see how it went.
import { element } from "../drawing.js";
import { GameView } from "../game-view.js";
import { playByKeys } from "../keys.js";
import * as sounds from "../sounds.js";
import { language, text } from "../texts.js";

export function playScreen(root, app, { signal }) {
  const settings = () => app.latest.settings?.settings ?? {};
  let stop = () => {};

  const button = (key, act, className = "") => {
    const node = element("button", { type: "button", className: `by-face ${className}`, textContent: text(key) });
    node.addEventListener("click", act);
    return node;
  };

  function chooseLevel() {
    stop();
    const levels = app.latest.levels?.levels ?? [];
    root.replaceChildren(
      element("h2", { textContent: text("chooseLevel") }),
      element("div", { className: "levels" }, ...levels.map((level, index) => {
        const node = element("button", { type: "button", className: `by-face ${index === 0 ? "main" : ""}` },
          element("strong", { textContent: level.title }),
          ...(level.about?.[language] ? [element("span", { textContent: level.about[language] })] : []),
          element("small", { textContent: [
            level.timeLimit ? text("limit", { seconds: level.timeLimit }) : text("noLimit"),
            level.best ? text("best", { time: level.best.toFixed(1) }) : null,
          ].filter(Boolean).join(" · ") }));
        node.addEventListener("click", () => begin(level.name));
        return node;
      })));
    const first = root.querySelector(".by-face");
    if (first) app.handsFree.moveTo(first);
  }

  function begin(level) {
    if (settings().guideSeen) return run(level);
    root.replaceChildren(
      element("div", { className: "panel" },
        element("h2", { textContent: text("guideTitle") }),
        element("p", { className: "lead", textContent: text("guide") }),
        element("div", { className: "row" },
          button("understood", () => run(level), "main"),
          button("dontShowAgain", () => {
            app.change({ guideSeen: true });
            run(level);
          }))));
    app.handsFree.moveTo(root.querySelector(".by-face"));
  }

  function run(level) {
    stop();
    stop = runGame(root, app, level, { button, chooseLevel, run, signal });
  }

  chooseLevel();
  app.connection.on("levels", () => { if (root.querySelector(".stage") === null) chooseLevel(); }, signal);
  return () => stop();
}

function runGame(root, app, levelName, { button, chooseLevel, run }) {
  const ended = new AbortController();
  const { signal } = ended;
  const canvas = element("canvas", { role: "img", "aria-label": text("gameLabel") });
  const height = element("span", {}), time = element("span", { className: "time" });
  const over = element("div", { className: "over", role: "status", hidden: true });
  const bar = element("div", { className: "bar" });
  root.replaceChildren(element("div", { className: "stage" },
    canvas, element("div", { className: "hud" }, height, time), over), bar);
  const view = new GameView(canvas);
  view.character = app.latest.settings?.settings.character ?? "nova";
  const send = (action) => app.connection.send("game", action === "start" ? { action, level: levelName } : { action });

  let level, phase, last, count;
  const isPlaying = () => phase === "playing";
  const pause = () => send(phase === "paused" || phase === "waiting" ? "resume" : "pause");
  playByKeys({
    isPlaying, pause,
    steer: (value) => app.connection.send("steer", { value }),
    jump: () => app.connection.send("jump"),
  }, signal);
  const pauseButton = button("pause", pause);
  // Where the count is, so that a player without hands sees how to come to the buttons.
  const number = element("p", { className: "count" });
  const menuButton = button("menu", pause);
  bar.replaceChildren(
    pauseButton,
    button("respawn", () => {
      send("respawn");
      // The way back is part of the game: it comes as soon as that goes on.
      if (!isPlaying()) send("resume");
    }),
    button("quit", () => send("quit")), ...recordButtons(app, button, signal));

  app.connection.on("level", (message) => { level = view.level = message.level; }, signal);
  app.connection.on("frame", (frame) => { view.face = { roll: frame.roll ?? 0, purse: frame.purse ?? 0 }; }, signal);
  app.connection.on("world", ({ world }) => {
    if (!level) return;
    view.show(world);
    if (last && last.phase === "playing") playSounds(last, world);
    last = world;
    const player = world.players[0];
    height.textContent = text("height", { reached: player.safePlatform, count: level.platforms.length - 1 });
    time.textContent = (world.timeLeft ?? world.time).toFixed(1);
    time.classList.toggle("late", world.timeLeft !== undefined && world.timeLeft < 10);
    if (world.phase === "countdown" && world.countdown !== count) {
      count = world.countdown;
      sounds.play("count");
      number.textContent = count;
      if (!number.isConnected) over.replaceChildren(number, menuButton);
    }
    if (world.phase !== phase) enter(world.phase, world);
  }, signal);

  function enter(next, world) {
    if (phase === "countdown" && next === "playing") sounds.play("go");
    phase = next;
    count = next === "countdown" ? world.countdown : undefined;
    // In play tilts and purses are the game's; before it a purse leads to the buttons; in a pause they choose.
    app.handsFree.sleep("screen", next === "playing");
    app.handsFree.only = next === "countdown" ? menuButton : null;
    over.hidden = next === "playing";
    over.classList.toggle("ended", next === "over");
    pauseButton.hidden = next === "paused" || next === "waiting";
    switch (next) {
      case "waiting":
        over.replaceChildren(
          ...(world.tick === 0
            ? [element("h2", { textContent: text("waitingForFace") })]
            : [element("h2", { textContent: text("paused") }),
              element("p", { className: "lead", textContent: text("pausedForFace") })]),
          button("playByKeys", () => send("resume")));
        return app.handsFree.moveTo(over.querySelector("button"));
      case "paused":
        over.replaceChildren(
          element("h2", { textContent: text("paused") }), button("resume", () => send("resume"), "main"));
        return app.handsFree.moveTo(over.querySelector("button"));
      case "over":
        return showResult(world);
    }
  }

  function showResult(world) {
    const verdict = world.outcome.verdict;
    sounds.play(verdict === "success" ? "success" : "fail");
    bar.replaceChildren(...recordButtons(app, button, signal));
    const levels = app.latest.levels?.levels ?? [];
    const next = levels[levels.findIndex((each) => each.name === levelName) + 1];
    const isDone = verdict === "success";
    over.replaceChildren(
      element("h2", { textContent: text(isDone ? "success" : verdict === "quit" ? "stopped" : "fail") }),
      element("p", { className: "lead", textContent: text("yourTime", { time: world.time.toFixed(1) }) }),
      ...(world.outcome.isBest ? [element("p", { className: "countdown", textContent: text("newBest") })] : []),
      element("div", { className: "row" },
        ...(isDone && next ? [button("nextLevel", () => run(next.name), "main")] : []),
        button("playAgain", () => run(levelName), isDone && next ? "" : "main"),
        button("levels", chooseLevel)));
    // The jump that reached the ship must not choose what comes next: it takes a new purse.
    app.handsFree.reset();
    app.handsFree.moveTo(over.querySelector(".main"));
  }

  // What the same service says now, or a new one's first run, comes after nothing.
  app.connection.on("closed", () => { if (phase !== "over") phase = last = count = undefined; }, signal);
  app.connection.on("hello", ({ controls }) => {
    if (controls && app.connection.isNewRun && phase !== "over") send("start");
  }, signal);
  send("start");
  const lock = stayAwake();
  return () => {
    ended.abort();
    view.stop();
    app.handsFree.sleep("screen", false);
    app.handsFree.only = null;
    if (phase !== "over") send("quit");
    lock.release();
  };
}

function playSounds(before, after) {
  const [old, player] = [before.players[0], after.players[0]];
  if (player.jumpedAt > old.jumpedAt) sounds.play(player.isDoubleJumping ? "doubleJump" : "jump");
  else if (player.respawns > old.respawns) sounds.play("respawn");
  else if (player.landedAt > old.landedAt && !old.isStanding) sounds.play("land");
}

function recordButtons(app, button, signal) {
  const isRecording = () => app.latest.status?.status.isRecording ?? false;
  const record = button("record", () => app.connection.send("record", { on: !isRecording() }));
  const update = () => {
    record.textContent = text(isRecording() ? "stopRecording" : "record");
    record.ariaPressed = String(isRecording());
  };
  app.connection.on("status", update, signal);
  update();
  return [record, button("snap", () => app.connection.send("snap"))];
}

/** The screen stays on while a player plays without touching anything. */
function stayAwake() {
  let lock;
  const ask = async () => {
    try {
      lock = await navigator.wakeLock?.request("screen");
    } catch {
      // Refused on low battery or while hidden: nothing to do about it.
    }
  };
  const again = () => { if (!document.hidden) ask(); };
  document.addEventListener("visibilitychange", again);
  ask();
  return {
    release() {
      document.removeEventListener("visibilitychange", again);
      lock?.release();
    },
  };
}
